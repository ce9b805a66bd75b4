// A driver makes the table of another engine these five functions. replay.c calls them for the
// records that it reads from standard input, and writes what each probe has found.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct { uint64_t key, word; } Record;

// Fields of the records, as docs/formats.md has them.
static inline bool rec_pv(const Record *r) { return r->word >> 3 & 1; }
static inline int rec_bound(const Record *r) { return r->word >> 4 & 3; }
static inline int rec_depth(const Record *r) { return r->word >> 8 & 255; }
static inline int rec_value(const Record *r) { return (int16_t)(r->word >> 16); }
static inline int rec_move(const Record *r) { return r->word >> 32 & 0xFFFF; }
static inline int rec_eval(const Record *r) { return (int16_t)(r->word >> 48); }
static inline int rec_alpha(const Record *r) { return (int16_t)(r->word >> 16); }
static inline int rec_beta(const Record *r) { return (int16_t)(r->word >> 32); }

typedef struct { int depth, value, bound; } Found;

void table_init(uint64_t clusters);
void table_clear(void);
void table_new_search(void);
bool table_probe(const Record *r, Found *f);
void table_store(const Record *r);

// Engines whose probe returns the entry that the node will store into keep it here. slot_of forgets
// the probes after that of the key: those nodes are below it and have ended without a store.
void keep_slot(uint64_t key, void *slot);
void *slot_of(uint64_t key); // NULL if there is none

#ifdef __cplusplus
}
#endif
