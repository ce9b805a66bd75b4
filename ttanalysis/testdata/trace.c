/*
 * Writes a trace of invented probes and stores with trefoil_trace.h: several threads, two searches
 * and a clear. trace_c_test.go makes the same records in Go.
 *
 *     trace FILE THREADS NODES    one search of NODES probes and stores by each thread, twice
 *     trace … NOTE ALPHA BETA HIT CUTOFF    another note, and one more probe at the end
 */
#include "trefoil_trace.h"

#include <pthread.h>

typedef struct worker {
    trefoil_trace *trace;
    unsigned number;
    int search, nodes;
} worker;

/* The finaliser of splitmix64. */
static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static int bits(uint64_t r, int from, int count) { return (int)(r >> from & ((1u << count) - 1)); }

/* Depths and scores leave the range of their fields now and then. */
static void *search(void *arg) {
    const worker *w = (const worker *)arg;
    int i;
    for (i = 0; i < w->nodes; i++) {
        uint64_t key = (uint64_t)w->number << 56 | (uint64_t)w->search << 48 | (uint64_t)i;
        uint64_t r = mix(key);
        int alpha = bits(r, 0, 17) - 65536, depth = bits(r, 17, 9) - 100, hit = bits(r, 26, 1);
        trefoil_trace_probe(w->trace, w->number, key, depth, alpha, alpha + bits(r, 27, 8), bits(r, 35, 1), hit, hit && bits(r, 36, 1));
        r = mix(r);
        trefoil_trace_store(w->trace, w->number, key, bits(r, 0, 9) - 100, bits(r, 9, 2), bits(r, 11, 17) - 65536,
            bits(r, 28, 17) - 65536, (unsigned)bits(r, 45, 16), bits(r, 61, 1));
    }
    return NULL;
}

int main(int argc, char **argv) {
    enum { MAX_THREADS = 16 };
    worker workers[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    trefoil_trace *trace;
    const char *error;
    unsigned count, i;
    int s;

    if ((argc != 4 && argc != 9) || (count = (unsigned)atoi(argv[2])) > MAX_THREADS)
        return 2;
    trace = trefoil_trace_open(argv[1], "none", 3, argc > 4 ? argv[4] : "a \"note\" \\ \xC3\xA4", count);
    if (trace == NULL) {
        perror(argv[1]);
        return 1;
    }
    for (s = 0; s < 2; s++) {
        trefoil_trace_search(trace);
        for (i = 0; i < count; i++) {
            workers[i].trace = trace;
            workers[i].number = i;
            workers[i].search = s;
            workers[i].nodes = atoi(argv[3]);
            if (pthread_create(&threads[i], NULL, search, &workers[i]) != 0)
                return 3;
        }
        for (i = 0; i < count; i++)
            pthread_join(threads[i], NULL);
        if (s == 0)
            trefoil_trace_clear(trace);
    }
    if (argc > 4)
        trefoil_trace_probe(trace, 0, 1, 1, atoi(argv[5]), atoi(argv[6]), 0, atoi(argv[7]), atoi(argv[8]));
    if ((error = trefoil_trace_close(trace)) != NULL) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    return 0;
}
