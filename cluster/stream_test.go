package cluster

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// A table goes through a stream as through a file; one that is not empty is as it was after a bad stream, and an empty
// one is empty.
func TestStream(t *testing.T) {
	background := context.Background()
	t.Setenv("TMPDIR", t.TempDir())
	for _, mib := range []uint64{1, 5} {
		table := filled(t, mib, Mul32, 1, 60000)
		var out bytes.Buffer
		saved, err := table.Save(background, Writer(&out, "a pipe"), label, nil)
		if err != nil {
			t.Fatal(err)
		}
		file := out.Bytes()
		if want, _ := os.ReadFile(savedAt(t, table)); !bytes.Equal(file, want) {
			t.Error("another file")
		}
		if h, err := Verify(background, Reader(iotest.HalfReader(bytes.NewReader(file)), "a pipe"), nil); err != nil || h.Label != label || h.Entries != saved.Entries || h.FileBytes != uint64(len(file)) {
			t.Errorf("%+v, %v", h, err)
		}
		for _, before := range []uint64{0, 5000} {
			again := filled(t, mib, Mul32, 2, before)
			was := slices.Clone(again.region.Words())
			for _, n := range []int{0, 1, 20, 300, len(file) / 2, len(file) - 512, len(file) - 1, len(file) + 1} {
				bad := append(slices.Clone(file), 0)[:n]
				want := "a pipe: cut short: it has "
				if n > len(file) {
					want = "a pipe: there is more after its end"
				}
				if _, err := again.Load(background, Reader(bytes.NewReader(bad), "a pipe"), label, nil); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%d bytes: %v, want %q", n, err, want)
				}
				if !slices.Equal(again.region.Words(), was) {
					t.Fatalf("%d bytes: the table has changed", n)
				}
			}
			if _, err := again.Load(background, Reader(bytes.NewReader(file), "a pipe"), Label{Game: "shogi"}, nil); err == nil || !strings.Contains(err.Error(), "a pipe: game is chess") {
				t.Error(err)
			}
			h, err := again.Load(background, Reader(bytes.NewReader(file), "a pipe"), label, nil)
			if err != nil || h.Entries != saved.Entries || !slices.Equal(again.region.Words(), table.region.Words()) {
				t.Errorf("%d MiB, %d keys before: %+v, %v", mib, before, h, err)
			}
		}
		other := mustNew(t, 3, Mul32)
		if _, err := other.Load(background, Reader(bytes.NewReader(file), "a pipe"), label, nil); err != nil {
			t.Error(err)
		}
		fromFile := mustNew(t, 3, Mul32)
		if _, err := fromFile.Load(background, File(savedAt(t, table)), label, nil); err != nil || !slices.Equal(other.region.Words(), fromFile.region.Words()) {
			t.Errorf("another size: %v", err)
		}
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// A stream byte by byte.
func TestStreamOfBytes(t *testing.T) {
	table := mustNew(t, 1, Mul32, Memory(MemoryOptions{KiB: 64}))
	for i := range uint64(1000) {
		table.Store(stream(1, i), entryOf(stream(1, i)))
	}
	var out bytes.Buffer
	if _, err := table.Save(context.Background(), Writer(&out, "a pipe"), label, nil); err != nil {
		t.Fatal(err)
	}
	again := mustNew(t, 1, Mul32, Memory(MemoryOptions{KiB: 64}))
	if _, err := again.Load(context.Background(), Reader(iotest.OneByteReader(&out), "a pipe"), label, nil); err != nil || !slices.Equal(again.region.Words(), table.region.Words()) {
		t.Error(err)
	}
}
