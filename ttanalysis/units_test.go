package ttanalysis

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/cluster"
)

// entry is a stored record of one position.
func entry(depth, value int, bound cluster.Bound, move uint16) Record {
	return StoreRecord(7<<1, cluster.Entry{Move: move, Value: int16(value),
		Quality: cluster.Quality{Depth: uint8(depth), Bound: bound}})
}

// TestAnswers: an entry answers a node if its depth suffices and its value says enough about the window.
func TestAnswers(t *testing.T) {
	probe := ProbeRecord(7<<1, 5, -10, 10, false, true, false)
	for _, c := range []struct {
		stored Record
		want   bool
	}{
		{entry(5, 0, cluster.Exact, 1), true}, {entry(4, 0, cluster.Exact, 1), false},
		{entry(5, -10, cluster.Exact, 1), false}, {entry(5, 10, cluster.Exact, 1), false},
		{entry(5, -9, cluster.Exact, 1), true}, {entry(5, 9, cluster.Exact, 1), true},
		{entry(5, 10, cluster.Lower, 1), true}, {entry(5, 9, cluster.Lower, 1), false},
		{entry(5, -10, cluster.Upper, 1), true}, {entry(5, -9, cluster.Upper, 1), false},
		{entry(9, 0, 0, 1), false}, // a static evaluation alone
	} {
		if got := answers(probe, c.stored); got != c.want {
			t.Errorf("%+v: %v", c.stored.Entry(), got)
		}
	}
}

// parsed returns the design of a text.
func parsed(t testing.TB, text string) ClusterDesign {
	t.Helper()
	d, err := ParseDesign(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// tableOf returns a table of a design and a number of bytes.
func tableOf(t testing.TB, d Design, bytes uint64) Table {
	t.Helper()
	table, err := d.New(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// newDesign returns a small table of the default design with changes.
func newDesign(t *testing.T, change func(*ClusterDesign)) *clusterTable {
	t.Helper()
	d := DefaultDesign()
	change(&d)
	return tableOf(t, d, 1<<20).(*clusterTable)
}

// TestKeepAndDecay: an entry that is kept takes the new move and nothing else, and loses a ply only if its value and
// its depth are great enough and it is a bound.
func TestKeepAndDecay(t *testing.T) {
	table := newDesign(t, func(d *ClusterDesign) { d.Keep, d.Search, d.Decay = 4, 2, 100 })
	for _, c := range []struct{ old, stored, want Record }{
		{entry(9, 100, cluster.Lower, 1), entry(5, 3, cluster.Lower, 2), entry(8, 100, cluster.Lower, 2)},
		{entry(9, -100, cluster.Upper, 1), entry(5, 3, cluster.Lower, 0), entry(8, -100, cluster.Upper, 1)},
		{entry(9, 99, cluster.Lower, 1), entry(5, 3, cluster.Lower, 2), entry(9, 99, cluster.Lower, 2)},
		{entry(9, 100, cluster.Exact, 1), entry(5, 3, cluster.Lower, 2), entry(9, 100, cluster.Exact, 2)},
		{entry(5, 100, cluster.Lower, 1), entry(1, 3, cluster.Lower, 2), entry(4, 100, cluster.Lower, 2)},
		{entry(4, 100, cluster.Lower, 1), entry(0, 3, cluster.Lower, 2), entry(4, 100, cluster.Lower, 2)},
		{entry(9, 100, cluster.Lower, 1), entry(6, 3, cluster.Lower, 2), entry(6, 3, cluster.Lower, 2)},
		{entry(9, 100, cluster.Lower, 1), entry(1, 3, cluster.Exact, 2), entry(1, 3, cluster.Exact, 2)},
	} {
		got := c.old
		if table.write(&got, c.stored); got != c.want {
			t.Errorf("%+v over %+v: %+v", c.stored.Entry(), c.old.Entry(), got.Entry())
		}
	}
}

// TestValueOfAge: an older entry is worth less, by depth and by subtree.
func TestValueOfAge(t *testing.T) {
	for weight, want := range map[Weight][2]int{ByDepth: {9, 9 - 3}, BySubtree: {12, 12 - 3}} {
		table := newDesign(t, func(d *ClusterDesign) { d.Weight, d.Search = weight, 1 })
		word := entry(9, 0, cluster.Lower, 1).Word | 12<<subtreeShift
		now := table.value(word, 3)
		table.NewSearch()
		if got := [2]int{now, table.value(word, 3)}; got != want {
			t.Errorf("weight %v: %d, want %d", weight, got, want)
		}
	}
}

// TestSizes: sizes from a KiB to a TiB, each once, in order; the recorded table is among the runs only if one has its
// design and its size.
func TestSizes(t *testing.T) {
	for sizes, ok := range map[string]bool{"1": true, "1048576": true, "1048576.5": false, "0.0009": false, "NaN": false,
		"": false, "1,x": false} {
		_, err := NewComparison("trefoil", sizes)
		if refused := err != nil && strings.Contains(err.Error(), "is not a number of MiB"); refused == ok {
			t.Errorf("%q: %v", sizes, err)
		}
	}
	c, err := NewComparison("trefoil", "4, 1,4,2")
	if err != nil || !slices.Equal(c.MiB, []float64{1, 2, 4}) {
		t.Fatalf("%v, %v", c, err)
	}
	for mib, want := range map[uint64]bool{1: true, 2: true, 3: false, 4: true} {
		c.Trace = TraceHeader{Index: cluster.Mul32, KeyBits: cluster.MaxKeyBits, MiB: mib}
		if run := c.RecordedRun(); (run != nil) != want || run != nil && run.Bytes != mib<<20 {
			t.Errorf("%d MiB: %+v", mib, run)
		}
	}
	c.Trace = TraceHeader{Index: cluster.Mul32, KeyBits: 9, MiB: 2}
	if c.RecordedRun() != nil {
		t.Error("another number of key bits")
	}
}

// TestSums: a sum has everything of its parts, and the line of an audit each number in its place.
func TestSums(t *testing.T) {
	part := func(n uint64) AuditResult {
		r := AuditResult{KeyBits: 9, Seed: int(n), Best: []string{"a"}, Nodes: n, OtherBest: 2 * n}
		r.Counters.FalseHits = [4]uint64{ForCutoff: n, ForMove: 2 * n, ForEval: 3 * n, ForNothing: 4 * n}
		r.Counters.FirstFalseHits, r.Counters.Compared, r.Counters.Illegal, r.Counters.Unaudited = 5*n, 512*n, 6*n, 7*n
		return r
	}
	sum := Sum([]AuditResult{part(1), part(2)})
	if sum.Nodes != 3 || sum.OtherBest != 6 || len(sum.Best) != 2 || sum.KeyBits != 9 || sum.Expected() != 3 {
		t.Errorf("%+v", sum)
	}
	want := "false hits 30, first occurrences 15, expected 3 of 1536 comparisons with 9 key bits; used for a cutoff 3, " +
		"a move 6, an eval 9, nothing 12; illegal moves 18; 21 hits on entries older than the audit"
	if got := sum.Counters.AuditLine(9); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	sum.Counters.Compared = 512 * 123456
	if got := sum.Counters.AuditLine(9); !strings.Contains(got, " expected 123456 of ") {
		t.Error(got)
	}
	sum.Counters.Unaudited = 0
	if got := sum.Counters.AuditLine(9); strings.Contains(got, "older") {
		t.Error(got)
	}
	if ages := ReuseAges(); ages[0] != 64 || ages[1] != 128 || len(ages) != reuseAges-1-firstReuseAge ||
		len(ages) != len(new(Reuse).Rates()) {
		t.Errorf("%d", ages)
	}
}

// TestHistory: the searches, entries and owners of a position that shares its check bits with another one.
func TestHistory(t *testing.T) {
	const a, b, c = 1 << 57, 1<<57 | 1<<43, 2 << 57 // with 8 check bits a is taken for b
	path := filepath.Join(t.TempDir(), "t.trace")
	store := func(key uint64, depth int) Record { return Record{key, entry(depth, 0, cluster.Lower, 1).Word} }
	writeAll(t, path, TraceHeader{Game: "none", MiB: 1, Index: cluster.Mul32, KeyBits: 8}, []Record{
		{0, uint64(KindSearch)}, store(c, 9), store(a, 9), store(b, 1), ProbeRecord(b, 1, 0, 1, false, true, false),
		{1, uint64(KindSearch)}, store(b, 20), ProbeRecord(a, 1, 0, 1, false, true, false),
	})
	type use struct {
		kind   UseKind
		search uint64
		entry  int8
		other  uint64
	}
	for key, want := range map[uint64][]use{
		a: {{UseFilled, 1, 1, a}, {UseLost, 2, 1, b}, {UseHit, 2, 1, b}},
		b: {{UseKept, 1, 1, a}, {UseHit, 1, 1, a}, {UseUpdated, 2, 1, a}},
	} {
		var got []use
		err := lossReplay(t, path).History(t.Context(), key, nil, func(u PositionUse) {
			got = append(got, use{u.Kind, u.Search, u.Entry, u.Other})
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%x: %v, want %v, %v", key, got, want, err)
		}
	}
}
