// tt.h and tt.cpp of YaneuraOu of May 2018, with this shogi.h.
#define private public // the size in clusters
#include "tt.h"
#undef private
#include "trefoil_replay.h"

static int reset(uint64_t bytes) {
	if (TT.clusterCount != bytes / 32) TT.resize((bytes + (1 << 20) - 1) >> 20);
	TT.clusterCount = bytes / 32;
	TT.clear();
	TT.generation8 = 0;
	return 1;
}

static void new_search() { TT.new_search(); }

static int probe(const trefoil_replay_probe *p, trefoil_replay_entry *f) {
	bool hit;
	TTEntry *e = TT.probe(p->key, hit);
	f->slot = e;
	f->depth = e->depth();
	f->value = e->value();
	f->eval = e->eval();
	f->bound = e->bound();
	return hit;
}

static void store(const trefoil_replay_entry *e) {
	bool hit;
	TTEntry *slot = e->slot ? static_cast<TTEntry *>(e->slot) : TT.probe(e->key, hit);
	slot->save(e->key, Value(e->value), Bound(e->bound), Depth(e->depth), Move(e->move), Value(e->eval), TT.generation());
}

int main(int argc, char **argv) {
	const trefoil_replay_design design = {"YaneuraOu 2018", 16, 1, reset, new_search, probe, store};
	return trefoil_replay_main(argc, argv, &design);
}
