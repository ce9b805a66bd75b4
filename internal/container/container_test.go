package container

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/internal/atomicfile"
	"trefoil/internal/filetest"
)

type header struct {
	Game string `json:"game"`
}

type summary struct {
	Entries int `json:"entries"`
}

// blocksOf makes n blocks of different lengths.
func blocksOf(seed byte, n int) (blocks [][]byte) {
	for i := range n {
		blocks = append(blocks, bytes.Repeat([]byte{seed, byte(i), 7}, 10+i))
	}
	return blocks
}

func encoded(t testing.TB, kind Kind, h header, blocks [][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	e := encoder{out: &out}
	err := e.begin(kind, h)
	for _, b := range blocks {
		err = errors.Join(err, e.block(b))
	}
	if err = errors.Join(err, e.end(summary{len(blocks)})); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// each returns all blocks that r.Each passes on.
func each(r *Reader) (blocks [][]byte, err error) {
	err = r.Each(context.Background(), func(b []byte, _ uint64) error {
		blocks = append(blocks, bytes.Clone(b))
		return nil
	})
	return blocks, err
}

// decoded reads a whole file from memory.
func decoded(file []byte, kind Kind) (h header, s summary, blocks [][]byte, err error) {
	r, err := newReader(bytes.NewReader(file), int64(len(file)), "a.file", kind)
	if err != nil {
		return h, s, nil, err
	}
	blocks, err = each(r)
	return h, s, blocks, errors.Join(err, r.decode(&h, &s))
}

// refused fails unless the file is refused with an *Error that has all the words.
func refused(t *testing.T, file []byte, words ...string) {
	t.Helper()
	_, _, _, err := decoded(file, Hash)
	if _, ok := errors.AsType[*Error](err); !ok {
		t.Fatalf("got %v, want an Error about %q", err, words)
	}
	for _, w := range append(words, "a.file: ") {
		if !strings.Contains(err.Error(), w) {
			t.Fatalf("got %v, want %q", err, w)
		}
	}
}

// streamed reads a whole file as a stream.
func streamed(in io.Reader, kind Kind) (h header, s summary, blocks [][]byte, err error) {
	r, err := Open(Stream(in, "a.file"), kind, &h, &s)
	if err != nil {
		return h, s, nil, err
	}
	blocks, err = each(r)
	return h, s, blocks, errors.Join(err, r.Close())
}

// sign computes all checksums of a file anew, as far as its lengths make sense.
func sign(file []byte) {
	sum, at := uint32(0), 0
	part := func(n int) bool {
		if n < 0 || at+n+sumBytes > len(file) {
			return false
		}
		sum = crc32.Update(sum, castagnoli(), file[at:at+n])
		binary.LittleEndian.PutUint32(file[at+n:], sum)
		at += n + sumBytes
		return true
	}
	if len(file) < prefixBytes || !part(prefixBytes+int(binary.LittleEndian.Uint32(file[prefixBytes-4:]))) {
		return
	}
	for at+lengthBytes < len(file)-endBytes {
		if !part(lengthBytes + int(binary.LittleEndian.Uint32(file[at:]))) {
			return
		}
	}
	part(endBytes - sumBytes)
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.file")
	for _, kind := range []Kind{Hash, Proofs, Trace, Book} {
		for _, n := range []int{0, 1, 5} {
			path := path + kind.info().tag
			w, err := Create(Replace(path), kind, header{"chess"})
			if err != nil {
				t.Fatal(err)
			}
			blocks := blocksOf(1, n)
			for _, b := range blocks {
				if err := w.WriteBlock(b); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Commit(summary{n}); err != nil {
				t.Fatal(err)
			}
			file, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(file, encoded(t, kind, header{"chess"}, blocks)) {
				t.Fatalf("%v: other bytes in the file: %v", kind, err)
			}
			var h header
			var s summary
			r, err := Open(File(path), kind, &h, &s)
			if err != nil {
				t.Fatal(err)
			}
			if h.Game != "chess" || s.Entries != n {
				t.Errorf("%+v, %+v", h, s)
			}
			if r.Blocks() != uint64(n) || r.Size() != uint64(len(file)) ||
				r.Bytes() != uint64(len(slices.Concat(blocks...))) {
				t.Errorf("%d blocks, %d bytes, of data %d", r.Blocks(), r.Size(), r.Bytes())
			}
			for range 2 { // Each rewinds
				var got [][]byte
				err = r.Each(context.Background(), func(b []byte, at uint64) error {
					if at != uint64(len(slices.Concat(got...))) {
						t.Errorf("block %d at %d", len(got), at)
					}
					got = append(got, bytes.Clone(b))
					return nil
				})
				if err != nil || !slices.EqualFunc(got, blocks, bytes.Equal) {
					t.Errorf("other blocks: %v", err)
				}
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	good := encoded(t, Hash, header{"chess"}, blocksOf(1, 3))
	for bit := range 8 * len(good) {
		bad := bytes.Clone(good)
		bad[bit/8] ^= 1 << (bit % 8)
		refused(t, bad)
	}
	for n := range good {
		refused(t, good[:n])
	}
	refused(t, append(bytes.Clone(good), 0))
}

// Blocks with correct checksums in a wrong place: within a file, and of another file.
func TestBlocksAreBoundToFileAndPlace(t *testing.T) {
	parts := func(file []byte, n int) (parts [][]byte) { // beginning, blocks, end
		r, err := newReader(bytes.NewReader(file), int64(len(file)), "a.file", Hash)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, file[:r.first])
		for range n {
			at := r.at
			if _, err := r.Next(); err != nil {
				t.Fatal(err)
			}
			parts = append(parts, file[at:r.at])
		}
		return append(parts, file[r.at:])
	}
	same := func(seed byte) [][]byte { // blocks of the same length
		return [][]byte{{seed, 1, 1, 1}, {seed, 2, 2, 2}, {seed, 3, 3, 3}}
	}
	a, b := parts(encoded(t, Hash, header{"chess"}, same(1)), 3), parts(encoded(t, Hash, header{"chess"}, same(2)), 3)
	other := parts(encoded(t, Hash, header{"shogi"}, same(1)), 3)
	for name, file := range map[string][][]byte{
		"block 1 of 3": {a[0], a[2], a[1], a[3], a[4]},
		"block 2 of 3": {a[0], a[1], b[2], a[3], a[4]},
		"its last 512": {a[0], a[1], a[2], b[3], a[4]},
		"length":       {a[0], a[1], a[1], a[2], a[3], a[4]},
		"last 512":     {a[0], a[1], a[2], a[3], b[4]},
	} {
		refused(t, slices.Concat(file...), name)
	}
	refused(t, slices.Concat(other[0], a[1], a[2], a[3], a[4]), "block 1 of 3")
	refused(t, slices.Concat(a[0], a[1], b[2], b[3], b[4]), "block 2 of 3") // a mixture of two files
}

func TestWrongFilesAreNamed(t *testing.T) {
	good := encoded(t, Hash, header{"chess"}, blocksOf(1, 2))
	put := func(at int, v uint32) []byte {
		bad := bytes.Clone(good)
		binary.LittleEndian.PutUint32(bad[at:], v)
		sign(bad)
		return bad
	}
	first := prefixBytes + len(`{"game":"chess"}`) + sumBytes
	end := len(good) - endBytes
	refused(t, nil, "cut short: it has 0 bytes")
	refused(t, good[:5], "cut short: it has 5 bytes")
	refused(t, good[:20], "cut short: it has 20 bytes")
	refused(t, good[:600], "cut short")
	refused(t, []byte("TREFOIL\nxy"), `it is of the unknown kind "xy"`)
	refused(t, []byte("A text that is no hash."),
		`it begins with "A text t", expected "TREFOIL\n": it is not a saved hash`)
	refused(t, []byte("TREFHASH\x01\x00\x00\x00 and so on"),
		"it is a saved hash of format version 1, expected version 2")
	refused(t, []byte("TREFWIN\n\x01\x00\x00\x00"), "it is a saved table of proofs of format version 1")
	refused(t, []byte("TREFTRC\n\x01\x00\x00\x00"), "it is a trace of format version 1")
	refused(t, []byte("trefoil4\x01\x00\x00\x00"), "it is a book of Connect Four of format version 1")
	refused(t, encoded(t, Trace, header{"chess"}, nil), "it is a trace, expected a saved hash")
	refused(t, put(8, 'x'), `it is of the unknown kind "x"`)
	refused(t, put(16, Version+1), "format version is 3, expected 2")
	refused(t, put(20, math.MaxUint32), "length of the header is 4294967295, expected at most 65536")
	refused(t, put(20, 60000), "cut short")
	refused(t, put(first, 0), "length of block 1 of 2, at byte 44, is 0")
	refused(t, put(first, math.MaxUint32), "length of block 1 of 2, at byte 44, is 4294967295")
	for _, at := range []int{end + lengthBytes + summaryBytes, end + lengthBytes + summaryBytes + 8} {
		for _, v := range []uint32{0, 1, math.MaxUint32} {
			refused(t, put(at, v), "length is")
			refused(t, put(at+4, 1<<29|v), "length is")
		}
	}
	for _, text := range []string{`nonsense........`, `{"game":"chess",`, `{"game":"chess"}{"game":"shogi"}`,
		`{"toy":"chess"}.`, `[1, 2]`, `{"game":12345678}`} {
		var out bytes.Buffer
		e := encoder{out: &out}
		if err := errors.Join(e.begin(Hash, json.RawMessage(`{"game":"`+strings.Repeat("x", len(text))+`"}`)),
			e.end(summary{})); err != nil {
			t.Fatal(err)
		}
		file := bytes.Replace(out.Bytes(), []byte(`{"game":"`+strings.Repeat("x", len(text))+`"}`),
			[]byte(text+strings.Repeat(" ", 11)), 1)
		sign(file)
		refused(t, file, "header is invalid: ")
	}
	for path, says := range map[string]string{t.TempDir(): "it is a directory",
		os.DevNull: "it is not a regular file", "nowhere/x": "no such file"} {
		if _, err := Open(File(path), Hash, &header{}, &summary{}); err == nil ||
			!strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A save replaces a file of the same kind and no other.
func TestOnlyTheSameKindIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.file")
	save := func(kind Kind) error {
		w, err := Create(Replace(path), kind, header{"chess"})
		if err != nil {
			return err
		}
		return w.Commit(summary{})
	}
	for range 2 {
		if err := save(Hash); err != nil {
			t.Fatal(err)
		}
	}
	was, _ := os.ReadFile(path)
	for _, err := range []error{save(Proofs), Writable(Replace(path), Proofs)} {
		if err == nil || err.Error() != path+": not replaced: it is a saved hash, expected a saved table of proofs" {
			t.Error(err)
		}
	}
	w, err := Create(Replace(path), Hash, header{"shogi"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(Replace(path), Hash, header{}); !errors.Is(err, atomicfile.ErrBusy) {
		t.Errorf("a second writer: %v", err)
	}
	w.Discard()
	for _, block := range [][]byte{nil, make([]byte, MaxBlock+1)} {
		if w, err = Create(Replace(path), Hash, header{"shogi"}); err != nil {
			t.Fatal(err)
		}
		if w.WriteBlock(block) == nil || w.WriteBlock([]byte("x")) == nil || w.Err() == nil ||
			w.Commit(summary{}) == nil {
			t.Errorf("a block of %d bytes was accepted", len(block))
		}
	}
	if _, err := Create(Replace(path), Hash, header{strings.Repeat("x", MaxHeader)}); err == nil ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("a large header: %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, was) {
		t.Error("the old file has changed")
	}
}

// The length of a file bounds what a Reader allocates, whatever the file says.
func TestAllocationIsBounded(t *testing.T) {
	file := encoded(t, Hash, header{"chess"}, blocksOf(1, 2))
	r, err := newReader(bytes.NewReader(file), int64(len(file)), "a.file", Hash)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil || cap(r.block) > len(file) {
		t.Errorf("%d bytes are allocated for a block, %v", cap(r.block), err)
	}
}

func TestEachEndsEarly(t *testing.T) {
	file := encoded(t, Hash, header{"chess"}, blocksOf(1, 3))
	r, err := newReader(bytes.NewReader(file), int64(len(file)), "a.file", Hash)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := r.Each(ctx, func([]byte, uint64) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := r.Each(context.Background(),
		func([]byte, uint64) error { return io.ErrNoProgress }); err != io.ErrNoProgress {
		t.Error(err)
	}
}

// FuzzReader overwrites a file with some bytes, cuts it, and signs the result if asked to. Whatever a
// reader accepts is a file that the writer would write.
func FuzzReader(f *testing.F) {
	for i, b := range [][]byte{
		[]byte(magic), []byte("trace"), {3}, {0xFF, 0xFF, 0xFF, 0xFF}, []byte(`{"game":"shogi"}`), []byte("[[[[[[[["),
		{0, 0, 0, 0}, {0xFF, 0xFF, 0x3F, 0}, []byte(`{"entries":1e99}`), {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
	} {
		at := []uint16{0, 8, 16, 20, 24, 24, 44, 44, 44 + 2*8 + 63 + 4, 44 + 2*8 + 63 + 4 + summaryBytes}[i]
		f.Add(at, b, uint16(0), false)
		f.Add(at, b, uint16(0), true)
		f.Add(at, b, at+3, false)
	}
	good := encoded(f, Hash, header{"chess"}, blocksOf(1, 2))
	f.Fuzz(func(t *testing.T, at uint16, data []byte, cut uint16, signed bool) {
		from := int(at) % len(good)
		file := slices.Concat(good[:from], data, good[min(len(good), from+len(data)):])
		if cut > 0 {
			file = file[:min(len(file), int(cut))]
		}
		file = slices.Clip(file)
		if signed {
			sign(file)
		}
		if _, _, blocks, err := decoded(file, Hash); true {
			_, _, same, wrong := streamed(bytes.NewReader(file), Hash)
			if (err == nil) != (wrong == nil) || err == nil && !slices.EqualFunc(blocks, same, bytes.Equal) {
				t.Errorf("as a file %v, as a stream %v", err, wrong)
			}
		}
		r, err := newReader(bytes.NewReader(file), int64(len(file)), "a.file", Hash)
		if err != nil {
			return
		}
		var out bytes.Buffer
		e := encoder{out: &out}
		if err := e.begin(Hash, raw(r.header)); err != nil {
			return // no JSON, or with blanks that the writer does not write
		}
		if err := r.Each(context.Background(), func(b []byte, _ uint64) error { return e.block(b) }); err != nil {
			return
		}
		if err := e.end(raw(bytes.TrimRight(r.summary, " "))); err != nil {
			return
		}
		if compact(r.header) && compact(r.summary) && !bytes.Equal(out.Bytes(), file) {
			t.Error("a file was accepted that the writer does not write")
		}
	})
}

func raw(text []byte) json.RawMessage { return json.RawMessage(text) }

// compact reports whether the encoder would write JSON in the same way.
func compact(text []byte) bool {
	text = bytes.TrimRight(text, " ")
	again, err := json.Marshal(raw(text))
	return err == nil && bytes.Equal(again, text)
}

// TestDocumentedLayout reads the byte tables of docs/formats.md and finds every part of a file
// where they say that it is.
func TestDocumentedLayout(t *testing.T) {
	text := filetest.Read(t, filepath.Join("..", "..", "docs", "formats.md"))
	_, section, found := strings.Cut(string(text), "\n## The container\n")
	if !found {
		t.Fatal("docs/formats.md has no section about the container")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := blocksOf(1, 2)
	file := encoded(t, Hash, header{"chess"}, blocks)
	text0, text1 := `{"game":"chess"}`, `{"entries":2}`
	le, sum := binary.LittleEndian, uint32(0)
	content := map[string][]byte{
		"magic":                       []byte("TREFOIL\n"),
		"kind":                        append([]byte("hash"), 0, 0, 0, 0),
		"version":                     le.AppendUint32(nil, Version),
		"length of header":            le.AppendUint32(nil, uint32(len(text0))),
		"header":                      []byte(text0),
		"end mark":                    make([]byte, 4),
		"summary":                     fmt.Appendf(nil, "%-488s", text1),
		"number of blocks":            le.AppendUint64(nil, 2),
		"length of all data in bytes": le.AppendUint64(nil, uint64(len(blocks[0])+len(blocks[1]))),
	}
	at, block := 0, 0
	var rows [][2]string
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 2 || strings.Contains(cells[0], "bytes") || strings.Contains(cells[0], "---") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimSpace(cells[1]), ":")
		rows = append(rows, [2]string{strings.TrimSpace(cells[0]), name})
	}
	check := func(row [2]string) {
		t.Helper()
		part, known := content[row[1]]
		switch {
		case row[1] == "checksum":
			part = le.AppendUint32(nil, sum)
		case row[1] == "length of data":
			part = le.AppendUint32(nil, uint32(len(blocks[block])))
		case row[1] == "data":
			part = blocks[block]
			block++
		case !known:
			t.Fatalf("docs/formats.md: the test does not know the field %q", row[1])
		}
		if n := fmt.Sprint(len(part)); row[0] != n && row[0] != "h" && row[0] != "b" {
			t.Errorf("docs/formats.md: %s bytes of %s, want %s", row[0], row[1], n)
		}
		if !bytes.HasPrefix(file[at:], part) {
			t.Fatalf("docs/formats.md: at byte %d there is no %s", at, row[1])
		}
		if row[1] != "checksum" {
			sum = crc32.Update(sum, castagnoli(), part)
		}
		at += len(part)
	}
	if len(rows) != 14 {
		t.Fatalf("docs/formats.md: %d rows: %q", len(rows), rows)
	}
	for _, row := range slices.Concat(rows[:6], rows[6:9], rows[6:9], rows[9:]) { // the file has two blocks
		check(row)
	}
	if at != len(file) {
		t.Errorf("docs/formats.md describes %d bytes of %d", at, len(file))
	}
}

// full is a writer without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// TestWriteErrorIsReportedOnce: every part of a file is written in pieces, and all of them
// fail with the same error.
func TestWriteErrorIsReportedOnce(t *testing.T) {
	e := encoder{out: full{}}
	for part, err := range map[string]error{"begin": e.begin(Hash, struct{}{}), "block": e.block(make([]byte, 8)),
		"end": e.end(struct{}{})} {
		if err == nil || err.Error() != "no space" {
			t.Errorf("%s: %v", part, err)
		}
	}
}
