package bookdb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
	"trefoil/internal/filetest"
)

// open opens a book in memory.
func open(t testing.TB, file string) *Book {
	t.Helper()
	b, err := New(t.Context(), strings.NewReader(file), int64(len(file)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// moves returns what a book has for a position, in words.
func moves(t testing.TB, b *Book, p *shogi.Position) string {
	t.Helper()
	found, err := b.Moves(p)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, m := range found {
		words = append(words, fmt.Sprintf("%s/%s/%d/%d/%d", p.Text(m.Move), m.Reply, m.Value, m.Depth, m.Count))
	}
	return strings.Join(words, " ")
}

const header = "#YANEURAOU-DB2016 1.00\n"

const startBook = header + `sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 40 20 60
2g2f 8c8d 40 20 100
5i5h none -30
7g7e none 99 1 1
1g1f
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d 2g2f 0 0 0
`

const startMoves = "2g2f/8c8d/40/20/100 7g7f/3c3d/40/20/60 1g1f//0/0/1 5i5h//-30/0/1"

func TestMoves(t *testing.T) {
	b := open(t, startBook)
	if b.Len() != 2 {
		t.Errorf("%d positions", b.Len())
	}
	for _, test := range []struct{ sfen, moves, want string }{
		{shogi.StartSFEN, "", startMoves},
		{shogi.StartSFEN, "7g7f", "3c3d/2g2f/0/0/0"},
		{shogi.StartSFEN, "2g2f", ""},
		{"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 77", "", startMoves},
		{shogi.StartSFEN, "5i5h 5a5b 5h5i 5b5a", startMoves},
	} {
		if got := moves(t, b, gametest.Shogi(t, test.sfen, test.moves)); got != test.want {
			t.Errorf("%s after %q: %q, want %q", test.sfen, test.moves, got, test.want)
		}
	}
}

// Line ends, blanks, comments, a byte order mark and a missing end of the last line make no difference.
func TestTolerance(t *testing.T) {
	p := gametest.Shogi(t, shogi.StartSFEN)
	for name, file := range map[string]string{
		"CR LF":      strings.ReplaceAll(startBook, "\n", "\r\n"),
		"blanks":     strings.ReplaceAll(startBook, "\n", " \t\n\n"),
		"comments":   strings.ReplaceAll(startBook, "\n", "\n# NOE:1\n// a comment\n"),
		"byte order": "\ufeff" + startBook,
		"no end":     strings.TrimSuffix(startBook, "\n"),
		"no number":  strings.ReplaceAll(startBook, "b - 1\n", "b -\n"),
	} {
		if got := moves(t, open(t, file), p); got != startMoves {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestTurned: letters and squares at the ends of their ranges are turned round, and nothing else is.
func TestTurned(t *testing.T) {
	for text, want := range map[string]string{"1a9i+": "9i1a+", "P*5e": "P*5e", "9i1a": "1a9i", "0j`*": "0j`*"} {
		if got := flippedMove(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for b, want := range map[byte]byte{
		'A': 'a', 'Z': 'z', 'a': 'A', 'z': 'Z', '@': '@', '[': '[', '`': '`', '{': '{', '1': '1',
	} {
		if got := otherCase(b); got != want {
			t.Errorf("%q: %q, want %q", b, got, want)
		}
	}
}

// Hands in any order are the same hands, and others are not.
func TestHands(t *testing.T) {
	const board = "4k4/9/9/9/9/9/9/9/4K4 "
	b := open(t, header+"sfen "+board+"w 3pP2rS 10\n5a5b none\n")
	for hands, want := range map[string]string{
		"SP2r3p": "5a5b//0/0/1", "3p2rPS": "5a5b//0/0/1", "SP2r2p": "", "SPR3pr": "", "2SP2r3p": "",
	} {
		if got := moves(t, b, gametest.Shogi(t, board+"w "+hands+" 1")); got != want {
			t.Errorf("%s: %q, want %q", hands, got, want)
		}
	}
}

// Numbers of pieces have one digit or two.
func TestManyInHand(t *testing.T) {
	const board = "4k4/9/9/9/9/9/9/9/4K4 b "
	hands := []string{"P", "2P", "9P", "9P9p", "10P", "10P8p", "11P", "18P", "R17P"}
	file := header
	for i, h := range hands {
		file += fmt.Sprintf("sfen %s%s 1\n5i5h none %d\n", board, h, i)
	}
	b := open(t, file)
	for i, h := range hands {
		if got, want := moves(t, b, gametest.Shogi(t, board+h+" 1")), fmt.Sprintf("5i5h//%d/0/1", i); got != want {
			t.Errorf("%s: %q, want %q", h, got, want)
		}
	}
}

// Lines of a position at several numbers are its moves together; the first line of a move counts.
func TestSeveralNumbers(t *testing.T) {
	const start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - "
	b := open(t, header+start+"1\n7g7f none 5\n"+start+"11\n7g7f none 9\n2g2f none 7\n")
	if got := moves(t, b, gametest.Shogi(t, shogi.StartSFEN)); got != "2g2f//7/0/1 7g7f//5/0/1" {
		t.Errorf("%q", got)
	}
}

// A position with colours exchanged has the moves turned round, unless it has moves of its own.
func TestFlipped(t *testing.T) {
	p := gametest.Shogi(t, "4k4/1+R7/9/9/9/9/9/9/4K4 b 2Pg 1")
	flipped := gametest.Shogi(t, "4k4/9/9/9/9/9/9/7+r1/4K4 w G2p 1")
	entry := func(p *shogi.Position, moves string) string { return "sfen " + p.SFEN() + "\n" + moves + "\n" }
	b := open(t, header+entry(p, "8b5b 5a4a 30 2 1\nP*5b none"))
	if got := moves(t, b, flipped); got != "2h5h/5i6i/30/2/1 P*5h//0/0/1" {
		t.Errorf("%q", got)
	}
	b = open(t, header+entry(p, "8b8a none")+entry(flipped, "2h3h none"))
	if got := moves(t, b, flipped); got != "2h3h//0/0/1" {
		t.Errorf("own moves: %q", got)
	}
	c, err := appendCanonical(nil, []byte(p.SFEN()))
	if err != nil {
		t.Fatal(err)
	}
	other, err := appendCanonical(nil, []byte(flipped.SFEN()))
	if err != nil || !bytes.Equal(c.flipped(), other) || !bytes.Equal(other.flipped(), c) {
		t.Errorf("%q flipped is %q, want %q (%v)", c, c.flipped(), other, err)
	}
}

// Books of random games agree with a map, in any order.
func TestRandomBooks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var entries []string
	want := map[string]string{}
	var positions []*shogi.Position
	for range 100 {
		p := gametest.Shogi(t, shogi.StartSFEN)
		for range 100 {
			var l game.List
			if p.Moves(game.All, &l); l.Len() == 0 {
				break
			}
			m := l.At(random.IntN(l.Len()))
			sfen, _, _ := strings.Cut(p.SFEN(), " "+fmt.Sprint(p.MoveNumber()))
			if want[sfen] == "" {
				value := random.IntN(200) - 100
				want[sfen] = fmt.Sprintf("%s//%d/0/1", p.Text(m), value)
				entries = append(entries,
					fmt.Sprintf("sfen %s %d\n%s none %d\n", sfen, random.IntN(99)+1, p.Text(m), value))
				positions = append(positions, p.Copy())
			}
			p.Make(m)
		}
	}
	random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	b := open(t, header+strings.Join(entries, ""))
	if b.Len() != len(entries) {
		t.Errorf("%d positions, want %d", b.Len(), len(entries))
	}
	for _, p := range positions {
		sfen, _, _ := strings.Cut(p.SFEN(), " "+fmt.Sprint(p.MoveNumber()))
		if got := moves(t, b, p); got != want[sfen] {
			t.Fatalf("%s: %q, want %q", sfen, got, want[sfen])
		}
	}
}

func TestRefused(t *testing.T) {
	for file, want := range map[string]string{
		"":                               `it begins with "", expected "#YANEURAOU-DB2016"`,
		"\x00\x01\x02":                   `it begins with "\x00\x01\x02", expected`,
		"sfen 9/9 b - 1\n":               `it begins with "sfen 9/9 b - 1", expected`,
		"#YANEURAOU-DB2024 1.00\n":       `it begins with "#YANEURAOU-DB2024 1.", expected`,
		"#YANEURAOU-DB2016 2.00\n":       `it is of version "2.00" of the format, expected "1.00"`,
		header + "7g7f none\n":           `line 2, "7g7f none": a move before the first position`,
		header + "sfen startpos\n":       `line 2, "sfen startpos": it has fewer than three fields`,
		header + "sfen 9/9 b - 1\n":      `line 2, "sfen 9/9 b - 1": its board does not have 9 ranks`,
		startBook + "7g7f none x\n":      `line 10, "7g7f none x": "x" is not a number`,
		startBook + "7g7f none 0 0 -1\n": `line 10, "7g7f none 0 0 -1": "-1" is not a number`,
		startBook + "sfen " + "8/8/8/8/8/8/8/8/8 x - 1":   `line 10, "sfen 8/8/8/8/8/8/8/8/8 x - 1": its side to move`,
		startBook + "sfen " + "8/8/8/8/8/8/8/8/8 b P! 1":  `line 10, "sfen 8/8/8/8/8/8/8/8/8 b P! 1": its hands`,
		startBook + "sfen " + "8/8/8/8/8/8/8/8/8 b P 1 2": `line 10, "sfen 8/8/8/8/8/8/8/8/8 b P 1 2": it has more than four fields`,
		strings.Repeat("x", maxLine+1):                    "line 1 is longer than 65536 bytes",
		startBook + "sfen 8/8/8/8/8/8/8/8/8 b 100P 1":     `line 10, "sfen 8/8/8/8/8/8/8/8/8 b 100P 1": its hands`,
		"\n# comment\n":                          `it begins with "# comment", expected`,
		startBook + strings.Repeat("x", maxLine): "line 10 is longer than 65536 bytes",
	} {
		path := filetest.New(t, "book.db", file)
		if _, err := Open(t.Context(), path, nil); err == nil || !strings.HasPrefix(err.Error(), path+": "+want) {
			t.Errorf("%.60q: %v", file, err)
		}
	}
	if _, err := Open(t.Context(), t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "book.db"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// A file that changes after it was opened gives no moves, or an error.
func TestChangedLater(t *testing.T) {
	path := filetest.New(t, "book.db", startBook)
	b, err := Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	p := gametest.Shogi(t, shogi.StartSFEN)
	if got := moves(t, b, p); got != startMoves {
		t.Errorf("%q", got)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(startBook, "40 20 100", "40 xx 100", 1)), 0o666); err != nil {
		t.Skip(err)
	}
	if _, err := b.Moves(p); err == nil || !strings.Contains(err.Error(), `"xx" is not a number`) {
		t.Errorf("%v", err)
	}
	filetest.Write(t, path, strings.Replace(startBook, "sfen ", "", 1))
	if got := moves(t, b, p); got != "" {
		t.Errorf("a position without its word: %q", got)
	}
	filetest.Write(t, path, "shorter")
	if got := moves(t, b, p); got != "" {
		t.Errorf("%q", got)
	}
}

// broken is a file that cannot be read from an offset on.
type broken struct {
	*strings.Reader
	from   int64
	closed bool
}

var errBroken = errors.New("broken")

func (b *broken) ReadAt(to []byte, at int64) (int, error) {
	if at >= b.from {
		return 0, errBroken
	}
	return b.Reader.ReadAt(to[:min(int64(len(to)), b.from-at)], at)
}

func (b *broken) Close() error { b.closed = true; return errBroken }

// TestUnreadable: a file that cannot be read is no book, and a book that cannot be read has no moves. Close closes a
// file that can be closed.
func TestUnreadable(t *testing.T) {
	for from := range int64(len(startBook)) {
		file := &broken{Reader: strings.NewReader(startBook), from: from}
		if _, err := New(t.Context(), file, file.Size(), nil); !errors.Is(err, errBroken) {
			t.Fatalf("from byte %d: %v", from, err)
		}
	}
	file := &broken{Reader: strings.NewReader(startBook), from: int64(len(startBook))}
	b, err := New(t.Context(), file, file.Size(), nil)
	if err != nil {
		t.Fatal(err)
	}
	file.from = 0
	if _, err := b.Moves(gametest.Shogi(t, shogi.StartSFEN)); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	if err := b.Close(); err != errBroken || !file.closed {
		t.Errorf("%v, closed %v", err, file.closed)
	}
	if err := open(t, startBook).Close(); err != nil {
		t.Error(err)
	}
}

// TestOpenEnds: the reading of a file reports its progress, and ends with the context.
func TestOpenEnds(t *testing.T) {
	file := []byte(startBook + strings.Repeat("2g2f none\n", 4*linesBetweenReports))
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped, calls := errors.New("stopped"), 0
	_, err := New(ctx, bytes.NewReader(file), int64(len(file)), func(p Progress) error {
		if calls++; calls == 2 {
			cancel(stopped)
		}
		if p.Done <= 0 || p.Done >= p.Total || p.Total != int64(len(file)) || p.Index == 0 {
			t.Errorf("%+v", p)
		}
		return nil
	})
	if err != stopped || calls != 2 {
		t.Errorf("%d calls, %v", calls, err)
	}
	lines := strings.Count(startBook, "\n")
	file, calls = []byte(startBook+strings.Repeat("2g2f none\n", 2*linesBetweenReports-lines)), 0
	_, err = New(t.Context(), bytes.NewReader(file), int64(len(file)), func(Progress) error { calls++; return nil })
	if err != nil || calls != 2 {
		t.Errorf("%d calls, %v", calls, err)
	}
	_, err = New(t.Context(), bytes.NewReader(file), int64(len(file)), func(Progress) error { return stopped })
	if err != stopped {
		t.Errorf("after an error of progress: %v", err)
	}
}

// No file makes a book that fails, and no move of a book is illegal.
func FuzzBook(f *testing.F) {
	p := gametest.Shogi(f, shogi.StartSFEN, "")
	f.Add([]byte(startBook))
	f.Add([]byte(header + "sfen 9/9/9/9/9/9/9/9/9 w 3P2p\nP*5e none 1 2 3\n"))
	f.Add([]byte("no book"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if !bytes.HasPrefix(file, []byte(header)) {
			file = append([]byte(header+"sfen "+shogi.StartSFEN+"\n"), file...)
		}
		b, err := New(t.Context(), bytes.NewReader(file), int64(len(file)), nil)
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
