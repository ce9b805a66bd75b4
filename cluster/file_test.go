package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"trefoil/internal/intact"
)

var label = Label{Game: "chess", Seed: "test 1"}

// stocked is a table with so many keys of a seed stored, some of them in older searches.
func stocked(t testing.TB, mib uint64, index Index, seed, keys uint64, opts ...Option) *Table {
	t.Helper()
	table := mustNew(t, mib, index, opts...)
	for i := range keys {
		if i%(keys/3+1) == 0 {
			table.NewSearch()
		}
		k := stream(seed, i)
		table.Store(k, entryOf(k))
	}
	return table
}

func savedAt(t testing.TB, table *Table) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "table")
	if _, err := table.Save(context.Background(), path, label, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// A table comes back to the last bit, into an empty one as into one with other things in it,
// and is the same file when it is saved again.
func TestSavedTableIsTheSame(t *testing.T) {
	background := context.Background()
	for _, c := range []struct {
		mib   uint64
		index Index
		keys  uint64
	}{{1, Mul32, 60000}, {5, Mul64, 1e6}, {8, Pow2, 1e6}, {6, Pow2, 1000}, {3, Auto, 0}} {
		table := stocked(t, c.mib, c.index, 1, c.keys)
		path := savedAt(t, table)
		first, _ := os.ReadFile(path)
		h, err := Inspect(path)
		if err != nil || h.Label != label || h.MiB != c.mib || h.Clusters != table.plan.Clusters || h.Index != table.index ||
			h.KeyBits != 21 || uint64(h.Generation) != table.generation.Load()>>generationShift || h.FileBytes() != uint64(len(first)) {
			t.Errorf("%d MiB: header %+v, %v", c.mib, h, err)
		}
		var entries uint64
		for i, w := range table.region.Words() {
			if i%4 < 3 && w != 0 {
				entries++
			}
		}
		if h.Entries != entries || c.keys > 0 == (entries == 0) {
			t.Errorf("%d MiB: %d entries in the header, %d in the table", c.mib, h.Entries, entries)
		}
		if v, err := Verify(background, path, nil); err != nil || v != h {
			t.Errorf("verified: %+v, %v", v, err)
		}
		for _, others := range []uint64{0, 5000} {
			again, last := stocked(t, c.mib, c.index, 2, others), uint64(0)
			_, err := again.Load(background, path, label, func(done, total uint64) {
				if done <= last || done > total {
					t.Errorf("after %d bytes %d of %d", last, done, total)
				}
				last = done
			})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(again.region.Words(), table.region.Words()) || again.generation.Load() != table.generation.Load() {
				t.Errorf("%d MiB, %d keys before: another table", c.mib, others)
			}
			if again.dirty.Load() != (entries > 0) {
				t.Errorf("%d MiB: dirty is %v", c.mib, again.dirty.Load())
			}
			if _, err := again.Save(background, path, label, nil); err != nil {
				t.Fatal(err)
			}
			if second, _ := os.ReadFile(path); !bytes.Equal(first, second) {
				t.Errorf("%d MiB: another file", c.mib)
			}
		}
	}
}

// refusal holds a table to what a file that does not fit does to it: nothing.
type refusal struct {
	*testing.T
	table *Table
	was   []uint64
}

func newRefusal(t *testing.T, table *Table) refusal {
	return refusal{t, table, slices.Clone(table.region.Words())}
}

// by loads the file and looks for the words in the error.
func (r refusal) by(path string, label Label, words ...string) {
	r.Helper()
	generation := r.table.generation.Load()
	_, err := r.table.Load(context.Background(), path, label, nil)
	var wrong *intact.Error
	if !errors.As(err, &wrong) {
		r.Fatalf("want %q, got %v", words, err)
	}
	for _, w := range append(words, path) {
		if !strings.Contains(err.Error(), w) {
			r.Fatalf("%v does not say %q", err, w)
		}
	}
	if !slices.Equal(r.table.region.Words(), r.was) || r.table.generation.Load() != generation {
		r.Fatalf("%v: and the table has changed", err)
	}
}

// Every bit of the header, and of the rest a thousand at random and all near its seams.
func TestEveryFlippedBitIsCaught(t *testing.T) {
	path := savedAt(t, stocked(t, 5, Auto, 1, 3e5)) // two blocks
	r := newRefusal(t, stocked(t, 5, Auto, 2, 1000))
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := int64(headerBytes + 5<<20 + 2*sumBytes)
	flip := func(bit int64) {
		var b [1]byte
		if _, err := f.ReadAt(b[:], bit/8); err != nil {
			t.Fatal(err)
		}
		b[0] ^= 1 << (bit % 8)
		if _, err := f.WriteAt(b[:], bit/8); err != nil {
			t.Fatal(err)
		}
	}
	for bit := range int64(headerBytes * 8) {
		flip(bit)
		_, err := Inspect(path)
		if wrong := (*intact.Error)(nil); !errors.As(err, &wrong) {
			t.Fatalf("bit %d of the header: %v", bit, err)
		}
		flip(bit)
	}
	random := rand.New(rand.NewPCG(1, 2))
	const seam = headerBytes + BlockBytes
	bits := []int64{headerBytes * 8, seam*8 - 1, seam * 8, (size-8)*8 - 1}
	for bit := (size - 8) * 8; bit < size*8; bit++ {
		bits = append(bits, bit) // those of the checksums
	}
	n := 1000
	if raceDetector {
		n = 20
	}
	for range n {
		bits = append(bits, headerBytes*8+random.Int64N((size-headerBytes)*8))
	}
	for _, bit := range bits {
		flip(bit)
		switch {
		case bit >= (size-8)*8:
			r.by(path, label, "checksum of the checksums", "byte 5246976")
		case bit >= seam*8:
			r.by(path, label, "block 2 of 2", "byte 4198400")
		default:
			r.by(path, label, "block 1 of 2", "byte 4096")
		}
		flip(bit)
	}
	if _, err := Verify(context.Background(), path, nil); err != nil {
		t.Fatal(err) // the flips have gone back
	}
}

func TestWhatDoesNotFitIsNamed(t *testing.T) {
	table := stocked(t, 2, Auto, 1, 1e5)
	path := savedAt(t, table)
	good, _ := os.ReadFile(path)
	r := newRefusal(t, stocked(t, 2, Auto, 2, 1000))
	r.by(path, Label{"shogi", label.Seed}, "game is chess, want shogi")
	r.by(path, Label{label.Game, "test 2"}, "seed is test 1, want test 2")
	newRefusal(t, mustNew(t, 3, Auto)).by(path, label, "size is 2 MiB with index mul32, want 3 MiB with index mul32")
	newRefusal(t, mustNew(t, 2, Mul64)).by(path, label, "size is 2 MiB with index mul32, want 2 MiB with index mul64")
	newRefusal(t, mustNew(t, 2, Auto, KeyBits(16))).by(path, label, "count of key bits is 21, want 16")

	for n := 0; n < len(good); n += 1 + n/5 {
		if err := os.WriteFile(path, good[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		r.by(path, label, "length", "cut short")
	}
	if err := os.WriteFile(path, append(slices.Clone(good), 0), 0o666); err != nil {
		t.Fatal(err)
	}
	r.by(path, label, "length")
	// Headers that another program has signed.
	for _, c := range []struct {
		at   int
		put  uint64
		says string
	}{
		{0, 0, "magic"}, {8, 2 + 1<<32, "version of the format is 2, want 1"}, {8, 1 + 9<<32, "layout of the clusters is 9, want 1"},
		{16, 0, "count of clusters"}, {16, 3, "count of clusters"}, {16, 1 << 62, "count of clusters"}, {16, 3 * ClustersPerMiB, "length"},
		{32, 0 + 21<<32, "index"}, {32, 4 + 21<<32, "index"}, {32, 1 + 7<<32, "key bits"}, {32, 1 + 22<<32, "key bits"},
		{40, 0, "generation"}, {40, 32, "generation"}, {40, 1 << 63, "generation"},
	} {
		bad := slices.Clone(good)
		binary.LittleEndian.PutUint64(bad[c.at:], c.put)
		binary.LittleEndian.PutUint32(bad[headerSum:], checksum(bad[:headerSum]))
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		r.by(path, label, c.says)
	}

	background, folder := context.Background(), filepath.Dir(path)
	for _, at := range []string{folder, filepath.Join(path, "x"), filepath.Join(folder, "no", "x"), ""} {
		if _, err := table.Load(background, at, label, nil); err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("loading %q: %v", at, err)
		}
		if _, err := table.Save(background, at, label, nil); err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("saving %q: %v", at, err)
		}
	}
	if _, err := table.Save(background, path, Label{Game: strings.Repeat("x", 65)}, nil); err == nil {
		t.Error("a label of 65 bytes was taken")
	}
}

// What is stopped leaves the old file and the old table.
func TestStoppedFilesChangeNothing(t *testing.T) {
	table := stocked(t, 9, Auto, 1, 1e5)
	path := savedAt(t, table)
	good, _ := os.ReadFile(path)
	stop := func(use func(context.Context, func(done, total uint64)) error) {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if err := use(ctx, func(uint64, uint64) { cancel() }); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
	}
	other := stocked(t, 9, Auto, 2, 1e5)
	stop(func(ctx context.Context, tell func(uint64, uint64)) error {
		_, err := other.Save(ctx, path, label, tell)
		return err
	})
	if now, _ := os.ReadFile(path); !bytes.Equal(now, good) {
		t.Error("a stopped save changed the file")
	}
	if _, err := os.Stat(path + intact.Part); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a stopped save left something: %v", err)
	}
	was := slices.Clone(other.region.Words())
	stop(func(ctx context.Context, tell func(uint64, uint64)) error {
		_, err := other.Load(ctx, path, label, tell)
		return err
	})
	if !slices.Equal(other.region.Words(), was) {
		t.Error("a stopped load changed the table")
	}
	empty := mustNew(t, 9, Auto)
	stop(func(ctx context.Context, tell func(uint64, uint64)) error {
		_, err := empty.Load(ctx, path, label, tell)
		return err
	})
	for _, w := range empty.region.Words() {
		if w != 0 {
			t.Fatal("a stopped load left something in an empty table")
		}
	}
}

// A file written while others store holds no entry that nobody has stored.
func TestSavedBesideWriters(t *testing.T) {
	table, again, path := mustNew(t, 2, Auto), mustNew(t, 2, Auto), filepath.Join(t.TempDir(), "table")
	keys := meetingKeys(table, 100000)
	var group sync.WaitGroup
	stop := make(chan struct{})
	defer func() {
		close(stop)
		group.Wait()
	}()
	for g := range 2 {
		group.Go(func() {
			for i := g; ; i++ {
				select {
				case <-stop:
					return
				default:
					k := keys[i%len(keys)]
					table.Store(k, entryOf(k))
				}
			}
		})
	}
	for hits := 0; hits < 100000; { // a few files
		if _, err := table.Save(context.Background(), path, label, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := again.Load(context.Background(), path, label, nil); err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			if e, ok := again.Probe(k); ok {
				hits++
				if want := entryOf(k); e.Move != want.Move || e.Value != want.Value || e.Quality != want.Quality {
					t.Fatalf("key %#x: %+v, want %+v", k, e, want)
				}
			}
		}
	}
}

// savesForever names the file that a process of this test is to save until it is killed.
const savesForever = "TREFOIL_TEST_SAVES"

// Whatever moment a process is killed at while it saves, the file is whole: the old or the new.
func TestKilledWhileSaving(t *testing.T) {
	if path := os.Getenv(savesForever); path != "" {
		for even, odd := stocked(t, 5, Auto, 1, 4e4), stocked(t, 5, Auto, 2, 8e4); ; even, odd = odd, even {
			if _, err := even.Save(context.Background(), path, label, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := savedAt(t, stocked(t, 5, Auto, 3, 2e4))
	rounds, seen := 5, map[uint64]int{}
	if *long {
		rounds = 1000
	}
	for i := range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWhileSaving$")
		cmd.Env = append(os.Environ(), savesForever+"="+path)
		if err := cmd.Start(); err != nil {
			t.Skip("this system starts no processes: ", err)
		}
		for { // until it is at it
			if _, err := os.Stat(path + intact.Part); err == nil {
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
		time.Sleep(time.Duration(rand.IntN(40000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		h, err := Verify(context.Background(), path, nil)
		if err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		seen[h.Entries]++
		_ = os.Remove(path + intact.Part) // it may be there
	}
	t.Logf("%d kills: the files that were there, by their entries: %v", rounds, seen)
}
