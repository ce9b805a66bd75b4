package connect4

import (
	"testing"

	rules "trefoil/game/connect4"
	"trefoil/search"
)

func parse(t *testing.T, moves string) rules.Position {
	t.Helper()
	p, err := rules.Parse(moves)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

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
		p := parse(t, c.moves)
		if n := plies(p, c.score); n != c.plies {
			t.Errorf("%q %d: %d plies, want %d", c.moves, c.score, n, c.plies)
		}
		if s := distance(p, c.score); s != c.report {
			t.Errorf("%q %d: %+v", c.moves, c.score, s)
		}
	}
	for n := range len(drawn) - 1 {
		p := parse(t, drawn[:n])
		win, loss := (rules.Standard.Cells+1-n)/2, -(rules.Standard.Cells-n)/2 // at once, and by the reply to any move
		if plies(p, win) != 1 || plies(p, loss) != 2 {
			t.Errorf("ply %d: win in %d, loss in %d", n, plies(p, win), plies(p, loss))
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
		if score, bound, depth := scoreOf(rules.Position{}, c.k); score != c.score || bound != c.bound || depth != c.depth {
			t.Errorf("%+v: %+v %v %d", c.k, score, bound, depth)
		}
	}
}
