package engine

import (
	"context"
	"encoding/binary"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	rules "trefoil/game/chess"
	"trefoil/game/chess/polyglot"
	"trefoil/game/gametest"
	"trefoil/internal/filetest"
	"trefoil/options"
	"trefoil/search"
)

// polyglotBook writes a book with moves of the start position: to a rank, from the rank below it but one,
// on one file.
func polyglotBook(t *testing.T, weights map[byte]uint16) string {
	t.Helper()
	start := gametest.Chess(t, rules.StartFEN)
	var file []byte
	for _, letter := range []byte("abcdefgh") {
		if weight, ok := weights[letter]; ok {
			column := uint16(letter - 'a')
			file = binary.BigEndian.AppendUint64(file, polyglot.Key(start))
			file = binary.BigEndian.AppendUint16(file, column|3<<3|column<<6|1<<9)
			file = binary.BigEndian.AppendUint16(file, weight)
			file = binary.BigEndian.AppendUint32(file, 0)
		}
	}
	return written(t, file)
}

// written writes a file and returns its name.
func written(t *testing.T, data []byte) string {
	t.Helper()
	return filetest.New(t, "book", data)
}

// played counts the moves that the book plays with seeds from 1 on. Each is played twice, and must be the
// same both times.
func played(t *testing.T, e *Engine, seeds int) map[string]int {
	t.Helper()
	count := map[string]int{}
	for seed := 1; seed <= seeds; seed++ {
		set(t, e, "BookSeed", strconv.Itoa(seed))
		first, texts := nodes(e, 1)
		if len(texts) == 0 || !strings.HasPrefix(texts[0], "book move "+first.Best+": ") || first.Ponder != "" {
			t.Fatalf("%+v, %q", first, texts)
		}
		if again, _ := nodes(e, 1); again.Best != first.Best {
			t.Fatalf("seed %d: %s and %s", seed, first.Best, again.Best)
		}
		count[first.Best]++
	}
	return count
}

// Moves are chosen in proportion to their weights, and those without a weight never.
func TestBookWeights(t *testing.T) {
	e := started(t)
	set(t, e, "OwnBook", "true")
	set(t, e, "BookFile", polyglotBook(t, map[byte]uint16{'a': 0, 'c': 100, 'd': 300, 'e': 600}))
	count := played(t, e, 1000)
	for move, want := range map[string]int{"c2c4": 100, "d2d4": 300, "e2e4": 600} {
		if got := count[move]; got < want-50 || got > want+50 {
			t.Errorf("%s: %d of 1000, want about %d", move, got, want)
		}
		delete(count, move)
	}
	if len(count) > 0 {
		t.Errorf("also played: %v", count)
	}
	set(t, e, "BookSeed", "0")
	for i := 0; ; i++ {
		if r, _ := nodes(e, 1); r.Best == "d2d4" {
			break // not always the same move
		}
		if i == 1000 {
			t.Fatal("d2d4 is not played")
		}
	}
	set(t, e, "Best Book Move", "true")
	if count := played(t, e, 20); count["e2e4"] != 20 {
		t.Errorf("the best move: %v", count)
	}
	set(t, e, "BookFile", polyglotBook(t, map[byte]uint16{'a': 0}))
	e.Notices()
	if _, texts := nodes(e, 1); strings.Contains(strings.Join(texts, "\n"), "book") {
		t.Errorf("a move without a weight: %q", texts)
	}
}

// The counts of a book of YaneuraOu are weights, equal ones if all are 0; any count is possible.
func TestBookCounts(t *testing.T) {
	const start = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
	e := started(t)
	set(t, e, "UCI_Variant", "shogi")
	set(t, e, "OwnBook", "true")
	set(t, e, "BookDepthLimit", "0")
	for _, c := range []struct {
		moves    string
		at, from int // 2g2f is played at least and at most this often of 200
	}{
		{"2g2f none 0 0 0\n7g7f none 0 0 0\n", 70, 130},
		{"2g2f none\n7g7f none\n", 70, 130},
		{"2g2f none 0 0 3\n7g7f none 0 0 1\n", 120, 180},
		{"2g2f none 0 0 0\n7g7f none 0 0 1\n", 0, 0},
		{"2g2f none 0 0 1\n7g7f none -31 0 9\n", 200, 200},
		{"2g2f none 0 0 18446744073709551615\n7g7f none 0 0 18446744073709551615\n", 70, 130},
	} {
		set(t, e, "Shogi BookFile", written(t, []byte(start+c.moves)))
		if got := played(t, e, 200)["2g2f"]; got < c.at || got > c.from {
			t.Errorf("%q: 2g2f %d of 200 times", c.moves, got)
		}
	}
}

// The options of YaneuraOu exclude moves of a book, by the side to move.
func TestBookExclusions(t *testing.T) {
	const header = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL "
	e := started(t)
	set(t, e, "UCI_Variant", "shogi")
	set(t, e, "Best Book Move", "true")
	set(t, e, "OwnBook", "true")
	for _, c := range []struct {
		side, moves, option, value string
		want                       string // "" without a book move
		why                        string
	}{
		{"b", "2g2f none 5 16 1\n7g7f none 0 0 9\n", "", "", "2g2f", ": the best of 2"},
		{"b", "2g2f none 5 16 1\n7g7f none 5 16 9\n", "", "", "7g7f", ": the best of 2"},
		{"b", "2g2f none 5 16 0\n7g7f none 4 16 9\n", "", "", "2g2f", ": the best of 2"},
		{"b", "2g2f none 5 16 1\n7g7f none -1 16 9\n", "", "", "2g2f", ": the only one"},
		{"b", "2g2f none -1 16 1\n", "", "", "", " is not played: BookEvalBlackLimit"},
		{"b", "2g2f none -1 16 1\n", "BookEvalBlackLimit", "-1", "2g2f", ": the only one"},
		{"w", "3c3d none -140 16 1\n", "", "", "3c3d", ": the only one"},
		{"w", "3c3d none -141 16 1\n", "", "", "", " is not played: BookEvalWhiteLimit"},
		{"w", "3c3d none -141 16 1\n", "BookEvalWhiteLimit", "-141", "3c3d", ": the only one"},
		{"b", "2g2f none 5 15 1\n7g7f none 0 99 9\n", "", "", "", " is not played: BookDepthLimit"},
		{"b", "2g2f none 5 15 1\n", "BookDepthLimit", "15", "2g2f", ": the only one"},
		{"b", "2g2f none 5 0 1\n", "BookDepthLimit", "0", "2g2f", ": the only one"},
		{"b", "2g2f none 50 16 9\n7g7f none 20 16 91\n", "", "", "2g2f", ": the best of 2"},
		{"b", "2g2f none 50 16 9\n7g7f none 20 16 91\n", "NarrowBook", "true", "7g7f", ": the only one"},
		{"b", "2g2f none 50 15 9\n7g7f none 10 16 91\n", "NarrowBook", "true", "7g7f", ": the only one"},
		{"b", "2g2f none 50 16 10\n7g7f none 20 16 90\n", "NarrowBook", "true", "2g2f", ": the best of 2"},
		{"b", "2g2f none 50 16 0\n7g7f none 20 16 0\n", "NarrowBook", "true", "2g2f", ": the best of 2"},
	} {
		set(t, e, "Shogi BookFile", written(t, []byte(header+c.side+" - 1\n"+c.moves)))
		e.Notices()
		setUp(t, e, strings.Split(header, "sfen ")[1]+c.side+" - 1")
		if c.option != "" {
			old := e.Options().Find(options.UCI, c.option).Value()
			set(t, e, c.option, c.value)
			defer set(t, e, c.option, old)
		}
		r, texts := nodes(e, 1)
		if c.want != "" && r.Best != c.want || (r.Nodes == 0) != (c.want != "") || len(texts) == 0 ||
			!strings.HasPrefix(texts[0], "book move ") || !strings.HasSuffix(texts[0], c.why) {
			t.Errorf("%q, %s %s: %s, %q", c.moves, c.option, c.value, r.Best, texts)
		}
	}
}

// All moves of the book are reported, the one that is played first, with what follows in the book.
func TestBookLines(t *testing.T) {
	const book = `#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
2g2f 8c8d 60 20 1
7g7f 8c8d 50 30 1
1g1f 5a5b -99 40 1
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
8c8d 2g2f -50 1 1
3c3d 2g2f -40 1 1
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
6g6f 1a9i 0 1 1
`
	e := started(t)
	set(t, e, "UCI_Variant", "shogi")
	set(t, e, "OwnBook", "true")
	set(t, e, "BookEvalDiff", "10")
	set(t, e, "Shogi BookFile", written(t, []byte(book)))
	for seed, want := range map[string][]string{
		"1": {"7g7f 3c3d 6g6f", "2g2f 8c8d", "1g1f 5a5b"}, "2": {"2g2f 8c8d", "7g7f 3c3d 6g6f", "1g1f 5a5b"},
	} {
		set(t, e, "BookSeed", seed)
		var lines []string
		r := e.Search(t.Context(), search.Limits{Nodes: 1}, func(i search.Info) {
			if i.Text != "" {
				return
			}
			if lines = append(lines, strings.Join(i.PV, " ")); i.MultiPV != len(lines) ||
				i.Depth != map[string]int{"2g2f": 20, "7g7f": 30, "1g1f": 40}[i.PV[0]] ||
				i.Score.Centipawns != map[string]int{"2g2f": 60, "7g7f": 50, "1g1f": -99}[i.PV[0]] {
				t.Errorf("%+v", i)
			}
		})
		if !slices.Equal(lines, want) || r.Best+" "+r.Ponder != strings.Join(strings.Fields(lines[0])[:2], " ") {
			t.Errorf("%+v, %q, want %q", r, lines, want)
		}
	}
}

// The book answers a search that plays, and no search that analyses, looks for a mate, or is told its moves.
func TestBookLimits(t *testing.T) {
	e := started(t)
	set(t, e, "BookFile", polyglotBook(t, map[byte]uint16{'a': 1}))
	fromBook := func(l search.Limits) bool {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // the book does not need time
		book := false
		e.Search(ctx, l, func(i search.Info) { book = book || strings.HasPrefix(i.Text, "book move a2a4") })
		return book
	}
	if fromBook(search.Limits{Nodes: 1}) {
		t.Error("OwnBook is off by default")
	}
	set(t, e, "OwnBook", "true")
	for name, c := range map[string]struct {
		limits search.Limits
		want   bool
	}{
		"nodes":       {search.Limits{Nodes: 1}, true},
		"depth":       {search.Limits{Depth: 1}, true},
		"movetime":    {search.Limits{MoveTime: 1}, true},
		"clock":       {search.Limits{Clock: search.Clock{Given: true}}, true},
		"infinite":    {search.Limits{Infinite: true}, false},
		"ponder":      {search.Limits{Ponder: true, Clock: search.Clock{Given: true}, PonderHit: make(chan search.Clock)}, false},
		"mate":        {search.Limits{Mate: 3, Nodes: 1}, false},
		"searchmoves": {search.Limits{Nodes: 1, SearchMoves: []string{"a2a4"}}, false},
	} {
		if got := fromBook(c.limits); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	set(t, e, "MultiPV", "2")
	if fromBook(search.Limits{Nodes: 1}) {
		t.Error("MultiPV")
	}
}

// Weaker levels play the moves of the book too, and where it ends as they do without it.
func TestBookOfWeakerLevels(t *testing.T) {
	e := weakened(t, "chess", "0")
	const n = 30000
	want, _ := nodes(e, n)
	set(t, e, "OwnBook", "true")
	set(t, e, "BookFile", polyglotBook(t, map[byte]uint16{'a': 1}))
	if r, _ := nodes(e, n); r.Best != "a2a4" || r.Nodes != 0 {
		t.Errorf("with a book: %+v", r)
	}
	set(t, e, "BookDepth", "0")
	if r, _ := nodes(e, n); r.Best != want.Best || r.Nodes != want.Nodes {
		t.Errorf("after the book: %+v, want %+v", r, want)
	}
}

// A book can be changed at any time between searches; one that is refused changes nothing, and a new game
// or another one in between neither.
func TestBookChanges(t *testing.T) {
	e := started(t)
	set(t, e, "OwnBook", "true")
	a, b := polyglotBook(t, map[byte]uint16{'a': 1}), polyglotBook(t, map[byte]uint16{'b': 1})
	best := func() string { r, _ := nodes(e, 1); return r.Best }
	for range 3 {
		set(t, e, "BookFile", a)
		if got := best(); got != "a2a4" {
			t.Fatal(got)
		}
		set(t, e, "BookFile", b)
		refusedValue(t, e, "BookFile", written(t, []byte("no book")), "7 bytes", "it stays "+b)
		e.NewGame()
		set(t, e, "UCI_Variant", "shogi")
		set(t, e, "UCI_Variant", "chess")
		if got := best(); got != "b2b4" {
			t.Fatal(got)
		}
	}
	if err := os.Truncate(b, 0); err != nil {
		t.Skip(err)
	}
	if r, texts := nodes(e, 1); r.Best == "" || len(texts) == 0 ||
		texts[0] != "book "+b+": entry 1 is missing: the file has changed" {
		t.Errorf("a file cut short: %q", texts)
	}
	set(t, e, "BookFile", "")
	e.Notices()
	if _, texts := nodes(e, 1); strings.Contains(strings.Join(texts, "\n"), "book") {
		t.Errorf("no book: %q", texts)
	}
}
