package cluster

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"trefoil/internal/container"
)

// FuzzLoad loads files with another header and summary around the blocks of a saved table, in two
// blocks or one. A file is refused and leaves the table as it is, or the table that was saved is
// loaded, also into a table of another size.
func FuzzLoad(f *testing.F) {
	source := filled(f, 1, Auto, 1, 20000)
	good, err := json.Marshal(source.header(label))
	if err != nil {
		f.Fatal(err)
	}
	for _, header := range []string{
		string(good),
		`{}`,
		`null`,
		`{"game":"chess"}`,
		`{"game":"chess","seed":"test 1","mib":1,"clusters":32768,"index":"mul32","key_bits":21,"generation":64,"layout":2}`,
		`{"game":"chess","seed":"test 1","mib":1,"clusters":32768,"index":"auto","key_bits":21,"generation":1,"layout":2}`,
		`{"game":"chess","seed":"test 1","mib":1,"clusters":-32768,"index":"mul32","key_bits":21,"generation":1,"layout":2}`,
		`{"game":"chess","seed":"test 1","mib":1,"clusters":1e300,"index":"mul32","key_bits":21,"generation":1,"layout":2}`,
		`{"game":"chess","seed":"test 1","mib":1,"clusters":32768,"index":9,"key_bits":64,"generation":1,"layout":2}`,
	} {
		f.Add(header, `{"entries":1}`, uint32(0))
		f.Add(header, `{"entries":-1}`, uint32(32))
		f.Add(header, `{"entries":18446744073709551615}`, uint32(33))
	}
	cells := make([]byte, 1<<20)
	source.copyOut(cells, 0)
	saved := slices.Clone(source.region.Words())
	table := filled(f, 1, Auto, 2, 1000)
	was, generation := slices.Clone(table.region.Words()), table.generation.Load()
	other, want := mustNew(f, 2, Auto), rehashed(f, source, 2)
	path := filepath.Join(f.TempDir(), "table")
	f.Fuzz(func(t *testing.T, header, summary string, cut uint32) {
		err := container.Write(container.Replace(path), container.Hash, json.RawMessage(header),
			func(w *container.Writer) (any, error) {
				if cut %= uint32(len(cells)); cut > 0 {
					_ = w.WriteBlock(cells[:cut])
				}
				return json.RawMessage(summary), w.WriteBlock(cells[cut:])
			})
		if err != nil {
			return // no JSON
		}
		if _, err := table.Load(context.Background(), File(path), label, nil); err != nil {
			if !slices.Equal(table.region.Words(), was) || table.generation.Load() != generation {
				t.Fatalf("%v: and the table has changed", err)
			}
			return
		}
		if !slices.Equal(table.region.Words(), saved) {
			t.Fatal("another table was loaded")
		}
		if _, err := other.Load(context.Background(), File(path), label, nil); err != nil ||
			!slices.Equal(other.region.Words(), want.region.Words()) {
			t.Fatalf("another table was loaded into 2 MiB, %v", err)
		}
		copy(table.region.Words(), was)
		table.generation.Store(generation)
	})
}
