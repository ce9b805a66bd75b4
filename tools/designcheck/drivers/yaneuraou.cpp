// tt.h and tt.cpp of YaneuraOu of May 2018, with this shogi.h.
#define private public // the size in clusters
#include "tt.h"
#undef private
#include "replay.h"

void table_init(uint64_t clusters) {
	TT.resize((clusters * 32 + (1 << 20) - 1) >> 20);
	TT.clusterCount = clusters;
}

void table_clear() {
	TT.clear();
	TT.generation8 = 0;
}

void table_new_search() { TT.new_search(); }

bool table_probe(const Record *r, Found *f) {
	bool hit;
	TTEntry *e = TT.probe(r->key, hit);
	keep_slot(r->key, e);
	*f = {e->depth(), e->value(), e->bound()};
	return hit;
}

void table_store(const Record *r) {
	bool hit;
	TTEntry *e = static_cast<TTEntry *>(slot_of(r->key));
	if (!e) e = TT.probe(r->key, hit);
	e->save(r->key, Value(rec_value(r)), Bound(rec_bound(r)), Depth(rec_depth(r)), Move(rec_move(r)), Value(rec_eval(r)),
	        TT.generation());
}
