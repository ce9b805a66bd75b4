// Usage: driver CLUSTERS. Input: records, 16 bytes each. Output: for each probe 8 bytes, 0 if it
// missed, else 1 | bound << 4 | depth << 8 | value << 16.
#include "replay.h"
#include <stdio.h>

typedef struct { uint64_t key; void *slot; } Pending;

static Pending *pending;
static size_t used, capacity;

void keep_slot(uint64_t key, void *slot) {
	if (used == capacity) {
		capacity = capacity ? 2 * capacity : 1024;
		pending = realloc(pending, capacity * sizeof *pending);
		if (!pending) exit(1);
	}
	pending[used++] = (Pending){key, slot};
}

void *slot_of(uint64_t key) {
	for (size_t i = used; i-- > 0;)
		if (pending[i].key == key) {
			used = i;
			return pending[i].slot;
		}
	return NULL;
}

int main(int argc, char **argv) {
	if (argc != 2) return 2;
	table_init(strtoull(argv[1], NULL, 10));
	table_clear();
	for (Record r; fread(&r, sizeof r, 1, stdin) == 1;) {
		switch (r.word & 7) {
		case 1: used = 0; table_clear(); break;
		case 2: used = 0; table_new_search(); break;
		case 3: {
			Found f;
			uint64_t word = 0;
			if (table_probe(&r, &f))
				word = 1 | (uint64_t)f.bound << 4 | (uint64_t)(f.depth & 255) << 8 | (uint64_t)(uint16_t)f.value << 16;
			fwrite(&word, sizeof word, 1, stdout);
			break;
		}
		case 4: table_store(&r); break;
		}
	}
	return 0;
}
