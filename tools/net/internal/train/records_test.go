package train

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"trefoil/tools/net/internal/record"
)

// toyFormat has records of two bytes, a number, and the tail. The number is a feature modulo 24.
var toyFormat = Format{Bytes: 8, Decode: func(rec []byte, to *Sample) error {
	id := binary.LittleEndian.Uint16(rec)
	if id == 0xffff {
		return errors.New("number 65535")
	}
	tail := record.TailOf(rec)
	*to = Sample{append(to.Us[:0], id%24), to.Them[:0], int(id % 2), float32(tail.Score)}
	return nil
}}

// toyGames returns games, each with 10 records; their numbers count from first.
func toyGames(games, first int) Data {
	return func(use func(records []byte) error) error {
		id := first
		for g := range games {
			var records []byte
			for range 10 {
				rec := make([]byte, 8)
				binary.LittleEndian.PutUint16(rec, uint16(id))
				record.Tail{Score: int16(id%24) * 10, Half: uint8(id % 3), Number: uint16(g)}.Put(rec)
				records = append(records, rec...)
				id++
			}
			if err := use(records); err != nil {
				return err
			}
		}
		return nil
	}
}

// both returns the games of two Data.
func both(a, b Data) Data {
	return func(use func(records []byte) error) error { return cmp.Or(a(use), b(use)) }
}

// open opens n records with memory for about 150.
func open(t *testing.T, seed uint64, n int64, data Data) *Records {
	t.Helper()
	r, err := Open(&toyFormat, data, seed, 8*n, 1200, t.TempDir())
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
	large := both(toyGames(40, 0), toyGames(21, 400))
	const held, count = 2*10 + 2*10, 610 - 40
	for name, data := range map[string]Data{"in files": large, "in memory": toyGames(12, 0)} {
		n, want := int64(610), count
		if name == "in memory" {
			n, want = 120, 110
		}
		r := open(t, 5, n, data)
		if (len(r.groups) == 1) != (name == "in memory") || r.Count() != want {
			t.Fatalf("%s: %d groups, %d records, want %d", name, len(r.groups), r.Count(), want)
		}
		first, second := numbers(t, r, want), numbers(t, r, want)
		if slices.Equal(first, second) || slices.IsSorted(first) {
			t.Errorf("%s: not shuffled", name)
		}
		again := open(t, 5, n, data)
		if list := append(numbers(t, again, want/3), numbers(t, again, want-want/3)...); !slices.Equal(list, first) {
			t.Errorf("%s: another order with the same seed", name)
		}
		if other := numbers(t, open(t, 6, n, data), want); slices.Equal(other, first) {
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
	r := open(t, 5, 610, large)
	all, err := toyFormat.HeldOut(large)
	if err != nil || all.Len() != held || r.HeldOut(1000).Len() != held || r.HeldOut(7).Len() != 7 ||
		r.HeldOut(0).Len() != 0 {
		t.Errorf("held out: %d records, error %v", all.Len(), err)
	}
	if list := recordNumbers(all); !slices.Equal(list, recordNumbers(r.HeldOut(1000))) || list[0] != 0 ||
		list[10] != 200 || list[20] != 400 {
		t.Errorf("held out: %v", list)
	}
}

// TestSeek checks that a stream continues from any place.
func TestSeek(t *testing.T) {
	data := toyGames(61, 0)
	r := open(t, 1, 610, data)
	for _, n := range []int{1, 100, 469, 570, 1000} {
		numbers(t, r, n)
		place := r.Place()
		want := numbers(t, r, 300)
		other := open(t, 1, 610, data)
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

// TestDuplicates: a position is trained on once, as it was read first.
func TestDuplicates(t *testing.T) {
	for _, n := range []int64{120, 1000} { // in memory and in files
		r := open(t, 1, n, both(toyGames(12, 0), toyGames(12, 30)))
		if r.Count() != 140 || r.Duplicates() != 80 {
			t.Errorf("%d positions and %d twice", r.Count(), r.Duplicates())
		}
		list := numbers(t, r, r.Count())
		slices.Sort(list)
		if len(slices.Compact(list)) != 140 {
			t.Errorf("a position twice: %v", list)
		}
	}
}

// TestBadData checks that no file is left after an error.
func TestBadData(t *testing.T) {
	broken := errors.New("broken")
	for want, data := range map[string]Data{
		"broken":                  both(toyGames(30, 0), func(func([]byte) error) error { return broken }),
		"no position to train on": toyGames(1, 0),
	} {
		folder := t.TempDir()
		r, err := Open(&toyFormat, data, 1, 2400, 500, folder)
		if r != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("%s: files are left: %v, %v", want, left, err)
		}
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
	r, err := Open(&format, toyGames(12, 0), 1, 960, 1<<20, t.TempDir())
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
