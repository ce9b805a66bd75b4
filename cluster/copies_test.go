package cluster

import (
	"context"
	"slices"
	"testing"
)

// used is the number of entries that a Census counts, and of words that are not empty.
func used(t *testing.T, table *Table) (entries, words uint64) {
	t.Helper()
	c, err := table.Census(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i := range table.plan.Clusters {
		for _, w := range table.cluster(i)[:EntriesPerCluster] {
			if w != 0 {
				words++
			}
		}
	}
	return c.Used, words
}

// TestResizesDoNotMultiply: however often the size changes, the entries are found and no more are counted.
// Small changes leave few copies.
func TestResizesDoNotMultiply(t *testing.T) {
	skipUnderRace(t)
	const seed, keys = 21, 5000
	for _, c := range []struct {
		sizes []uint64
		most  uint64 // words per entry at the end
	}{
		{[]uint64{8, 9, 10, 11, 12}, 4},
		{[]uint64{8, 9, 8, 9, 8, 9, 8}, 5},
		{[]uint64{12, 11, 10, 9, 8}, 3},
		{[]uint64{8, 2, 8}, 4},
		{[]uint64{4, 8, 16, 4}, 1},
		{[]uint64{8, 12, 8}, 2},
	} {
		table := filled(t, c.sizes[0], Mul32, seed, keys)
		entries := entriesOf(table, seed, keys)
		for i, mib := range c.sizes[1:] {
			table = rehashed(t, table, mib)
			if n, _ := used(t, table); n > keys || n < keys*99/100 {
				t.Errorf("%d: counts %d entries of %d", c.sizes[:i+2], n, keys)
			}
			if kept, read, _ := table.Rehashed(); read > keys || kept > read || kept < read*99/100 {
				t.Errorf("%d: kept %d of %d", c.sizes[:i+2], kept, read)
			}
		}
		if _, words := used(t, table); words > c.most*keys {
			t.Errorf("%d: %d words for %d entries", c.sizes, words, keys)
		}
		want := filled(t, table.plan.MiB, Mul32, seed, keys).Full()
		if got := table.Full(); got > want+1 || got < want-1 {
			t.Errorf("%d: full %d, want %d", c.sizes, got, want)
		}
		if n := found(table, entries); n < len(entries)*98/100 {
			t.Errorf("%d: found %d of %d", c.sizes, n, len(entries))
		}
	}
}

// TestCopies: copies are replaced before other entries, a hit makes an entry of one, and after some
// searches all are taken for entries.
func TestCopies(t *testing.T) {
	const home = uint64(0x6c1f_93a4_d07a_285a) // of two clusters of 2 MiB with the same cluster of 1 MiB the first
	const other = home ^ 1<<18                 // the second
	old := mustNew(t, 1, Mul32)
	deep := Entry{Move: 12, Quality: Quality{Depth: 39, Bound: Exact}}
	old.Store(home, deep)
	table := rehashed(t, old, 2)
	for _, k := range []uint64{home, other} {
		if e, ok := table.Probe(k); !ok || e.Entry != deep {
			t.Errorf("%#x: %v, %v", k, e, ok)
		}
	}
	if n, words := used(t, table); n != 1 || words != 2 {
		t.Errorf("%d entries, %d words", n, words)
	}
	at := func(i uint64) uint64 { return other ^ i<<48 } // other positions of that cluster
	for i := range uint64(3) {
		table.Store(at(i+1), Entry{Move: 3})
	}
	if _, ok := table.Probe(other); ok {
		t.Error("the copy is still there")
	}
	if n := found(table, []known{{key: home, Entry: deep}}); n != 1 {
		t.Error("the entry is lost")
	}
	hit := rehashed(t, table, 4)
	n, words := used(t, hit)
	hit.Refresh(home)
	hit.Refresh(home ^ 1<<17)
	if after, w := used(t, hit); after != n+1 || w != words {
		t.Errorf("%d of %d became %d of %d", n, words, after, w)
	}
	for age := youngestCopy; age <= oldestCopy; age++ {
		if hit.ageOfCopies() != age {
			t.Errorf("age %d, want %d", hit.ageOfCopies(), age)
		}
		hit.generation.Add(1 << generationShift)
	}
	if hit.ageOfCopies() != 0 {
		t.Errorf("age %d", hit.ageOfCopies())
	}
}

// TestLateCopies: while a rehash goes on, searches may begin until copies are taken for entries. What is moved
// after that is all entries, with the bounds that they had.
func TestLateCopies(t *testing.T) {
	skipUnderRace(t)
	const seed, keys = 23, 3000
	old := filled(t, 4, Mul32, seed, keys)
	entries := entriesOf(old, seed, keys)
	table := successor(t, old, 8)
	for range (oldestCopy-youngestCopy)/searchGenerations + 1 {
		table.NewSearch()
	}
	if err := table.Rehash(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := found(table, entries); n < len(entries)*98/100 {
		t.Errorf("found %d of %d", n, len(entries))
	}
}

// TestSavedCopies: a file says which of its entries are copies.
func TestSavedCopies(t *testing.T) {
	const seed, keys = 22, 1000
	table := rehashed(t, filled(t, 2, Mul32, seed, keys), 3)
	table.NewSearch()
	path := savedAt(t, table)
	for _, mib := range []uint64{3, 4} {
		loaded := mustNew(t, mib, Mul32)
		h, err := loaded.Load(context.Background(), File(path), label, nil)
		if err != nil || h.Entries != keys || h.Copies != youngestCopy+searchGenerations {
			t.Fatal(h, err)
		}
		want := table
		if mib != 3 {
			want = rehashed(t, table, mib)
		}
		n, words := used(t, loaded)
		if wantN, wantWords := used(t, want); n != wantN || words != wantWords || n != keys ||
			!slices.Equal(loaded.region.Words(), want.region.Words()) || loaded.ageOfCopies() != want.ageOfCopies() {
			t.Errorf("%d MiB: %d entries, %d words, want %d, %d", mib, n, words, wantN, wantWords)
		}
	}
}
