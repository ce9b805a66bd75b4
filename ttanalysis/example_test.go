package ttanalysis_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"trefoil/cluster"
	"trefoil/ttanalysis"
	"trefoil/zobrist"
)

// direct is a table in which a key has one entry, which is always replaced. It compares 16 check
// bits.
type direct []ttanalysis.Record

func (t direct) at(key uint64) *ttanalysis.Record { return &t[key%uint64(len(t))] }
func (t direct) Clear()                           { clear(t) }
func (t direct) NewSearch()                       {}
func (t direct) Store(r ttanalysis.Record)        { *t.at(r.Key) = r }

func (t direct) Probe(probe ttanalysis.Record) (ttanalysis.Record, bool) {
	r := *t.at(probe.Key)
	return r, r.Kind() == ttanalysis.KindStore && r.Key>>48 == probe.Key>>48
}

var directMapped = ttanalysis.SimpleDesign{
	Name: "direct-mapped", EntryBytes: 10,
	Make: func(entries uint64) ttanalysis.Table { return make(direct, entries) },
}

// A new design, of a dozen lines, is compared with the design of this program on the same trace.
func ExampleSimpleDesign() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "example.trace")
	writeTrace(path)

	comparison, err := ttanalysis.NewComparison("trefoil,stockfish", "0.03125,0.0625")
	if err != nil {
		log.Fatal(err)
	}
	if err := comparison.Add(directMapped); err != nil {
		log.Fatal(err)
	}
	trace, err := ttanalysis.OpenTrace(path)
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	if err := comparison.Replay(context.Background(), trace, 64<<20, nil); err != nil {
		log.Fatal(err)
	}
	for i, design := range comparison.Designs {
		small, large := comparison.Runs[i][0], comparison.Runs[i][1]
		fmt.Printf("%s: hits %.1f %% in 32 KiB, %.1f %% in 64\n", design, 100*small.HitRate(), 100*large.HitRate())
	}
	// Output:
	// trefoil: hits 30.9 % in 32 KiB, 43.7 % in 64
	// stockfish: hits 31.0 % in 32 KiB, 44.1 % in 64
	// direct-mapped: hits 20.3 % in 32 KiB, 31.0 % in 64
}

// Two designs replay the same trace.
func ExampleReplay() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "example.trace")
	writeTrace(path)

	trace, err := ttanalysis.OpenTrace(path)
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	runs := []*ttanalysis.Run{
		{Design: ttanalysis.DefaultDesign(), Bytes: 32 << 10},
		{Design: directMapped, Bytes: 32 << 10},
	}
	recorded, err := ttanalysis.Replay(context.Background(), trace, runs, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("probes", recorded.Probes)
	for _, r := range runs {
		fmt.Printf("%s: hits %d, cutoffs %d, false hits %d\n", r.Design, r.Hits, r.Cutoffs, r.FalseHits)
	}
	// Output:
	// probes 6000
	// trefoil: hits 2351, cutoffs 582, false hits 0
	// direct-mapped: hits 1977, cutoffs 399, false hits 0
}

// writeTrace records a search that probes and stores 3000 positions and then probes them again.
func writeTrace(path string) {
	w, err := ttanalysis.CreateTrace(path,
		ttanalysis.TraceHeader{Game: "example", MiB: 1, Index: cluster.Mul32, KeyBits: 21})
	if err != nil {
		log.Fatal(err)
	}
	w.NewSearch()
	keys, source := make([]uint64, 3000), zobrist.NewSource("example")
	source.Fill(keys)
	for i := range keys {
		if i%2 != 0 {
			keys[i] ^= zobrist.Side
		}
		w.Probe(keys[i], 4, 0, 1, false, false, false)
		w.Store(keys[i], cluster.Entry{Value: 30, Quality: cluster.Quality{Depth: uint8(i % 5), Bound: cluster.Lower}})
	}
	for _, key := range keys {
		w.Probe(key, 4, 0, 1, false, true, true)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
}
