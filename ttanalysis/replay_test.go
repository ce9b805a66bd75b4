package ttanalysis

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
)

// real is a cluster.Table as a design.
type real struct{ index cluster.Index }

func (d real) String() string                  { return "cluster.Table, " + d.index.String() }
func (d real) ReplayBytes(bytes uint64) uint64 { return bytes }

func (d real) Check(uint64) error { return nil }

func (d real) New(bytes uint64) (Table, error) {
	t, err := cluster.New(bytes>>20, d.index)
	return realTable{t}, err
}

type realTable struct{ *cluster.Table }

func (t realTable) Clear()         { _ = t.Table.Clear(context.Background()) }
func (t realTable) Store(r Record) { t.Table.Store(r.Key, r.Entry()) }
func (t realTable) Probe(r Record) (Record, bool) {
	e, ok := t.Table.Probe(r.Key)
	t.Table.Refresh(r.Key) // as a search does
	return StoreRecord(r.Key, e.Entry), ok
}

// user probes and stores like a search, and records it.
type user struct {
	*TraceWriter
	table Table
	hits  uint64
}

func (u *user) probe(key uint64, need, beta int, pv bool) bool {
	r := ProbeRecord(key, need, beta-1, beta, pv, false, false)
	found, hit := u.table.Probe(r)
	u.TraceWriter.Probe(key, need, beta-1, beta, pv, hit, hit && AllowsCutoff(r, found))
	u.hits += bit(hit)
	return hit
}

func (u *user) store(key uint64, e cluster.Entry) {
	u.table.Store(StoreRecord(key, e))
	u.TraceWriter.Store(key, e)
}

// synthesise records searches that probe and store positions again, more likely recent ones,
// most of them at a low depth.
func synthesise(t testing.TB, path string, table Table, searches, positions int) (hits uint64) {
	t.Helper()
	writeTrace(t, path, plainHeader, func(w *TraceWriter) {
		u := user{TraceWriter: w, table: table}
		for s := range searches {
			if s > 0 && s%40 == 0 {
				u.Clear()
				u.table.Clear()
			}
			u.NewSearch()
			u.table.NewSearch()
			for i := range positions {
				r := mix(uint64(s*positions+i) + 77)
				back := uint64(float64(positions) * math.Pow(float64(r>>40)/(1<<24), 3) * 3)
				at := max(0, int64(s*positions+i)-int64(back))
				key := mix(uint64(at))
				need := int(min(20, -2.0*math.Log(float64(r&0xFFFF|1)/65536)))
				u.probe(key, need, int(int8(r>>16)), r>>24&63 == 0)
				e := entryOf(r)
				e.Depth, e.Value = uint8(need), int16(int8(r>>32))
				if r>>30&3 == 0 {
					e.Move = 0
				}
				u.store(key, e)
			}
		}
		hits = u.hits
	})
	return hits
}

func replayAll(t testing.TB, path string, runs []*Run) RecordedCounts {
	t.Helper()
	seen, err := Replay(context.Background(), opened(t, path), runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

// A replay of the default design agrees with cluster.Table in every probe, with each index.
func TestLikeCluster(t *testing.T) {
	for _, index := range []cluster.Index{cluster.Mul32, cluster.Mul64, cluster.Pow2} {
		path := filepath.Join(t.TempDir(), "t.trace")
		actual := tableOf(t, real{index}, 1<<20)
		hits := synthesise(t, path, actual, 60, 10_000)
		d := DefaultDesign()
		d.Index = index
		runs := []*Run{{Design: d, Bytes: 1 << 20}, {Design: real{index}, Bytes: 1 << 20},
			{Design: DefaultDesign(), Bytes: 1 << 19}}
		seen := replayAll(t, path, runs)
		if seen.Hits != hits || seen.Probes != 60*10_000 || seen.Stores != seen.Probes || seen.Searches != 60 {
			t.Fatalf("recorded %+v, hits %d", seen, hits)
		}
		a, b := runs[0].ReplayCounts, runs[1].ReplayCounts
		if a.Hits+a.FalseHits != hits || a.Mismatches != 0 || a.Cutoffs+a.FalseCutoffs != seen.Cutoffs {
			t.Errorf("%s: %+v, recorded %+v", index, a, seen)
		}
		if b.Mismatches != 0 || b.Hits != hits || b.Cutoffs != seen.Cutoffs {
			t.Errorf("%s: cluster.Table again: %+v", index, b)
		}
		if half := runs[2].ReplayCounts; half.Mismatches == 0 || half.Hits >= a.Hits || half.Hits == 0 {
			t.Errorf("half the size: %+v", half)
		}
		t.Logf("%s: %d of %d probes hit (%d falsely), %d cutoffs", index, hits, seen.Probes, a.FalseHits, seen.Cutoffs)
	}
}

// The number of false hits is one in 2^bits of the entries that missing probes are compared with.
func TestFalseHits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	const n = 400_000
	writeTrace(t, path, plainHeader, func(w *TraceWriter) {
		for i := range uint64(n) { // no position twice
			w.Probe(mix(i), 0, 0, 1, false, false, false)
			w.Store(mix(i), cluster.Entry{Move: 1, Quality: cluster.Quality{Bound: cluster.Lower}})
		}
	})
	const bytes = 1 << 18 // 24,576 entries: full almost from the start
	for _, index := range []cluster.Index{cluster.Mul32, cluster.Mul64, cluster.Pow2} {
		for _, bits := range []int{8, 10, 12, 14} {
			d := DefaultDesign()
			d.Index, d.KeyBits = index, bits
			run := &Run{Design: d, Bytes: bytes}
			replayAll(t, path, []*Run{run})
			want := n * 3 * math.Ldexp(1, -bits) * (1 - 0.5*24576/n)
			if run.Hits != 0 || math.Abs(float64(run.FalseHits)-want) > 5*math.Sqrt(want)+0.02*want {
				t.Errorf("%s, %d bits: %d false hits, %d true, want about %.0f", index, bits,
					run.FalseHits, run.Hits, want)
			}
		}
	}
}

// Every design finds what it stored last, keeps no more entries than its capacity, and finds none
// after Clear.
func TestDesignCapacity(t *testing.T) {
	for _, text := range []string{
		"trefoil", "index=mul64", "index=pow2", "entries=1", "entries=2", "entries=4+keybits=16+eval=0", "entries=1+bytes=10+keybits=16", "keybits=12",
		"entries=2+keybits=40", "entries=2+keybits=63",
		"stockfish", "yaneuraou-2018", "yaneuraou-2026", "berserk", "ethereal", "weiss", "crafty", "two-tier", "always", "4x16", "5x12", "6x10", "7x9", "stockfish+refresh=1", "side=word", "index=mul64+side=word",
		"replace=always", "replace=two-tier", "age=0", "age=1", "search=1", "turnover=0", "ahead=1", "deeper=0", "generations=32", "by-search+age=2", "weight=subtree", "keep=0", "keep=255", "refresh=0", "ties=first", "ties=oldest", "ties=unused", "index=mul64+entries=2+keybits=30", "replace=two-tier+entries=4+bytes=64",
	} {
		d, err := ParseDesign(text)
		if err != nil || d.String() != text {
			t.Fatalf("%s: %v, %v", text, d, err)
		}
		const bytes = 1 << 16
		made := tableOf(t, d, bytes)
		const n = 100_000
		for i := range uint64(n) {
			r := StoreRecord(mix(i),
				cluster.Entry{Move: 1, Quality: cluster.Quality{Depth: uint8(i % 7), Bound: cluster.Exact}})
			if d.Empty == ZeroKey && r.Key&d.checkMask() == 0 {
				continue // such positions are never found
			}
			made.Probe(r)
			made.Store(r)
			if found, hit := made.Probe(r); !hit || found.Key != r.Key {
				t.Fatalf("%s: %d was not kept", text, i)
			}
		}
		kept := 0
		for i := range uint64(n) {
			if found, hit := made.Probe(Record{Key: mix(i)}); hit && found.Key == mix(i) {
				kept++
			}
		}
		capacity := int(d.clusters(bytes)) * d.Entries
		if kept > capacity || float64(kept) < 0.97*float64(capacity) {
			t.Errorf("%s: kept %d of %d", text, kept, capacity)
		}
		if d.ReplayBytes(bytes) != uint64(capacity*recordBytes) {
			t.Errorf("%s: footprint %d", text, d.ReplayBytes(bytes))
		}
		made.Clear()
		for i := range uint64(n) {
			if _, hit := made.Probe(Record{Key: mix(i)}); hit {
				t.Fatalf("%s: %d is there after Clear", text, i)
			}
		}
	}
}

// The victims of each replacement scheme, in one cluster of four entries.
func TestReplacements(t *testing.T) {
	const key = 1 << 40 // and its like with other check bits
	fill := func(text string, depths ...uint8) Table {
		t.Helper()
		d := parsed(t, text)
		made := tableOf(t, d, uint64(2*d.Bytes))
		for i, depth := range depths {
			made.Store(StoreRecord(key+uint64(i)<<50, cluster.Entry{Quality: cluster.Quality{Depth: depth}}))
		}
		return made
	}
	has := func(made Table) (s string) {
		for i := range 6 {
			if _, hit := made.Probe(Record{Key: key + uint64(i)<<50}); hit {
				s += string(rune('0' + i))
			}
		}
		return s
	}
	for _, c := range []struct {
		text   string
		depths []uint8
		want   string
	}{
		{"entries=4+bytes=64+replace=always", []uint8{9, 1, 5, 3, 2}, "1234"},
		{"entries=4+bytes=64+replace=depth", []uint8{9, 1, 5, 3, 2}, "0234"},
		{"entries=4+bytes=64+replace=depth", []uint8{9, 3, 5, 3, 2}, "0123"},
		{"entries=4+bytes=64+replace=depth", []uint8{0, 0, 0, 0, 0}, "1234"},
		{"entries=4+bytes=64", []uint8{9, 3, 5, 3, 2}, "0234"},
		{"entries=4+bytes=64+replace=two-tier", []uint8{9, 4, 5, 3, 2}, "0124"},
		{"entries=4+bytes=64+replace=two-tier", []uint8{9, 4, 5, 3, 4}, "0234"},
		{"ties=first+entries=4+bytes=64", []uint8{2, 3, 2, 3, 2, 2}, "1235"},
		{"ties=oldest+entries=4+bytes=64", []uint8{2, 3, 2, 3, 2, 2}, "1345"},
		{"entries=1", []uint8{9, 1}, "1"},
		{"entries=1+replace=depth", []uint8{9, 1}, "0"},
	} {
		if got := has(fill(c.text, c.depths...)); got != c.want {
			t.Errorf("%s, depths %v: has %s, want %s", c.text, c.depths, got, c.want)
		}
	}
	// A deep entry of an old search goes before shallow ones of this one, if age counts.
	for text, want := range map[string]string{"entries=4+bytes=64": "1234", "entries=4+bytes=64+search=1": "0234",
		"entries=4+bytes=64+age=0": "0234"} {
		made := fill(text, 9)
		made.NewSearch()
		made.NewSearch()
		for i, depth := range []uint8{1, 2, 3, 4} {
			made.Store(StoreRecord(key+uint64(i+1)<<50, cluster.Entry{Quality: cluster.Quality{Depth: depth}}))
		}
		if got := has(made); got != want {
			t.Errorf("%s: has %s, want %s", text, got, want)
		}
	}
}

// A hit protects an entry: by its generation, or by the order among equals.
func TestHitsProtect(t *testing.T) {
	const key = 1 << 40
	for text, want := range map[string]bool{"entries=2+refresh=0": false, "entries=2": true,
		"ties=oldest+entries=2+refresh=0": false, "ties=unused+entries=2+refresh=0": true} {
		d := parsed(t, text)
		made := tableOf(t, d, uint64(2*d.Bytes))
		store := func(i uint64, depth uint8) {
			made.Store(StoreRecord(key+i<<50, cluster.Entry{Quality: cluster.Quality{Depth: depth}}))
		}
		store(1, 3)
		store(2, 3)
		if d.Refresh > 0 {
			made.NewSearch()
		}
		made.Probe(Record{Key: key + 1<<50})
		store(3, 3)
		if _, hit := made.Probe(Record{Key: key + 1<<50}); hit != want {
			t.Errorf("%s: kept %v", text, hit)
		}
	}
}

// With victim=probe a store goes where the probe of its node pointed, whatever has been stored there
// since. A store without a probe chooses for itself. The evictions of both are counted.
func TestVictimAtProbe(t *testing.T) {
	const key = 1 << 40
	for text, want := range map[string]string{"victim=probe": "123", "victim=store": "234"} {
		d := parsed(t, text)
		made := tableOf(t, d, uint64(2*d.Bytes))
		store := func(i uint64, depth uint8) {
			made.Store(StoreRecord(key+i<<51, cluster.Entry{Quality: cluster.Quality{Depth: depth}}))
		}
		store(0, 5)
		store(1, 6)
		store(2, 7)
		made.Probe(Record{Key: key + 3<<51}) // the shallowest entry is that of 0
		store(4, 20)                         // replaces it
		store(3, 20)
		has := ""
		for i := range 5 {
			if _, hit := made.Probe(Record{Key: key + uint64(i)<<51}); hit {
				has += string(rune('0' + i))
			}
		}
		if has != want {
			t.Errorf("%s: has %s, want %s", text, has, want)
		}
		if n := made.(*clusterTable).generation; n != 2 { // one for each eviction in a table of six entries
			t.Errorf("%s: %d generations, want 2", text, n)
		}
	}
}

func TestDesignsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                    `unknown parameter ""`,
		"foo":                 `unknown parameter "foo"`,
		"stockfsh":            "a preset stands first, one of trefoil, ",
		"entries":             `entries "" is not`,
		"entries=0":           `entries "0" is not a whole number from 1 to 16`,
		"keybits=65":          "1 to 64",
		"keybits=0":           "1 to 64",
		"index=auto":          `"auto" is not one of`,
		"index=mul31":         `"mul31" is not one of mul32, mul64, pow2`,
		"replace=never":       `"never" is not one of always, depth`,
		"ties=newest":         `"newest" is not one of key, first, last, oldest, unused`,
		"entries=2+":          `unknown parameter ""`,
		"bytes=3":             "4 to 1024",
		"trefoil+entries=foo": `entries "foo" is not`,
		"entries=2+trefoil":   `unknown parameter "trefoil"`,
		"victim=never":        `"never" is not one of store, probe`,
		"generations=1":       "2 to 1024",
	} {
		if _, err := ParseDesign(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for text, bytes := range map[string]uint64{"trefoil": 63, "entries=4": 1 << 20, "keybits=22": 1 << 20,
		"replace=two-tier+entries=1": 1 << 20, "stockfish+ties=oldest": 1 << 20, "victim=probe+replace=depth": 1 << 20,
		"empty=next+replace=always": 1 << 20, "index=mul32": 1 << 38} {
		d, err := ParseDesign(strings.TrimPrefix(text, "index=mul32"))
		if err != nil {
			d = DefaultDesign()
		}
		if _, err := d.New(bytes); err == nil {
			t.Errorf("%s of %d bytes: no error", text, bytes)
		}
	}
}

// A replay ends with the error of its context.
func TestReplayStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	record(t, path, 10_000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Replay(ctx, opened(t, path), []*Run{{Design: DefaultDesign(), Bytes: 1 << 20}},
		nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A design larger than the memory of the machine is refused.
func TestNewRefuses(t *testing.T) {
	d := DefaultDesign()
	d.Index = cluster.Mul64
	if _, err := d.New(1 << 50); err == nil || !strings.Contains(err.Error(), "design index=mul64: ") ||
		!strings.Contains(err.Error(), "available") {
		t.Error(err)
	}
}

// A position and the one after a null move, whose keys differ in bit 0 alone, are no nearer to each
// other than any two, unless the index keeps the side.
func TestRandomKeys(t *testing.T) {
	for i := range uint64(1000) {
		if key := mix(i); traceKey(randomKey(key)) != key {
			t.Fatalf("%#x is %#x after randomKey and traceKey", key, traceKey(randomKey(key)))
		}
	}
	d := parsed(t, "side=word+entries=1")
	made := tableOf(t, d, 1<<20)
	kept := 0
	for i := range uint64(1000) {
		made.Clear()
		r := StoreRecord(mix(i)&^1, cluster.Entry{Quality: cluster.Quality{Bound: cluster.Exact}})
		made.Store(r)
		made.Store(Record{r.Key | 1, r.Word})
		if found, hit := made.Probe(r); hit && found.Key == r.Key {
			kept++
		}
	}
	if kept < 995 {
		t.Errorf("%d of 1000 positions lost their entry to that of the other side", 1000-kept)
	}
}
