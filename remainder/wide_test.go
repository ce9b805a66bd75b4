package remainder

import (
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/internal/tabletest"
)

// number is a key without a limit on its length.
func (k Key) number() *big.Int {
	n := new(big.Int).SetUint64(k.High)
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(k.Low))
}

// keyOf is the inverse of number.
func keyOf(n *big.Int) Key {
	return Key{new(big.Int).Rsh(n, 64).Uint64(), new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()}
}

// wideShapes have keys of 65 to 80 bits, up to buckets·2^KeyBits - 1.
var wideShapes = []Shape{{1013, 4, 56}, {513, 2, 56}, {32749, 4, 52},
	{primeBelow(1<<21, math.MaxUint64), 4, 51}, {primeBelow(1<<24, math.MaxUint64), 1, 56}}

// last returns the largest key for which a shape is exact.
func (s Shape) last() Key {
	n := new(big.Int).Lsh(new(big.Int).SetUint64(s.Buckets), s.KeyBits)
	return keyOf(n.Sub(n, big.NewInt(1)))
}

// colliding returns a source of keys up to the last for which a shape is exact that collide: they share their bucket or
// their low bits with another key, or both with a key beyond the last.
func (s Shape) colliding() func(*rand.Rand) Key {
	last := s.last().number()
	limit := new(big.Int).Add(last, big.NewInt(1))
	random := func(rnd *rand.Rand) *big.Int {
		return new(big.Int).Mod(Key{rnd.Uint64(), rnd.Uint64()}.number(), limit)
	}
	rnd := rand.New(rand.NewPCG(s.Buckets, 128))
	bases := []*big.Int{new(big.Int), last, random(rnd), random(rnd)}
	return func(rnd *rand.Rand) Key {
		n := new(big.Int).Set(bases[rnd.IntN(len(bases))])
		step := new(big.Int).SetUint64(rnd.Uint64N(1 << 9))
		switch rnd.IntN(5) {
		case 0: // the bucket of a base
			n.Add(n, step.Mul(step, new(big.Int).SetUint64(s.Buckets)))
		case 1: // the low bits of a base
			n.Add(n, step.Lsh(step, s.KeyBits))
		case 2: // the bucket and the low 64 bits of a base
			n.Add(n, step.Lsh(step.Mul(step, new(big.Int).SetUint64(s.Buckets)), 64))
		case 3:
			n.Add(n, step)
		case 4:
			n = random(rnd)
		}
		return keyOf(n.Mod(n, limit))
	}
}

// mustWide returns a table for keys up to the last that is exact.
func mustWide(t *testing.T, s Shape) *Table {
	t.Helper()
	last := s.last()
	table, err := New(s, last.Low, Wide(last.High))
	tabletest.CloseAtEnd(t, table, err)
	return table
}

// keyed is a Table or a Table128.
type keyed interface {
	Store(Key, uint64)
	Probe(Key) (uint64, bool)
	All() iter.Seq2[Key, uint64]
	Room() (uint64, bool)
	Grow()
}

// checkBound checks that the first key beyond the bound is a false hit, and that a table for it is refused. inner is
// the table itself or the Table of a Table128.
func checkBound(t *testing.T, table keyed, inner *Table, create func(Shape, Key) error) {
	t.Helper()
	s := inner.Shape()
	last := s.last()
	beyond := keyOf(new(big.Int).Add(last.number(), big.NewInt(1)))
	inner.maxKey = beyond // otherwise race builds panic
	table.Store(Key{}, 5)
	if _, ok := table.Probe(last); ok {
		t.Errorf("%+v: the last key hits the entry of key 0", s)
	}
	if v, ok := table.Probe(beyond); !ok || v != 5 {
		t.Errorf("%+v: the first key beyond the bound does not hit the entry of key 0", s)
	}
	if err := create(s, beyond); err == nil || !strings.Contains(err.Error(), beyond.String()) {
		t.Errorf("%+v up to %v: %v", s, beyond, err)
	}
}

// checkGrow checks that a growing table keeps its entries, of keys up to high·2^64.
func checkGrow(t *testing.T, table keyed, high uint64) {
	t.Helper()
	rnd, stored := rand.New(rand.NewPCG(3, 3)), map[Key]uint64{}
	for {
		for range 200 {
			key := Key{rnd.Uint64N(high + 1), rnd.Uint64()}
			stored[key]++
			table.Store(key, stored[key])
		}
		found := 0
		for key, value := range table.All() {
			if found++; stored[key] != value {
				t.Fatalf("key %v has %d, want %d", key, value, stored[key])
			}
		}
		if found < len(stored)*19/20 {
			t.Errorf("%d of %d entries are left", found, len(stored))
		}
		if _, growing := table.Room(); !growing {
			return
		}
		table.Grow()
	}
}

// TestWideAgainstMap: a hit is the last value stored for a key of more than 64 bits, a probe after a store is a
// hit, and the bucket and the low bits are the whole key again.
func TestWideAgainstMap(t *testing.T) {
	for _, s := range wideShapes {
		table, next := mustWide(t, s), s.colliding()
		rnd, last := rand.New(rand.NewPCG(1, 2)), map[Key]uint64{}
		hits, buckets := 0, new(big.Int).SetUint64(s.Buckets)
		for range 20_000 {
			key := next(rnd)
			stored := rnd.IntN(2) == 0
			if stored {
				last[key] = 1 + rnd.Uint64N(s.MaxValue())
				table.Store(key, last[key])
			}
			value, ok := table.Probe(key)
			if ok && value != last[key] || !ok && (value != 0 || stored) {
				t.Fatalf("%+v: key %v: got %d, %v; stored was %d", s, key, value, ok, last[key])
			}
			if ok {
				hits++
			}
			bucket := new(big.Int).Mod(key.number(), buckets).Uint64()
			at := uint64(uintptr(table.add(table.bucket(key.Low), key.High)) - uintptr(table.base))
			if at != bucket*table.level().scale {
				t.Fatalf("%+v: key %v is at byte %d, expected bucket %d", s, key, at, bucket)
			}
			if back := table.level().key(bucket, Key{0, key.Low & table.mask}, s.KeyBits); back != key {
				t.Fatalf("%+v: key %v came back as %v", s, key, back)
			}
		}
		if hits < 5000 {
			t.Errorf("%+v: only %d hits", s, hits)
		}
		for key, value := range table.All() {
			if last[key] != value {
				t.Errorf("%+v: All has key %v with %d, want %d", s, key, value, last[key])
			}
		}
	}
}

// TestBound: the bound is tight, for keys of any length.
func TestBound(t *testing.T) {
	all := wideShapes
	for _, s := range shapes {
		all = append(all, Shape{s.buckets, 4, s.bits})
	}
	for _, s := range all {
		table := mustWide(t, s)
		checkBound(t, table, table, func(s Shape, last Key) error {
			_, err := New(s, last.Low, Wide(last.High))
			return err
		})
	}
	if _, err := New(Shape{1013, 4, 56}, 0, Wide(1<<62)); err == nil || !strings.Contains(err.Error(), "·2^64") {
		t.Error(err)
	}
}

// TestWidePlan: a plan for keys of any length is exact, with as few key bits as that takes, or says what is missing.
func TestWidePlan(t *testing.T) {
	for bits := uint(65); bits <= 80; bits++ {
		for _, mib := range []uint64{1, 64, 1 << 12, 1 << 17} {
			high := uint64(1)<<(bits-64) - 1
			s, err := Plan(mib<<20, 4, math.MaxUint64, Wide(high))
			if err != nil {
				if mib<<(20-5) > 1<<(bits-maxKeyBits)*1003/1000 || !strings.Contains(err.Error(), "do not exceed") {
					t.Errorf("%d bits, %d MiB: %v", bits, mib, err)
				}
				continue
			}
			most := Key{high, math.MaxUint64}
			if err := s.check(most); err != nil || s.KeyBits > 1 && most.without(s.KeyBits-1) < s.Buckets {
				t.Errorf("%d bits, %d MiB: %+v, %v", bits, mib, s, err)
			}
		}
	}
}

// TestWideGrow: a growing table of wide keys keeps its entries.
func TestWideGrow(t *testing.T) {
	s, err := Plan(8<<20, 4, math.MaxUint64, Wide(3))
	if err != nil {
		t.Fatal(err)
	}
	s.KeyBits += 3
	table, err := New(s, math.MaxUint64, Wide(3), Growing())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	checkGrow(t, table, 3)
}

// TestKeyString: a key is written as one decimal number.
func TestKeyString(t *testing.T) {
	for k, want := range map[Key]string{{}: "0", {0, 7}: "7", {2, 1}: "36893488147419103233"} {
		if k.String() != want {
			t.Errorf("%d, %d: %s, want %s", k.High, k.Low, k, want)
		}
	}
}
