package ttanalysis

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
)

var presetTraces = flag.String("preset-traces", "", "write the traces of TestPresetsLikeOriginals to this folder")

// recordForPresets records searches in which everything counts that presets do differently: more searches
// than any generation but Crafty's has values, empty entries when generations repeat, decisive values, PV
// nodes, probes without a store, stores that come after stores of other nodes, and, if asked for, check
// bits 0.
func recordForPresets(t *testing.T, path string, zeroCheckBits bool) {
	t.Helper()
	w, err := CreateTrace(path,
		TraceHeader{Game: "none", MiB: 1, Index: cluster.Mul32, KeyBits: 21, Note: "for presets"})
	if err != nil {
		t.Fatal(err)
	}
	key := func(i uint64) uint64 {
		k := mix(i + 1)
		switch {
		case zeroCheckBits && i%64 == 0:
			k = traceKey(randomKey(k) &^ 0xFFFF) // as Stockfish compares them
		case zeroCheckBits && i%64 == 1:
			k &^= 0xFFFF << 48 // as YaneuraOu does
		}
		return k
	}
	search := uint64(0)
	var node func(at uint64, height int)
	node = func(at uint64, height int) {
		r := mix(at * 3)
		depth, pv := height+int(r>>60), r&31 == 0
		alpha := int(int8(r>>8)) * 3
		w.Probe(key(at), depth, alpha, alpha+1+int(bit(pv))*40, pv, false, false)
		if r>>5&7 == 0 {
			return // as after a cutoff
		}
		for i := range uint64(height) {
			node(search*40+mix(r+i)>>40%3000, height-1)
		}
		value := int16(int8(r>>16)) * 3
		if r>>24&7 == 0 {
			value = 31600 - value
		}
		e := cluster.Entry{Move: uint16(r >> 32), Value: value, Eval: 7, Quality: cluster.Quality{
			Depth: uint8(depth), Bound: cluster.Bound(1 + r>>28%3), PV: pv,
		}}
		if r>>26&3 == 0 {
			e.Move = 0
		}
		w.Store(key(at), e)
	}
	for ; search < 150; search++ {
		if search == 80 || search == 81 {
			w.Clear()
		}
		w.NewSearch()
		for i := range uint64(4) {
			node(search*40+i*15, 5)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// resultsTable is a table that makes a digest of what every probe finds: hit, depth, value, bound.
type resultsTable struct {
	Table
	hits, digest uint64
}

func (t *resultsTable) Probe(probe Record) (Record, bool) {
	found, hit := t.Table.Probe(probe)
	word := bit(hit)
	if hit {
		e := found.Entry()
		word |= uint64(e.Bound)<<4 | uint64(e.Depth)<<8 | uint64(uint16(e.Value))<<16
	}
	t.hits += word & 1
	t.digest = (t.digest ^ word) * 1099511628211 // FNV-1a, word by word
	return found, hit
}

// The tables of the engines themselves gave these results for these traces; tools/designcheck
// compiles them from their sources and prints hits and digest. docs/results/designs.md has the
// commits. Ethereal's refreshes an empty entry if the check bits of a probe are 0.
func TestPresetsLikeOriginals(t *testing.T) {
	dir := t.TempDir()
	if *presetTraces != "" {
		dir = *presetTraces
	}
	traces := map[string][]Record{}
	for _, name := range []string{"zero", "nonzero"} {
		path := filepath.Join(dir, name+".trace")
		recordForPresets(t, path, name == "zero")
		var err error
		if _, traces[name], err = readAll(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		design, trace string
		bytes         uint64
		hits, digest  uint64
	}{
		{"stockfish", "zero", 48 << 10, 87081, 0x6f6b3e14e7adc086},
		{"stockfish", "zero", 192 << 10, 93777, 0x7eecd626ffab2336},
		{"yaneuraou-2018", "zero", 48 << 10, 86088, 0x7add28ee33afc09d},
		{"yaneuraou-2018", "zero", 192 << 10, 92374, 0xe09828414583bd07},
		{"yaneuraou-2026", "zero", 48 << 10, 86410, 0x51136a388a1242c7},
		{"yaneuraou-2026", "zero", 192 << 10, 92586, 0x7962020d40818993},
		{"berserk", "zero", 48 << 10, 87106, 0xecdf27fdd14dbe63},
		{"berserk", "zero", 192 << 10, 93863, 0x079a14198fbb6df6},
		{"ethereal", "nonzero", 48 << 10, 79920, 0xc84de3d66c071407},
		{"ethereal", "nonzero", 192 << 10, 93497, 0xac1a609611848d4a},
		{"weiss", "zero", 48 << 10, 75566, 0xc973afb42b176f33},
		{"weiss", "zero", 192 << 10, 91951, 0x690175519ab05862},
		{"crafty", "zero", 48 << 10, 66178, 0x187f3361ae63de49},
		{"crafty", "zero", 192 << 10, 92691, 0x4789d1579e348688},
	} {
		d := parsed(t, c.design)
		made := tableOf(t, d, c.bytes)
		table := &resultsTable{Table: made, digest: 14695981039346656037}
		var counts ReplayCounts
		counts.replay(table, traces[c.trace], nil)
		if table.hits != c.hits || table.digest != c.digest {
			t.Errorf("%s of %d bytes: %d hits, digest %#016x; the engine's own table has %d, %#016x",
				c.design, c.bytes, table.hits, table.digest, c.hits, c.digest)
		}
	}
}

// Every preset is written without errors, has a name of its own, and is what String returns.
func TestPresets(t *testing.T) {
	for i, p := range presets {
		if _, err := ParseDesign(p.differences); p.differences != "" && err != nil {
			t.Error(err)
		}
		d, err := ParseDesign(p.name)
		if err != nil || d.String() != p.name || d != Presets()[i].Design {
			t.Errorf("%s: %s, %v", p.name, d, err)
		}
		if err := d.Check(1 << 20); err != nil {
			t.Error(err)
		}
		base, ok := presetNamed(p.base)
		if !ok {
			base = DefaultDesign()
		}
		if text := strings.Join(d.differences(base), "+"); text != p.differences {
			t.Errorf("%s is %s, written %s", p.name, text, p.differences)
		}
	}
	if d, err := ParseDesign("stockfish+victim=store"); err != nil || d.String() != "stockfish+victim=store" {
		t.Error(d, err)
	}
}
