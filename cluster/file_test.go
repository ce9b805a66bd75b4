package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"trefoil/internal/container"
)

var label = Label{Game: "chess", Seed: "test 1", Evaluation: "1"}

// filled returns a table with a number of keys of a seed stored, some of them in older searches.
func filled(t testing.TB, mib uint64, index Index, seed, keys uint64, opts ...Option) *Table {
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
	if _, err := table.Save(context.Background(), Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// A loaded table is identical to the saved one, whether it was empty before or not, and is the same
// file when it is saved again.
func TestSavedTableIsTheSame(t *testing.T) {
	background := context.Background()
	for _, c := range []struct {
		mib   uint64
		index Index
		keys  uint64
	}{{1, Mul32, 60000}, {5, Mul64, 1e6}, {8, Pow2, 1e6}, {6, Pow2, 1000}, {3, Auto, 0}} {
		table := filled(t, c.mib, c.index, 1, c.keys)
		path := savedAt(t, table)
		first, _ := os.ReadFile(path)
		h, err := Inspect(context.Background(), File(path))
		if err != nil || h.Label != label || h.MiB != c.mib || h.Clusters != table.plan.Clusters ||
			h.Index != table.index || h.KeyBits != 21 ||
			uint64(h.Generation) != table.generation.Load()>>generationShift%generations ||
			h.FileBytes != uint64(len(first)) {
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
		if v, err := Verify(background, File(path), nil); err != nil || v != h {
			t.Errorf("verified: %+v, %v", v, err)
		}
		for _, others := range []uint64{0, 5000} {
			again, last := filled(t, c.mib, c.index, 2, others), uint64(0)
			read := table.plan.Clusters * BytesPerCluster
			if others > 0 {
				read *= 2 // the file is verified first
			}
			_, err := again.Load(background, File(path), label, func(done, total uint64) {
				if done <= last || total != read {
					t.Errorf("after %d bytes %d of %d", last, done, total)
				}
				last = done
			})
			if err != nil {
				t.Fatal(err)
			}
			if last != read {
				t.Errorf("%d MiB, %d keys before: progress ended at %d of %d bytes", c.mib, others, last, read)
			}
			if !slices.Equal(again.region.Words(), table.region.Words()) ||
				again.generation.Load() != table.generation.Load()&generationMask {
				t.Errorf("%d MiB, %d keys before: another table", c.mib, others)
			}
			if again.written.any() != (entries > 0) {
				t.Errorf("%d MiB: written is %v", c.mib, again.written.any())
			}
			if _, err := again.Save(background, Replace(path), label, nil); err != nil {
				t.Fatal(err)
			}
			if second, _ := os.ReadFile(path); !bytes.Equal(first, second) {
				t.Errorf("%d MiB: another file", c.mib)
			}
		}
	}
}

// refusal checks that a file that does not fit leaves a table unchanged.
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
	_, err := r.table.Load(context.Background(), File(path), label, nil)
	var wrong *container.Error
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

// Bits of the rest a hundred at random, with -long a thousand, and all near its seams; package container flips
// every bit.
func TestFlippedBitsAreFound(t *testing.T) {
	path := savedAt(t, filled(t, 5, Auto, 1, 3e5)) // two blocks
	r := newRefusal(t, filled(t, 5, Auto, 2, 1000))
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
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
	end := info.Size() - 512
	second := end - (4 + 1<<20 + 4)
	first := second - (4 + BlockBytes + 4)
	says := func(bit int64) string {
		switch at := bit / 8; {
		case at >= end-4:
			return "checksum of its last 512 bytes"
		case at >= second:
			return fmt.Sprintf("block 2 of 2, at byte %d,", second)
		case at >= first:
			return fmt.Sprintf("block 1 of 2, at byte %d,", first)
		}
		return "header"
	}
	random := rand.New(rand.NewPCG(1, 2))
	var bits []int64
	for _, seam := range []int64{first, second, end - 4, end} {
		bits = append(bits, 8*seam-1, 8*seam, 8*seam+40)
	}
	n := 100
	switch {
	case raceDetector:
		n = 20
	case *long:
		n = 1000
	}
	for range n {
		bits = append(bits, 8*first+random.Int64N(8*(info.Size()-first)))
	}
	for _, bit := range bits {
		flip(bit)
		r.by(path, label, says(bit))
		flip(bit)
	}
	if _, err := Verify(context.Background(), File(path), nil); err != nil {
		t.Fatal(err) // the flips were undone
	}
}

func TestWhatDoesNotFitIsNamed(t *testing.T) {
	table := filled(t, 2, Auto, 1, 1e5)
	path := savedAt(t, table)
	r := newRefusal(t, filled(t, 2, Auto, 2, 1000))
	unnamed := filepath.Join(t.TempDir(), "hash")
	if _, err := table.Save(context.Background(), Replace(unnamed),
		Label{Game: label.Game, Seed: label.Seed}, nil); err != nil {
		t.Fatal(err)
	}
	r.by(unnamed, label, "it does not say its evaluation, expected 1")
	newRefusal(t, mustNew(t, 2, Mul64)).by(path, label,
		"index mul32 does not store the key bits that index mul64 needs")
	newRefusal(t, mustNew(t, 2, Pow2)).by(path, label, "index mul32 does not store the key bits that index pow2 needs")
	few := savedAt(t, filled(t, 2, Auto, 3, 1000, KeyBits(16)))
	r.by(few, label, "16 key bits were compared, expected at least 21")
	masked := savedAt(t, filled(t, 2, Pow2, 3, 1000))
	newRefusal(t, mustNew(t, 4, Pow2)).by(masked, label, "index pow2 does not preserve the order of keys")

	// Files that another program has written.
	was, cells := table.header(label), make([]byte, 2<<20)
	table.copyOut(cells, 0)
	for says, edit := range map[string]func(h *Header) []byte{
		"count of clusters is 0":                 func(h *Header) []byte { h.Clusters = 0; return nil },
		"count of clusters is 3":                 func(h *Header) []byte { h.Clusters = 3; return cells[:96] },
		"count of clusters is 576460752303423":   func(h *Header) []byte { h.Clusters = 1<<59 + 1; return cells[:32] },
		"count of clusters is 1099511660544":     func(h *Header) []byte { h.Clusters = (MaxMiB + 1) * ClustersPerMiB; return cells },
		"length of all blocks is 2097152":        func(h *Header) []byte { h.Clusters = 3 * ClustersPerMiB; return cells },
		"expected 35184372088832":                func(h *Header) []byte { h.Clusters = MaxMiB * ClustersPerMiB; return cells },
		"length of a block is 1":                 func(h *Header) []byte { return nil },
		"is auto, expected mul32, mul64 or pow2": func(h *Header) []byte { h.Index = Auto; return cells },
		"unknown index \"index(4)\"":             func(h *Header) []byte { h.Index = 4; return cells },
		"count of key bits is 7":                 func(h *Header) []byte { h.KeyBits = 7; return cells },
		"count of key bits is 22":                func(h *Header) []byte { h.KeyBits = 22; return cells },
		"generation is -1":                       func(h *Header) []byte { h.Generation = -1; return cells },
		"generation is 64":                       func(h *Header) []byte { h.Generation = 64; return cells },
		"layout of an entry is 0":                func(h *Header) []byte { h.Layout = 0; return cells },
	} {
		h := was
		blocks := [][]byte{edit(&h)}
		if blocks[0] == nil && h.Clusters > 0 {
			blocks = [][]byte{cells[:1], cells[1:]}
		}
		err := container.Write(container.Replace(path), container.Hash, h, func(w *container.Writer) (any, error) {
			for _, b := range blocks {
				if len(b) > 0 {
					_ = w.WriteBlock(b)
				}
			}
			return summary{}, w.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
		r.by(path, label, says)
	}

	background, folder := context.Background(), filepath.Dir(path)
	for _, at := range []string{folder, filepath.Join(path, "x"), filepath.Join(folder, "no", "x"), ""} {
		if _, err := table.Load(background, File(at), label, nil); err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("loading %q: %v", at, err)
		}
		if _, err := table.Save(background, Replace(at), label, nil); err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("saving %q: %v", at, err)
		}
	}
}

// TestStoppedInTheSecondReading: a load that is stopped there leaves an empty table.
func TestStoppedInTheSecondReading(t *testing.T) {
	path, other := savedAt(t, filled(t, 9, Auto, 1, 1e5)), filled(t, 9, Auto, 2, 1e5)
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	_, err := other.Load(ctx, File(path), label, func(done, total uint64) {
		if done > total/2 {
			cancel(stopped)
		}
	})
	if c, _ := other.Census(context.Background()); !errors.Is(err, stopped) ||
		!strings.HasSuffix(err.Error(), "; the table is empty") || c.Used > 0 {
		t.Errorf("%v; %d entries", err, c.Used)
	}
}

// A file written during stores has only entries that have been stored.
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
		if _, err := table.Save(context.Background(), Replace(path), label, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := again.Load(context.Background(), File(path), label, nil); err != nil {
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

// TestSaveLess: a table of less than 1 MiB is saved, and its entries fit into tables of other sizes.
func TestSaveLess(t *testing.T) {
	old := mustNew(t, 1, Auto, Memory(MemoryOptions{Bytes: 300 << 10}))
	const keys = 1000
	for i := range uint64(keys) {
		old.Store(stream(14, i), entryOf(stream(14, i)))
	}
	path := savedAt(t, old)
	if h, err := Inspect(context.Background(), File(path)); err != nil || h.Size() != "300 KiB" {
		t.Fatalf("%s, %v", h.Size(), err)
	}
	for _, table := range []*Table{mustNew(t, 1, Auto, Memory(MemoryOptions{Bytes: 300 << 10})),
		mustNew(t, 1, Auto), mustNew(t, 3, Auto)} {
		if h, err := table.Load(t.Context(), File(path), label, nil); err != nil {
			t.Fatalf("%s: %v", h.Size(), err)
		}
		found := 0
		for i := range uint64(keys) {
			if e, ok := table.Probe(stream(14, i)); ok {
				if found++; e.Move != entryOf(stream(14, i)).Move {
					t.Fatalf("key %d: %+v", i, e)
				}
			}
		}
		if found < keys*95/100 {
			t.Errorf("%d clusters: %d of %d entries", table.Plan().Clusters, found, keys)
		}
	}
}
