// A table as a design of `trefoil hash replay`: three entries of 10 bytes in 32, depth - 8 × age. It has the same
// counts as the design berserk+age=8+victim=store+generations=64.
//
//     cc -O2 -I.. -o table table.c && ./table game.trace 0.5,2
#include "trefoil_replay.h"

typedef struct {
    uint16_t key, move;
    int16_t value, eval;
    uint8_t depth, generation_bound; // depth is one more, 0 if empty; generation in six bits, bound in two
} entry;

typedef struct {
    entry entries[3];
    uint16_t padding;
} cluster;

__extension__ typedef unsigned __int128 wide;

static cluster *table;
static uint64_t clusters;
static unsigned generation;

// The entry of a key, or the one to replace.
static entry *entry_of(uint64_t key) {
    entry *e = table[(uint64_t)((wide)key * clusters >> 64)].entries, *victim = e;
    int i, least = 0;
    for (i = 0; i < 3; i++) {
        int value = e[i].depth - 8 * (int)((generation - (e[i].generation_bound >> 2)) & 63);
        if (e[i].depth == 0 || e[i].key == (uint16_t)key)
            return &e[i];
        if (i == 0 || value < least) {
            victim = &e[i];
            least = value;
        }
    }
    return victim;
}

static int reset(uint64_t bytes) {
    free(table);
    clusters = bytes / sizeof(cluster) & ~UINT64_C(1); // even, as in the design
    table = (cluster *)calloc(clusters, sizeof(cluster));
    generation = 0;
    return table != NULL;
}

static void new_search(void) { generation = (generation + 1) & 63; }

static int probe(const trefoil_replay_probe *node, trefoil_replay_entry *found) {
    const entry *e = entry_of(node->key);
    found->depth = e->depth - 1;
    found->bound = e->generation_bound & 3;
    found->value = e->value;
    found->eval = e->eval;
    return e->depth != 0 && e->key == (uint16_t)node->key;
}

static void store(const trefoil_replay_entry *n) {
    entry *e = entry_of(n->key);
    int same = e->depth != 0 && e->key == (uint16_t)n->key;
    if (n->move != 0 || !same)
        e->move = (uint16_t)n->move;
    if (same && n->bound != TREFOIL_TRACE_EXACT && e->generation_bound >> 2 == (int)generation && n->depth + 4 <= e->depth - 1)
        return;
    e->key = (uint16_t)n->key;
    e->value = (int16_t)n->value;
    e->eval = (int16_t)n->eval;
    e->depth = (uint8_t)(n->depth < 255 ? n->depth + 1 : 255);
    e->generation_bound = (uint8_t)(generation << 2 | (unsigned)n->bound);
}

int main(int argc, char **argv) {
    const trefoil_replay_design design = {"table", 16, 0, reset, new_search, probe, store};
    return trefoil_replay_main(argc, argv, &design);
}
