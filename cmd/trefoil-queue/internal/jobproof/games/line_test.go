package games_test

import (
	"testing"

	"trefoil/cmd/trefoil-queue/internal/jobproof"
	"trefoil/cmd/trefoil-queue/internal/jobproof/games"
	"trefoil/game/gametest"
)

// TestLine: the main line of a proof is played by the rules, and the line of a win or a loss ends with it.
func TestLine(t *testing.T) {
	own, workers := newWorkers(t, 2)
	for _, position := range []string{
		"X;...X@..X.;..OXX.X../..OO...../.X.O..XOO/..X.X.XOX/OX...X..O/..XOOX.O./O..O...OO/......XXX/X.XOOX.O.",
		"X;..X@....O;..OX...X./.OOX.X.X./X..X..X.X/....O..OO/O.O.OXX.X/....O.XO./.XO.X.O.O/.OO.X...X/OX.OX.O..",
		"X;O......@.;.XO..OX.O/O.....XXO/X....XO.X/O..OX..O./.O.....O./XO.X.O.OO/O.XX.X.O./X....XO.X/XX.XX.O.O",
	} {
		tree, err := jobproof.New(games.Ultimate(), position, jobproof.Options{Nodes: 500})
		if err != nil {
			t.Fatal(err)
		}
		value := prove(t, tree, own, workers)
		line := tree.Line()
		moves, err := own.Continue(t.Context(), games.Ultimate(), line, 1<<20)
		if err != nil || len(line.Moves) == 0 || len(moves) <= len(line.Moves) {
			t.Errorf("%s: %v: %q, then %q", position, err, line.Moves, moves)
		}
		p := gametest.Ultimate(t, position)
		side := p.Side()
		for _, text := range moves {
			m, err := p.ParseMove(text)
			if err != nil {
				t.Fatalf("%s: %q: %v", position, moves, err)
			}
			p = p.Play(m)
		}
		winner, won, over := p.Over()
		if want := map[string]bool{"win": true, "loss": false}; value != "draw" &&
			(!over || !won || want[value] != (winner == side)) {
			t.Errorf("%s: %s, but %q ends otherwise", position, value, moves)
		}
	}
}

// TestLineOfRules: a position that the rules decide has a line too, and a game that is over has none.
func TestLineOfRules(t *testing.T) {
	own, _ := newWorkers(t, 0)
	for position, want := range map[string]int{
		"6k1/5ppp/8/8/8/8/8/K3R3 w - - bm #1;": 1,
		"8/8/8/8/8/6k1/6q1/7K w - - bm #-1;":   0,
	} {
		tree, err := jobproof.New(games.Chess(), position, jobproof.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, done := tree.Done(); !done {
			t.Fatalf("%s: not decided", position)
		}
		if moves, err := own.Continue(t.Context(), games.Chess(), tree.Line(), 1000); err != nil || len(moves) != want {
			t.Errorf("%s: %v, %q", position, err, moves)
		}
	}
}
