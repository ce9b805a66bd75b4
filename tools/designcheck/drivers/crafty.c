// hash.c of Crafty. The two lowest key bits choose no cluster there, so keys are rotated by two.
// Its probe reports a cutoff, not a hit; a bit that marks every stored move shows the hit.
#include <unistd.h>
#include "chess.h"
#include "data.h"
#include "replay.h"

enum { MARK = 1 << 20, PATHS = 1 << 16, PATH_BUCKET = 16 };

HASH_ENTRY *hash_table;
HPATH_ENTRY *hash_path;
uint64_t hash_mask, hash_path_mask = PATHS - PATH_BUCKET;
int transposition_age, null_depth = 3, null_divisor = 6, iteration = 1;

static TREE trees[1], *const tree = trees;

static uint64_t rotated(uint64_t key) { return key << 2 | key >> 62; }

void table_init(uint64_t clusters) {
	hash_table = aligned_alloc(64, clusters * 4 * sizeof(HASH_ENTRY));
	hash_mask = clusters * 4 - 4;
	hash_path = calloc(PATHS, sizeof(HPATH_ENTRY));
	tree->pv[0].pathl = tree->pv[1].pathl = 1;
}

void table_clear(void) {
	memset(hash_table, 0, (hash_mask + 4) * sizeof(HASH_ENTRY));
	transposition_age = 0;
}

void table_new_search(void) { transposition_age = (transposition_age + 1) & 0x1ff; }

bool table_probe(const Record *r, Found *f) {
	int value;
	HashKey = rotated(r->key);
	HashProbe(tree, 1, rec_depth(r), 1, rec_alpha(r), rec_beta(r), &value);
	const HASH_ENTRY *e = hash_table + (HashKey & hash_mask);
	for (int i = 0; i < 4; i++, e++)
		if (tree->hash_move[1] && (e->word1 ^ e->word2) == HashKey)
			*f = (Found){e->word1 >> 17 & 0x7fff, (int)(e->word1 & 0x1ffff) - 65536, e->word1 >> 53 & 3};
	return tree->hash_move[1];
}

void table_store(const Record *r) {
	HashKey = rotated(r->key);
	tree->pv[0].pathl = 1;
	HashStore(tree, 1, rec_depth(r), 1, rec_bound(r), rec_value(r), rec_move(r) | MARK);
}
