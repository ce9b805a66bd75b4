package window

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"trefoil/internal/container"
)

// entries returns all entries of a table.
func entries(table *Table) (list []words) {
	for slot := range table.slots {
		if w := table.entry(slot).wait(); w.bounds != 0 {
			list = append(list, w)
		}
	}
	return list
}

// A table goes through a stream as through a file; one that is not empty is as it was after a bad stream, and an empty
// one is empty.
func TestStream(t *testing.T) {
	background := context.Background()
	table := filled(t, 3000, 2000)
	var out bytes.Buffer
	if _, err := table.Save(background, container.WriteStream(&out, "a pipe"), label, nil); err != nil {
		t.Fatal(err)
	}
	file, path := out.Bytes(), filepath.Join(t.TempDir(), "table")
	if _, err := table.Save(background, container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	if want, _ := os.ReadFile(path); !bytes.Equal(file, want) {
		t.Error("another file")
	}
	fromFile, err := Verify(background, container.File(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(container.Input) (Header, error){
		"inspect": func(in container.Input) (Header, error) { return Inspect(background, in) },
		"verify":  func(in container.Input) (Header, error) { return Verify(background, in, func(_, _ uint64) {}) },
	} {
		if h, err := read(container.Stream(iotest.OneByteReader(bytes.NewReader(file)), "a pipe")); err != nil || h != fromFile {
			t.Errorf("%s: %+v, want %+v: %v", name, h, fromFile, err)
		}
	}
	for _, before := range []int{0, 17} {
		again := filled(t, 3000, before)
		was := entries(again)
		for _, n := range []int{0, 30, 300, len(file) / 2, len(file) - 512, len(file) - 1, len(file) + 1} {
			bad := append(bytes.Clone(file), 0)[:n]
			_, err := again.Load(background, container.Stream(bytes.NewReader(bad), "a pipe"), label, nil)
			if err == nil || !strings.Contains(err.Error(), "loading the table: a pipe: ") {
				t.Errorf("%d bytes: %v", n, err)
			}
			if now := entries(again); len(now) != len(was) {
				t.Fatalf("%d bytes: %d entries, then %d", n, len(was), len(now))
			}
		}
		if _, err := again.Load(background, container.Stream(iotest.HalfReader(bytes.NewReader(file)), "a pipe"), label, nil); err != nil {
			t.Fatal(err)
		}
		for slot := range table.slots {
			if a, b := table.entry(slot).wait(), again.entry(slot).wait(); a != b {
				t.Fatalf("slot %d: %+v became %+v", slot, a, b)
			}
		}
	}
}
