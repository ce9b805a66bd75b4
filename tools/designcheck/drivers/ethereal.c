// transposition.h and transposition.c of Ethereal. Its probe of check bits 0 also finds an empty
// entry, which has no bound; here that is a miss.
#include "trefoil_replay.h"
#include "types.h"
#include "board.h"
#include "transposition.h"

extern TTable Table;

static int reset(uint64_t bytes) {
	uint64_t clusters = 1;
	while (2 * clusters * sizeof(TTBucket) <= bytes) clusters *= 2;
	free(Table.buckets);
	Table.buckets = calloc(clusters, sizeof(TTBucket));
	Table.hashMask = clusters - 1;
	Table.generation = 0;
	return Table.buckets != NULL;
}

static void new_search(void) { tt_update(); }

static int probe(const trefoil_replay_probe *p, trefoil_replay_entry *f) {
	uint16_t move;
	return tt_probe(p->key, 0, &move, &f->value, &f->eval, &f->depth, &f->bound) && f->bound;
}

static void store(const trefoil_replay_entry *e) {
	tt_store(e->key, 0, e->move, e->value, e->eval, e->depth, e->bound);
}

int main(int argc, char **argv) {
	const trefoil_replay_design design = {"Ethereal", 16, 1, reset, new_search, probe, store};
	return trefoil_replay_main(argc, argv, &design);
}
