// tt.h and tt.cpp of YaneuraOu of August 2026. It compares key bits 0 to 15, the preset 6 to 21.
#define private public // the size in clusters, the entry of a writer
#include "tt.h"
#undef private
#include "trefoil_replay.h"

using namespace YaneuraOu;

ThreadPool &IEngine::get_threads() { abort(); }

static TranspositionTable tt;
static ThreadPool pool;

static Key swapped(uint64_t key) { return (key & ~0x3FFFFFULL) | (key >> 6 & 0xFFFF) | (key & 0x3F) << 16; }

static Position position(uint64_t key) {
	Position p;
	p.side = Color(key & 1);
	return p;
}

static int reset(uint64_t bytes) {
	if (tt.clusterCount != bytes / 32) tt.resize((bytes + (1 << 20) - 1) >> 20, pool);
	tt.clusterCount = bytes / 32;
	tt.clear(pool);
	return 1;
}

static void new_search() { tt.new_search(); }

static int probe(const trefoil_replay_probe *p, trefoil_replay_entry *f) {
	auto [hit, data, writer] = tt.probe(swapped(p->key), position(p->key));
	f->slot = writer.entry;
	f->depth = data.depth;
	f->value = data.value;
	f->eval = data.eval;
	f->bound = data.bound;
	return hit;
}

static void store(const trefoil_replay_entry *e) {
	auto [hit, data, writer] = tt.probe(swapped(e->key), position(e->key));
	if (e->slot) writer = TTWriter(static_cast<TTEntry *>(e->slot));
	writer.write(swapped(e->key), Value(e->value), e->pv, Bound(e->bound), Depth(e->depth), Move(e->move), Value(e->eval),
	             tt.generation());
}

int main(int argc, char **argv) {
	const trefoil_replay_design design = {"YaneuraOu 2026", 16, 1, reset, new_search, probe, store};
	return trefoil_replay_main(argc, argv, &design);
}
