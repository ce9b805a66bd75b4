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
#include "replay.h"
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

void table_init(uint64_t clusters) {
	tt.resize((clusters * 32 + (1 << 20) - 1) >> 20, pool);
	tt.clusterCount = clusters;
}

void table_clear() { tt.clear(pool); }
void table_new_search() { tt.new_search(); }

bool table_probe(const Record *r, Found *f) {
	auto [hit, data, writer] = tt.probe(r->key);
	keep_slot(r->key, writer.entry);
	*f = {data.depth, data.value, data.bound};
	return hit;
}

void table_store(const Record *r) {
	auto [hit, data, writer] = tt.probe(r->key);
	if (void *slot = slot_of(r->key)) writer = TTWriter(static_cast<TTEntry *>(slot));
	writer.write(r->key, Value(rec_value(r)), rec_pv(r), Bound(rec_bound(r)), Depth(rec_depth(r)), Move(rec_move(r)),
	             Value(rec_eval(r)), tt.generation());
}
