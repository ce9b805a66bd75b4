/*
 * trefoil_trace.h: record what a search does with its transposition table.
 *
 * `trefoil hash replay` reads the file and replays its probes and stores against tables of other
 * sizes, layouts and replacement policies. In the documentation of Trefoil, docs/trace.md explains
 * where an engine makes these calls, and docs/formats.md describes the file.
 *
 * C99 or C++11 with the standard library, for GCC and Clang, and untested for MSVC.
 *
 *     trefoil_trace *trace = trefoil_trace_open("game.trace", "chess", 64, "MyEngine 3", 1);
 *     trefoil_trace_search(trace);                                         // a search begins
 *     trefoil_trace_probe(trace, 0, key, depth, alpha, beta, pv, hit, cutoff);
 *     trefoil_trace_store(trace, 0, key, depth, bound, value, eval, move, pv);
 *     const char *error = trefoil_trace_close(trace);                      // NULL: all is written
 *
 * Every thread has a number, which is the second argument of probe and store, and a buffer of its
 * own for TREFOIL_TRACE_BATCH records. So the records of a thread are in order, and a record is at
 * most that many of its thread too late among the records of other threads. The calls other than
 * probe and store are for a time when no other thread uses the trace.
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
#ifndef TREFOIL_TRACE_H
#define TREFOIL_TRACE_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

/* The version of the format. Readers refuse any other. */
#define TREFOIL_TRACE_VERSION 2

/* Records that a thread collects before it adds them to the file. With -DTREFOIL_TRACE_BATCH=1 their
   order is exact, at the price of taking a lock for each record. All files of a program need the same
   value. */
#ifndef TREFOIL_TRACE_BATCH
#define TREFOIL_TRACE_BATCH 64
#endif
#if TREFOIL_TRACE_BATCH < 1
#error "TREFOIL_TRACE_BATCH is less than 1"
#endif

/* The bounds of a stored value. With NONE the entry has a move or an eval, and no value. */
enum { TREFOIL_TRACE_NONE, TREFOIL_TRACE_UPPER, TREFOIL_TRACE_LOWER, TREFOIL_TRACE_EXACT };

/* Sizes, in bytes except for THREADS and MIB. */
enum {
    TREFOIL_TRACE_RECORD = 16,
    TREFOIL_TRACE_BLOCK = 4096 * TREFOIL_TRACE_RECORD,
    TREFOIL_TRACE_SUMMARY = 488,
    TREFOIL_TRACE_THREADS = 4096, /* at most */
    TREFOIL_TRACE_MIB = 1 << 25   /* at most */
};

/* The kinds of records. */
enum { TREFOIL_TRACE_CLEAR_ = 1, TREFOIL_TRACE_SEARCH_, TREFOIL_TRACE_PROBE_, TREFOIL_TRACE_STORE_ };

/* The records of one thread that are not yet in block. The padding keeps threads apart in cache. */
typedef struct trefoil_trace_buffer {
    unsigned char data[TREFOIL_TRACE_BATCH * TREFOIL_TRACE_RECORD];
    size_t used;
    unsigned char padding[64];
} trefoil_trace_buffer;

/* A trace that is being written. Its fields are private. */
typedef struct trefoil_trace {
    FILE *file;
    const char *error; /* the first one */
    uint64_t blocks;   /* in the file */
    uint64_t bytes;    /* of data in them */
    uint64_t searches;
    uint32_t crc;      /* of everything in the file except checksums */
    uint32_t crc_table[256];
    unsigned threads;
    trefoil_trace_buffer *buffers; /* of the threads, in the same allocation */
    volatile long lock;            /* for error, used and block */
    size_t used;                   /* bytes of block */
    unsigned char block[TREFOIL_TRACE_BLOCK];
} trefoil_trace;

static inline void trefoil_trace_lock_(trefoil_trace *t) {
#if defined(_MSC_VER)
    while (_InterlockedExchange(&t->lock, 1)) {}
#else
    while (__sync_lock_test_and_set(&t->lock, 1)) {}
#endif
}

static inline void trefoil_trace_unlock_(trefoil_trace *t) {
#if defined(_MSC_VER)
    _InterlockedExchange(&t->lock, 0);
#else
    __sync_lock_release(&t->lock);
#endif
}

/* Keeps an error for close, unless there is one already. Nothing more is written. */
static inline void trefoil_trace_fail_(trefoil_trace *t, const char *error) {
    trefoil_trace_lock_(t);
    if (t->error == NULL)
        t->error = error;
    trefoil_trace_unlock_(t);
}

/* Writes the low bytes of v, the lowest first. */
static inline void trefoil_trace_put_(unsigned char *at, uint64_t v, int bytes) {
    int i;
    for (i = 0; i < bytes; i++)
        at[i] = (unsigned char)(v >> 8 * i);
}

/* Fills the table of CRC-32C, reflected. */
static inline void trefoil_trace_crc_table_(uint32_t *table) {
    uint32_t i, bit;
    for (i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
        table[i] = crc;
    }
}

/* Returns a checksum continued with more bytes. */
static inline uint32_t trefoil_trace_crc_(const uint32_t *table, uint32_t crc, const unsigned char *data, size_t n) {
    size_t i;
    crc = ~crc;
    for (i = 0; i < n; i++)
        crc = crc >> 8 ^ table[(crc ^ data[i]) & 255];
    return ~crc;
}

/* Writes bytes to the file and counts them in the checksum. */
static inline void trefoil_trace_write_(trefoil_trace *t, const unsigned char *data, size_t n) {
    t->crc = trefoil_trace_crc_(t->crc_table, t->crc, data, n);
    if (t->error == NULL && fwrite(data, 1, n, t->file) != n)
        t->error = "the trace could not be written";
}

/* Writes the checksum of everything before it. */
static inline void trefoil_trace_write_crc_(trefoil_trace *t) {
    uint32_t crc = t->crc;
    unsigned char b[4];
    trefoil_trace_put_(b, crc, 4);
    trefoil_trace_write_(t, b, 4);
    t->crc = crc; /* checksums are not part of the next one */
}

/* Writes the records in block as a block of the file. */
static inline void trefoil_trace_flush_block_(trefoil_trace *t) {
    unsigned char length[4];
    if (t->used == 0)
        return;
    trefoil_trace_put_(length, t->used, 4);
    trefoil_trace_write_(t, length, 4);
    trefoil_trace_write_(t, t->block, t->used);
    trefoil_trace_write_crc_(t);
    t->blocks++;
    t->bytes += t->used;
    t->used = 0;
}

/* Adds records to block and writes it whenever it is full. */
static inline void trefoil_trace_add_(trefoil_trace *t, const unsigned char *data, size_t n) {
    while (n > 0) {
        size_t room = TREFOIL_TRACE_BLOCK - t->used, part = n < room ? n : room;
        memcpy(t->block + t->used, data, part);
        t->used += part;
        data += part;
        n -= part;
        if (t->used == TREFOIL_TRACE_BLOCK)
            trefoil_trace_flush_block_(t);
    }
}

/* Adds the records of all threads to block, thread 0 first. */
static inline void trefoil_trace_drain_(trefoil_trace *t) {
    unsigned i;
    for (i = 0; i < t->threads; i++) {
        trefoil_trace_add_(t, t->buffers[i].data, t->buffers[i].used);
        t->buffers[i].used = 0;
    }
}

/* Adds a record that is of no thread, after those of all threads. */
static inline void trefoil_trace_event_(trefoil_trace *t, uint64_t key, uint64_t word) {
    unsigned char record[TREFOIL_TRACE_RECORD];
    trefoil_trace_drain_(t);
    trefoil_trace_put_(record, key, 8);
    trefoil_trace_put_(record + 8, word, 8);
    trefoil_trace_add_(t, record, sizeof record);
}

/* Adds a record of a thread. */
static inline void trefoil_trace_record_(trefoil_trace *t, unsigned thread, uint64_t key, uint64_t word) {
    trefoil_trace_buffer *b;
    if (thread >= t->threads) {
        trefoil_trace_fail_(t, "the number of a thread is not below the threads that were opened");
        return;
    }
    b = t->buffers + thread;
    trefoil_trace_put_(b->data + b->used, key, 8);
    trefoil_trace_put_(b->data + b->used + 8, word, 8);
    b->used += TREFOIL_TRACE_RECORD;
    if (b->used == sizeof b->data) {
        trefoil_trace_lock_(t);
        trefoil_trace_add_(t, b->data, b->used);
        trefoil_trace_unlock_(t);
        b->used = 0;
    }
}

/* A signed field of 16 bits at a bit of a word. A value out of range becomes the nearest in it. */
static inline uint64_t trefoil_trace_int16_(int v, int at) {
    v = v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v;
    return (uint64_t)(uint16_t)v << at;
}

static inline uint64_t trefoil_trace_depth_(int depth) {
    return (uint64_t)(depth < 0 ? 0 : depth > 255 ? 255 : depth) << 8;
}

/* Appends text to block, escaped if it is inside a string of JSON. */
static inline void trefoil_trace_text_(trefoil_trace *t, const char *s, int inside) {
    for (; *s != 0; s++) {
        if (inside && (*s == '"' || *s == '\\'))
            t->block[t->used++] = '\\';
        t->block[t->used++] = (unsigned char)*s;
    }
}

/* Whether a text can stand in the header: at most 1000 bytes and no control characters, which are
   U+0000 to U+001F and U+007F to U+009F. */
static inline int trefoil_trace_text_ok_(const char *s) {
    const unsigned char *u = (const unsigned char *)s;
    size_t n;
    if (s == NULL)
        return 0;
    for (n = 0; u[n] != 0; n++)
        if (n == 1000 || u[n] < 0x20 || u[n] == 0x7F || (u[n] == 0xC2 && u[n + 1] >= 0x80 && u[n + 1] <= 0x9F))
            return 0;
    return 1;
}

/* Writes the beginning of the file: magic, kind, version and the header in JSON, for which block has
   room enough. */
static inline void trefoil_trace_begin_(trefoil_trace *t, const char *game, uint64_t mib, const char *note) {
    unsigned char prefix[24] = "TREFOIL\ntrace";
    char number[32];
    snprintf(number, sizeof number, "%lu", (unsigned long)mib);
    trefoil_trace_text_(t, "{\"game\":\"", 0);
    trefoil_trace_text_(t, game, 1);
    trefoil_trace_text_(t, "\",\"mib\":", 0);
    trefoil_trace_text_(t, number, 0);
    trefoil_trace_text_(t, ",\"note\":\"", 0);
    trefoil_trace_text_(t, note, 1);
    trefoil_trace_text_(t, "\"}", 0);
    trefoil_trace_put_(prefix + 16, TREFOIL_TRACE_VERSION, 4);
    trefoil_trace_put_(prefix + 20, t->used, 4);
    trefoil_trace_write_(t, prefix, sizeof prefix);
    trefoil_trace_write_(t, t->block, t->used);
    trefoil_trace_write_crc_(t);
    t->used = 0;
}

/*
 * Begins a trace and replaces the file at path. game is the name of the game, as "chess"; mib the
 * size of the table, which must be empty, in MiB, rounded up; note what is searched and by which
 * engine; threads how many threads will probe and store. The two texts are UTF-8 without control
 * characters, at most 1000 bytes.
 *
 * This is the only call that allocates: 65 KiB and 1.1 KiB for each thread. On failure it returns
 * NULL and sets errno, to EINVAL for an argument out of range. The other calls ignore a trace that is
 * NULL.
 */
static inline trefoil_trace *trefoil_trace_open(const char *path, const char *game, uint64_t mib, const char *note, unsigned threads) {
    trefoil_trace *t;
    if (path == NULL || !trefoil_trace_text_ok_(game) || !trefoil_trace_text_ok_(note) || mib < 1 || mib > TREFOIL_TRACE_MIB
        || threads < 1 || threads > TREFOIL_TRACE_THREADS) {
        errno = EINVAL;
        return NULL;
    }
    t = (trefoil_trace *)calloc(1, sizeof *t + threads * sizeof *t->buffers);
    if (t == NULL)
        return NULL;
    t->threads = threads;
    t->buffers = (trefoil_trace_buffer *)(t + 1);
    trefoil_trace_crc_table_(t->crc_table);
    t->file = fopen(path, "wb");
    if (t->file == NULL) {
        free(t);
        return NULL;
    }
    trefoil_trace_begin_(t, game, mib, note);
    return t;
}

/* Records that a search begins. */
static inline void trefoil_trace_search(trefoil_trace *t) {
    if (t != NULL)
        trefoil_trace_event_(t, t->searches++, TREFOIL_TRACE_SEARCH_);
}

/* Records that the table was cleared, or replaced by an empty one. */
static inline void trefoil_trace_clear(trefoil_trace *t) {
    if (t != NULL)
        trefoil_trace_event_(t, 0, TREFOIL_TRACE_CLEAR_);
}

/*
 * Records a probe, when the use of its result is known and before the next probe or store of the
 * thread. depth is that of the node in plies, 0 the lowest of quiescence search; (alpha, beta) is its
 * window. pv: the node is a PV node; hit: the table had an entry; cutoff: its value ended the node.
 * A cutoff without a hit, and an alpha above beta, are errors.
 */
static inline void trefoil_trace_probe(trefoil_trace *t, unsigned thread, uint64_t key, int depth, int alpha, int beta, int pv, int hit, int cutoff) {
    if (t == NULL)
        return;
    if (cutoff && !hit)
        trefoil_trace_fail_(t, "a probe has a cutoff and no hit");
    else if (alpha > beta)
        trefoil_trace_fail_(t, "alpha of a probe is above beta");
    else
        trefoil_trace_record_(t, thread, key, (uint64_t)TREFOIL_TRACE_PROBE_ | (pv ? 8u : 0) | (hit ? 16u : 0) | (cutoff ? 32u : 0)
            | trefoil_trace_depth_(depth) | trefoil_trace_int16_(alpha, 16) | trefoil_trace_int16_(beta, 32));
}

/*
 * Records what a search gives its table to store, whether or not the table keeps it. depth is as for
 * a probe; bound is one of the four above; value is as it is stored, mates counted from the node;
 * eval is the static evaluation; move is any number of 16 bits, 0 for none. pv: the entry is of a PV
 * node.
 */
static inline void trefoil_trace_store(trefoil_trace *t, unsigned thread, uint64_t key, int depth, int bound, int value, int eval, unsigned move, int pv) {
    if (t != NULL)
        trefoil_trace_record_(t, thread, key, (uint64_t)TREFOIL_TRACE_STORE_ | (pv ? 8u : 0) | (uint64_t)(bound & 3) << 4
            | trefoil_trace_depth_(depth) | trefoil_trace_int16_(value, 16) | (uint64_t)(move & 0xFFFF) << 32
            | trefoil_trace_int16_(eval, 48));
}

/*
 * Ends the trace and frees it. Returns NULL, or the first error of any call. A file without its end,
 * because of an error or because it was not closed, is refused by its readers.
 */
static inline const char *trefoil_trace_close(trefoil_trace *t) {
    unsigned char end[4 + TREFOIL_TRACE_SUMMARY + 16];
    const char *error;
    int n;
    if (t == NULL)
        return NULL;
    trefoil_trace_drain_(t);
    trefoil_trace_flush_block_(t);
    n = snprintf((char *)end + 4, TREFOIL_TRACE_SUMMARY, "{\"records\":%llu}", (unsigned long long)t->bytes / TREFOIL_TRACE_RECORD);
    memset(end + 4 + n, ' ', (size_t)(TREFOIL_TRACE_SUMMARY - n));
    trefoil_trace_put_(end, 0, 4);
    trefoil_trace_put_(end + 4 + TREFOIL_TRACE_SUMMARY, t->blocks, 8);
    trefoil_trace_put_(end + 12 + TREFOIL_TRACE_SUMMARY, t->bytes, 8);
    if (t->error == NULL) {
        trefoil_trace_write_(t, end, sizeof end);
        trefoil_trace_write_crc_(t);
    }
    if (fclose(t->file) != 0 && t->error == NULL)
        t->error = "the trace could not be written";
    error = t->error;
    free(t);
    return error;
}

#endif
