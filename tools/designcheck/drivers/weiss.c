// transposition.h and transposition.c of Weiss, whose probe returns the entry of the store.
#include "trefoil_replay.h"
#include "transposition.h"

void RunWithAllThreads(void *(*f)(void *)) { (void)f; }

static int reset(uint64_t bytes) {
	free(TT.table);
	TT.count = bytes / sizeof(TTBucket);
	TT.table = calloc(TT.count, sizeof(TTBucket));
	TT.generation = 0;
	return TT.table != NULL;
}

static void new_search(void) { TTNewSearch(); }

static int probe(const trefoil_replay_probe *p, trefoil_replay_entry *f) {
	bool hit;
	TTEntry *e = ProbeTT(p->key, &hit);
	f->slot = e;
	f->depth = e->depth;
	f->value = e->score;
	f->eval = e->eval;
	f->bound = Bound(e);
	return hit;
}

static void store(const trefoil_replay_entry *e) {
	bool hit;
	TTEntry *slot = e->slot ? e->slot : ProbeTT(e->key, &hit);
	StoreTTEntry(slot, e->key, e->move, e->value, e->eval, e->depth, e->bound);
}

int main(int argc, char **argv) {
	const trefoil_replay_design design = {"Weiss", 16, 0, reset, new_search, probe, store};
	return trefoil_replay_main(argc, argv, &design);
}
