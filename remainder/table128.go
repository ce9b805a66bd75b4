package remainder

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// A Table128 maps keys of up to 128 bits to values of 128-k bits, 64 at most. Its shape has three entries per
// bucket. The package comment says what its stores and probes do at the same time. All else is as in a Table.
type Table128 struct{ *Table }

// New128 returns an empty table for keys from 0 to maxKey, or an error as New does.
func New128(shape Shape, maxKey Key, options ...Option) (*Table128, error) {
	if !shape.two() {
		return nil, fmt.Errorf("remainder: %d entries per bucket: New makes that table", shape.EntriesPerBucket)
	}
	c := configOf(options)
	t, err := c.table(shape, maxKey)
	if err != nil {
		return nil, err
	}
	return &Table128{t}, nil
}

// valueWord is the word of entry i of a bucket that has the value, lowWord the word with the low 64 bits of the key.
func valueWord(i uint64) uint64 { return 2 + 2*i }
func lowWord(i uint64) uint64   { return 3 + 2*i }

// isValueWord reports whether a word of the table, counted from the first, is a valueWord.
func isValueWord(i int) bool { return i%2 == 0 && i%8 != 0 }

// bucket returns the address of the bucket of a key, whose remainder is the sum of the remainders of
// (High mod B)·(2^64 mod B) and Low, less B if it reaches B. The product is less than B², and B is at most 2^32.
func (t *Table128) bucket(key Key) unsafe.Pointer {
	high := t.buckets.of(key.High) / bucketBytes128
	at := t.buckets.of(high*t.wrap) + t.buckets.of(key.Low)
	if at >= t.buckets.span {
		at -= t.buckets.span
	}
	return unsafe.Add(t.base, at)
}

// Prefetch loads the bucket of a key into the cache for a later Probe or Store.
func (t *Table128) Prefetch(key Key) { mem.Prefetch(t.bucket(key)) }

// Probe returns the value that was last stored for a key, or 0 and false if the table does not have the key, or
// while another goroutine stores in its bucket.
func (t *Table128) Probe(key Key) (value uint64, ok bool) {
	if checked {
		t.check(key, 1)
	}
	b, mask := t.bucket(key), t.mask
	count := load(b, 0)
	found := uint64(0)
	for i := uint64(entries128); i > 0; { // from the last, as empty entries have the key 0
		i--
		if w := load(b, valueWord(i)); (w^key.High)&mask == 0 && load(b, lowWord(i)) == key.Low {
			found = w
		}
	}
	if count&1 != 0 || load(b, 0) != count {
		return 0, false
	}
	value = found >> (t.shift & 63)
	return value, value != 0
}

// Store writes the value of a key as Table.Store does. It does nothing while another goroutine stores in the bucket.
func (t *Table128) Store(key Key, value uint64) {
	if checked {
		t.check(key, value)
	}
	if !t.dirty.Load() {
		t.dirty.Store(true)
	}
	b := t.bucket(key)
	count := (*uint64)(b)
	before := atomic.LoadUint64(count)
	if before&1 != 0 || !atomic.CompareAndSwapUint64(count, before, before+1) {
		return
	}
	var others [4]uint64
	for i := range uint64(entries128) {
		others[i] = load(b, valueWord(i))
		if load(b, lowWord(i)) == key.Low {
			others[i] = otherKey(others[i], key.High, t.mask)
		}
	}
	at := least4(others[0], others[1], others[2], ^uint64(0))
	mem.StoreWord((*uint64)(unsafe.Add(b, valueWord(at)*wordBytes)), value<<(t.shift&63)|key.High&t.mask)
	mem.StoreWord((*uint64)(unsafe.Add(b, lowWord(at)*wordBytes)), key.Low)
	mem.StoreWord(count, before+2)
}
