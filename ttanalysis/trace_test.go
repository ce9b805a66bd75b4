package ttanalysis

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"trefoil/cluster"
	"trefoil/internal/atomicfile"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
)

var someHeader = TraceHeader{Game: "chess", MiB: 3, Index: cluster.Mul32, KeyBits: 21, Seed: "trefoil chess",
	Note: "two positions"}

// plainHeader is of a trace of no game.
var plainHeader = TraceHeader{Game: "none", MiB: 1, Index: cluster.Mul32, KeyBits: 21}

// record writes a trace of n records besides its end and returns them.
func record(t testing.TB, path string, n int) (want []Record) {
	t.Helper()
	writeTrace(t, path, someHeader, func(w *TraceWriter) {
		for i := range n {
			key := mix(uint64(i))
			switch i % 5 {
			case 0:
				want = append(want, Record{uint64(i / 5), uint64(KindSearch)})
				w.NewSearch()
			case 1, 2:
				alpha := int(int16(key))
				beta := alpha + int(key>>16&255)
				want = append(want, ProbeRecord(key, i%300, alpha, beta, i%3 == 0, i%2 == 0, i%4 == 0))
				w.Probe(key, i%300, alpha, beta, i%3 == 0, i%2 == 0, i%4 == 0)
			case 3:
				want = append(want, StoreRecord(key, entryOf(key)))
				w.Store(key, entryOf(key))
			case 4:
				want = append(want, Record{0, uint64(KindClear)})
				w.Clear()
			}
		}
	})
	return want
}

// writeTrace writes a trace of what fill records.
func writeTrace(t rapid.TB, path string, head TraceHeader, fill func(*TraceWriter)) {
	t.Helper()
	w, err := CreateTrace(path, head)
	if err != nil {
		t.Fatal(err)
	}
	fill(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// writeAll writes a trace of records.
func writeAll(t rapid.TB, path string, head TraceHeader, list []Record) {
	t.Helper()
	writeTrace(t, path, head, func(w *TraceWriter) {
		for _, r := range list {
			w.add(r)
		}
	})
}

// opened returns the reader of a trace, which the end of the test closes.
func opened(t testing.TB, path string) *TraceReader {
	t.Helper()
	r, err := OpenTrace(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func readAll(path string) (head TraceHeader, all []Record, err error) {
	r, err := OpenTrace(path)
	if err != nil {
		return TraceHeader{}, nil, err
	}
	defer r.Close()
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

// A trace is read as it was written, for any number of blocks.
func TestTraceRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	for _, n := range []int{0, 1, perBlock - 1, perBlock, perBlock + 1, 3*perBlock + 7} {
		want := record(t, path, n)
		head, got, err := readAll(path)
		if err != nil {
			t.Fatalf("%d records: %v", n, err)
		}
		if len(got) != len(want) || head.Records != uint64(n) {
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
		alone(t, path)
	}
}

// The fields of a record are those that it was made of.
func TestRecordParts(t *testing.T) {
	r := ProbeRecord(7, 12, -300, -299, true, true, false)
	if r.Kind() != KindProbe || r.Depth() != 12 || r.Alpha() != -300 || r.Beta() != -299 || !r.PV() ||
		!r.Hit() || r.Cutoff() {
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

// alone fails if there is anything beside the file in its directory.
func alone(t *testing.T, path string) {
	t.Helper()
	if entries, err := os.ReadDir(filepath.Dir(path)); len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("beside the trace: %v, %v", entries, err)
	}
}

// foreign writes a trace of one block as another program could.
func foreign(path, header, summary string, block []byte) error {
	return container.Write(container.Replace(path), container.Trace, json.RawMessage(header),
		func(w *container.Writer) (any, error) {
			return json.RawMessage(summary), w.WriteBlock(block)
		})
}

// block is the data of a block with these keys and words.
func block(numbers ...uint64) (b []byte) {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// A header that makes no sense is refused, also when a trace is begun.
func TestTraceHeaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	one, search := `{"records":1}`, block(0, uint64(KindSearch))
	const ours, other = `{"game":"chess","mib":3,"index":"mul32","key_bits":21,"seed":"s","note":"n"}`,
		`{"game":"go","mib":3,"note":"n"}`
	for _, c := range []struct{ header, old, new, summary, says string }{
		{ours, ``, ``, one, ""},
		{other, ``, ``, one, ""},
		{ours, `"mul32"`, `"mul96"`, one, `unknown index "mul96"`},
		{ours, `"mul32"`, `9`, one, "header is invalid"},
		{ours, `"mul32"`, `"auto"`, one, "index is auto, expected mul32, mul64 or pow2"},
		{ours, `"key_bits":21`, `"key_bits":64`, one, "count of key bits is 64, expected 8 to 21"},
		{ours, `"key_bits":21`, `"key_bits":7`, one, "count of key bits is 7, expected 8 to 21"},
		{ours, `"key_bits":21,`, ``, one, "count of key bits is 0, expected 8 to 21"},
		{ours, `"index":"mul32",`, ``, one, "index is auto, expected"},
		{other, `"mib":3`, `"mib":0`, one, "size of the table is 0 MiB"},
		{other, `"mib":3`, `"mib":33554433`, one, "size of the table is 33554433 MiB"},
		{other, `"mib":3`, `"mib":-1`, one, "header is invalid"},
		{other, `"n"`, `"a\nb"`, one, `note "a\nb" has a control character`},
		{other, `"go"`, `"\u001b[31m"`, one, `game "\x1b[31m"`},
		{other, `"note"`, `"nodes"`, one, `unknown field "nodes"`},
		{other, ``, ``, `{"records":2}`, "length of all blocks is 16, expected 16 for each of 2 records"},
		{other, ``, ``, `{"records":-1}`, "summary is invalid"},
		{other, ``, ``, `{}`, "length of all blocks is 16, expected 16 for each of 0 records"},
	} {
		if err := foreign(path, strings.Replace(c.header, c.old, c.new, 1), c.summary, search); err != nil {
			t.Fatal(err)
		}
		head, _, err := readAll(path)
		switch {
		case c.says == "" && (err != nil || head.Table() != map[string]string{ours: "3 MiB, index mul32, 21 key bits",
			other: "3 MiB of another program"}[c.header]):
			t.Errorf("%s: %+v, %v", c.header, head, err)
		case c.says != "" &&
			(err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path)):
			t.Errorf("%v, want %q", err, c.says)
		}
	}
	if err := foreign(path, other, `{"records":0}`, search[1:]); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readAll(path); err == nil || !strings.Contains(err.Error(), "length of all blocks is 15") {
		t.Error(err)
	}
	bad := someHeader
	bad.Note = "a\tb"
	if _, err := CreateTrace(path, bad); err == nil ||
		!strings.Contains(err.Error(), `note "a\tb" has a control character`) {
		t.Error(err)
	}
}

// A record that makes no sense is refused, with its number.
func TestTraceRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	probe, store := ProbeRecord(7, 3, -1, 0, true, true, true).Word, StoreRecord(7, entryOf(7)).Word
	for _, c := range []struct {
		key, word uint64
		says      string
	}{
		{1, 2, ""},
		{0, 1, ""},
		{^uint64(0), probe, ""},
		{0, store, ""},
		{7, ProbeRecord(7, 0, 40000, 50000, false, false, false).Word, ""},
		{0, 0, "kind is 0, expected 1 to 4"},
		{0, 5, "kind is 5, expected 1 to 4"},
		{0, 7, "kind is 7, expected 1 to 4"},
		{0, 2, "key of a search is 0, expected 1, the searches before it"},
		{2, 2, "key of a search is 2, expected 1"},
		{1, 2 | 8, "bits 0x8 of a word of kind 2 are not 0"},
		{1, 1, "key of a clear is 1, expected 0"},
		{0, 1 | 1<<63, "bits 0x8000000000000000 of a word of kind 1 are not 0"},
		{7, probe | 1<<6, "bits 0x40 of a word of kind 3 are not 0"},
		{7, probe | 1<<48, "bits 0x1000000000000 of a word of kind 3 are not 0"},
		{7, probe &^ (1 << hitShift), "a probe has a cutoff and no hit"},
		{7, ProbeRecord(7, 0, 5, 3, false, false, false).Word, "alpha 5 of a probe is above beta 3"},
		{7, store | 1<<7, "bits 0x80 of a word of kind 4 are not 0"},
	} {
		if err := foreign(path, `{"game":"go","mib":3,"note":"n"}`, `{"records":2}`,
			block(0, 2, c.key, c.word)); err != nil {
			t.Fatal(err)
		}
		_, all, err := readAll(path)
		switch {
		case c.says == "" && (err != nil || all[1] != Record{c.key, c.word}):
			t.Errorf("%#x: %v", c.word, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), path+": record 2: "+c.says)):
			t.Errorf("%#x: %v, want %q", c.word, err, c.says)
		}
	}
}

// A file that is not a trace is refused, and the error says why.
func TestTraceRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.trace")
	record(t, path, 10)
	whole := filetest.Read(t, path)
	games, link := filepath.Join(dir, "games.epd"), filepath.Join(dir, "link")
	for name, text := range map[string]string{
		"games.epd": "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - -\n", "old": "TREFTRC\n\x01\x00\x00\x00", "cut": string(whole[:len(whole)-9]),
	} {
		filetest.Write(t, filepath.Join(dir, name), text)
	}
	for _, c := range []struct{ name, want string }{
		{"nowhere", "nowhere"},
		{".", "it is a directory"},
		{"games.epd", "it is not a trace"},
		{"old", "a trace of format version 1"},
		{"cut", "cut short"},
	} {
		if _, err := OpenTrace(filepath.Join(dir, c.name)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	refused := map[string]string{
		dir: "it is a directory", filepath.Join(dir, "no", "t"): "no", os.DevNull: "not a regular file", games: "games.epd: not replaced",
	}
	if err := os.Symlink(path, link); err == nil {
		refused[link] = "link: not replaced: it is a symbolic link"
	}
	for path, want := range refused {
		if _, err := CreateTrace(path, someHeader); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, whole) {
		t.Error("the trace behind the link has changed")
	}
}

// Two recordings of one file cannot mix: the second is refused.
func TestOneTraceWriterAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	w, err := CreateTrace(path, someHeader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CreateTrace(path, someHeader); !errors.Is(err, atomicfile.ErrBusy) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("the second: %v", err)
	}
	w.NewSearch()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, all, err := readAll(path); len(all) != 1 || err != nil {
		t.Errorf("%d records, %v", len(all), err)
	}
	alone(t, path)
}

// A discarded TraceWriter leaves the old trace.
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
	alone(t, path)
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
