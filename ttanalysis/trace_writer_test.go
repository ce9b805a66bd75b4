package ttanalysis

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
)

// A probe that a reader would refuse is an error of Close, which leaves no trace.
func TestTraceWriterRefusesProbes(t *testing.T) {
	for says, probe := range map[string]func(w *TraceWriter){
		"record 2: a probe has a cutoff and no hit":          func(w *TraceWriter) { w.Probe(1, 0, 0, 1, false, false, true) },
		"record 2: alpha 2 of a probe is above beta 1":       func(w *TraceWriter) { w.Probe(1, 0, 2, 1, false, false, false) },
		"record 2: alpha 32767 of a probe is above beta -32": func(w *TraceWriter) { w.Probe(1, 0, 1e6, -1e6, false, true, true) },
	} {
		path := filepath.Join(t.TempDir(), "t.trace")
		w, err := CreateTrace(path, someHeader)
		if err != nil {
			t.Fatal(err)
		}
		w.NewSearch()
		probe(w)
		w.Probe(1, 0, 5, 4, false, false, false) // the first error counts
		for _, err := range []error{w.Err(), w.Close(), w.Err()} {
			if err == nil || !strings.Contains(err.Error(), path+": "+says) {
				t.Errorf("%v, want %s", err, says)
			}
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); len(entries) > 0 || err != nil {
			t.Errorf("left: %v, %v", entries, err)
		}
	}
}

// What is recorded after the end is dropped.
func TestTraceWriterAfterClose(t *testing.T) {
	var out bytes.Buffer
	w, err := WriteTrace(cluster.Writer(&out, "t"), someHeader)
	if err != nil {
		t.Fatal(err)
	}
	w.NewSearch()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := bytes.Clone(out.Bytes())
	for i := range uint64(2 * perBlock) {
		w.NewSearch()
		w.Clear()
		w.Probe(i, 0, 0, 1, false, false, true)
		w.Store(i, cluster.Entry{})
	}
	w.Discard()
	if err := w.Close(); err != nil || w.Err() != nil || w.Records() != 1 || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%v, %v, %d records, %d bytes", err, w.Err(), w.Records(), out.Len())
	}
}
