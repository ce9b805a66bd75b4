package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"trefoil/internal/tabletest"
)

// known is an entry of a table, with its key. The table stores only a part of the key.
type known struct {
	key, word uint64
	Entry
}

// entriesOf are the entries of a table that filled made, each once. Of an entry that two keys could
// have made, it is the first key's.
func entriesOf(table *Table, seed, keys uint64) (all []known) {
	seen := make([]bool, table.plan.Clusters*EntriesPerCluster)
	for i := range keys {
		k := stream(seed, i)
		at, hit := table.Locate(k)
		if e, _ := table.Probe(k); hit && !seen[at] && e.Move == entryOf(k).Move {
			seen[at] = true
			all = append(all, known{k, table.cluster(at / EntriesPerCluster)[at%EntriesPerCluster], e.Entry})
		}
	}
	return all
}

// successor is a table that has inherited another one.
func successor(t testing.TB, old *Table, mib uint64, opts ...Option) *Table {
	t.Helper()
	table := mustNew(t, mib, old.index, opts...)
	if err := table.Inherit(old); err != nil {
		t.Fatal(err)
	}
	return table
}

// rehashed is a successor that is complete.
func rehashed(t testing.TB, old *Table, mib uint64, opts ...Option) *Table {
	t.Helper()
	table := successor(t, old, mib, opts...)
	if err := table.Rehash(context.Background()); err != nil {
		t.Fatal(err)
	}
	return table
}

// rehashPart does the next part of a Rehash.
func rehashPart(t interface{ Fatal(...any) }, table *Table, pairs uint64) {
	r := &table.rehash
	if !table.rehashing() {
		return
	}
	first := r.written / bytesPerPair
	end := min(first+pairs, table.pairs())
	table.fill(first, end)
	r.written = end * bytesPerPair
	table.publish(r.written)
	if end == table.pairs() {
		if err := table.drop(true); err != nil {
			t.Fatal(err)
		}
	}
}

// found counts how many entries a table returns as they are.
func found(table *Table, entries []known) (n int) {
	for _, e := range entries {
		if got, ok := table.Probe(e.key); ok && got.Entry == e.Entry {
			n++
		}
	}
	return n
}

// TestRehashKeepsAll: where clusters have room, every entry is found as it was, whatever the sizes.
func TestRehashKeepsAll(t *testing.T) {
	skipUnderRace(t)
	const most = 6
	for seed := range uint64(2 * most * most) {
		index, from, to := []Index{Mul32, Mul64}[seed%2], 1+seed/2%most, 1+seed/2/most
		keys := 50 * min(from, to) // so few that in a million draws less than one has four in a cluster
		old := filled(t, from, index, seed, keys)
		entries, generation := entriesOf(old, seed, keys), old.generation.Load()
		table := rehashed(t, old, to)
		if table.generation.Load() != generation {
			t.Errorf("%s, %d MiB to %d: generation %d, was %d", index, from, to, table.generation.Load(), generation)
		}
		if n := found(table, entries); n != len(entries) || n == 0 {
			t.Errorf("%s, %d MiB to %d: %d entries of %d", index, from, to, n, len(entries))
		}
		if kept, read, ok := table.Rehashed(); kept != uint64(len(entries)) || read != kept || !ok {
			t.Errorf("%s, %d MiB to %d: kept %d of %d, want %d", index, from, to, kept, read, len(entries))
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRehashThereAndBack: a table that has grown by a whole factor and shrunk again is as it was, up to
// the order within its clusters.
func TestRehashThereAndBack(t *testing.T) {
	skipUnderRace(t)
	const seed = 6
	for _, factor := range []uint64{1, 2, 3, 4} {
		keys := 5 * uint64(2*ClustersPerMiB)
		table := filled(t, 2, Mul32, seed, keys)
		entries := entriesOf(table, seed, keys)
		table = rehashed(t, rehashed(t, table, 2*factor), 2)
		if n := found(table, entries); n != len(entries) {
			t.Errorf("× %d: %d entries of %d", factor, n, len(entries))
		}
		if kept, read, _ := table.Rehashed(); kept != read {
			t.Errorf("× %d: %d copies count as kept of %d", factor, kept, read)
		}
	}
}

// TestRehashInParts: parts of any size, written in any order and at the same time, make the same table,
// and count every entry once.
func TestRehashInParts(t *testing.T) {
	const seed = 15
	for _, mib := range []uint64{1, 2, 4, 5} {
		old := filled(t, 3, Mul32, seed, 5*3*ClustersPerMiB)
		entries := uint64(len(entriesOf(old, seed, 5*3*ClustersPerMiB)))
		table := successor(t, old, mib)
		table.fill(0, table.pairs())
		want, kept := slices.Clone(table.region.Words()), table.rehash.kept
		clear(table.region.Words())
		table.rehash.kept, table.rehash.read = 0, 0
		var group sync.WaitGroup
		for first, end := uint64(0), uint64(0); end < table.pairs(); first = end {
			end = min(first+1+stream(seed, first)%5000, table.pairs())
			group.Go(func() { table.fill(first, end) })
		}
		group.Wait()
		if !slices.Equal(table.region.Words(), want) || math.Abs(table.rehash.kept-kept) > 1 ||
			table.rehash.read != entries {
			t.Errorf("3 MiB to %d: kept %.0f of %d, want %.0f of %d", mib, table.rehash.kept,
				table.rehash.read, kept, entries)
		}
		if err := table.Rehash(context.Background()); err != nil || !slices.Equal(table.region.Words(), want) {
			t.Errorf("3 MiB to %d: another table", mib)
		}
	}
}

// TestRehashInterrupted: a table may be replaced any number of times while it takes entries over, may
// be used meanwhile, and nothing is lost.
func TestRehashInterrupted(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		index := rapid.SampledFrom([]Index{Mul32, Mul64}).Draw(r, "index")
		seed := rapid.Uint64().Draw(r, "seed")
		mib := rapid.Uint64Range(1, 4)
		const keys = 100
		table := filled(t, mib.Draw(r, "mib"), index, seed, keys)
		entries := entriesOf(table, seed, keys)
		for i := range rapid.Uint64Range(1, 6).Draw(r, "resizes") {
			table = successor(t, table, mib.Draw(r, "mib"))
			for range rapid.IntRange(0, 3).Draw(r, "pieces") {
				rehashPart(r, table, rapid.Uint64Range(1, ClustersPerMiB).Draw(r, "pairs"))
			}
			if rapid.Bool().Draw(r, "search") {
				key := stream(^seed, i)
				table.NewSearch()
				if table.Store(key, entryOf(key)).Outcome() != Skipped {
					entries = append(entries, known{key: key})
				}
			}
		}
		defer table.Close()
		if err := table.Rehash(context.Background()); err != nil {
			r.Fatal(err)
		}
		for _, e := range entries {
			want := entryOf(e.key)
			got, ok := table.Probe(e.key)
			if !ok || got.Entry != want {
				r.Fatalf("%#x: %+v became %+v, %v", e.key, want, got, ok)
			}
		}
	})
}

// TestRehashFindsAll: a probe finds entries that have not been moved yet where they were.
func TestRehashFindsAll(t *testing.T) {
	const seed, keys = 18, 3000
	for _, c := range []struct{ from, between, to uint64 }{{16, 24, 20}, {20, 3, 12}, {4, 4, 32}} {
		old := filled(t, c.from, Auto, seed, keys)
		entries := entriesOf(old, seed, keys)
		table := successor(t, old, c.between)
		rehashPart(t, table, table.pairs()/3)
		table = successor(t, table, c.to)
		for first := true; table.rehashing(); first = false {
			n := found(table, entries)
			if n < len(entries)*99/100 { // some are not kept
				t.Errorf("%v: %d of %d, at the beginning %v", c, n, len(entries), first)
			}
			rehashPart(t, table, table.pairs()/5+1)
		}
	}
}

// TestRehashFalseHits: copies make false hits no more likely than in a full table.
func TestRehashFalseHits(t *testing.T) {
	skipUnderRace(t)
	const seed, bits, probes = 7, 10, 400_000
	for _, index := range []Index{Mul32, Mul64} {
		for _, mib := range []uint64{1, 3, 4, 6, 8, 16} {
			table := rehashed(t, filled(t, 4, index, seed, 8*4*ClustersPerMiB, KeyBits(bits)), mib, KeyBits(bits))
			hits, compared := 0, 0
			for i := range uint64(probes) {
				key := mix(seed - i - 1) // never stored
				compared += table.Occupied(key)
				if _, ok := table.Probe(key); ok {
					hits++
				}
			}
			want := math.Ldexp(float64(compared), -bits)
			if math.Abs(float64(hits)-want) > 5*math.Sqrt(want) {
				t.Errorf("%s, 4 MiB to %d: %d false hits, want %.0f", index, mib, hits, want)
			}
			if most := math.Ldexp(3*probes, -bits); float64(hits) > most+5*math.Sqrt(most) {
				t.Errorf("%s, 4 MiB to %d: %d false hits, want at most %.0f", index, mib, hits, most)
			}
			t.Logf("%s, 4 MiB to %d: %d false hits, %.0f expected, %.0f in a full table", index, mib, hits, want,
				math.Ldexp(3*probes, -bits))
		}
	}
}

// TestRehashFewerKeyBits: what is compared can become less; entries that then have equal keys become
// one.
func TestRehashFewerKeyBits(t *testing.T) {
	const seed, keys = 8, 40_000
	old := filled(t, 1, Mul32, seed, keys)
	entries := entriesOf(old, seed, keys)
	table := rehashed(t, old, 1, KeyBits(8))
	missing := 0
	for _, e := range entries {
		if _, ok := table.Probe(e.key); !ok {
			missing++
		}
	}
	kept, read, _ := table.Rehashed()
	if missing > 0 || kept != read {
		t.Errorf("%d entries of %d are not found; kept %d of %d", missing, len(entries), kept, read)
	}
}

func TestInheritRefuses(t *testing.T) {
	for _, c := range []struct {
		from, to     Index
		bits, toBits int
		mib          uint64
		says         string
	}{
		{Mul32, Mul64, 21, 21, 2, "index mul32 does not store the key bits that index mul64 needs"},
		{Pow2, Mul32, 21, 21, 2, "index pow2 does not store the key bits that index mul32 needs"},
		{Pow2, Pow2, 21, 21, 4, "index pow2 does not preserve the order of keys"},
		{Mul32, Mul32, 16, 21, 2, "16 key bits were compared, expected at least 21"},
	} {
		old := filled(t, 2, c.from, 9, 100, KeyBits(c.bits))
		table := mustNew(t, c.mib, c.to, KeyBits(c.toBits))
		if err := table.Inherit(old); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("want %q, got %v", c.says, err)
		}
		if n := len(entriesOf(old, 9, 100)); n != 100 {
			t.Errorf("%q: the old table has %d entries", c.says, n)
		}
		table.Store(1, Entry{Move: 1})
		if _, ok := table.Probe(1); !ok {
			t.Errorf("%q: the new table cannot be used", c.says)
		}
	}
}

// TestInheritNothing: of an empty table nothing is left to do.
func TestInheritNothing(t *testing.T) {
	table := successor(t, mustNew(t, 2, Auto), 3)
	table.Store(1, Entry{Move: 1})
	if _, ok := table.Probe(1); !ok || table.rehashing() {
		t.Errorf("hit %v, rehashing %v", ok, table.rehashing())
	}
	if _, _, ok := table.Rehashed(); ok {
		t.Error("it was rehashed")
	}
}

// TestInheritTwice: a table that is replaced before it has taken anything over is closed, and its successor has all.
func TestInheritTwice(t *testing.T) {
	const seed, keys = 16, 3000
	old := filled(t, 4, Auto, seed, keys)
	entries := entriesOf(old, seed, keys)
	between := successor(t, old, 6)
	table := successor(t, between, 5)
	if err := between.region.Clear(context.Background()); err == nil {
		t.Error("the table between is not closed")
	}
	if err := table.Rehash(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := found(table, entries); n != len(entries) {
		t.Errorf("%d of %d entries", n, len(entries))
	}
}

// TestRehashedForgets: Clear forgets the counts of the last rehash, and the next one begins at 0.
func TestRehashedForgets(t *testing.T) {
	const seed, keys = 17, 1000
	background := context.Background()
	table := rehashed(t, filled(t, 1, Auto, seed, keys), 2)
	if kept, read, ok := table.Rehashed(); kept != keys || read != keys || !ok {
		t.Errorf("kept %d of %d, %v", kept, read, ok)
	}
	if err := table.Clear(background); err != nil {
		t.Fatal(err)
	}
	if kept, read, ok := table.Rehashed(); kept != 0 || read != 0 || ok {
		t.Errorf("after Clear: kept %d of %d, %v", kept, read, ok)
	}
	if _, err := table.Load(background, File(savedAt(t, filled(t, 1, Auto, seed, keys))), label, nil); err != nil {
		t.Fatal(err)
	}
	if kept, read, ok := table.Rehashed(); kept != keys || read != keys || !ok {
		t.Errorf("after Load: kept %d of %d, %v", kept, read, ok)
	}
}

// TestRehashStops: by its context, and goes on; by Clear, by Load, by Close.
func TestRehashStops(t *testing.T) {
	background, stopped := t.Context(), tabletest.Ended(t)
	const seed, keys = 10, 3000
	begun := func() (*Table, []known) {
		old := filled(t, 4, Auto, seed, keys)
		entries := entriesOf(old, seed, keys)
		table := successor(t, old, 6)
		rehashPart(t, table, 1000)
		return table, entries
	}

	table, entries := begun()
	if err := table.Rehash(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if err := table.Prefault(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if n := found(table, entries); n != len(entries) || !table.rehashing() {
		t.Errorf("after a piece: %d of %d entries", n, len(entries))
	}
	if err := table.Prefault(background); err != nil {
		t.Fatal(err)
	}
	if n := found(table, entries); n != len(entries) {
		t.Errorf("%d of %d entries", n, len(entries))
	}

	table, entries = begun()
	if err := table.Clear(background); err != nil {
		t.Fatal(err)
	}
	if c, err := table.Census(background); err != nil || c.Used > 0 || table.rehashing() {
		t.Errorf("after Clear: %+v, %v", c, err)
	}
	table.Store(entries[len(entries)-1].key, Entry{Move: 1})
	if n := found(table, entries); n > 0 {
		t.Errorf("after Clear: %d entries", n)
	}

	path := savedAt(t, filled(t, 6, Auto, 11, 1000))
	table, _ = begun()
	if _, err := table.Load(background, File(path), label, nil); err != nil {
		t.Fatal(err)
	}
	if c, err := table.Census(background); err != nil || c.Used != 1000 || table.rehashing() {
		t.Errorf("after Load: %+v, %v", c, err)
	}

	table, entries = begun()
	saved := savedAt(t, table)
	if h, err := Inspect(background, File(saved)); err != nil || h.Entries < uint64(len(entries)) ||
		found(table, entries) != len(entries) {
		t.Errorf("saved: %+v, %v, want %d entries", h, err, len(entries))
	}

	table, _ = begun()
	if err := table.Close(); err != nil {
		t.Error(err)
	}
}

// TestRehashInPieces: the two tables together take little more memory than the larger one.
func TestRehashInPieces(t *testing.T) {
	for _, c := range []struct{ from, to uint64 }{{32, 48}, {48, 32}, {16, 64}} {
		old := filled(t, c.from, Auto, 12, 1000)
		if err := old.Prefault(context.Background()); err != nil {
			t.Fatal(err)
		}
		if !old.Memory().Known {
			t.Skip("this system does not report the memory of a table")
		}
		table, most := successor(t, old, c.to), uint64(0)
		for table.rehashing() {
			rehashPart(t, table, 1<<16)
			most = max(most, old.Memory().Resident+table.Memory().Resident)
		}
		if larger := max(c.from, c.to); most > (larger+16)<<20 {
			t.Errorf("%d MiB to %d: up to %d MiB", c.from, c.to, most>>20)
		}
	}
}

// TestRehashBesideSearch: probes, stores and counts beside a rehash see whole entries.
func TestRehashBesideSearch(t *testing.T) {
	const seed, keys = 13, 20000
	table := successor(t, filled(t, 12, Auto, seed, keys), 17)
	var group sync.WaitGroup
	stop, cancel := context.WithCancel(context.Background())
	for g := range uint64(2) {
		group.Go(func() {
			for i := uint64(0); stop.Err() == nil; i++ {
				k := stream(seed+g*(i&1), i%keys)
				if e, ok := table.Probe(k); ok && e.Move != entryOf(k).Move {
					t.Errorf("%#x: %+v", k, e)
				}
				table.Refresh(k)
				table.Store(k, entryOf(k))
				if i%1000 == 0 {
					table.Full()
					if _, err := table.Census(stop); err != nil && stop.Err() == nil {
						t.Error(err)
					}
				}
			}
		})
	}
	if err := table.Prefault(context.Background()); err != nil {
		t.Error(err)
	}
	cancel()
	group.Wait()
}

// TestLoadOtherSize: a file of any size makes the table that a rehash makes.
func TestLoadOtherSize(t *testing.T) {
	skipUnderRace(t)
	const seed = 14
	for _, index := range []Index{Mul32, Mul64} {
		for _, c := range []struct{ keys, mib, before uint64 }{{30_000, 2, 0}, {30_000, 3, 0}, {500_000, 12, 0},
			{500_000, 3, 1000}} {
			t.Run(fmt.Sprintf("%s %d keys to %d MiB", index, c.keys, c.mib), func(t *testing.T) {
				old := filled(t, 8, index, seed, c.keys)
				path := savedAt(t, old)
				loaded := filled(t, c.mib, index, seed+1, c.before)
				h, err := loaded.Load(context.Background(), File(path), label, nil)
				if err != nil || h.Clusters != old.plan.Clusters {
					t.Fatal(h, err)
				}
				want := rehashed(t, old, c.mib)
				if !slices.Equal(loaded.region.Words(), want.region.Words()) ||
					loaded.generation.Load() != want.generation.Load() {
					t.Error("another table than by Rehash")
				}
				kept, read, ok := loaded.Rehashed()
				if k, r, _ := want.Rehashed(); kept != k || read != r || !ok || read != h.Entries {
					t.Errorf("kept %d of %d, by Rehash %d of %d", kept, read, k, r)
				}
			})
		}
	}
}

// skipUnderRace skips a test whose work one goroutine does at a time, which the race detector makes
// thirty times as slow.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("one goroutine at a time: nothing for the race detector")
	}
}
