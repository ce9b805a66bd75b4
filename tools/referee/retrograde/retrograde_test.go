package retrograde

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// materials are solved by tests, in this order by one solver. The longest mates are the mates of the
// literature.
var materials = []struct {
	name  string
	moves int // to the longest mate, of either side
	long  bool
}{
	{"KvK", 0, false},
	{"KBvK", 0, false},
	{"KNvK", 0, false},
	{"KQvK", 10, false},
	{"KRvK", 16, false},
	{"KPvK", 28, false},
	{"KBBvK", 19, true},
	{"KBNvK", 33, true},
	{"KNNvK", 1, true},
	{"KQvKQ", 13, true},
	{"KQvKR", 35, true},
	{"KRvKR", 19, true},
	{"KRvKB", 29, true},
	{"KRvKN", 40, true},
	{"KPvKP", 33, true},
}

var solver = NewSolver()

func solve(t *testing.T, name string) *Table {
	t.Helper()
	table, err := solver.Solve(name)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestLongestMates(t *testing.T) {
	for _, m := range materials {
		if m.long && !*long {
			continue
		}
		plies := 0
		for _, r := range solve(t, m.name).All() {
			plies = max(plies, r.DTM, -r.DTM)
		}
		if moves := (plies + 1) / 2; moves != m.moves {
			t.Errorf("%s: the longest mate takes %d moves, want %d", m.name, moves, m.moves)
		}
	}
}

// TestCounts compares numbers of positions with published ones. The UCI repository's data set of KRK has
// 28,056 positions with Black to move, and 2,796 of these are drawn. Of the positions of KPK, 163,328 have
// White to move and 168,024 Black.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		want [2]map[WDL]int
	}{
		{"KRvK", [2]map[WDL]int{{Win: 21959}, {Loss: 25260, Draw: 2796}}},
		{"KQvK", [2]map[WDL]int{{Win: 18081}, {Loss: 25160, Draw: 2896}}},
		{"KPvK", [2]map[WDL]int{{Win: 124960 / 2, Draw: 19184}, {Loss: 97604 / 2, Draw: 35210}}},
	} {
		got := [2]map[WDL]int{{}, {}}
		for p, r := range solve(t, c.name).All() {
			got[p.Side()][r.WDL]++
		}
		for side := range got {
			for _, wdl := range []WDL{Loss, BlessedLoss, Draw, CursedWin, Win} {
				if got[side][wdl] != c.want[side][wdl] {
					t.Errorf("%s, side %d, result %d: %d positions, want %d", c.name, side, wdl, got[side][wdl],
						c.want[side][wdl])
				}
			}
		}
	}
}

// TestValues checks that every value is the value of the best move.
func TestValues(t *testing.T) {
	for _, m := range materials {
		if m.long && !*long {
			continue
		}
		table := solve(t, m.name)
		for i := range table.size() {
			if table.unused(i) {
				continue
			}
			p := table.position(i)
			for metric := range numMetrics {
				if got, want := table.values[metric][i], table.best(&p, metric); got != want {
					t.Fatalf("%s, metric %d: %d, want %d", p.FEN(), metric, got, want)
				}
			}
		}
	}
}

// TestMoves compares legal moves and the boards after them with the moves and boards of game/chess, in
// random positions and in positions after a move from them, which may be en passant.
func TestMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for range 4000 {
		p := Position{enPassant: noSquare, side: r.IntN(2)}
		for _, piece := range []Piece{pieceOf(king, White), pieceOf(king, Black), Piece(r.IntN(12)),
			Piece(r.IntN(12))} {
			if piece.kind() == king && p.n >= 2 {
				piece = pieceOf(pawn, piece.side())
			}
			p.insert(piece, Square(r.IntN(64)))
		}
		if !p.legal() {
			continue
		}
		compareMoves(t, &p)
		compared++
		for _, next := range p.appendZeroing(nil) {
			if next.legal() {
				compareMoves(t, &next.Position)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d positions", compared)
	}
}

func compareMoves(t *testing.T, p *Position) {
	t.Helper()
	other, err := chess.ParseFEN(p.FEN())
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseFEN(p.FEN())
	if err != nil || again.FEN() != p.FEN() {
		t.Fatalf("%s: read as %+v, %v", p.FEN(), again, err)
	}
	var want, got []string
	var l game.List
	other.Moves(game.All, &l)
	for _, m := range l.All() {
		want = append(want, other.Text(m))
	}
	for _, next := range p.appendQuiet(p.appendZeroing(nil)) {
		if !next.legal() {
			continue
		}
		got = append(got, next.move.String())
		m, err := other.ParseMove(next.move.String())
		if err != nil {
			t.Fatalf("%s: %v", p.FEN(), err)
		}
		other.Make(m)
		if board, _, _ := strings.Cut(other.FEN(), " "); !strings.HasPrefix(next.FEN(), board+" ") {
			t.Fatalf("%s: after %v %s, want %s", p.FEN(), next.move, next.FEN(), board)
		}
		other.Undo()
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %v, want %v", p.FEN(), got, want)
	}
}

func TestProbe(t *testing.T) {
	table := solve(t, "KvKR") // the sides do not matter
	for _, c := range []struct {
		fen  string
		want Result
		best string
	}{
		{"7k/8/6K1/8/8/8/8/R7 w - - 0 1", Result{Win, 1, 1}, "a1a8"},
		{"7K/8/6k1/8/8/8/8/r7 b - - 0 1", Result{Win, 1, 1}, "a1a8"},
		{"R6k/8/6K1/8/8/8/8/8 b - - 0 1", Result{Loss, 0, 0}, ""},
		{"7k/8/6K1/8/8/8/8/8 w - - 0 1", Result{}, ""},
	} {
		p, err := ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		got, err := table.Probe(p)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.fen, got, err, c.want)
		}
		best, ok, err := table.BestMove(p)
		if err != nil || ok != (c.best != "" || c.want == Result{}) || c.best != "" && best.String() != c.best {
			t.Errorf("%s: %v, %v, %v, want %s", c.fen, best, ok, err, c.best)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, name := range []string{"", "KQK", "KQvQ", "KXvK", "KKvK", "KQRBvK", "KBNPvKP"} {
		if _, err := NewSolver().Solve(name); err == nil {
			t.Errorf("no error for the material %q", name)
		}
	}
	for _, fen := range []string{
		"", "8/8/8/8/8/8/8/K6k w -", "8/8/8/8/8/8/K6k w - - 0 1", "8/8/8/8/8/8/8/K7 w - -", "K6k1/8/8/8/8/8/8/8 w - -",
		"k7/8/8/8/8/8/8/K5x1 w - -", "k7/8/8/8/8/8/8/K4P2 w - -", "k7/8/8/8/8/8/8/KQQQ4 w - -", "k7/8/8/8/8/8/8/KQ5 x - -",
		"k7/8/8/8/8/8/8/K3R3 w Q -", "k7/8/8/8/8/8/8/K7 w - e6", "k7/8/8/8/8/8/8/K7 w - e", "k7/8/8/4p3/8/8/8/K7 b - e3",
		"k7/8/8/8/8/8/8/K9 w - -", "k7/8/8/8/8/8/8/K6 w - -",
	} {
		if p, err := ParseFEN(fen); err == nil {
			t.Errorf("no error for %q: %s", fen, p.FEN())
		}
	}
	table, err := NewSolver().Solve("KRvK")
	if err != nil {
		t.Fatal(err)
	}
	for _, fen := range []string{"8/8/8/8/8/8/8/K1k4q w - - 0 1", "7k/8/8/8/8/8/8/K6R w - - 0 1"} {
		p, err := ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := table.Probe(p); err == nil {
			t.Errorf("no error for %s: %+v", fen, r)
		}
	}
}
