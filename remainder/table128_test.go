package remainder

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"trefoil/internal/tabletest"
)

// shapes128 have keys of 66 to 128 bits, up to buckets·2^KeyBits - 1.
var shapes128 = []Shape{{3, 3, 64}, {9, 3, 65}, {255, 3, 120}, {257, 3, 100}, {1013, 3, 64}, {32749, 3, 113}}

// must128 returns a table for keys up to the last that is exact.
func must128(t *testing.T, s Shape) *Table128 {
	t.Helper()
	table, err := New128(s, s.last())
	tabletest.CloseAtEnd(t, table, err)
	return table
}

// Test128AgainstMap: a hit is the last value stored for a key, a probe after a store is a hit, a full bucket loses its
// entry of least value, and the bucket and the low bits are the whole key again.
func Test128AgainstMap(t *testing.T) {
	for _, s := range shapes128 {
		table, next := must128(t, s), s.colliding()
		rnd, hits := rand.New(rand.NewPCG(1, 2)), 0
		buckets := map[uint64]map[Key]uint64{}
		for range 20_000 {
			key := next(rnd)
			at := new(big.Int).Mod(key.number(), new(big.Int).SetUint64(s.Buckets)).Uint64()
			if got := uint64(uintptr(table.bucket(key)) - uintptr(table.base)); got != at*bucketBytes128 {
				t.Fatalf("%+v: key %v is at byte %d, expected bucket %d", s, key, got, at)
			}
			low := Key{key.High & table.mask, key.Low}
			if back := table.level().key(at, low, s.KeyBits); back != key {
				t.Fatalf("%+v: key %v came back as %v", s, key, back)
			}
			if buckets[at] == nil {
				buckets[at] = map[Key]uint64{}
			}
			model := buckets[at]
			if rnd.IntN(2) == 0 {
				value, least := 1+rnd.Uint64N(s.MaxValue()), key
				for k, v := range model {
					if v == value { // there is one least value
						value = v%s.MaxValue() + 1
					}
					if least == key || v < model[least] {
						least = k
					}
				}
				if _, known := model[key]; !known && len(model) == entries128 {
					delete(model, least)
				}
				model[key] = value
				table.Store(key, value)
			}
			value, ok := table.Probe(key)
			if want, known := model[key]; ok != known || value != want {
				t.Fatalf("%+v: key %v: got %d, %v; want %d", s, key, value, ok, want)
			}
			if ok {
				hits++
			}
		}
		if hits < 5000 {
			t.Errorf("%+v: only %d hits", s, hits)
		}
		for key, value := range table.All() {
			at := new(big.Int).Mod(key.number(), new(big.Int).SetUint64(s.Buckets)).Uint64()
			if buckets[at][key] != value {
				t.Errorf("%+v: All has key %v with %d, want %d", s, key, value, buckets[at][key])
			}
			delete(buckets[at], key)
			if b, ok := table.Look(at); !ok || !b.has(key, value) {
				t.Errorf("%+v: Look(%d) has not key %v with %d", s, at, key, value)
			}
		}
		for at, model := range buckets {
			if len(model) > 0 {
				t.Errorf("%+v: All has not %v of bucket %d", s, model, at)
			}
		}
	}
}

// has reports whether a bucket has an entry.
func (b *Bucket) has(key Key, value uint64) bool {
	for i, w := range b.Words() {
		if w != 0 && b.Key(i) == key {
			return b.Value(i) == value
		}
	}
	return false
}

// Test128Bound: the bound is tight.
func Test128Bound(t *testing.T) {
	for _, s := range shapes128 {
		table := must128(t, s)
		checkBound(t, table, table.Table, func(s Shape, last Key) error {
			_, err := New128(s, last)
			return err
		})
	}
}

// Test128Refusals: shapes of the other table, and shapes whose remainders would not be right.
func Test128Refusals(t *testing.T) {
	for want, s := range map[string]Shape{"New makes": {9, 4, 64}, "outside 64 to 120": {9, 3, 63},
		"even number": {10, 3, 64}, "at most 2^32": {1<<32 + 1, 3, 64}, "expected at least 3": {1, 3, 100}} {
		if _, err := New128(s, Key{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", s, err, want)
		}
	}
	if _, err := New(Shape{9, 3, 64}, 0); err == nil || !strings.Contains(err.Error(), "New128") {
		t.Error(err)
	}
}

// Test128Plan: a plan for keys of up to 128 bits is exact, with as few key bits as that takes but at least 64.
func Test128Plan(t *testing.T) {
	for bits := uint(65); bits <= 128; bits++ {
		for _, mib := range []uint64{1, 64, 1 << 12, 1 << 17} {
			most := keyOf(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1)))
			s, err := Plan(mib<<20, entries128, most.Low, Wide(most.High))
			if err != nil {
				t.Errorf("%d bits, %d MiB: %v", bits, mib, err)
				continue
			}
			if err := s.check(most); err != nil || s.KeyBits > minKeyBits128 && most.without(s.KeyBits-1) < s.Buckets {
				t.Errorf("%d bits, %d MiB: %+v, %v", bits, mib, s, err)
			}
		}
	}
}

// Test128Grow: a growing table keeps its entries.
func Test128Grow(t *testing.T) {
	const high = 1<<50 - 1
	s, err := Plan(4<<20, entries128, 1<<64-1, Wide(high))
	if err != nil {
		t.Fatal(err)
	}
	s.KeyBits += 9
	table, err := New128(s, Key{high, 1<<64 - 1}, Growing())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	checkGrow(t, table, high)
	if full := table.Full(); full == 0 || table.Clear(t.Context()) != nil || table.Full() != 0 {
		t.Errorf("%d permille, after Clear %d", full, table.Full())
	}
}

// Test128Threads: goroutines that store keys of the same few buckets find only values that were stored for their keys:
// a value has a hash of the whole key.
func Test128Threads(t *testing.T) {
	s := Shape{9, 3, 70}
	table, next := must128(t, s), s.colliding()
	operations := 100_000
	if checked {
		operations = 10_000
	}
	hash := func(k Key) uint64 { return mix(k.Low^mix(k.High)) >> 32 }
	var hits atomic.Int64
	var group sync.WaitGroup
	for worker := range uint64(4) {
		group.Go(func() {
			rnd := rand.New(rand.NewPCG(worker, 9))
			for i := range uint64(operations) {
				key := next(rnd)
				if i%2 == 0 {
					table.Store(key, (1+i)<<32|hash(key))
				} else if value, ok := table.Probe(key); ok {
					hits.Add(1)
					if value&(1<<32-1) != hash(key) {
						t.Errorf("key %v has %#x", key, value)
						return
					}
				} else if b, ok := table.Look(rnd.Uint64N(s.Buckets)); ok {
					for i, w := range b.Words() {
						if w != 0 && b.Value(i)&(1<<32-1) != hash(b.Key(i)) {
							t.Errorf("key %v has %#x", b.Key(i), b.Value(i))
							return
						}
					}
				}
			}
		})
	}
	group.Wait()
	if hits.Load() == 0 {
		t.Error("no hits")
	}
}
