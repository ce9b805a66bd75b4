package ttanalysis

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
)

var someHeader = TraceHeader{Game: "chess", MiB: 3, Index: cluster.Mul32, KeyBits: 21, Seed: "trefoil chess", Note: "two positions"}

// record writes a trace of n records besides its end and returns them.
func record(t testing.TB, path string, n int) (want []Record) {
	t.Helper()
	w, err := CreateTrace(path, someHeader)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		key := mix(uint64(i))
		switch i % 5 {
		case 0:
			want = append(want, Record{uint64(i / 5), uint64(KindSearch)})
			w.NewSearch()
		case 1, 2:
			want = append(want, ProbeRecord(key, i%300, int(int16(key)), int(int16(key>>16)), i%3 == 0, i%2 == 0, i%4 == 0))
			w.Probe(key, i%300, int(int16(key)), int(int16(key>>16)), i%3 == 0, i%2 == 0, i%4 == 0)
		case 3:
			want = append(want, StoreRecord(key, entryOf(key)))
			w.Store(key, entryOf(key))
		case 4:
			want = append(want, Record{0, uint64(KindClear)})
			w.Clear()
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return want
}

func readAll(path string) (head TraceHeader, all []Record, err error) {
	r, err := OpenTrace(path)
	if err != nil {
		return TraceHeader{}, nil, err
	}
	defer r.Close()
	return rest(r)
}

func rest(r *TraceReader) (head TraceHeader, all []Record, err error) {
	for {
		if all, err = r.Next(all); err == io.EOF {
			return r.TraceHeader, all, nil
		} else if err != nil {
			return r.TraceHeader, nil, err
		}
	}
}

// mix is the finaliser of splitmix64: a bijection that looks random.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

func entryOf(key uint64) cluster.Entry {
	r := mix(key ^ 0x5851F42D4C957F2D)
	return cluster.Entry{Move: uint16(r), Value: int16(r >> 16), Eval: int16(r >> 32), Quality: cluster.Quality{
		Depth: uint8(r >> 48 & 31), Bound: cluster.Bound(r >> 56 & 3), PV: r>>60&1 != 0,
	}}
}

// What is written is read, whatever the number of blocks.
func TestTraceRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	for _, n := range []int{0, 1, perBlock - 2, perBlock - 1, perBlock, 3*perBlock + 7} {
		want := record(t, path, n)
		head, got, err := readAll(path)
		if err != nil {
			t.Fatalf("%d records: %v", n, err)
		}
		if len(got) != len(want) || head.Records != uint64(n)+1 {
			t.Fatalf("%d records: read %d, header says %d", n, len(got), head.Records)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("record %d is %v, want %v", i, got[i], want[i])
			}
		}
		head.Records = 0
		if head != someHeader {
			t.Errorf("header %+v, want %+v", head, someHeader)
		}
		if _, err := os.Stat(path + partSuffix); !errors.Is(err, os.ErrNotExist) {
			t.Error("the temporary file is still there")
		}
	}
}

// The parts of a record are what it was made of.
func TestRecordParts(t *testing.T) {
	r := ProbeRecord(7, 12, -300, -299, true, true, false)
	if r.Kind() != KindProbe || r.Depth() != 12 || r.Alpha() != -300 || r.Beta() != -299 || !r.PV() || !r.Hit() || r.Cutoff() {
		t.Errorf("probe %#x", r.Word)
	}
	r = ProbeRecord(7, 1000, -40000, 40000, false, false, true)
	if r.Depth() != 255 || r.Alpha() != math.MinInt16 || r.Beta() != math.MaxInt16 || r.PV() || r.Hit() || !r.Cutoff() {
		t.Errorf("what does not fit: %#x", r.Word)
	}
	if r = ProbeRecord(7, -3, 0, 1, false, false, false); r.Depth() != 0 {
		t.Errorf("negative depth: %#x", r.Word)
	}
	for i := range uint64(1000) {
		if r := StoreRecord(i, entryOf(i)); r.Kind() != KindStore || r.Entry() != entryOf(i) {
			t.Fatalf("store %#x: %v, want %v", r.Word, r.Entry(), entryOf(i))
		}
	}
}

// Every flipped bit of header and body is noticed, and every length but the right one.
func TestTraceDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	bytesOf := func(n int) []byte {
		record(t, path, n)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	short, whole := bytesOf(100), bytesOf(perBlock+50)
	refused := func(b []byte, what string) {
		t.Helper()
		r, err := newReader(bytes.NewReader(b), int64(len(b)), path)
		if err == nil {
			_, _, err = rest(r)
		}
		if err == nil {
			t.Errorf("%s: not noticed", what)
		} else if !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v does not name the file", what, err)
		}
	}
	for bit := range 8 * headerBytes {
		b := bytes.Clone(short)
		b[bit/8] ^= 1 << (bit % 8)
		refused(b, "bit of the header")
	}
	for i := range uint64(1000) {
		bit := 8*headerBytes + mix(i)%uint64(8*(len(short)-headerBytes))
		b := bytes.Clone(short)
		b[bit/8] ^= 1 << (bit % 8)
		refused(b, "bit of the body")
	}
	for _, n := range []int{0, 3, 8, 100, headerBytes - 1, headerBytes, len(whole) / 2, len(whole) - 1} {
		refused(whole[:n], "truncated")
	}
	refused(append(bytes.Clone(whole), 0), "a byte more")
	// A block in the place of another.
	b := bytes.Clone(whole[:headerBytes])
	b = append(b, whole[headerBytes:headerBytes+blockBytes]...)
	b = append(b, whole[headerBytes:headerBytes+50*recordBytes+recordBytes+sumBytes]...)
	refused(b, "blocks mixed up")
}

// What is no trace is refused by name.
func TestTraceRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.trace")
	record(t, path, 10)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(whole)
	other[8] = 2
	for name, b := range map[string][]byte{"other": other, "text": []byte(strings.Repeat("hello ", 200)), "short": whole[:40], "cut": whole[:len(whole)-9]} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, want string }{
		{"nowhere", "nowhere"},
		{".", "is a directory"},
		{"other", "version is 2, want 1"},
		{"text", "magic is"},
		{"short", "truncated"},
		{"cut", "truncated"},
	} {
		if _, err := OpenTrace(filepath.Join(dir, c.name)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	games := filepath.Join(dir, "games.epd")
	if err := os.WriteFile(games, []byte("8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - -\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		head TraceHeader
		want string
	}{
		{dir, someHeader, "is a directory"},
		{filepath.Join(dir, "no", "t"), someHeader, "no"},
		{path, TraceHeader{Game: strings.Repeat("x", 65)}, "longer than 64"},
		{os.DevNull, someHeader, "no regular file"},
		{games, someHeader, games + ": is there and is no trace"},
	} {
		if _, err := CreateTrace(c.path, c.head); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
}

// Who gives up leaves the old trace.
func TestDiscard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	record(t, path, 10)
	w, err := CreateTrace(path, someHeader)
	if err != nil {
		t.Fatal(err)
	}
	w.NewSearch()
	w.Discard()
	if _, all, err := readAll(path); err != nil || len(all) != 10 {
		t.Errorf("%d records, %v", len(all), err)
	}
	if _, err := os.Stat(path + partSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Error("the temporary file is still there")
	}
}

// A full disk is told, and nothing takes the place of what was there.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	if err := os.Symlink("/dev/full", path+partSuffix); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	w, err := CreateTrace(path, someHeader)
	if err == nil {
		w.NewSearch()
		err = w.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("there is a trace")
	}
}

// An error is known when a block could not be written, not only at the end.
func TestErr(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	w, err := CreateTrace(path, someHeader)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.file.Close(); err != nil { // as good as a disk that fails
		t.Fatal(err)
	}
	for range perBlock {
		if err := w.Err(); err != nil {
			t.Fatal(err)
		}
		w.NewSearch()
	}
	if w.Err() == nil || w.Close() == nil {
		t.Error("nothing is wrong")
	}
}

func TestNoAllocations(t *testing.T) {
	w, err := CreateTrace(filepath.Join(t.TempDir(), "t.trace"), someHeader)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	if n := testing.AllocsPerRun(3*perBlock, func() {
		w.Probe(1, 2, 3, 4, false, true, false)
		w.Store(1, cluster.Entry{Move: 1})
	}); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}
