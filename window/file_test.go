package window

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/container"
	"trefoil/internal/filetest"
	"trefoil/internal/mem"
	"trefoil/internal/tabletest"
)

var label = Label{Game: "ultimate", Convention: "attacker wins", Seed: "test"}

func filled(t testing.TB, slots uint64, keys int) *Table {
	table := tiny(t, slots)
	h := table.Handle()
	for i := range uint64(keys) {
		k := (i + 1) * 0x9e3779b97f4a7c15
		h.Store(k, whole(k, uint32(i)))
	}
	return table
}

func TestSavedTableIsTheSame(t *testing.T) {
	background := context.Background()
	table := filled(t, 3000, 2000)
	table.NewSearch()
	path := filepath.Join(t.TempDir(), "table")
	if _, err := table.Save(background, container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	same := filled(t, 3000, 17)
	if _, err := same.Load(background, container.File(path), label, nil); err != nil {
		t.Fatal(err)
	}
	for slot := range table.slots {
		if a, b := table.entry(slot).wait(), same.entry(slot).wait(); a != b {
			t.Fatalf("slot %d: %+v became %+v", slot, a, b)
		}
	}
	if same.current.Load() != 2 {
		t.Errorf("generation %d, want 2", same.current.Load())
	}
}

// TestSaveDuringNewSearch: entries of searches that begin during the save are among the newest of the file.
func TestSaveDuringNewSearch(t *testing.T) {
	table, again, path := tiny(t, 500), tiny(t, 500), filepath.Join(t.TempDir(), "table")
	h, ages := table.Handle(), map[uint64]int{}
	store := func(start uint64, age int) {
		key := keyFor(table, start, 1)
		h.Store(key, whole(key, 1))
		ages[key] = age
	}
	store(100, 1)
	table.NewSearch()
	store(200, 0)
	if _, err := table.Save(t.Context(), container.Replace(path), label, func(done, _ uint64) {
		if done == 0 {
			for _, start := range []uint64{300, 400} {
				table.NewSearch()
				store(start, 0)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Load(t.Context(), container.File(path), label, nil); err != nil {
		t.Fatal(err)
	}
	for slot := range again.InUse() {
		e, _ := again.Look(slot)
		want, ok := ages[e.Key]
		if delete(ages, e.Key); e.Used && (!ok || e.Age != want) {
			t.Errorf("slot %d: key %x has age %d, want %d", slot, e.Key, e.Age, want)
		}
	}
	if len(ages) > 0 {
		t.Errorf("%d entries are lost", len(ages))
	}
}

// TestFilesOfOtherPrograms: what no table can have is refused by name, and leaves the table as it is.
func TestFilesOfOtherPrograms(t *testing.T) {
	path, table := filepath.Join(t.TempDir(), "table"), filled(t, 500, 3)
	entry := make([]byte, BytesPerEntry)
	entry[8] = 1
	for says, file := range map[string]struct {
		header  Header
		block   []byte
		entries uint64
	}{
		"generation is 0, expected 1 to 255": {Header{Label: label, Slots: 500, Generation: 0}, entry, 1},
		"generation is 256":                  {Header{Label: label, Slots: 500, Generation: 256}, entry, 1},
		"is 31, expected a multiple of 32":   {Header{Label: label, Slots: 500, Generation: 1}, entry[1:], 1},
		"φ and δ of entry 1 are 0":           {Header{Label: label, Slots: 500, Generation: 1}, make([]byte, BytesPerEntry), 1},
		"count of entries is 1, expected 20": {Header{Label: label, Slots: 500, Generation: 1}, entry, 20},
	} {
		err := container.Write(container.Replace(path), container.Proofs, file.header,
			func(w *container.Writer) (any, error) {
				return summary{file.entries}, w.WriteBlock(file.block)
			})
		if err != nil {
			t.Fatal(err)
		}
		_, err = table.Load(t.Context(), container.File(path), label, nil)
		var wrong *container.Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) ||
			has(t, table, 3) != 3 {
			t.Errorf("got %v, want a container.Error about %q; %d of 3 entries", err, says, has(t, table, 3))
		}
	}
}

// TestLoadEnds: whenever the context ends, a table has all that it had, or nothing.
func TestLoadEnds(t *testing.T) {
	const slots, keys = 400_000, 1000 // more slots than are cleared between two looks at a context
	path, table := filepath.Join(t.TempDir(), "table"), tiny(t, slots)
	if _, err := filled(t, slots, 10).Save(t.Context(), container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	h := table.Handle()
	for looks := 0; ; looks++ {
		for i := range uint64(keys) {
			h.Store(keyOf(i), whole(keyOf(i), uint32(i)))
		}
		_, err := table.Load(&tabletest.EndsAfter{Context: t.Context(), Looks: looks}, container.File(path), label, nil)
		n := has(t, table, keys)
		if err == nil && n == 10 {
			return
		}
		if !errors.Is(err, context.Canceled) || n != 0 && n != keys {
			t.Fatalf("after %d looks: %v, %d of %d entries", looks, err, n, keys)
		}
	}
}

// TestManyEntries: a table whose entries take several blocks of a file is saved and loaded, in the last
// generation, and cleared after that.
func TestManyEntries(t *testing.T) {
	background := context.Background()
	const keys = 2*container.MaxBlock/BytesPerEntry + 1000
	table := filled(t, 2*keys, keys)
	for range generationMask - 1 {
		table.NewSearch()
	}
	path := filepath.Join(t.TempDir(), "table")
	if _, err := table.Save(background, container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > keys*BytesPerEntry*101/100 {
		t.Errorf("%d entries take %d bytes of a file", keys, info.Size())
	}
	reports, last := 0, uint64(0)
	h, err := Verify(background, container.File(path), func(done, total uint64) {
		if reports++; done <= last || done > total || total > keys {
			t.Errorf("after %d entries %d of %d", last, done, total)
		}
		last = done
	})
	if err != nil || h.Blocks != 3 || reports < 4 || reports > 100 {
		t.Errorf("%+v, %v, %d reports of progress", h, err, reports)
	}
	again := tiny(t, 2*keys)
	if _, err := again.Load(background, container.File(path), label, nil); err != nil {
		t.Fatal(err)
	}
	if a, b := has(t, table, keys), has(t, again, keys); a != b || a < keys*9/10 {
		t.Errorf("%d of %d entries are found again", b, a)
	}
	if err := again.Clear(background); err != nil {
		t.Fatal(err)
	}
	if n := has(t, again, keys); n > 0 {
		t.Errorf("%d entries after Load and Clear", n)
	}
}

// TestFileWithOtherSlots: an entry that a file has beyond the table goes where its key belongs.
func TestFileWithOtherSlots(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	const key = 0x123456789abcdef
	for _, slot := range []uint64{500, 100_000} {
		entry := make([]byte, BytesPerEntry)
		binary.LittleEndian.PutUint64(entry, key)
		entry[8], entry[12] = 1, 2
		binary.LittleEndian.PutUint32(entry[24:], uint32(slot))
		err := container.Write(container.Replace(path), container.Proofs,
			Header{Label: label, Slots: 500, Generation: 1}, func(w *container.Writer) (any, error) {
				return summary{1}, w.WriteBlock(entry)
			})
		if err != nil {
			t.Fatal(err)
		}
		table := tiny(t, 500)
		if _, err := table.Load(context.Background(), container.File(path), label, nil); err != nil {
			t.Fatal(err)
		}
		if e, ok := table.Handle().Probe(key); !ok || e.Phi != 2 || e.Delta != 1 {
			t.Errorf("an entry at slot %d of 500: %+v, %v", slot, e, ok)
		}
	}
}

// TestLargestGap: entries after more empty slots than their distance can say go where their keys belong.
func TestLargestGap(t *testing.T) {
	const slots = 1<<32 + 1000
	region, err := mem.MapSparse(slots*BytesPerSlot + 2*wordBytes)
	if err != nil {
		t.Skip(err)
	}
	table := layOut(region)
	t.Cleanup(func() { _ = table.Close() })
	keyAt := func(slot uint64) uint64 {
		quotient, _ := bits.Div64(slot, 0, slots-3)
		return quotient + 1
	}
	var block []byte
	for _, e := range []struct{ slot, gap uint64 }{{1<<32 + 500, 1<<32 - 1}, {1<<32 + 507, 7}} {
		entry := make([]byte, BytesPerEntry)
		binary.LittleEndian.PutUint64(entry, keyAt(e.slot))
		entry[8] = 1
		binary.LittleEndian.PutUint32(entry[24:], uint32(e.gap))
		block = append(block, entry...)
	}
	path := filepath.Join(t.TempDir(), "table")
	err = container.Write(container.Replace(path), container.Proofs, Header{Label: label, Slots: slots, Generation: 1},
		func(w *container.Writer) (any, error) {
			return summary{2}, w.WriteBlock(block)
		})
	if err == nil {
		_, err = table.Load(context.Background(), container.File(path), label, nil)
	}
	for _, slot := range []uint64{1<<32 + 500, 1<<32 + 507} {
		if _, ok := table.Handle().Probe(keyAt(slot)); !ok || err != nil {
			t.Errorf("the entry of slot %d: %v, %v", slot, ok, err)
		}
	}
}

// TestInspectAndVerify: both return what a file says of itself, Verify also the number of solved entries; an error
// says which of them failed, and with which file.
func TestInspectAndVerify(t *testing.T) {
	background, path := context.Background(), filepath.Join(t.TempDir(), "table")
	table := tiny(t, 500)
	table.NewSearch()
	h := table.Handle()
	for i := range uint64(10) {
		h.Store(keyOf(i), Entry{Phi: uint32(i % 3), Delta: 1, Work: 1}) // four are solved
	}
	if _, err := table.Save(background, container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	file := filetest.Read(t, path)
	want := Header{Label: label, Slots: 500, Generation: 2, Entries: 10, Blocks: 1, FileBytes: uint64(len(file))}
	if got, err := Inspect(t.Context(), container.File(path)); err != nil || got != want {
		t.Errorf("inspected: %+v, %v, want %+v", got, err, want)
	}
	want.Solved = 4
	if got, err := Verify(background, container.File(path), nil); err != nil || got != want {
		t.Errorf("verified: %+v, %v, want %+v", got, err, want)
	}

	refused := func(path, says string) {
		t.Helper()
		for what, read := range map[string]func() (Header, error){
			"inspected": func() (Header, error) { return Inspect(t.Context(), container.File(path)) },
			"verified":  func() (Header, error) { return Verify(background, container.File(path), nil) },
		} {
			h, err := read()
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), says) ||
				h.Solved > 0 {
				t.Errorf("%s: %+v, %v, want something about %q", what, h, err, says)
			}
		}
	}
	refused(path+"-not-there", "")
	other := func(head Header) {
		t.Helper()
		err := container.Write(container.Replace(path), container.Proofs, head,
			func(w *container.Writer) (any, error) { return summary{}, nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range []Label{{"ultimate\n", "", ""}, {"", "attacker\twins", ""}, {"", "", "\x1b[2J"}} {
		other(Header{Label: l, Slots: 500, Generation: 1})
		refused(path, "header has control characters")
	}
	other(Header{Label: label, Slots: 500, Generation: 0})
	if h, err := Verify(background, container.File(path), nil); err == nil ||
		!strings.Contains(err.Error(), "generation is 0") || h.Solved > 0 {
		t.Errorf("%+v, %v, want an error about the generation", h, err)
	}
}
