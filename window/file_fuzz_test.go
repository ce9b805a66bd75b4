package window

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"trefoil/internal/container"
	"trefoil/internal/filetest"
)

// FuzzLoad loads files of any header, summary and block. A file is refused and leaves the table as it is, or it is
// loaded, and what is then saved is loaded to the same table.
func FuzzLoad(f *testing.F) {
	const good = `{"game":"toy","convention":"c","seed":"s","slots":50,"generation":3}`
	label := Label{"toy", "c", "s"}
	var block []byte
	for key := range uint64(3) {
		block = binary.LittleEndian.AppendUint64(block, key<<60|7)
		block = binary.LittleEndian.AppendUint64(block, 1<<32|key)
		block = binary.LittleEndian.AppendUint64(block, key<<8)
		block = binary.LittleEndian.AppendUint32(block, uint32(20*key))
		block = binary.LittleEndian.AppendUint32(block, uint32(key))
	}
	gap := slices.Clone(block)
	binary.LittleEndian.PutUint32(gap[BytesPerEntry-8:], 1<<32-1)
	for _, header := range []string{good, `{}`, `null`, `[]`,
		`{"game":"toy","convention":"c","seed":"s","slots":18446744073709551615,"generation":1}`,
		`{"game":"toy","convention":"c","seed":"s","slots":0,"generation":-1}`} {
		f.Add(header, `{"entries":3}`, block)
		f.Add(header, `{"entries":3}`, gap)
		f.Add(header, `{"entries":0}`, []byte{})
		f.Add(header, `{"entries":18446744073709551615}`, block[:BytesPerEntry])
		f.Add(header, `null`, block[1:])
	}
	path := filepath.Join(f.TempDir(), "table")
	tables := []*Table{tiny(f, 50), tiny(f, 7)} // of the size in the header, and another one
	f.Fuzz(func(t *testing.T, header, summary string, block []byte) {
		write := func(w *container.Writer) (any, error) {
			if len(block) == 0 {
				return json.RawMessage(summary), nil
			}
			return json.RawMessage(summary), w.WriteBlock(block)
		}
		var out bytes.Buffer // a stream, because a file would be synced each time
		if container.Write(container.WriteStream(&out, path), container.Proofs, json.RawMessage(header), write) != nil {
			return // no JSON, or too long
		}
		put := func(file *bytes.Buffer) {
			filetest.Write(t, path, file.Bytes())
		}
		for _, table := range tables {
			if err := table.Clear(context.Background()); err != nil {
				t.Fatal(err)
			}
			table.Handle().Store(99, whole(99, 9))
			before := contents(table)
			put(&out)
			h, err := table.Load(context.Background(), container.File(path), label, nil)
			if err != nil {
				if !slices.Equal(contents(table), before) {
					t.Fatalf("%v: and the table has changed", err)
				}
				continue
			}
			loaded := contents(table)
			if uint64(len(loaded)) > h.Entries {
				t.Fatalf("%d entries of %d", len(loaded), h.Entries)
			}
			var again bytes.Buffer
			if _, err = table.Save(context.Background(), container.WriteStream(&again, path), label, nil); err == nil {
				put(&again)
				_, err = table.Load(context.Background(), container.File(path), label, nil)
			}
			if err != nil || !slices.Equal(contents(table), loaded) {
				t.Fatalf("saved and loaded again, the table has changed: %v", err)
			}
		}
	})
}

// contents returns the entries of a table.
func contents(t *Table) (entries []words) {
	for slot := range t.slots {
		if w := t.entry(slot).wait(); w.bounds != 0 {
			entries = append(entries, w)
		}
	}
	return entries
}
