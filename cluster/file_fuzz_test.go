package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"trefoil/internal/container"
)

// FuzzLoad loads files with another header and summary around the blocks of a saved table, in two
// blocks or one. A file is refused and leaves the table as it is, or the table that was saved is
// loaded, also into an empty table and into one of another size.
func FuzzLoad(f *testing.F) {
	source := filled(f, 1, Auto, 1, 20000)
	h := source.header(label)
	good, err := json.Marshal(h)
	h.Generation += 7
	later, err2 := json.Marshal(h)
	if err := errors.Join(err, err2); err != nil {
		f.Fatal(err)
	}
	for _, header := range []string{
		string(good), string(later),
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
	other := mustNew(f, 2, Auto)
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
		loaded := slices.Equal(table.region.Words(), saved)
		copy(table.region.Words(), was)
		table.generation.Store(generation)
		if !loaded {
			t.Fatal("another table was loaded")
		}
		empty := mustNew(t, 1, Auto)
		for _, into := range []*Table{empty, other} {
			if _, err := into.Load(context.Background(), File(path), label, nil); err != nil {
				t.Fatalf("into %d MiB: %v", into.plan.MiB, err)
			}
		}
		if !slices.Equal(empty.region.Words(), saved) {
			t.Fatal("another table was loaded into an empty one")
		}
		// The header's generation is part of what a rehash keeps.
		if !slices.Equal(other.region.Words(), rehashed(t, empty, 2).region.Words()) {
			t.Fatal("another table was loaded into 2 MiB")
		}
	})
}
