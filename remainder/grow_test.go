package remainder

import (
	"math/rand/v2"
	"testing"

	"trefoil/internal/tabletest"
)

// mustGrow returns a growing table of 64 MiB for Connect Four.
func mustGrow(t testing.TB) *Table {
	t.Helper()
	shape, err := Plan(64<<20, 4, connect4Key)
	if err != nil {
		t.Fatal(err)
	}
	shape.KeyBits = 40
	table, err := New(shape, connect4Key, Growing())
	tabletest.CloseAtEnd(t, table, err)
	return table
}

// TestGrow: a growing table keeps its entries from level to level, its keys can be read back, and
// after Clear it is empty, in whatever it uses next.
func TestGrow(t *testing.T) {
	table := mustGrow(t)
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 3 {
		stored := map[uint64]uint64{}
		for level := 0; ; level++ {
			room, growing := table.Room()
			for range min(room/64, 1000) {
				key := r.Uint64N(connect4Key + 1)
				stored[key] = 1 + r.Uint64N(table.Shape().MaxValue())
				table.Store(Key{0, key}, stored[key])
			}
			lost := 0
			for key, value := range stored {
				if got, ok := table.Probe(Key{0, key}); !ok {
					lost++
				} else if got != value {
					t.Fatalf("level %d, key %d: %d, want %d", level, key, got, value)
				}
			}
			found := 0
			for key, value := range table.All() {
				if found++; stored[key.Low] != value {
					t.Fatalf("level %d: All has key %v with %d, want %d", level, key, value, stored[key.Low])
				}
			}
			if found+lost != len(stored) || lost > len(stored)/20 {
				t.Fatalf("level %d: %d found and %d lost of %d", level, found, lost, len(stored))
			}
			if !growing {
				if room != table.Shape().Bytes()/8 || level != 4 {
					t.Errorf("level %d is the last, with room for %d", level, room)
				}
				break
			}
			table.Grow()
			if grown, _ := table.Room(); grown < 7*room || grown > 9*room {
				t.Errorf("room for %d after %d", grown, room)
			}
			if round == level {
				break // Clear from another level in every round
			}
		}
		if err := table.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, w := range table.region.Words() {
			if w != 0 {
				t.Fatalf("word %d is %#x after Clear", i, w)
			}
		}
	}
}

// TestLevels: every level is exact, none is small or large beyond need, and only a growing table has
// more than one.
func TestLevels(t *testing.T) {
	for _, c := range []struct {
		bytes  uint64
		levels int
	}{{1 << 20, 3}, {3 << 20, 4}, {64 << 20, 5}, {8 << 30, 6}, {1 << 40, 6}} {
		shape, err := Plan(c.bytes, 4, connect4Key)
		if err != nil {
			t.Fatal(err)
		}
		shape.KeyBits = 40
		all := levels(shape, Key{0, connect4Key}, true)
		if len(all) != c.levels || all[len(all)-1].buckets != shape.Buckets {
			t.Errorf("%d bytes: %+v", c.bytes, all)
		}
		for i, l := range all {
			smaller := Shape{l.buckets, 4, 40}
			if err := smaller.check(Key{0, connect4Key}); err != nil || i < len(all)-1 && smaller.Bytes() > lastSize {
				t.Errorf("%d bytes, level %d: %d bytes, %v", c.bytes, i, smaller.Bytes(), err)
			}
		}
		if only := levels(shape, Key{0, connect4Key}, false); len(only) != 1 || only[0].buckets != shape.Buckets {
			t.Errorf("not growing: %+v", only)
		}
	}
}

// TestKey: the bucket and the low bits determine the key, for small and large tables.
func TestKey(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range []Shape{{3, 4, 1}, {509, 4, 40}, {1009, 1, 53}, {1<<38 - 45, 4, 25}, {1001, 2, 7}} {
		l := newLevel(s)
		limit := min(s.Buckets<<s.KeyBits, anyKey)
		for range 1000 {
			key := r.Uint64N(limit)
			low := key & (1<<s.KeyBits - 1)
			if got := l.key(key%s.Buckets, Key{0, low}, s.KeyBits); got != (Key{0, key}) {
				t.Fatalf("%+v: %v from bucket %d and %d, want %d", s, got, key%s.Buckets, low, key)
			}
		}
	}
}

func BenchmarkClearSmall(b *testing.B) {
	table := mustGrow(b)
	for b.Loop() {
		table.Store(Key{0, 1}, 1)
		if err := table.Clear(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
