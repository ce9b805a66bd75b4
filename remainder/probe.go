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

// bucket returns the address of the bucket of a key without a High. The bucket of any key is
//
//	b := t.bucket(key.Low)
//	if key.High != 0 {
//		b = t.add(b, key.High)
//	}
//
// which is too long to be inlined as a function.
func (t *Table) bucket(low uint64) unsafe.Pointer { return unsafe.Add(t.base, t.buckets.of(low)) }

// add returns the bucket of High·2^64 + Low, given the bucket of Low. The remainder of the sum is the sum of the
// remainders of High·(2^64 mod B) and Low, less B if it reaches B.
func (t *Table) add(bucket unsafe.Pointer, high uint64) unsafe.Pointer {
	at := uint64(uintptr(bucket)-uintptr(t.base)) + t.buckets.of(high*t.wrap)
	if at >= t.buckets.span {
		at -= t.buckets.span
	}
	return unsafe.Add(t.base, at)
}

// Prefetch loads the bucket of a key without a High into the cache for a later Probe or Store.
func (t *Table) Prefetch(low uint64) { mem.Prefetch(t.bucket(low)) }

// Probe returns the value that was last stored for a key, or 0 and false if the table does not
// have the key. Keys above the table's bound are not allowed.
//
// All entries of the bucket are compared without branches, which would be unpredictable.
func (t *Table) Probe(key Key) (value uint64, ok bool) {
	if checked {
		t.check(key, 1)
	}
	b, low, mask := t.bucket(key.Low), key.Low, t.mask
	if key.High != 0 {
		b = t.add(b, key.High)
	}
	found := uint64(0)
	if t.entriesPerBucket == 4 {
		w2, w3 := load(b, 2), load(b, 3)
		if (w3^low)&mask == 0 {
			found = w3
		}
		if (w2^low)&mask == 0 {
			found = w2
		}
	}
	if t.entriesPerBucket >= 2 {
		if w := load(b, 1); (w^low)&mask == 0 {
			found = w
		}
	}
	if w := load(b, 0); (w^low)&mask == 0 {
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
func (t *Table) Store(key Key, value uint64) {
	if checked {
		t.check(key, value)
	}
	if !t.dirty.Load() {
		t.dirty.Store(true)
	}
	b, low, mask := t.bucket(key.Low), key.Low, t.mask
	if key.High != 0 {
		b = t.add(b, key.High)
	}
	word := value<<(t.shift&63) | low&mask
	at := uint64(0)
	switch t.entriesPerBucket {
	case 2:
		at = least2(otherKey(load(b, 0), low, mask), otherKey(load(b, 1), low, mask))
	case 4:
		at = least4(otherKey(load(b, 0), low, mask), otherKey(load(b, 1), low, mask),
			otherKey(load(b, 2), low, mask), otherKey(load(b, 3), low, mask))
	}
	mem.StoreWord((*uint64)(unsafe.Add(b, at*wordBytes)), word)
}

// check panics if a key or a value is out of bounds.
func (t *Table) check(key Key, value uint64) {
	if t.maxKey.Less(key) || value == 0 || value > t.shape.MaxValue() {
		panic(fmt.Sprintf("remainder: key %v with value %d: expected at most %v with 1 to %d", key, value, t.maxKey,
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
