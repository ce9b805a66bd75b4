package remainder

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// load reads entry i of a bucket.
func load(bucket unsafe.Pointer, i uint64) uint64 {
	return atomic.LoadUint64((*uint64)(unsafe.Add(bucket, i*wordBytes)))
}

// bucket returns the address of a key's bucket.
func (t *Table) bucket(key uint64) unsafe.Pointer {
	return unsafe.Add(t.base, t.buckets.of(key))
}

// Prefetch loads the bucket of a key into the cache for a later Probe or Store.
func (t *Table) Prefetch(key uint64) { mem.Prefetch(t.bucket(key)) }

// Probe returns the value that was last stored for a key, or 0 and false if the table does not
// have the key. Keys above the table's bound are not allowed.
//
// All entries of the bucket are compared without branches, which would be unpredictable.
func (t *Table) Probe(key uint64) (value uint64, ok bool) {
	if checked {
		t.check(key, 1)
	}
	b, mask := t.bucket(key), t.mask
	found := uint64(0)
	if t.entriesPerBucket == 4 {
		w2, w3 := load(b, 2), load(b, 3)
		if (w3^key)&mask == 0 {
			found = w3
		}
		if (w2^key)&mask == 0 {
			found = w2
		}
	}
	if t.entriesPerBucket >= 2 {
		if w := load(b, 1); (w^key)&mask == 0 {
			found = w
		}
	}
	if w := load(b, 0); (w^key)&mask == 0 {
		found = w
	}
	value = found >> (t.shift & 63) // the mask drops the check for an oversized shift
	return value, value != 0
}

// Store writes the value of a key, 1 to Shape().MaxValue(). It overwrites the entry of the same key if the
// bucket has one, else an empty entry, else the entry of least value.
//
// The entries of a bucket are filled in order and never emptied, so empty entries come after all others. If
// the key's own entry counts as 0, the first of the least entries is therefore its own, else an empty one,
// else the entry of least value.
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
	switch t.entriesPerBucket {
	case 2:
		at = least2(otherKey(load(b, 0), key, mask), otherKey(load(b, 1), key, mask))
	case 4:
		at = least4(otherKey(load(b, 0), key, mask), otherKey(load(b, 1), key, mask),
			otherKey(load(b, 2), key, mask), otherKey(load(b, 3), key, mask))
	}
	mem.StoreWord((*uint64)(unsafe.Add(b, at*wordBytes)), word)
}

// check panics if a key or a value is out of bounds.
func (t *Table) check(key, value uint64) {
	if key > t.maxKey || value == 0 || value > t.shape.MaxValue() {
		panic(fmt.Sprintf("remainder: key %d with value %d: expected at most %d with 1 to %d", key, value, t.maxKey,
			t.shape.MaxValue()))
	}
}

// otherKey returns an entry of another key unchanged, and 0 for an entry of this key.
func otherKey(w, key, mask uint64) uint64 {
	if (w^key)&mask == 0 {
		w = 0
	}
	return w
}

// least2 returns the index of the lesser of two words, 0 if they are equal.
func least2(w0, w1 uint64) uint64 {
	at := uint64(0)
	if w1 < w0 {
		at = 1
	}
	return at
}

// least4 returns the index of the least of four words, the first of equals.
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
