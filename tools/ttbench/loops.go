package main

// Each cell has a loop of its own, because a loop with branches for the cells would time the branches
// too.

func (b *bench) base(s, i, end uint64, near, wrap bool) uint64 {
	acc, j, last := uint64(0), i, end
	if wrap {
		j, last = i%b.hits, b.hits
	}
	for ; i < end; i++ {
		if j == last {
			j = 0
		}
		acc += key(s, j)
		if near {
			acc ^= key(s, j+ahead)
		}
		j++
	}
	b.sink += acc
	return 0
}

func (b *bench) hit(s, i, end uint64) (hits uint64) {
	t, acc, j, last := b.t, uint64(0), i%b.hits, b.hits
	for ; i < end; i++ {
		if j == last {
			j = 0
		}
		if e, ok := t.Probe(key(s, j)); ok {
			acc += fold(e.Entry)
			hits++
		}
		j++
	}
	b.sink += acc
	return hits
}

func (b *bench) hitNear(s, i, end uint64) (hits uint64) {
	t, acc, j, last := b.t, uint64(0), i%b.hits, b.hits
	for ; i < end; i++ {
		if j == last {
			j = 0
		}
		t.Prefetch(key(s, j+ahead))
		if e, ok := t.Probe(key(s, j)); ok {
			acc += fold(e.Entry)
			hits++
		}
		j++
	}
	b.sink += acc
	return hits
}

func (b *bench) miss(s, i, end uint64) (hits uint64) {
	t, acc := b.t, uint64(0)
	for ; i < end; i++ {
		if e, ok := t.Probe(key(s, i)); ok {
			acc += fold(e.Entry)
			hits++
		}
	}
	b.sink += acc
	return hits
}

func (b *bench) missNear(s, i, end uint64) (hits uint64) {
	t, acc := b.t, uint64(0)
	for ; i < end; i++ {
		t.Prefetch(key(s, i+ahead))
		if e, ok := t.Probe(key(s, i)); ok {
			acc += fold(e.Entry)
			hits++
		}
	}
	b.sink += acc
	return hits
}

func (b *bench) store(s, i, end uint64) uint64 {
	t := b.t
	for ; i < end; i++ {
		k := key(s, i)
		t.Store(k, entry(k, uint8(k>>8&7)))
	}
	return 0
}

func (b *bench) storeNear(s, i, end uint64) uint64 {
	t := b.t
	for ; i < end; i++ {
		t.Prefetch(key(s, i+ahead))
		k := key(s, i)
		t.Store(k, entry(k, uint8(k>>8&7)))
	}
	return 0
}

func (b *bench) pair(s, i, end uint64) (hits uint64) {
	t, acc := b.t, uint64(0)
	for ; i < end; i++ {
		k := key(s, i)
		if e, ok := t.Probe(k); ok {
			acc += fold(e.Entry)
			hits++
		}
		if (k>>20)%10 < 7 {
			t.Store(k, entry(k, uint8(k>>8&7)))
		}
	}
	b.sink += acc
	return hits
}

func (b *bench) pairNear(s, i, end uint64) (hits uint64) {
	t, acc := b.t, uint64(0)
	for ; i < end; i++ {
		t.Prefetch(key(s, i+ahead))
		k := key(s, i)
		if e, ok := t.Probe(k); ok {
			acc += fold(e.Entry)
			hits++
		}
		if (k>>20)%10 < 7 {
			t.Store(k, entry(k, uint8(k>>8&7)))
		}
	}
	b.sink += acc
	return hits
}

func (b *bench) nodeKey(i uint64) (k uint64, store bool) {
	r := key(nodeSeed, i)
	store = (r>>40)%10 < 7
	if r&1 != 0 {
		return key(hitSeed, (r>>8)%b.hits), store
	}
	return key(newSeed, i+fresh), store
}

func (b *bench) nodeBase(i, end uint64, work int) uint64 {
	l := chains{1, 2, 3, 4}
	for ; i < end; i++ {
		k, store := b.nodeKey(i)
		l.b ^= k
		l.work(work)
		l.a ^= k
		l.work(8)
		if store {
			l.c += k
		}
	}
	b.sink += l.a + l.b + l.c + l.d
	return 0
}

func (b *bench) node(i, end uint64, work int) (hits uint64) {
	t, l := b.t, chains{1, 2, 3, 4}
	for ; i < end; i++ {
		k, store := b.nodeKey(i)
		t.Prefetch(k)
		l.work(work)
		v := uint64(0)
		if e, ok := t.Probe(k); ok {
			v = fold(e.Entry)
			hits++
		}
		l.a ^= k + v
		l.work(8)
		if store {
			l.c += k
			t.Store(k, entry(k, uint8(k>>8&7)))
		}
	}
	b.sink += l.a + l.b + l.c + l.d
	return hits
}
