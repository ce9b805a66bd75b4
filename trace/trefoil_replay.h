/*
 * trefoil_replay.h: a transposition table written in C or C++ as a design of `trefoil hash replay`.
 *
 * A program with four functions and a main function of one line replays a trace of trefoil_trace.h,
 * or of `trefoil hash trace`, against a table, and prints rows of `hash replay --tsv`. A table that is
 * also a design of `hash replay` has the same counts there. In the documentation of Trefoil,
 * docs/trace.md has an example.
 *
 *     static int reset(uint64_t bytes);                     // an empty table of that size, or 0
 *     static void new_search(void);
 *     static int probe(const trefoil_replay_probe *node, trefoil_replay_entry *found);
 *     static void store(const trefoil_replay_entry *entry);
 *
 *     int main(int argc, char **argv) {
 *         const trefoil_replay_design design = {"mine", 16, 0, reset, new_search, probe, store};
 *         return trefoil_replay_main(argc, argv, &design);
 *     }
 *
 * C99 or C++11 with the standard library and trefoil_trace.h.
 *
 * Copyright (c) 2026 The Trefoil developers
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
 * associated documentation files (the "Software"), to deal in the Software without restriction,
 * including without limitation the rights to use, copy, modify, merge, publish, distribute,
 * sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or
 * substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
 * NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
 * NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
 * DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
 * OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
#ifndef TREFOIL_REPLAY_H
#define TREFOIL_REPLAY_H

#include "trefoil_trace.h"

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

/* A node that probes. */
typedef struct trefoil_replay_probe {
    uint64_t key;
    int depth, alpha, beta, pv;
} trefoil_replay_probe;

/* What a node stores, and what a probe finds. */
typedef struct trefoil_replay_entry {
    uint64_t key; /* of a store */
    int depth, bound, value;
    int eval;      /* a number that tells positions apart, see eval_bits */
    unsigned move; /* 16 bits, 0 for none */
    int pv;
    void *slot; /* of a store: what the probe of its node left here, NULL if there was no probe */
} trefoil_replay_entry;

/*
 * A table. It may be global, because only one is used at a time.
 *
 * eval_bits: how many bits of eval the table keeps, at most 16. Stores have signed numbers of so many
 * bits, derived from the key. A hit with another eval than that of the probed key is a false hit. A
 * table without room for an eval can keep it in an additional field; with 0 all hits count as true.
 *
 * raw_keys: traces of Trefoil have the side to move in bit 0 of the key and nowhere else. With 0 their
 * keys are replaced by random ones, as if the side had a key word. With 1 they stay as they are, for a
 * table whose index keeps bit 0. Keys of other engines always stay.
 *
 * reset makes a table of at most that many bytes, empty and in its first generation, and returns 0 if
 * there is no such table. It is called again where the trace says that the table is cleared. probe
 * returns whether it found an entry; only then the fields of *found count, except slot. pv and move of
 * *found are never used.
 */
typedef struct trefoil_replay_design {
    const char *name;
    int eval_bits, raw_keys;
    int (*reset)(uint64_t bytes);
    void (*new_search)(void);
    int (*probe)(const trefoil_replay_probe *node, trefoil_replay_entry *found);
    void (*store)(const trefoil_replay_entry *entry);
} trefoil_replay_design;

enum {
    TREFOIL_REPLAY_MAX_HEADER_ = 1 << 16,
    TREFOIL_REPLAY_MAX_BLOCK_ = 1 << 22,
    TREFOIL_REPLAY_MAX_OPEN_ = 4096
};

/* A record of the trace. */
typedef struct trefoil_replay_record {
    uint64_t key, word;
} trefoil_replay_record;

/* A replay of a trace against a table of one size. */
typedef struct trefoil_replay {
    const trefoil_replay_design *design;
    uint64_t bytes;
    int random_keys;
    FILE *results; /* of each probe, or NULL */
    uint64_t probes, stores, hits, cutoffs, false_hits, false_cutoffs, mismatches;

    FILE *file;
    uint32_t crc, crc_table[256]; /* of everything in the file except checksums */
    unsigned char *block;

    trefoil_replay_record *last; /* store of each position: an open-addressing table, of a power of two */
    size_t last_used, last_size;

    size_t open;  /* nodes: probes whose store may come */
    uint64_t open_keys[TREFOIL_REPLAY_MAX_OPEN_];
    void *open_slots[TREFOIL_REPLAY_MAX_OPEN_];
} trefoil_replay;

/* The finaliser of splitmix64. */
static inline uint64_t trefoil_replay_mix_(uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static inline uint64_t trefoil_replay_key_(const trefoil_replay *t, uint64_t key) {
    return t->random_keys ? trefoil_replay_mix_(key) : key;
}

/* The eval that stands for a key. */
static inline int trefoil_replay_eval_(const trefoil_replay *t, uint64_t key) {
    int bits = t->design->eval_bits;
    return bits == 0 ? 0 : (int)(trefoil_replay_mix_(~key) >> (64 - bits)) - (1 << (bits - 1));
}

/* The signed 16 bits of a word from a bit on. */
static inline int trefoil_replay_int16_(uint64_t word, int at) { return (int16_t)(word >> at & 0xFFFF); }

static inline uint64_t trefoil_replay_get_(const unsigned char *at, int bytes) {
    uint64_t v = 0;
    while (bytes-- > 0)
        v = v << 8 | at[bytes];
    return v;
}

/* The last store of a key, or the unused element, whose word is 0, where it belongs. */
static inline trefoil_replay_record *trefoil_replay_find_(const trefoil_replay *t, uint64_t key) {
    size_t i = (size_t)(trefoil_replay_mix_(key)) & (t->last_size - 1);
    while (t->last[i].word != 0 && t->last[i].key != key)
        i = (i + 1) & (t->last_size - 1);
    return &t->last[i];
}

/* Remembers the last store of a position. Returns 0 if there is no memory. */
static inline int trefoil_replay_remember_(trefoil_replay *t, const trefoil_replay_record *r) {
    trefoil_replay_record *e;
    if (4 * t->last_used >= 3 * t->last_size) {
        trefoil_replay_record *old = t->last;
        size_t i, size = t->last_size;
        t->last_size = size == 0 ? 1 << 16 : 2 * size;
        t->last = (trefoil_replay_record *)calloc(t->last_size, sizeof *t->last);
        if (t->last == NULL) {
            t->last = old;
            t->last_size = size;
            return 0;
        }
        for (i = 0; i < size; i++)
            if (old[i].word != 0)
                *trefoil_replay_find_(t, old[i].key) = old[i];
        free(old);
    }
    e = trefoil_replay_find_(t, r->key);
    t->last_used += e->word == 0;
    *e = *r;
    return 1;
}

static inline void trefoil_replay_store_(trefoil_replay *t, const trefoil_replay_record *r) {
    trefoil_replay_entry e;
    size_t i;
    e.key = trefoil_replay_key_(t, r->key);
    e.pv = (int)(r->word >> 3 & 1);
    e.bound = (int)(r->word >> 4 & 3);
    e.depth = (int)(r->word >> 8 & 255);
    e.value = trefoil_replay_int16_(r->word, 16);
    e.move = (unsigned)(r->word >> 32 & 0xFFFF);
    e.eval = trefoil_replay_eval_(t, r->key);
    e.slot = NULL;
    for (i = t->open; i-- > 0;)
        if (t->open_keys[i] == r->key) { /* later nodes were below it and had no store */
            e.slot = t->open_slots[i];
            t->open = i;
            break;
        }
    t->design->store(&e);
}

static inline void trefoil_replay_probe_(trefoil_replay *t, const trefoil_replay_record *r) {
    trefoil_replay_probe p;
    trefoil_replay_entry found;
    int hit, cutoff, truly;
    p.key = trefoil_replay_key_(t, r->key);
    p.pv = (int)(r->word >> 3 & 1);
    p.depth = (int)(r->word >> 8 & 255);
    p.alpha = trefoil_replay_int16_(r->word, 16);
    p.beta = trefoil_replay_int16_(r->word, 32);
    memset(&found, 0, sizeof found);
    hit = t->design->probe(&p, &found) != 0;
    truly = found.eval == trefoil_replay_eval_(t, r->key) || t->design->eval_bits == 0;
    cutoff = hit && !p.pv && found.depth >= p.depth
        && ((found.value >= p.beta && (found.bound & TREFOIL_TRACE_LOWER)) || (found.value <= p.alpha && (found.bound & TREFOIL_TRACE_UPPER)));
    t->probes++;
    t->mismatches += hit != (int)(r->word >> 4 & 1);
    t->hits += hit && truly;
    t->cutoffs += cutoff && truly;
    t->false_hits += hit && !truly;
    t->false_cutoffs += cutoff && !truly;
    if (found.slot != NULL) {
        if (t->open == TREFOIL_REPLAY_MAX_OPEN_) { /* the older half is dropped */
            t->open /= 2;
            memcpy(t->open_keys, t->open_keys + t->open, t->open * sizeof *t->open_keys);
            memcpy(t->open_slots, t->open_slots + t->open, t->open * sizeof *t->open_slots);
        }
        t->open_keys[t->open] = r->key;
        t->open_slots[t->open++] = found.slot;
    }
    if (t->results != NULL) {
        unsigned char word[8];
        trefoil_trace_put_(word, hit ? 1 | (uint64_t)(found.bound & 3) << 4 | trefoil_trace_depth_(found.depth) | trefoil_trace_int16_(found.value, 16) : 0, 8);
        fwrite(word, sizeof word, 1, t->results);
    } else if ((r->word >> 5 & 1) && !cutoff && t->last != NULL) {
        /* Without the recorded cutoff the search would have gone on and stored the node again. */
        trefoil_replay_record again = *trefoil_replay_find_(t, r->key);
        if (again.word != 0) {
            again.word = (again.word & ~(uint64_t)0xFF00) | (r->word & 0xFF00);
            trefoil_replay_store_(t, &again);
        }
    }
}

/* Applies a record of 16 bytes. Returns NULL, or an error. */
static inline const char *trefoil_replay_record_(trefoil_replay *t, const unsigned char *data) {
    trefoil_replay_record r;
    r.key = trefoil_replay_get_(data, 8);
    r.word = trefoil_replay_get_(data + 8, 8);
    switch (r.word & 7) {
    case TREFOIL_TRACE_CLEAR_:
        t->open = t->last_used = 0;
        if (t->last != NULL)
            memset(t->last, 0, t->last_size * sizeof *t->last);
        return t->design->reset(t->bytes) ? NULL : "there is no table of that size";
    case TREFOIL_TRACE_SEARCH_:
        t->open = 0;
        t->design->new_search();
        return NULL;
    case TREFOIL_TRACE_PROBE_:
        trefoil_replay_probe_(t, &r);
        return NULL;
    case TREFOIL_TRACE_STORE_:
        t->stores++;
        trefoil_replay_store_(t, &r);
        return trefoil_replay_remember_(t, &r) ? NULL : "there is not enough memory";
    default:
        return "a record has an unknown kind";
    }
}

/* Reads bytes that count in the checksum. Returns whether the file has them. */
static inline int trefoil_replay_read_(trefoil_replay *t, unsigned char *data, size_t n) {
    if (fread(data, 1, n, t->file) != n)
        return 0;
    t->crc = trefoil_trace_crc_(t->crc_table, t->crc, data, n);
    return 1;
}

/* Reads a checksum and compares it. */
static inline int trefoil_replay_checksum_(trefoil_replay *t) {
    unsigned char b[4];
    return fread(b, 1, 4, t->file) == 4 && trefoil_replay_get_(b, 4) == t->crc;
}

/* Reads the trace and replays it. Returns NULL, or an error. */
static inline const char *trefoil_replay_file_(trefoil_replay *t) {
    static const char damaged[] = "the trace is damaged or incomplete";
    unsigned char prefix[24], number[4], magic[16] = "TREFOIL\ntrace";
    uint64_t n, i;
    const char *error;
    if (!trefoil_replay_read_(t, prefix, sizeof prefix) || memcmp(prefix, magic, sizeof magic) != 0)
        return "not a trace";
    if (trefoil_replay_get_(prefix + 16, 4) != TREFOIL_TRACE_VERSION)
        return "a trace of another version";
    n = trefoil_replay_get_(prefix + 20, 4);
    if (n > TREFOIL_REPLAY_MAX_HEADER_ || !trefoil_replay_read_(t, t->block, (size_t)n) || !trefoil_replay_checksum_(t))
        return damaged;
    t->block[n] = 0;
    t->random_keys = !t->design->raw_keys && strstr((char *)t->block, "\"key_bits\":") != NULL;
    if (!t->design->reset(t->bytes))
        return "there is no table of that size";
    for (;;) {
        if (!trefoil_replay_read_(t, number, 4))
            return damaged;
        n = trefoil_replay_get_(number, 4);
        if (n == 0) /* the end: summary, number of blocks, length of their data */
            return trefoil_replay_read_(t, t->block, TREFOIL_TRACE_SUMMARY + 16) && trefoil_replay_checksum_(t) ? NULL : damaged;
        if (n > TREFOIL_REPLAY_MAX_BLOCK_ || n % TREFOIL_TRACE_RECORD != 0 || !trefoil_replay_read_(t, t->block, (size_t)n)
            || !trefoil_replay_checksum_(t))
            return damaged;
        for (i = 0; i < n; i += TREFOIL_TRACE_RECORD)
            if ((error = trefoil_replay_record_(t, t->block + i)) != NULL)
                return error;
    }
}

/*
 * Replays the trace at path against a table of that many bytes, from its beginning, and sets the counts
 * of t, which are those of a file of `hash replay --tsv`. If results is not NULL, it gets 8 bytes for each
 * probe, and no store is repeated: 0 for a miss, else 1 | bound << 4 | depth << 8 | value << 16, little
 * endian. Returns NULL, or an error.
 */
static inline const char *trefoil_replay_run(trefoil_replay *t, const trefoil_replay_design *design, const char *path, uint64_t bytes, FILE *results) {
    const char *error = "there is not enough memory";
    memset(t, 0, sizeof *t);
    t->design = design;
    t->bytes = bytes;
    t->results = results;
    trefoil_trace_crc_table_(t->crc_table);
    t->file = fopen(path, "rb");
    if (t->file == NULL)
        return strerror(errno);
    t->block = (unsigned char *)malloc(TREFOIL_REPLAY_MAX_BLOCK_);
    if (t->block != NULL)
        error = trefoil_replay_file_(t);
    fclose(t->file);
    free(t->block);
    free(t->last);
    if (error == NULL && results != NULL && (fflush(results) != 0 || ferror(results)))
        error = "the results could not be written";
    return error;
}

/*
 * The main function of a program: PROGRAM TRACE MIB[,MIB...] prints columns and a row for each size as
 * `hash replay --tsv` does, PROGRAM --results TRACE MIB the results of trefoil_replay_run. The trace is
 * read again for each size.
 */
static inline int trefoil_replay_main(int argc, char **argv, const trefoil_replay_design *design) {
    static trefoil_replay t;
    int results = argc == 4 && strcmp(argv[1], "--results") == 0;
    const char *size, *error;
    char *end;
    if (argc != 3 + results) {
        fprintf(stderr, "usage: %s TRACE MIB[,MIB...]\n       %s --results TRACE MIB\n", argv[0], argv[0]);
        return 2;
    }
#ifdef _WIN32
    if (results)
        _setmode(_fileno(stdout), _O_BINARY);
#endif
    if (!results)
        printf("design\tMiB\tprobes\tstores\thits\tcutoffs\tfalse hits\tfalse cutoffs\tmismatches\tkind\n");
    for (size = argv[2 + results]; size != NULL; size = *end == ',' ? end + 1 : NULL) {
        double mib = strtod(size, &end);
        if ((*end != 0 && (*end != ',' || results)) || !(mib >= 1.0 / 1024 && mib <= 1 << 20)) {
            fprintf(stderr, "%s: size \"%s\" is not a number of MiB from 0.001 to 1048576\n", argv[0], size);
            return 2;
        }
        error = trefoil_replay_run(&t, design, argv[1 + results], (uint64_t)(mib * (1 << 20)), results ? stdout : NULL);
        if (error != NULL) {
            fprintf(stderr, "%s: %s, %.*s MiB: %s\n", argv[0], argv[1 + results], (int)(end - size), size, error);
            return 1;
        }
        if (!results)
            printf("%s\t%.*s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\tdesign\n", design->name, (int)(end - size), size,
                (unsigned long long)t.probes, (unsigned long long)t.stores, (unsigned long long)t.hits, (unsigned long long)t.cutoffs,
                (unsigned long long)t.false_hits, (unsigned long long)t.false_cutoffs, (unsigned long long)t.mismatches);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: the results could not be written\n", argv[0]);
        return 1;
    }
    return 0;
}

#endif
