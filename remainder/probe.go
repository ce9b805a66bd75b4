package remainder

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// load reads a word of a bucket, whole.
func load(bucket unsafe.Pointer, way uint64) uint64 {
	return atomic.LoadUint64((*uint64)(unsafe.Add(bucket, way*wordBytes)))
}

// bucket returns where the bucket of a key begins.
func (t *Table) bucket(key uint64) unsafe.Pointer {
	return unsafe.Add(t.base, t.buckets.of(key))
}

// Prefetch brings the bucket of a key close, for a Probe or Store soon after.
func (t *Table) Prefetch(key uint64) { mem.Prefetch(t.bucket(key)) }

// Probe returns the value that was last stored for a key, unless it is gone. Then, and if
// there never was one, it returns 0 and false.
//
// Every way is compared without a branch, because no processor could guess them.
func (t *Table) Probe(key uint64) (value uint64, ok bool) {
	if checked {
		t.check(key, 1)
	}
	b, mask := t.bucket(key), t.mask
	found := uint64(0)
	if t.ways == 4 {
		w2, w3 := load(b, 2), load(b, 3)
		if (w3^key)&mask == 0 {
			found = w3
		}
		if (w2^key)&mask == 0 {
			found = w2
		}
	}
	if t.ways >= 2 {
		if w := load(b, 1); (w^key)&mask == 0 {
			found = w
		}
	}
	if w := load(b, 0); (w^key)&mask == 0 {
		found = w
	}
	value = found >> (t.shift & 63)
	return value, value != 0
}

// Store writes the value of a key, 1 to Shape().MaxValue(). It takes the place of the
// same key if the bucket has it, else of an empty word, else of the least value.
//
// Words of a bucket are filled in order and never emptied, so an empty one stands after
// all others. If the key's own word counts as empty too, the first of the least is its
// own, or empty, or of the least value, in this order.
func (t *Table) Store(key, value uint64) {
	if checked {
		t.check(key, value)
	}
	if !t.dirty.Load() {
		t.dirty.Store(true)
	}
	b, mask := t.bucket(key), t.mask
	word := value<<(t.shift&63) | key&mask
	at := uint64(0)
	switch t.ways {
	case 2:
		at = least2(own(load(b, 0), key, mask), own(load(b, 1), key, mask))
	case 4:
		at = least4(own(load(b, 0), key, mask), own(load(b, 1), key, mask), own(load(b, 2), key, mask), own(load(b, 3), key, mask))
	}
	mem.StoreWord((*uint64)(unsafe.Add(b, at*wordBytes)), word)
}

// check panics if a key or a value is out of bounds.
func (t *Table) check(key, value uint64) {
	if key > t.maxKey || value == 0 || value > t.shape.MaxValue() {
		panic(fmt.Sprintf("remainder: key %d with value %d: want at most %d with 1 to %d", key, value, t.maxKey, t.shape.MaxValue()))
	}
}

// own returns a word, but 0 for that of the key.
func own(w, key, mask uint64) uint64 {
	if (w^key)&mask == 0 {
		w = 0
	}
	return w
}

// least2 returns the number of the lesser of two words, 0 if they are equal.
func least2(w0, w1 uint64) uint64 {
	at := uint64(0)
	if w1 < w0 {
		at = 1
	}
	return at
}

// least4 returns the number of the least of four words, the first of equals.
func least4(w0, w1, w2, w3 uint64) uint64 {
	least := min(w0, w1, w2, w3)
	at := uint64(3)
	if w2 == least {
		at = 2
	}
	if w1 == least {
		at = 1
	}
	if w0 == least {
		at = 0
	}
	return at
}

// Counters are what one worker has asked of a table.
type Counters struct{ Probes, Hits, Stores uint64 }

// Add adds another worker's.
func (c *Counters) Add(d Counters) {
	c.Probes += d.Probes
	c.Hits += d.Hits
	c.Stores += d.Stores
}

// A Handle is the table for one worker, who counts for itself: a counter that all of them
// shared would cost more than the probe that it counts.
type Handle struct {
	*Table
	Counters
}

// Handle returns a new handle.
func (t *Table) Handle() *Handle { return &Handle{Table: t} }

// Probe is Table.Probe, counted.
func (h *Handle) Probe(key uint64) (value uint64, ok bool) {
	value, ok = h.Table.Probe(key)
	h.Probes++
	if ok {
		h.Hits++
	}
	return value, ok
}

// Store is Table.Store, counted.
func (h *Handle) Store(key, value uint64) {
	h.Table.Store(key, value)
	h.Stores++
}
