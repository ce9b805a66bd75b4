package exact

import (
	"math/rand/v2"
	"testing"

	"trefoil/game/connect4"
	"trefoil/game/gametest"
)

// TestAnalyzeAndLine: Analyze agrees with minimax on every column, and the game of Line ends with
// the score.
func TestAnalyzeAndLine(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	for name, s := range map[string]*Solver{"best": newSolver(t, Options{Hash: 1}),
		"tutorial": newSolver(t, Options{Solver: Tutorial})} {
		for i := range 60 {
			p := random(r, 28+i%14)
			columns := s.Analyze(t.Context(), p, Limits{}, nil)
			for col, c := range columns {
				if c.Full != !p.CanPlay(col) {
					t.Fatalf("%s\n%s: column %d: %+v", p, name, col, c)
				}
				if c.Full {
					continue
				}
				if want := -minimax(p.Play(col), map[[2]connect4.Set128]int{}); c.Score != want || !c.Exact || c.Col != col {
					t.Fatalf("%s\n%s: column %d: %+v, want %d", p, name, col, c, want)
				}
			}
			want := minimax(p, map[[2]connect4.Set128]int{})
			end, turn := p, 1
			for _, col := range s.Line(t.Context(), p, Limits{}) {
				if !end.CanPlay(col) {
					t.Fatalf("%s\n%s: column %d is full", end, name, col)
				}
				end, turn = end.Play(col), -turn
			}
			if _, over := end.Over(); !over || turn*minimax(end, nil) != want {
				t.Fatalf("%s\n%s: the line ends with\n%s, want %d", p, name, end, want)
			}
		}
	}
}

// TestOver: a game that is over has a score and no moves.
func TestOver(t *testing.T) {
	s := newSolver(t, Options{Hash: 1})
	p := gametest.ConnectFour(t, "1212121")
	if r := s.Solve(t.Context(), p, Limits{}, nil); r.Score != -18 || !r.Exact {
		t.Errorf("%+v, want -18: the winner has four stones", r)
	}
	for _, c := range s.Analyze(t.Context(), p, Limits{}, nil) {
		if !c.Full {
			t.Errorf("%+v after the end", c)
		}
	}
	if line := s.Line(t.Context(), p, Limits{}); len(line) != 0 {
		t.Errorf("line %v after the end", line)
	}
}
