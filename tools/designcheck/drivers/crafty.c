// hash.c of Crafty. The two lowest key bits choose no cluster there, so keys are rotated by two.
// Its probe reports a cutoff, not a hit; a bit that marks every stored move shows the hit. Its entries have no eval.
#include "chess.h"
#include "data.h"
#include "trefoil_replay.h"

enum { MARK = 1 << 20, PATHS = 1 << 16, PATH_BUCKET = 16 };

HASH_ENTRY *hash_table;
HPATH_ENTRY *hash_path;
uint64_t hash_mask, hash_path_mask = PATHS - PATH_BUCKET;
int transposition_age, null_depth = 3, null_divisor = 6, iteration = 1;

static TREE trees[1], *const tree = trees;

static uint64_t rotated(uint64_t key) { return key << 2 | key >> 62; }

static int reset(uint64_t bytes) {
	uint64_t entries = 4;
	while (2 * entries * sizeof(HASH_ENTRY) <= bytes) entries *= 2;
	free(hash_table);
	free(hash_path);
	hash_table = calloc(entries, sizeof(HASH_ENTRY));
	hash_mask = entries - 4;
	hash_path = calloc(PATHS, sizeof(HPATH_ENTRY));
	tree->pv[0].pathl = tree->pv[1].pathl = 1;
	transposition_age = 0;
	return 1;
}

static void new_search(void) { transposition_age = (transposition_age + 1) & 0x1ff; }

static int probe(const trefoil_replay_probe *p, trefoil_replay_entry *f) {
	int value;
	HashKey = rotated(p->key);
	HashProbe(tree, 1, p->depth, 1, p->alpha, p->beta, &value);
	const HASH_ENTRY *e = hash_table + (HashKey & hash_mask);
	for (int i = 0; i < 4; i++, e++)
		if (tree->hash_move[1] && (e->word1 ^ e->word2) == HashKey) {
			f->depth = e->word1 >> 17 & 0x7fff;
			f->value = (int)(e->word1 & 0x1ffff) - 65536;
			f->bound = e->word1 >> 53 & 3;
		}
	return tree->hash_move[1] != 0;
}

static void store(const trefoil_replay_entry *e) {
	HashKey = rotated(e->key);
	tree->pv[0].pathl = 1;
	HashStore(tree, 1, e->depth, 1, e->bound, e->value, e->move | MARK);
}

int main(int argc, char **argv) {
	const trefoil_replay_design design = {"Crafty", 0, 1, reset, new_search, probe, store};
	return trefoil_replay_main(argc, argv, &design);
}
