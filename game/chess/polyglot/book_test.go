package polyglot

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/internal/filetest"
)

// entry is an entry of a book.
type entry struct {
	key    uint64
	move   uint16
	weight uint16
	learn  uint32
}

// encode returns the file of a book.
func encode(entries ...entry) []byte {
	slices.SortStableFunc(entries, func(x, y entry) int {
		return bytes.Compare(binary.BigEndian.AppendUint64(nil, x.key), binary.BigEndian.AppendUint64(nil, y.key))
	})
	var file bytes.Buffer
	for _, e := range entries {
		binary.Write(&file, binary.BigEndian, e)
	}
	return file.Bytes()
}

// open opens a book in memory.
func open(t testing.TB, file []byte) *Book {
	t.Helper()
	b, err := New(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// moves returns what a book has for a position, in words.
func moves(t testing.TB, b *Book, p *chess.Position) string {
	t.Helper()
	found, err := b.Moves(p)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, m := range found {
		words = append(words, p.Text(m.Move)+":"+string('0'+byte(m.Weight)))
	}
	return strings.Join(words, " ")
}

// encodeMove returns a move as books write it; text is in the notation of UCI, castling as king takes rook.
func encodeMove(text string) uint16 {
	file := func(i int) uint16 { return uint16(text[i] - 'a') }
	rank := func(i int) uint16 { return uint16(text[i] - '1') }
	m := file(2) | rank(3)<<3 | file(0)<<6 | rank(1)<<9
	if len(text) == 5 {
		m |= uint16(1+strings.IndexByte("nbrq", text[4])) << 12
	}
	return m
}

func TestMoves(t *testing.T) {
	castling := gametest.Chess(t, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
	promotion := gametest.Chess(t, "8/P7/8/8/8/8/1k5K/8 w - - 0 1")
	passing := gametest.Chess(t, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2")
	other := gametest.Chess(t, chess.StartFEN)
	var entries []entry
	add := func(p *chess.Position, texts ...string) {
		for i, text := range texts {
			entries = append(entries, entry{Key(p), encodeMove(text), uint16(i), uint32(100 + i)})
		}
	}
	add(castling, "e1h1", "e1a1", "e1g1", "e1e2", "e1h2", "a1a1")
	add(promotion, "a7a8q", "a7a8n", "a7a8", "a7a8b", "a7a8r")
	add(passing, "e5d6", "e5e6", "e5d6")
	b := open(t, encode(entries...))
	for _, test := range []struct {
		p    *chess.Position
		want string
	}{
		{castling, "e1e2:3 e1c1:1 e1g1:0"}, // e1g1 is the castling move again
		{promotion, "a7a8r:4 a7a8b:3 a7a8n:1 a7a8q:0"},
		{passing, "e5e6:1 e5d6:0"},
		{other, ""},
	} {
		if got := moves(t, b, test.p); got != test.want {
			t.Errorf("%s: %q, want %q", test.p.FEN(), got, test.want)
		}
	}
	if b.Len() != int64(len(entries)) {
		t.Errorf("%d entries, want %d", b.Len(), len(entries))
	}
}

// Of more entries than any position has moves only the first are read.
func TestTooManyMoves(t *testing.T) {
	p := gametest.Chess(t, chess.StartFEN)
	for wrong, want := range map[int]string{255: "e2e4:1", 256: ""} {
		entries := slices.Repeat([]entry{{Key(p), encodeMove("e2e5"), 1, 0}}, wrong)
		b := open(t, encode(append(entries, entry{Key(p), encodeMove("e2e4"), 1, 0})...))
		if got := moves(t, b, p); got != want {
			t.Errorf("after %d illegal moves: %q, want %q", wrong, got, want)
		}
	}
}

// Castling of Chess960, also where the king moves one file or stays.
func TestMovesOfChess960(t *testing.T) {
	p := gametest.Chess(t, "4k3/8/8/8/8/8/8/R4KR1 w AG - 0 1")
	b := open(t, encode(entry{Key(p), encodeMove("f1g1"), 2, 0}, entry{Key(p), encodeMove("f1a1"), 1, 0}))
	if got := moves(t, b, p); got != "f1g1:2 f1a1:1" {
		t.Errorf("%q", got)
	}
}

// Books of random games agree with a map, whatever other entries they have.
func TestRandomBooks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for size := range 60 {
		want := map[string]string{}
		var entries []entry
		var positions []*chess.Position
		for range size {
			p := gametest.Chess(t, chess.StartFEN)
			p.SetChess960(true) // castling is written as king takes rook
			for range random.IntN(30) {
				var l game.List
				if p.Moves(game.All, &l); l.Len() == 0 {
					break
				}
				m := l.At(random.IntN(l.Len()))
				if fen := p.FEN(); want[fen] == "" {
					text := p.Text(m)
					weight := uint16(random.IntN(9))
					want[fen] = text + ":" + string('0'+byte(weight))
					entries = append(entries, entry{Key(p), encodeMove(text), weight, 0})
					positions = append(positions, p.Copy())
				}
				p.Make(m)
			}
			entries = append(entries, entry{random.Uint64(), uint16(random.Uint32()), 1, 0})
		}
		if len(entries) == 0 {
			continue
		}
		b := open(t, encode(entries...))
		for _, p := range positions {
			// Counters do not count, so a position may have more than one move.
			if got := moves(t, b, p); !slices.Contains(strings.Fields(got), want[p.FEN()]) {
				t.Fatalf("%s: %q, want %q", p.FEN(), got, want[p.FEN()])
			}
		}
	}
}

func TestRefused(t *testing.T) {
	good := encode(entry{1, 0, 0, 0}, entry{2, 0, 0, 0})
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "it is empty"},
		{"cut short", good[:20], "20 bytes, which is not a multiple of 16"},
		{"not sorted", append(slices.Clone(good[16:]), good[:16]...), "entry 2 has a smaller key"},
		{"text", []byte(strings.Repeat("zyxwvutsrqponmlk", 3) + "abcdefghijklmnop"), "entry 4 has a smaller key"},
	} {
		path := filetest.New(t, "book.bin", test.file)
		if _, err := Open(t.Context(), path); err == nil || !strings.HasPrefix(err.Error(), path+": "+test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if _, err := Open(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "book.bin")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// A book stays open when the context ends in which it was opened.
func TestOpenContext(t *testing.T) {
	p := gametest.Chess(t, chess.StartFEN)
	path := filetest.New(t, "book.bin", encode(entry{Key(p), encodeMove("e2e4"), 1, 0}))
	ctx, cancel := context.WithCancel(t.Context())
	b, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	cancel()
	if got := moves(t, b, p); got != "e2e4:1" {
		t.Errorf("%q", got)
	}
}

// The error of a file that is shorter than its size says what is missing.
func TestShorterThanItsSize(t *testing.T) {
	file := encode(slices.Repeat([]entry{{1, 0, 1, 0}}, 18)...)
	_, err := New(bytes.NewReader(file), 40*entryBytes)
	if err == nil || !strings.Contains(err.Error(), "entry 19 is missing") {
		t.Error(err)
	}
}

// A book whose file is cut short after it was opened gives an error, or what is left.
func TestCutShortLater(t *testing.T) {
	p := gametest.Chess(t, chess.StartFEN)
	path := filetest.New(t, "book.bin", encode(entry{0, 0, 1, 0}, entry{Key(p), encodeMove("e2e4"), 1, 0},
		entry{^uint64(0), 0, 1, 0}))
	b, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if got := moves(t, b, p); got != "e2e4:1" {
		t.Errorf("%q", got)
	}
	if err := os.Truncate(path, 16); err != nil {
		t.Skip(err) // an open file cannot be cut on every system
	}
	if _, err := b.Moves(p); err == nil || err.Error() != "entry 2 is missing: the file has changed" {
		t.Errorf("%v", err)
	}
}

// large is a file of ascending keys that exists nowhere. It counts the bytes that are read.
type large struct {
	swapped int64 // an entry from which on keys begin at 0 again
	read    int
}

func (l *large) ReadAt(data []byte, at int64) (int, error) {
	l.read += len(data)
	for i := 0; i < len(data); i += entryBytes {
		n := (at + int64(i)) / entryBytes
		key := uint64(n) << 32
		if l.swapped > 0 && n >= l.swapped {
			key = uint64(n-l.swapped) << 32
		}
		binary.BigEndian.PutUint64(data[i:], key)
	}
	return len(data), nil
}

// A large book is not read completely, and one that is not sorted is refused.
func TestLargeBook(t *testing.T) {
	const entries = 100_000_000
	file := &large{}
	b, err := New(file, entries*entryBytes)
	if err != nil {
		t.Fatal(err)
	}
	if most := checkedParts * partEntries * entryBytes; file.read > most {
		t.Errorf("%d bytes read, want at most %d", file.read, most)
	}
	file.read = 0
	for _, n := range []int64{0, 1, 12_345_678, entries - 1} {
		if got, err := b.find(uint64(n) << 32); got != n || err != nil {
			t.Errorf("entry %d: %d, %v", n, got, err)
		}
	}
	if got, err := b.find(^uint64(0)); got != entries || err != nil {
		t.Errorf("beyond the end: %d, %v", got, err)
	}
	if file.read > 5*30*entryBytes {
		t.Errorf("%d bytes read to find five entries", file.read)
	}
	if _, err := New(&large{swapped: entries / 3}, entries*entryBytes); err == nil {
		t.Error("a file that is not sorted")
	}
}

// No file makes a book that fails, and no move of a book is illegal.
func FuzzBook(f *testing.F) {
	p := gametest.Chess(f, chess.StartFEN, "")
	f.Add(encode(entry{Key(p), encodeMove("e2e4"), 1, 0}, entry{Key(p), encodeMove("d2d4"), 2, 0}))
	f.Add(encode(entry{Key(p), 0xffff, 1, 0}))
	f.Add([]byte("no book"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) >= 8 {
			binary.BigEndian.PutUint64(file, Key(p))
		}
		b, err := New(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		found, err := b.Moves(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			if _, ok := p.FromMove16(m.Move16()); !ok {
				t.Fatalf("%v is illegal", m)
			}
		}
	})
}
