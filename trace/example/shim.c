// The functions of the two headers, which are inline, for other languages.
#include "trefoil_replay.h"

trefoil_trace *trace_open(const char *path, const char *game, uint64_t mib, const char *note, unsigned threads) {
    return trefoil_trace_open(path, game, mib, note, threads);
}
void trace_search(trefoil_trace *t) { trefoil_trace_search(t); }
void trace_clear(trefoil_trace *t) { trefoil_trace_clear(t); }
void trace_probe(trefoil_trace *t, unsigned thread, uint64_t key, int depth, int alpha, int beta, int pv, int hit, int cutoff) {
    trefoil_trace_probe(t, thread, key, depth, alpha, beta, pv, hit, cutoff);
}
void trace_store(trefoil_trace *t, unsigned thread, uint64_t key, int depth, int bound, int value, int eval, unsigned move, int pv) {
    trefoil_trace_store(t, thread, key, depth, bound, value, eval, move, pv);
}
const char *trace_close(trefoil_trace *t) { return trefoil_trace_close(t); }

int replay_main(int argc, char **argv, const trefoil_replay_design *design) { return trefoil_replay_main(argc, argv, design); }
