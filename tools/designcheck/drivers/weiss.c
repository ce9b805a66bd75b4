// transposition.h and transposition.c of Weiss, whose probe returns the entry of the store.
#include "replay.h"
#include "transposition.h"

void RunWithAllThreads(void *(*f)(void *)) { (void)f; }

void table_init(uint64_t clusters) {
	TT.table = aligned_alloc(64, clusters * sizeof(TTBucket));
	TT.count = clusters;
}

void table_clear(void) {
	memset(TT.table, 0, TT.count * sizeof(TTBucket));
	TT.generation = 0;
}

void table_new_search(void) { TTNewSearch(); }

bool table_probe(const Record *r, Found *f) {
	bool hit;
	TTEntry *e = ProbeTT(r->key, &hit);
	keep_slot(r->key, e);
	*f = (Found){e->depth, e->score, Bound(e)};
	return hit;
}

void table_store(const Record *r) {
	bool hit;
	TTEntry *e = slot_of(r->key);
	if (!e) e = ProbeTT(r->key, &hit);
	StoreTTEntry(e, r->key, rec_move(r), rec_value(r), rec_eval(r), rec_depth(r), rec_bound(r));
}
