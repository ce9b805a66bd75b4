// transposition.h and transposition.c of Ethereal. Its probe of check bits 0 also finds an empty
// entry, which has no bound; here that is a miss.
#include "replay.h"
#include "types.h"
#include "board.h"
#include "transposition.h"

extern TTable Table;

void table_init(uint64_t clusters) {
	Table.buckets = aligned_alloc(64, clusters * sizeof(TTBucket));
	Table.hashMask = clusters - 1;
}

void table_clear(void) {
	memset(Table.buckets, 0, (Table.hashMask + 1) * sizeof(TTBucket));
	Table.generation = 0;
}

void table_new_search(void) { tt_update(); }

bool table_probe(const Record *r, Found *f) {
	uint16_t move;
	int eval;
	return tt_probe(r->key, 0, &move, &f->value, &eval, &f->depth, &f->bound) && f->bound;
}

void table_store(const Record *r) {
	tt_store(r->key, 0, rec_move(r), rec_value(r), rec_eval(r), rec_depth(r), rec_bound(r));
}
