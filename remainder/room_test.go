package remainder

import "testing"

// TestRoom: a growing table begins with some 16 KiB and about eightfolds until it has all entries. Every level but the
// last has a prime number of buckets, and tells all keys apart.
func TestRoom(t *testing.T) {
	shape, err := Plan(8<<20, 2, connect4Key)
	if err != nil {
		t.Fatal(err)
	}
	for keyBits := shape.KeyBits; keyBits <= maxKeyBits; keyBits += 5 {
		shape.KeyBits = keyBits
		table, err := New(shape, connect4Key, Growing())
		if err != nil {
			t.Fatal(err)
		}
		all := shape.Buckets * uint64(shape.EntriesPerBucket)
		last := uint64(0)
		for n := 0; ; n++ {
			entries, growing := table.Room()
			level := table.level()
			if entries != level.buckets*uint64(shape.EntriesPerBucket) || entries <= last ||
				n == 0 && keyBits > 40 && entries*wordBytes > 20<<10 {
				t.Errorf("%d key bits, level %d: %d entries after %d", keyBits, n, entries, last)
			}
			if growing &&
				(!isPrime(level.buckets) || checkExact("buckets", level.buckets, keyBits, Key{0, connect4Key}) != nil) {
				t.Errorf("%d key bits: level %d has %d buckets", keyBits, n, level.buckets)
			}
			last = entries
			table.Store(Key{0, uint64(n + 1)}, 5)
			if table.Grow(); !growing {
				break
			}
		}
		if now, growing := table.Room(); last != all || now != all || growing {
			t.Errorf("%d key bits: %d entries, %d at the end, want %d", keyBits, last, now, all)
		}
		if v, ok := table.Probe(Key{0, 1}); !ok || v != 5 {
			t.Errorf("%d key bits: the first entry is %d, %v", keyBits, v, ok)
		}
		seen := 0
		for range table.All() {
			seen++
			break // a visit may end
		}
		if seen != 1 {
			t.Errorf("%d entries visited", seen)
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
}
