package ttanalysis_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"trefoil/cluster"
	"trefoil/ttanalysis"
)

// directMapped is a table in which a key has one entry, which is always replaced. It compares
// 16 check bits.
type directMapped struct{ entries []ttanalysis.Record }

func (t *directMapped) at(key uint64) *ttanalysis.Record {
	return &t.entries[key%uint64(len(t.entries))]
}

func (t *directMapped) Clear()     { clear(t.entries) }
func (t *directMapped) NewSearch() {}

func (t *directMapped) Store(r ttanalysis.Record) { *t.at(r.Key) = r }

func (t *directMapped) Probe(probe ttanalysis.Record) (ttanalysis.Record, bool) {
	r := *t.at(probe.Key)
	return r, r.Word != 0 && r.Key>>48 == probe.Key>>48
}

// directMappedDesign makes tables with entries of 10 bytes.
type directMappedDesign struct{}

func (directMappedDesign) String() string { return "direct-mapped" }

func (directMappedDesign) Check(bytes uint64) error {
	if bytes < 10 {
		return fmt.Errorf("%d bytes are less than an entry", bytes)
	}
	return nil
}

func (d directMappedDesign) New(bytes uint64) (ttanalysis.Table, error) {
	return &directMapped{make([]ttanalysis.Record, bytes/10)}, d.Check(bytes)
}

func (directMappedDesign) ReplayBytes(bytes uint64) uint64 { return bytes / 10 * 16 }

// A table of another design is compared with that of this program on the same trace.
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
		{Design: directMappedDesign{}, Bytes: 32 << 10},
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
	// trefoil: hits 2726, cutoffs 2726, false hits 0
	// direct-mapped: hits 1183, cutoffs 1183, false hits 0
}

// writeTrace records a search that probes and stores 3000 positions and then probes them again.
func writeTrace(path string) {
	w, err := ttanalysis.CreateTrace(path, ttanalysis.TraceHeader{Game: "example", MiB: 1, Index: cluster.Mul32, KeyBits: 21})
	if err != nil {
		log.Fatal(err)
	}
	w.NewSearch()
	key := func(i uint64) uint64 { return i * 0x9E3779B97F4A7C15 }
	for i := range uint64(3000) {
		w.Probe(key(i), 4, 0, 1, false, false, false)
		w.Store(key(i), cluster.Entry{Value: 30, Quality: cluster.Quality{Depth: 4, Bound: cluster.Lower}})
	}
	for i := range uint64(3000) {
		w.Probe(key(i), 4, 0, 1, false, true, true)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
}
