package exact

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/game/connect4"
	"trefoil/internal/filetest"
)

var update = flag.Bool("update", false, "write testdata/positions.txt again")

// positionsFile has lines of moves and score, for positions of random games. Solver and reference
// agreed on every score when it was written.
const positionsFile = "testdata/positions.txt"

// reference is a plain alpha-beta solver for the tests: rules, the middle first, and a map of
// bounds with complete keys.
type reference map[[2]connect4.Set128][2]int

func (seen reference) solve(p connect4.Position, alpha, beta int) int {
	if _, over := p.Over(); over {
		return p.FinalScore()
	}
	stones := [2]connect4.Set128{p.Mover, p.All}
	bounds, ok := seen[stones]
	if !ok {
		bounds = [2]int{-64, 64}
	}
	if bounds[0] >= beta || bounds[0] == bounds[1] {
		return bounds[0]
	} else if bounds[1] <= alpha {
		return bounds[1]
	}
	low, best := max(alpha, bounds[0]), -64
	for _, col := range p.Board().MiddleFirst {
		if best < beta && p.CanPlay(col) {
			best = max(best, -seen.solve(p.Play(col), -beta, -max(low, best)))
		}
	}
	if best > alpha {
		bounds[0] = max(bounds[0], best)
	}
	if best < beta {
		bounds[1] = min(bounds[1], best)
	}
	seen[stones] = bounds
	return best
}

// confirms reports whether the reference solver finds the score of a position, by a search with a
// window around it.
func confirms(p connect4.Position, score int) bool {
	return reference{}.solve(p, score-1, score+1) == score
}

// TestReference: the reference solver confirms what minimax finds, and no other score.
func TestReference(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for i := range 2000 {
		p := random(r, 28+i%14)
		score := minimax(p, map[[2]connect4.Set128]int{})
		for least := score - 2; least <= score+2; least++ {
			if confirms(p, least) != (least == score) {
				t.Fatalf("%s\nscore %d: confirms %d: %v", p, score, least, least != score)
			}
		}
	}
}

// writePositions writes the file: eight positions for every fourth number of plies, none of them
// won by the next stone.
func writePositions(t *testing.T) {
	t.Helper()
	s := newSolver(t, Options{})
	r := rand.New(rand.NewPCG(14, 2))
	var out strings.Builder
	out.WriteString("# Positions of random games: moves, and the score for the side to move.\n")
	out.WriteString("# go test ./search/exact -run TestPositions -update writes this file.\n")
	for plies := 14; plies <= 30; plies += 4 {
		for n := 0; n < 8; {
			moves, p := randomGame(r, connect4.Standard, plies)
			if !p.Wins().IsZero() {
				continue
			}
			score := s.Solve(t.Context(), p, Limits{}, nil).Score
			if !confirms(p, score) {
				t.Fatalf("%s: the reference solver does not confirm %d", moves, score)
			}
			fmt.Fprintf(&out, "%s %d\n", moves, score)
			n++
		}
	}
	filetest.Write(t, positionsFile, out.String())
}

// TestPositions: every solver finds the scores of the file, the table cleared before every position. The
// reference solver finds the scores of positions near the end, and with -long all scores. The tutorial's
// solver has the node counts of a version that passed TestTutorialNodes.
func TestPositions(t *testing.T) {
	if *update {
		writePositions(t)
	}
	set := readProblems(t, positionsFile)
	for _, c := range []struct {
		options Options
		nodes   string // on the average, "" if it may change
	}{
		{Options{}, ""},
		{Options{Weak: true}, ""},
		{Options{Threads: 3, Hash: 1}, ""},
		{Options{Solver: Tutorial}, "41727.3"},
		{Options{Solver: Tutorial, Weak: true}, "20080.2"},
	} {
		nodes, mean := run(t, newSolver(t, c.options), set)
		t.Logf("%+v, %d positions: %.6g nodes, %v", c.options, len(set), nodes, mean)
		if got := fmt.Sprintf("%.6g", nodes); c.nodes != "" && got != c.nodes {
			t.Errorf("%+v: %s nodes, want %s", c.options, got, c.nodes)
		}
	}
	for _, q := range set {
		if q.p.Ply() < 20 && !*long {
			continue
		}
		if !confirms(q.p, q.score) {
			t.Errorf("%s: the reference solver does not confirm %d", q.moves, q.score)
		}
	}
}
