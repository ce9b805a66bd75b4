// What corpus puts into the engines: calls that record a trace with trefoil_trace.h in the file that TREFOIL_TRACE
// names. A probe is recorded with the next record, because the engine says later whether it was a cutoff.
#ifndef CORPUS_H
#define CORPUS_H

#include "trefoil_trace.h"

typedef struct {
    trefoil_trace *trace;
    int opened, pending;
    uint64_t key;
    int depth, alpha, beta, pv, hit, cutoff;
} corpus_state;

__attribute__((weak)) corpus_state Corpus; // one for all files

static inline trefoil_trace *corpus_flush(void) {
    corpus_state *c = &Corpus;
    if (c->pending)
        trefoil_trace_probe(c->trace, 0, c->key, c->depth, c->alpha, c->beta, c->pv, c->hit, c->cutoff);
    c->pending = c->cutoff = 0;
    return c->trace;
}

static inline void corpus_close(void) {
    const char *error = trefoil_trace_close(corpus_flush());
    Corpus.trace = NULL;
    if (error != NULL)
        fprintf(stderr, "%s\n", error);
}

static inline trefoil_trace *corpus_trace(void) {
    const char *path = getenv("TREFOIL_TRACE");
    if (!Corpus.opened && path != NULL) {
        Corpus.trace = trefoil_trace_open(path, "chess", 64, path, 1);
        if (Corpus.trace == NULL)
            perror(path);
        atexit(corpus_close);
    }
    Corpus.opened = 1;
    return corpus_flush();
}

static inline void corpus_search(void) { trefoil_trace_search(corpus_trace()); }
static inline void corpus_clear(void) { trefoil_trace_clear(corpus_trace()); }
static inline void corpus_cutoff(void) { Corpus.cutoff = Corpus.pending; }

// Returns hit.
static inline int corpus_probe(uint64_t key, int depth, int alpha, int beta, int pv, int hit) {
    corpus_state *c = &Corpus;
    if (corpus_trace() != NULL) {
        c->pending = 1;
        c->key = key, c->depth = depth, c->alpha = alpha, c->beta = beta < alpha ? alpha : beta, c->pv = pv, c->hit = hit;
    }
    return hit;
}

static inline void corpus_store(uint64_t key, int depth, int bound, int value, int eval, unsigned move, int pv) {
    trefoil_trace_store(corpus_trace(), 0, key, depth, bound, value, eval, move, pv);
}

#endif
