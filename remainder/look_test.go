package remainder

import (
	"sync"
	"testing"
)

// TestLook: every key and value is found in the bucket where it was stored, while the table grows and is cleared too.
func TestLook(t *testing.T) {
	const maxKey = 1<<40 - 1
	shape, err := Plan(1<<20, 4, maxKey)
	if err != nil {
		t.Fatal(err)
	}
	shape.KeyBits += 3 // a part of the table is exact too
	r, err := New(shape, maxKey, Growing())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	done := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				check(t, r)
			}
		}
	})
	stored := 0
	for i := range uint64(5000) {
		r.Store(Key{0, key(i)}, value(key(i)))
		if entries, growing := r.Room(); growing && i > entries/2 {
			r.Grow()
		}
	}
	close(done)
	looking.Wait()
	stored = check(t, r)
	if stored < 4500 || stored > 5000 {
		t.Errorf("%d entries of 5000", stored)
	}
	if _, ok := r.Look(r.InUse()); ok {
		t.Error("a bucket after the last one")
	}
	if err := r.Clear(t.Context()); err != nil || check(t, r) != 0 {
		t.Error("not empty after Clear", err)
	}
}

func key(i uint64) uint64     { return (i + 1) * 0x9E3779B97F4A7C15 >> 24 }
func value(key uint64) uint64 { return key%1000 + 1 }

// check looks at all buckets and returns how many entries there are.
func check(t *testing.T, r *Table) (n int) {
	for b := range r.InUse() {
		bucket, ok := r.Look(b)
		if !ok {
			continue // it grows
		}
		for i, word := range bucket.Words() {
			if word == 0 {
				continue
			}
			n++
			if bucket.Value(i) != value(bucket.Key(i).Low) {
				t.Errorf("bucket %d: value %d of key %v", b, bucket.Value(i), bucket.Key(i))
			}
		}
	}
	return n
}
