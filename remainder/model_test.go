package remainder

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// shapes are used by the tests that compare with a Go map: prime and composite numbers of
// buckets, few and many, with keys up to the last one that is exact, buckets·2^k - 1.
var shapes = []struct {
	buckets uint64
	bits    uint
}{
	{3, 56}, {1009, 10}, {1001, 10}, {1023, 39}, {1025, 39}, {32749, 12}, {32767, 34}, {131071, 33}, {131075, 32},
}

// keys returns keys that collide, up to the largest: keys in the bucket of a base, keys with its
// low bits, keys next to it, and random ones.
func keys(rnd *rand.Rand, buckets uint64, bits uint) func() uint64 {
	limit := buckets << bits
	bases := []uint64{0, limit - 1, rnd.Uint64N(limit), rnd.Uint64N(limit)}
	return func() uint64 {
		base := bases[rnd.IntN(len(bases))]
		switch rnd.IntN(5) {
		case 0:
			return (base + rnd.Uint64N(min(uint64(1)<<bits, 1<<12))*buckets) % limit
		case 1:
			return (base + rnd.Uint64N(min(buckets, 1<<12))<<bits) % limit
		case 2:
			return (base + rnd.Uint64N(1<<12)) % limit
		case 3: // both near: a few buckets, a few patterns of low bits
			return (base + rnd.Uint64N(8)*buckets + rnd.Uint64N(3)<<bits) % limit
		}
		return rnd.Uint64N(limit)
	}
}

// TestAgainstMap: over a million operations, ten million for every shape with -long, a hit is
// always the last value stored for the key, and a probe directly after a store is a hit.
func TestAgainstMap(t *testing.T) {
	operations := 1_000_000 / (3 * len(shapes))
	if *long {
		operations = 10_000_000
	}
	hits, total := 0, 0
	for _, s := range shapes {
		for _, perBucket := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%dx%d,%d", s.buckets, perBucket, s.bits), func(t *testing.T) {
				table := mustNew(t, Shape{s.buckets, perBucket, s.bits}, s.buckets<<s.bits-1)
				hits += compareWithMap(t, table, operations)
				total += operations
			})
		}
	}
	if hits < total/3 {
		t.Errorf("only %d hits in %d operations", hits, total)
	}
	t.Logf("%d operations, %d hits, none false", total, hits)
}

// compareWithMap returns how many of the random operations were hits.
func compareWithMap(t *testing.T, table *Table, operations int) (hits int) {
	s := table.Shape()
	rnd := rand.New(rand.NewPCG(s.Buckets, uint64(s.EntriesPerBucket)))
	next := keys(rnd, s.Buckets, s.KeyBits)
	last := map[uint64]uint64{} // complete keys
	for range operations {
		key := next()
		stored := rnd.IntN(2) == 0
		if stored {
			last[key] = 1 + rnd.Uint64N(s.MaxValue())
			table.Store(Key{0, key}, last[key])
		}
		value, ok := table.Probe(Key{0, key})
		if ok && value != last[key] || !ok && (value != 0 || stored) {
			t.Fatalf("key %d: got %d, %v; stored was %d", key, value, ok, last[key])
		}
		if ok {
			hits++
		}
	}
	for key, want := range last {
		if value, ok := table.Probe(Key{0, key}); ok && value != want {
			t.Fatalf("in the end key %d: got %d, stored was %d", key, value, want)
		}
	}
	t.Logf("%d operations on %d keys, %d hits, none false", operations, len(last), hits)
	return hits
}

// model is the documented behaviour: buckets of a few entries with complete keys.
type model struct {
	buckets   uint64
	perBucket int
	entries   map[uint64][]entry
}

type entry struct{ key, value uint64 }

func (m *model) probe(key uint64) (uint64, bool) {
	for _, e := range m.entries[key%m.buckets] {
		if e.key == key {
			return e.value, true
		}
	}
	return 0, false
}

func (m *model) store(key, value uint64) {
	b := m.entries[key%m.buckets]
	least := 0
	for i, e := range b {
		if e.key == key {
			b[i].value = value
			return
		}
		if e.value < b[least].value {
			least = i
		}
	}
	if len(b) < m.perBucket {
		m.entries[key%m.buckets] = append(b, entry{key, value})
	} else {
		b[least] = entry{key, value}
	}
}

// likeTheModel compares the table with the model after a random sequence of operations. The values
// of a bucket are all different, so there is always one least.
func likeTheModel(t *rapid.T) {
	buckets := rapid.SampledFrom([]uint64{3, 7, 9, 15}).Draw(t, "buckets")
	perBucket := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "perBucket")
	bits := rapid.SampledFrom([]uint{1, 2, 3, 8, 56}).Draw(t, "key bits")
	table, err := New(Shape{buckets, perBucket, bits}, buckets<<bits-1)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	m := model{buckets, perBucket, map[uint64][]entry{}}
	keys := rapid.OneOf(rapid.Uint64Range(0, min(100, buckets<<bits-1)), rapid.Uint64Range(0, buckets<<bits-1))
	values := rapid.OneOf(rapid.Uint64Range(1, 9), rapid.Uint64Range(1, table.Shape().MaxValue()))
	compare := func(t *rapid.T, key uint64) {
		got, ok := table.Probe(Key{0, key})
		if want, hit := m.probe(key); got != want || ok != hit {
			t.Fatalf("key %d: %d, %v; want %d, %v", key, got, ok, want, hit)
		}
	}
	t.Repeat(map[string]func(*rapid.T){
		"store": func(t *rapid.T) {
			key, value := keys.Draw(t, "key"), values.Draw(t, "value")
			for _, e := range m.entries[key%buckets] {
				if e.value == value && e.key != key {
					return
				}
			}
			table.Store(Key{0, key}, value)
			m.store(key, value)
		},
		"probe": func(t *rapid.T) { compare(t, keys.Draw(t, "key")) },
		"": func(t *rapid.T) {
			for _, b := range m.entries {
				for _, e := range b {
					compare(t, e.key)
				}
			}
		},
	})
}

func TestAgainstModel(t *testing.T) { rapid.Check(t, likeTheModel) }

func FuzzAgainstModel(f *testing.F) {
	for i := range byte(8) {
		seed := make([]byte, 1<<16) // enough for the draws of a sequence
		rand.NewChaCha8([32]byte{i}).Read(seed)
		f.Add(seed)
	}
	f.Fuzz(rapid.MakeFuzz(likeTheModel))
}

// TestPairsAgainstMap: a probe of Pairs returns the last value stored in the slot of its key.
func TestPairsAgainstMap(t *testing.T) {
	operations := 200_000
	if *long {
		operations = 10_000_000
	}
	for _, slots := range []uint64{3, 1001, 1009, 32767} {
		t.Run(fmt.Sprint(slots), func(t *testing.T) {
			pairs := mustPairs(t, slots, slots<<32-1)
			rnd := rand.New(rand.NewPCG(slots, 0))
			next := keys(rnd, slots, 32)
			slot := map[uint64]entry{} // complete keys; every store replaces
			for range operations {
				key := next()
				if rnd.IntN(2) == 0 {
					value := uint8(1 + rnd.UintN(255))
					pairs.Store(key, value)
					slot[key%slots] = entry{key, uint64(value)}
					key = next()
				}
				want := uint8(0)
				if e := slot[key%slots]; e.key == key {
					want = uint8(e.value)
				}
				if value, ok := pairs.Probe(key); value != want || ok != (want != 0) {
					t.Fatalf("key %d: got %d, %v, want %d", key, value, ok, want)
				}
			}
		})
	}
}
