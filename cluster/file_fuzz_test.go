package cluster

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzLoad writes some bytes over a saved table, with a header that is signed if asked for. A
// file is refused and leaves the table as it is, or it holds the table that was saved.
func FuzzLoad(f *testing.F) {
	f.Add(uint32(0), []byte("TREFHASH"), false)
	f.Add(uint32(8), []byte{2}, true)
	f.Add(uint32(16), []byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, true)
	f.Add(uint32(32), []byte{9, 0, 0, 0, 8}, true)
	f.Add(uint32(40), []byte{31}, true)
	f.Add(uint32(48), []byte{1, 2, 3}, true)
	f.Add(uint32(64), []byte("shogi"), true)
	f.Add(uint32(200), []byte("what nobody reads"), true)
	f.Add(uint32(4100), []byte{1}, false)
	f.Add(uint32(headerBytes+1<<20), []byte{0, 0, 0, 0, 0}, true)
	source := stocked(f, 1, Auto, 1, 20000)
	good, err := os.ReadFile(savedAt(f, source))
	if err != nil {
		f.Fatal(err)
	}
	table := stocked(f, 1, Auto, 2, 1000)
	was, generation := slices.Clone(table.region.Words()), table.generation.Load()
	path := filepath.Join(f.TempDir(), "table")
	f.Fuzz(func(t *testing.T, at uint32, data []byte, sign bool) {
		file := slices.Clone(good)
		at %= uint32(len(file))
		file = slices.Concat(file[:at], data, file[min(len(file), int(at)+len(data)):])
		if sign && len(file) >= headerBytes {
			binary.LittleEndian.PutUint32(file[headerSum:], checksum(file[:headerSum]))
		}
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := table.Load(context.Background(), path, label, nil); err != nil {
			if !slices.Equal(table.region.Words(), was) || table.generation.Load() != generation {
				t.Fatalf("%v: and the table has changed", err)
			}
			return
		}
		if !slices.Equal(table.region.Words(), source.region.Words()) {
			t.Fatal("another table was loaded")
		}
		copy(table.region.Words(), was)
		table.generation.Store(generation)
	})
}
