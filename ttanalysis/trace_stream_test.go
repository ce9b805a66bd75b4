package ttanalysis

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"trefoil/cluster"
	"trefoil/internal/filetest"
)

// A trace on a stream is the trace of a file, however it arrives. It is replayed alike, in one pass, in
// several, and for the bound.
func TestTraceStream(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	recordForPresets(t, path, false)
	file := filetest.Read(t, path)
	head, records, err := readAll(path)
	if err != nil {
		t.Fatal(err)
	}
	stream := func(in io.Reader) *TraceReader {
		t.Helper()
		r, err := ReadTrace(cluster.Reader(in, "a pipe"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		return r
	}
	r := stream(iotest.OneByteReader(bytes.NewReader(file)))
	var got []Record
	for err = nil; err == nil; {
		got, err = r.Next(got)
	}
	if err != io.EOF || !reflect.DeepEqual(got, records) || r.TraceHeader != head {
		t.Errorf("%v, %d records of %d, %+v", err, len(got), len(records), r.TraceHeader)
	}
	for _, n := range []int{len(file) / 2, len(file) - 512, len(file) - 1} {
		r := stream(bytes.NewReader(file[:n]))
		for err = nil; err == nil; {
			_, err = r.Next(nil)
		}
		if !strings.Contains(err.Error(), "a pipe: cut short: it has ") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	for _, memory := range []uint64{1 << 30, 1} { // one pass, and one for each table
		var results [2]*Comparison
		for i, trace := range []*TraceReader{opened(t, path), stream(iotest.HalfReader(bytes.NewReader(file)))} {
			c, err := NewComparison("trefoil,by-search", "0.02,0.1")
			if err == nil && memory > 1 {
				err = trace.Keep()
			}
			if err = errors.Join(err, c.Replay(context.Background(), trace, memory, nil),
				c.Bound(context.Background(), trace, nil)); err != nil {
				t.Fatal(err)
			}
			results[i] = c
		}
		if !reflect.DeepEqual(results[0], results[1]) {
			t.Errorf("memory %d: another result", memory)
		}
	}
	var out bytes.Buffer
	w, err := WriteTrace(cluster.Writer(&out, "a pipe"), someHeader)
	if err != nil {
		t.Fatal(err)
	}
	w.NewSearch()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if r := stream(&out); r.Game != someHeader.Game {
		t.Errorf("%+v", r.TraceHeader)
	}
}
