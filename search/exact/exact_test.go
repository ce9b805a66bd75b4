package exact

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"trefoil/game/connect4"
	"trefoil/game/gametest"
	"trefoil/internal/filetest"
	"trefoil/internal/tabletest"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// minimax is the score of p by the rules alone, with a map of visited positions.
func minimax(p connect4.Position, seen map[[2]connect4.Set128]int) int {
	if _, over := p.Over(); over {
		return p.FinalScore()
	}
	stones := [2]connect4.Set128{p.Mover, p.All}
	if v, ok := seen[stones]; ok {
		return v
	}
	best := -p.Board().Cells
	for col := range p.Board().Width {
		if p.CanPlay(col) {
			best = max(best, -minimax(p.Play(col), seen))
		}
	}
	seen[stones] = best
	return best
}

// random is randomOn on the standard board. It always finds a position.
func random(r *rand.Rand, plies int) connect4.Position {
	for {
		if p, ok := randomOn(r, connect4.Standard, plies); ok {
			return p
		}
	}
}

// randomGame returns a random game that is not over after that many plies, and its last position.
func randomGame(r *rand.Rand, b *connect4.Board, plies int) (moves string, p connect4.Position) {
	for {
		moves, p = "", b.Start()
		for p.Ply() < plies {
			if col := r.IntN(b.Width); p.CanPlay(col) {
				moves += connect4.Text(col)
				p = p.Play(col)
			}
			if _, over := p.Over(); over {
				break
			}
		}
		if _, over := p.Over(); p.Ply() == plies && !over {
			return moves, p
		}
	}
}

// standard is the standard board.
var standard = newBoard(connect4.Standard, leastKeyBits)

func sign(v int) int { return max(-1, min(v, 1)) }

func newSolver(t testing.TB, o Options) *Solver {
	t.Helper()
	s, err := New(o)
	tabletest.CloseAtEnd(t, s, err)
	return s
}

// TestMinimax: 8,000 positions near the end, with -long 100,000, by every solver, without clearing the table: what
// one search stores must be right for all others.
func TestMinimax(t *testing.T) {
	solvers := map[string]*Solver{
		"best":     newSolver(t, Options{Hash: 1}),
		"weak":     newSolver(t, Options{Hash: 1, Weak: true}),
		"tutorial": newSolver(t, Options{Solver: Tutorial}),
	}
	r := rand.New(rand.NewPCG(3, 42))
	ctx := context.Background()
	n := 8_000
	if *long {
		n = 100_000
	}
	for i := range n {
		p := random(r, 30+i%12)
		want := minimax(p, map[[2]connect4.Set128]int{})
		for name, s := range solvers {
			want := want
			if s.weak {
				want = sign(want)
			}
			if got := s.Solve(ctx, p, Limits{}, nil); got.Score != want || !got.Exact {
				t.Fatalf("%s\n%s: %+v, want %d", p, name, got, want)
			}
		}
	}
}

// TestBounds: the score is within the static bounds of a position.
func TestBounds(t *testing.T) {
	s := newSolver(t, Options{Solver: Tutorial})
	r := rand.New(rand.NewPCG(7, 6))
	tight := 0
	const positions = 5_000
	for i := range positions {
		p := random(r, 18+i%20)
		if !p.Wins().IsZero() {
			continue
		}
		n := newNode(p)
		if !n.resolve(standard) {
			n.bound(standard, int32(i%8)-4)
			n.bound(standard, 1)
		}
		lower, upper := n.bounds()
		if lower == upper || upper <= 0 || lower >= 0 {
			tight++
		}
		if got := s.Solve(t.Context(), p, Limits{}, nil).Score; got < int(lower) || got > int(upper) {
			t.Fatalf("%s\nscore %d, bounds %d to %d", p, got, lower, upper)
		}
	}
	t.Logf("%d of %d positions decided, or not to be won by one side", tight, positions)
}

type problem struct {
	moves string
	p     connect4.Position
	score int
}

// tutorialSet reads a set of the tutorial, which the repository does not contain.
func tutorialSet(t testing.TB, set string) []problem {
	t.Helper()
	return readProblems(t, filetest.Further(t, "connect4/Test_"+set))
}

// readProblems reads a file of lines of moves and score.
func readProblems(t testing.TB, path string) (list []problem) {
	t.Helper()
	for _, line := range filetest.Lines(t, path) {
		var q problem
		if _, err := fmt.Sscan(line, &q.moves, &q.score); err != nil {
			t.Fatal(err)
		}
		q.p = gametest.ConnectFour(t, q.moves)
		list = append(list, q)
	}
	return list
}

// run solves a set, the table cleared before every position, and returns mean nodes and time.
func run(t *testing.T, s *Solver, set []problem) (nodes float64, mean time.Duration) {
	t.Helper()
	var sum uint64
	var total time.Duration
	for _, q := range set {
		if err := s.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := s.Solve(t.Context(), q.p, Limits{}, nil)
		want := q.score
		if s.weak {
			want = sign(want)
		}
		if r.Score != want || !r.Exact {
			t.Errorf("%s: %+v, want %d", q.moves, r, want)
		}
		sum += r.Nodes
		total += r.Time
	}
	return float64(sum) / float64(len(set)), total / time.Duration(len(set))
}

// TestTutorialNodes: the tutorial's solver searches exactly as many nodes as the tutorial publishes.
func TestTutorialNodes(t *testing.T) {
	strong, weak := newSolver(t, Options{Solver: Tutorial}), newSolver(t, Options{Solver: Tutorial, Weak: true})
	for _, c := range []struct {
		set          string
		strong, weak float64
		long         bool
	}{
		{"L3_R1", 54.931, 31.464, false},
		{"L2_R1", 517.374, 618.781, false},
		{"L1_R1", 3692.86, 25534.1, true},
		{"L2_R2", 48447.1, 23844.5, true},
	} {
		set := tutorialSet(t, c.set)
		if c.long && !*long {
			continue
		}
		for s, want := range map[*Solver]float64{strong: c.strong, weak: c.weak} {
			nodes, mean := run(t, s, set)
			t.Logf("%s weak %v: %.6g nodes, %v", c.set, s.weak, nodes, mean)
			if got, want := fmt.Sprintf("%.6g", nodes), fmt.Sprintf("%.6g", want); got != want {
				t.Errorf("%s weak %v: %s nodes, want %s", c.set, s.weak, got, want)
			}
		}
	}
}

// TestSets: the default solver finds all scores of the tutorial's sets.
func TestSets(t *testing.T) {
	strong, weak := newSolver(t, Options{}), newSolver(t, Options{Weak: true})
	for _, c := range []struct {
		set  string
		long bool
	}{{"L3_R1", false}, {"L2_R1", false}, {"L1_R1", false}, {"L2_R2", true}, {"L1_R2", true}, {"L1_R3", true}} {
		set := tutorialSet(t, c.set)
		if c.long && !*long {
			set = set[:20]
		}
		for _, s := range []*Solver{strong, weak} {
			nodes, mean := run(t, s, set)
			t.Logf("%s weak %v, %d positions: %.6g nodes, %v", c.set, s.weak, len(set), nodes, mean)
		}
	}
}
