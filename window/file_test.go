package window

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"trefoil/internal/container"
	"trefoil/internal/mem"
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
	// A table of another size keeps what fits.
	for slots, want := range map[uint64]int{10000: 1600, 500: 400} {
		other, found := tiny(t, slots), 0
		if _, err := other.Load(background, container.File(path), label, nil); err != nil {
			t.Fatal(err)
		}
		h := other.Handle()
		for i := range uint64(2000) {
			k := (i + 1) * 0x9e3779b97f4a7c15
			if e, ok := h.Probe(k); ok {
				found++
				if !isWhole(k, e) {
					t.Fatalf("key %#x: %+v", k, e)
				}
			}
		}
		if found < want {
			t.Errorf("%d slots: %d entries found, want %d", slots, found, want)
		}
	}
}

// Every way to damage a file is refused by name, and leaves the table as it is.
func TestDamagedFilesAreRefused(t *testing.T) {
	background := context.Background()
	path := filepath.Join(t.TempDir(), "table")
	if _, err := filled(t, 500, 300).Save(background, container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	table := filled(t, 500, 3)
	refused := func(what, file string, label Label) {
		t.Helper()
		if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := table.Load(background, container.File(path), label, nil)
		var wrong *container.Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), path) {
			t.Fatalf("got %v, want a container.Error about %q", err, what)
		}
		if k := uint64(0x9e3779b97f4a7c15); func() bool { _, ok := table.Handle().Probe(k); return !ok }() {
			t.Fatal("a refused file changed the table")
		}
	}
	for n := 0; n < len(good); n += 1 + n/7 {
		refused("cut short", string(good[:n]), label)
	}
	refused("checksum of its last", string(good)+"x", label)
	for at := range good {
		if at%11 > 0 {
			continue
		}
		bad := []byte(string(good))
		bad[at] ^= 1 << (at % 8)
		refused("", string(bad), label)
	}
	refused("it begins with", "X"+string(good[1:]), label)
	refused("game", string(good), Label{"chess", label.Convention, label.Seed})
	refused("convention", string(good), Label{label.Game, "draws count", label.Seed})
	refused("seed", string(good), Label{label.Game, label.Convention, "other"})

	// Files that another program has written.
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
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		err := container.Write(container.Replace(path), container.Proofs, file.header, func(w *container.Writer) (any, error) {
			return summary{file.entries}, w.WriteBlock(file.block)
		})
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		refused(says, string(other), label)
	}

	if _, err := table.Load(background, container.File(path+"-not-there"), label, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
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
		err := container.Write(container.Replace(path), container.Proofs, Header{Label: label, Slots: 500, Generation: 1}, func(w *container.Writer) (any, error) {
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
	err = container.Write(container.Replace(path), container.Proofs, Header{Label: label, Slots: slots, Generation: 1}, func(w *container.Writer) (any, error) {
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
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
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
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), says) || h.Solved > 0 {
				t.Errorf("%s: %+v, %v, want something about %q", what, h, err, says)
			}
		}
	}
	refused(path+"-not-there", "")
	other := func(head Header) {
		t.Helper()
		err := container.Write(container.Replace(path), container.Proofs, head, func(w *container.Writer) (any, error) { return summary{}, nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range []Label{{"ultimate\n", "", ""}, {"", "attacker\twins", ""}, {"", "", "\x1b[2J"}} {
		other(Header{Label: l, Slots: 500, Generation: 1})
		refused(path, "header has control characters")
	}
	other(Header{Label: label, Slots: 500, Generation: 0})
	if h, err := Verify(background, container.File(path), nil); err == nil || !strings.Contains(err.Error(), "generation is 0") || h.Solved > 0 {
		t.Errorf("%+v, %v, want an error about the generation", h, err)
	}
}

// A stopped save leaves the old file.
func TestStoppedSaveLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	if _, err := filled(t, 500, 300).Save(context.Background(), container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	old, _ := os.ReadFile(path)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	table := filled(t, 500, 400)
	if _, err := table.Save(done, container.Replace(path), label, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if now, _ := os.ReadFile(path); string(now) != string(old) {
		t.Error("a stopped save changed the file")
	}
	if _, err := table.Load(context.Background(), container.File(path), label, nil); err != nil {
		t.Error(err)
	}
	if _, err := table.Save(context.Background(), container.Replace(path), label, nil); err != nil {
		t.Error(err)
	}
	if _, err := table.Save(context.Background(), container.Replace(filepath.Join(path, "x")), label, nil); err == nil {
		t.Error("saved below a file")
	}
}

// savesForever names the file that a process of this test is to save until it is killed.
const savesForever = "TREFOIL_TEST_SAVES"

// Whatever moment a process is killed at while it saves, the file is whole.
func TestKilledWhileSaving(t *testing.T) {
	if path := os.Getenv(savesForever); path != "" {
		for table := filled(t, 200000, 100000); ; {
			if _, err := table.Save(context.Background(), container.Replace(path), label, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "table")
	if _, err := filled(t, 500, 300).Save(context.Background(), container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	rounds := 3
	if *long {
		rounds = 100
	}
	table := tiny(t, 500)
	for i := range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWhileSaving$")
		cmd.Env = append(os.Environ(), savesForever+"="+path)
		if err := cmd.Start(); err != nil {
			t.Skip("this system starts no processes: ", err)
		}
		for { // until it is at it
			if strings.Contains(beside(path), ".part") {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i%10) * 3 * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if _, err := table.Load(context.Background(), container.File(path), label, nil); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
	}
	if _, err := table.Save(context.Background(), container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	if left := beside(path); left != "" {
		t.Errorf("the next save did not remove %s", left)
	}
}

// beside returns the names of what is in the directory of a file besides it.
func beside(path string) string {
	var names []string
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, " ")
}
