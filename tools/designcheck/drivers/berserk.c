// transposition.h and transposition.c of Berserk, whose probe returns the entry of the store.
#include "trefoil_replay.h"
#include "search.h"
#include "thread.h"
#include "transposition.h"

ThreadPool Threads; // what transposition.c needs of other files
void ThreadWake(ThreadData *t, int action) { (void)t, (void)action; }
void ThreadWaitUntilSleep(ThreadData *t) { (void)t; }

static int reset(uint64_t bytes) {
	free(TT.buckets);
	TT.count = bytes / sizeof(TTBucket);
	TT.buckets = calloc(TT.count, sizeof(TTBucket));
	TT.age = 0;
	return TT.buckets != NULL;
}

static void new_search(void) { TTUpdate(); }

static int probe(const trefoil_replay_probe *p, trefoil_replay_entry *f) {
	int hit, pv = 0;
	Move move;
	f->slot = TTProbe(p->key, 0, &hit, &move, &f->value, &f->eval, &f->depth, &f->bound, &pv);
	if (f->bound == BOUND_LOWER || f->bound == BOUND_UPPER) f->bound ^= 3; // numbered the other way
	return hit;
}

static void store(const trefoil_replay_entry *e) {
	trefoil_replay_entry f;
	trefoil_replay_probe p = {.key = e->key};
	int bound = e->bound == BOUND_LOWER || e->bound == BOUND_UPPER ? e->bound ^ 3 : e->bound;
	if (!e->slot) probe(&p, &f);
	TTPut(e->slot ? e->slot : f.slot, e->key, e->depth, e->value, bound, e->move, 0, e->eval, e->pv);
}

int main(int argc, char **argv) {
	const trefoil_replay_design design = {"Berserk", 12, 0, reset, new_search, probe, store};
	return trefoil_replay_main(argc, argv, &design);
}
