package connect4

import (
	"context"
	"testing"

	"trefoil/engine/table"
	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/game/gametest"
	"trefoil/search"
	"trefoil/search/exact"
)

// drawn is a game that fills the board.
const drawn = "143771121216314355223556673536644445226777"

func TestPlies(t *testing.T) {
	for _, c := range []struct {
		moves  string
		score  int
		plies  int
		report search.Score
	}{
		{"", 1, 41, search.Score{Mate: true, Plies: 41}},
		{"4", -1, 40, search.Score{Mate: true, Plies: -40}},
		{"112233", 18, 1, search.Score{Mate: true, Plies: 1}},
		{"1122334", -18, 0, search.Score{Mate: true}},
		{"41516", -18, 2, search.Score{Mate: true, Plies: -2}},
		{"", 0, 42, search.Score{}},
		{drawn, 0, 0, search.Score{}},
	} {
		p := gametest.ConnectFour(t, c.moves)
		if n := plies(p, c.score); n != c.plies {
			t.Errorf("%q %d: %d plies, want %d", c.moves, c.score, n, c.plies)
		}
		if s := distance(p, c.score); s != c.report {
			t.Errorf("%q %d: %+v", c.moves, c.score, s)
		}
	}
	for n := range len(drawn) - 1 {
		p := gametest.ConnectFour(t, drawn[:n])
		win, loss := (rules.Standard.Cells+1-n)/2, -(rules.Standard.Cells-n)/2 // at once, and by the reply to any move
		if plies(p, win) != 1 || plies(p, loss) != 2 {
			t.Errorf("ply %d: win in %d, loss in %d", n, plies(p, win), plies(p, loss))
		}
	}
}

// TestLimits: a mate in n moves is n moves of the side to move deep; a search without a number of nodes goes on.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ depth, mate, want int }{{0, 0, 0}, {5, 0, 5}, {0, 3, 5}, {9, 3, 9}, {0, 1 << 30, 83}} {
		s := solverSearch{player: &player{board: rules.Standard}, limits: search.Limits{Depth: c.depth, Mate: c.mate}}
		if got := s.depth(); got != c.want {
			t.Errorf("%+v: depth %d", c, got)
		}
	}
	for limit, ended := range map[uint64]bool{0: false, 9: true, 10: true, 11: false} {
		s := solverSearch{limits: search.Limits{Nodes: limit}, nodes: 10}
		if got := s.ended(t.Context()); got != ended {
			t.Errorf("10 of %d nodes: %v", limit, got)
		}
	}
}

func TestScoreOf(t *testing.T) {
	for _, c := range []struct {
		k     bounds
		score search.Score
		bound search.Bound
		depth int
	}{
		{bounds{1, 1}, search.Score{Mate: true, Plies: 41}, search.Exact, 41},
		{bounds{0, 0}, search.Score{}, search.Exact, 42},
		{bounds{-2, -2}, search.Score{Mate: true, Plies: -40}, search.Exact, 40},
		{bounds{1, 21}, search.Score{Mate: true, Plies: 41}, search.Lower, 0},
		{bounds{0, 3}, search.Score{}, search.Lower, 36},
		{bounds{-18, 0}, search.Score{}, search.Upper, 7},
		{bounds{-18, -1}, search.Score{Mate: true, Plies: -42}, search.Upper, 7},
		{bounds{-18, 18}, search.Score{}, search.Exact, 6},
	} {
		if score, bound, depth := scoreOf(rules.Position{}, c.k); score != c.score || bound != c.bound ||
			depth != c.depth {
			t.Errorf("%+v: %+v %v %d", c.k, score, bound, depth)
		}
	}
}

// TestOrderingScore: a column without a proved bound comes after a draw and before a loss.
func TestOrderingScore(t *testing.T) {
	for k, want := range map[bounds]int{{2, 5}: 4, {0, 0}: 0, {0, 3}: 0, {-3, 5}: -1, {-3, 0}: -1, {-3, -1}: -6} {
		if got := (rootMove{bounds: k}).orderingScore(); got != want {
			t.Errorf("%+v: %d, want %d", k, got, want)
		}
	}
}

// TestProvedBoundsRemain: a column keeps what has been proved of it if its next search is stopped and the
// table no longer has the proof.
func TestProvedBoundsRemain(t *testing.T) {
	solver, err := exact.New(exact.Options{Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	owner := table.NewOwner(new(table.Notices), func(*exact.Solver) string { return "" })
	owner.Replace(solver)
	defer owner.Close()
	s := &solverSearch{player: &player{board: rules.Standard, table: owner}, book: new(book.Book)}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	b := rootMove{bounds: bounds{0, 20}, tried: true, pv: []int{3}}
	if s.searchMove(stopped, &b, gametest.ConnectFour(t, "4"), firstTurn); b.lower != 0 || b.upper > 20 {
		t.Errorf("from %d to %d, but 0 to 20 was proved", b.lower, b.upper)
	}
}
