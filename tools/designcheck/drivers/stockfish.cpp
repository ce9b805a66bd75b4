// tt.h and tt.cpp of Stockfish. The entry that a probe returns is written when its node is stored.
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <variant>
#define private public // the size in clusters, the entry of a writer
#include "tt.h"
#undef private
#include "trefoil_replay.h"
#include "thread.h"

namespace Stockfish {
// What tt.cpp needs of other files.
void ThreadPool::run_on_thread(usize, std::function<void()> f) { f(); }
void ThreadPool::wait_on_thread(usize) {}
usize ThreadPool::num_threads() const { return 1; }
usize ThreadPool::numa_nodes() const { return 1; }
std::vector<usize> ThreadPool::get_bound_thread_to_numa_node() const { return {}; }
void *aligned_large_pages_alloc_with_hint(usize n, bool) { return aligned_alloc(4096, (n + 4095) / 4096 * 4096); }
void aligned_large_pages_free(void *p) { free(p); }
}

using namespace Stockfish;

static TranspositionTable tt;
alignas(ThreadPool) static char storage[sizeof(ThreadPool)]; // only the functions above are called
static ThreadPool &pool = *reinterpret_cast<ThreadPool *>(storage);

static int reset(uint64_t bytes) {
	if (tt.clusterCount != bytes / 32) tt.resize((bytes + (1 << 20) - 1) >> 20, pool);
	tt.clusterCount = bytes / 32;
	tt.clear(pool);
	return 1;
}

static void new_search() { tt.new_search(); }

static int probe(const trefoil_replay_probe *p, trefoil_replay_entry *f) {
	auto [hit, data, writer] = tt.probe(p->key);
	f->slot = writer.entry;
	f->depth = data.depth;
	f->value = data.value;
	f->eval = data.eval;
	f->bound = data.bound;
	return hit;
}

static void store(const trefoil_replay_entry *e) {
	auto [hit, data, writer] = tt.probe(e->key);
	if (e->slot) writer = TTWriter(static_cast<TTEntry *>(e->slot));
	writer.write(e->key, Value(e->value), e->pv, Bound(e->bound), Depth(e->depth), Move(e->move), Value(e->eval),
	             tt.generation());
}

int main(int argc, char **argv) {
	const trefoil_replay_design design = {"Stockfish", 16, 0, reset, new_search, probe, store};
	return trefoil_replay_main(argc, argv, &design);
}
