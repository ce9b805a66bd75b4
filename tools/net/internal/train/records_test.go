package train

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/tools/net/internal/record"
)

// toyFormat has records of two bytes, a number, and the tail. The number is a feature modulo 24.
var toyFormat = Format{Game: "toy", Bytes: 8, Decode: func(rec []byte, to *Sample) error {
	id := binary.LittleEndian.Uint16(rec)
	if id == 0xffff {
		return errors.New("number 65535")
	}
	tail := record.TailOf(rec)
	*to = Sample{append(to.Us[:0], id%24), to.Them[:0], int(id % 2), float32(tail.Score), float32(tail.Half) / 2}
	return nil
}}

// write makes a file of games, each with 10 records; their numbers count from first.
func write(t *testing.T, name string, games, first int) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	w, err := record.Resume(name, record.Header{Game: "toy", Bytes: 8})
	if err != nil {
		t.Fatal(err)
	}
	for g := range games {
		var records []byte
		for range 10 {
			rec := make([]byte, 8)
			binary.LittleEndian.PutUint16(rec, uint16(first))
			record.Tail{Score: int16(first%24) * 10, Half: uint8(first % 3), Number: uint16(g)}.Put(rec)
			records = append(records, rec...)
			first++
		}
		if err := w.Append(g, records); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// open opens files with memory for about 150 records.
func open(t *testing.T, seed uint64, names ...string) *Records {
	t.Helper()
	r, err := Open(&toyFormat, names, seed, 1200, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// numbers returns the numbers of the next n records.
func numbers(t *testing.T, r *Records, n int) (list []uint16) {
	t.Helper()
	batch, err := r.Next(n)
	if err != nil {
		t.Fatal(err)
	}
	if batch.Len() != n {
		t.Fatalf("a batch of %d, want %d", batch.Len(), n)
	}
	return recordNumbers(batch)
}

func recordNumbers(b Batch) (list []uint16) {
	records := b.(recordBatch).records
	for at := 0; at < len(records); at += 8 {
		list = append(list, binary.LittleEndian.Uint16(records[at:]))
	}
	return list
}

// TestShuffle checks that each pass has every record once, in an order of its own that depends on the
// seed alone, and none of a game that is held out.
func TestShuffle(t *testing.T) {
	one, two := write(t, "one", 40, 0), write(t, "two", 21, 400)
	const held, count = 2*10 + 2*10, 610 - 40
	for name, files := range map[string][]string{"in files": {one, two}, "in memory": {write(t, "small", 12, 0)}} {
		r := open(t, 5, files...)
		want := count
		if len(files) == 1 {
			want = 110
		}
		if (len(r.groups) == 1) != (name == "in memory") || r.Count() != want {
			t.Fatalf("%s: %d groups, %d records, want %d", name, len(r.groups), r.Count(), want)
		}
		first, second := numbers(t, r, want), numbers(t, r, want)
		if slices.Equal(first, second) || slices.IsSorted(first) {
			t.Errorf("%s: not shuffled", name)
		}
		again := open(t, 5, files...)
		if list := append(numbers(t, again, want/3), numbers(t, again, want-want/3)...); !slices.Equal(list, first) {
			t.Errorf("%s: another order with the same seed", name)
		}
		if other := numbers(t, open(t, 6, files...), want); slices.Equal(other, first) {
			t.Errorf("%s: the same order with another seed", name)
		}
		for _, list := range [][]uint16{first, second} {
			slices.Sort(list)
			if n := len(slices.Compact(list)); n != want {
				t.Errorf("%s: %d different records in a pass, want %d", name, n, want)
			}
		}
		for _, id := range first {
			if game := int(id%400) / 10; game%heldOutIn == 0 {
				t.Errorf("%s: record %d is of a game that is held out", name, id)
			}
		}
	}
	r := open(t, 5, one, two)
	all, err := toyFormat.HeldOut([]string{one, two})
	if err != nil || all.Len() != held || r.HeldOut(1000).Len() != held || r.HeldOut(7).Len() != 7 || r.HeldOut(0).Len() != 0 {
		t.Errorf("held out: %d records, error %v", all.Len(), err)
	}
	if list := recordNumbers(all); !slices.Equal(list, recordNumbers(r.HeldOut(1000))) || list[0] != 0 || list[10] != 200 || list[20] != 400 {
		t.Errorf("held out: %v", list)
	}
}

// TestSeek checks that a stream continues from any place.
func TestSeek(t *testing.T) {
	name := write(t, "one", 61, 0)
	r := open(t, 1, name)
	for _, n := range []int{1, 100, 469, 570, 1000} {
		numbers(t, r, n)
		place := r.Place()
		want := numbers(t, r, 300)
		other := open(t, 1, name)
		if err := other.Seek(place); err != nil {
			t.Fatal(err)
		}
		if got := numbers(t, other, 300); !slices.Equal(got, want) {
			t.Errorf("from %+v: %v, want %v", place, got, want)
		}
	}
	for _, p := range []Place{{-1, 0, 0}, {0, len(r.groups), 0}, {0, 0, 1000}, {0, -1, 0}, {0, 0, -1}} {
		if err := r.Seek(p); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}

// TestBadFiles checks that a file that cannot be used is refused by name, and that no file is left.
func TestBadFiles(t *testing.T) {
	good := write(t, "good", 30, 0)
	change := func(name string, f func([]byte) []byte) string {
		data, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(name, f(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for want, name := range map[string]string{
		"empty: the file ends":       change("empty", func(b []byte) []byte { return nil }),
		"nothing: no positions":      write(t, "nothing", 0, 0),
		"damaged: the game at byte ": change("damaged", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }),
		"text is not a file of":      change("text", func(b []byte) []byte { return append([]byte("text"), b...) }),
		"record 5: number 65535":     write(t, "number", 2, 65520),
		"no position to train on":    write(t, "held", 1, 0),
		"missing: no such file":      filepath.Join(t.TempDir(), "missing"),
	} {
		folder := t.TempDir()
		r, err := Open(&toyFormat, []string{good, name}, 1, 500, folder)
		if want == "no position to train on" {
			r, err = Open(&toyFormat, []string{name}, 1, 500, folder)
		}
		if r != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("%s: files are left: %v, %v", want, left, err)
		}
	}
	other := toyFormat
	other.Game = "chess"
	if _, err := Open(&other, []string{good}, 1, 500, t.TempDir()); err == nil || !strings.Contains(err.Error(), "good: positions of toy") {
		t.Errorf("another game: %v", err)
	}
	if _, err := Open(&toyFormat, nil, 1, 500, t.TempDir()); err == nil {
		t.Error("no file is accepted")
	}
}

// TestImages: each pass takes another image of each record, and the records themselves are held out.
func TestImages(t *testing.T) {
	const images = 4
	format := toyFormat
	format.Images = images
	format.Turn = func(rec []byte, image int) {
		id := binary.LittleEndian.Uint16(rec)
		binary.LittleEndian.PutUint16(rec, id+1000*uint16(image))
	}
	r, err := Open(&format, []string{write(t, "toy", 12, 0)}, 1, 1<<20, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var passes [images + 1]string
	seen := map[uint16]bool{}
	for pass := range passes {
		list := numbers(t, r, r.Count())
		for _, id := range list {
			seen[id] = true
		}
		slices.Sort(list)
		passes[pass] = fmt.Sprint(list)
	}
	if len(seen) != images*r.Count() || passes[0] != passes[images] || passes[0] == passes[1] {
		t.Errorf("%d images of %d records", len(seen), r.Count())
	}
	for _, id := range recordNumbers(r.HeldOut(1000)) {
		if id >= 1000 {
			t.Errorf("an image is held out: %d", id)
		}
	}
}
