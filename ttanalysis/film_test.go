package ttanalysis

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"trefoil/cluster"
	"trefoil/internal/filetest"
)

// TestFilm: a film has the counts of a replay, and shows in each part what cluster.Table would hold.
func TestFilm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	actual := tableOf(t, real{cluster.Mul32}, 1<<20)
	synthesise(t, path, actual, 5, 10_000)
	data := filetest.Read(t, path)
	stockfish, _ := presetNamed("stockfish")
	runsOf := func() []*Run {
		return []*Run{{Design: DefaultDesign(), Bytes: 1 << 20}, {Design: real{cluster.Mul32}, Bytes: 1 << 20},
			{Design: stockfish, Bytes: 1 << 19, Repeats: true}}
	}
	want := runsOf()
	replayAll(t, path, want)
	file, err := DecodeTrace(data, "t")
	if err != nil {
		t.Fatal(err)
	}
	stream, err := ReadTrace(cluster.Reader(bytes.NewReader(data), "t"))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	const parts = 7
	for _, trace := range []*TraceReader{file, stream} {
		runs, part := runsOf(), uint64(0)
		seen, err := Film(context.Background(), trace, runs, parts, func(done uint64, tables []Table) {
			if part++; done != part*trace.Records/parts {
				t.Errorf("part %d: %d of %d records", part, done, trace.Records)
			}
			shown := tables[0].(ClusterTable)
			for i := range shown.Clusters() {
				c, _ := tables[1].(realTable).Look(i)
				for j, e := range shown.Look(i) {
					if c.Entries[j].Eval, c.Entries[j].CheckBits = 0, 0; e != c.Entries[j] {
						t.Fatalf("part %d, cluster %d: %+v, want %+v", part, i, e, c.Entries[j])
					}
				}
			}
			if tables[2].(ClusterTable).Clusters() != 1<<14 {
				t.Error(tables[2].(ClusterTable).Clusters())
			}
		})
		if err != nil || part != parts || seen.Probes != 50_000 {
			t.Errorf("%d parts, %+v, %v", part, seen, err)
		}
		for i, run := range runs {
			if run.ReplayCounts != want[i].ReplayCounts {
				t.Errorf("%s: %+v, want %+v", run.Design, run.ReplayCounts, want[i].ReplayCounts)
			}
		}
	}
}

// TestFilmOfFewRecords: a film has no part without records.
func TestFilmOfFewRecords(t *testing.T) {
	for n := range 4 {
		path := filepath.Join(t.TempDir(), "t.trace")
		record(t, path, n)
		var parts []uint64
		runs := []*Run{{Design: DefaultDesign(), Bytes: 1 << 10}}
		_, err := Film(t.Context(), opened(t, path), runs, 100,
			func(done uint64, _ []Table) { parts = append(parts, done) })
		if err != nil || len(parts) != n || n > 0 && parts[n-1] != uint64(n) {
			t.Errorf("%d records: %d, %v", n, parts, err)
		}
	}
}
