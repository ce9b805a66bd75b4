package chessgoal

import (
	"context"
	"flag"
	"sync"
	"testing"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/search/proof"
	"trefoil/tools/referee/retrograde"
)

var long = flag.Bool("long", false, "also check the endings of four pieces, in some 20 s of processor time")

// solves reports within how many moves the attacker mates by what is known without a search, 0 if not within most.
func solves(t *testing.T, p *chess.Position, attacker chess.Colour, most int) int {
	t.Helper()
	for n := 1; n <= most; n++ {
		var s proof.Child
		if New(p, attacker, n).Evaluate(&s); s.Phi == 0 {
			return n
		} else if s.Delta != 0 {
			t.Fatalf("%s: not known within %d", p.FEN(), n)
		}
	}
	return 0
}

// TestEndings: the longest mates are the published ones, and every position has the distance that
// retrograde finds by rules of its own.
func TestEndings(t *testing.T) {
	names, longest := [...]string{"KQvK", "KRvK", "KBBvK", "KBNvK"}, [...]int{10, 16, 19, 33}
	solver := retrograde.NewSolver(retrograde.ToMate)
	for i := range endings {
		if len(endings[i].kinds) > 2 && !*long {
			continue
		}
		table, err := solver.Solve(names[i])
		if err != nil {
			t.Fatal(err)
		}
		most, n := 0, 0
		for r, want := range table.All() {
			p := gametest.Chess(t, r.FEN())
			white := p.Side() == int(chess.White)
			e, m := endingOf(p, chess.White)
			if e != &endings[i] {
				t.Fatalf("%s: another ending", p.FEN())
			}
			got := 0 // plies
			if white {
				got = max(2*e.mate(m)-1, 0)
			} else if moves, ok := e.lost(m); ok {
				got = -2 * moves
			}
			if got != want.DTM {
				t.Fatalf("%s: %d plies, not %d", p.FEN(), got, want.DTM)
			}
			if moves := (got + 1) / 2; white && n%997 == 0 && solves(t, p, chess.White, longest[i]) != moves {
				t.Errorf("%s: not mate in %d", p.FEN(), moves)
			}
			most = max(most, (got+1)/2)
			n++
		}
		if most != longest[i] {
			t.Errorf("%s: the longest mate has %d moves, not %d", names[i], most, longest[i])
		}
	}
}

// TestPrepare: a search whose context has ended does not wait until its ending is solved; another one does.
func TestPrepare(t *testing.T) {
	e := &endings[0]
	e.once, e.moves = sync.Once{}, nil
	begun, release := make(chan bool), make(chan bool)
	go e.once.Do(func() {
		close(begun)
		<-release
		e.solve()
	})
	<-begun
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	Prepare(ended, gametest.Chess(t, "8/8/8/8/4k3/8/Q7/4K3 w - - 0 1"))
	Prepare(t.Context(), gametest.Chess(t, chess.StartFEN)) // is no ending
	close(release)
	Prepare(t.Context(), gametest.Chess(t, "8/8/8/8/4K3/8/q7/4k3 w - - 0 1"))
	if e.moves == nil {
		t.Error("the ending is not solved")
	}
}

// TestEndingRules: the count, castling and positions that have occurred twice limit what a distance says.
func TestEndingRules(t *testing.T) {
	const rook = "8/8/8/8/4k3/8/R7/4K3 w - - " // mate in 13
	for _, c := range []struct {
		name, fen, moves string
		left             int
		phi, delta       uint32 // 1: not known
	}{
		{"in time", rook + "75 90", "", 13, 0, proof.Infinity},
		{"too late", rook + "76 90", "", 250, proof.Infinity, 0},
		{"too few moves", rook + "0 1", "", 12, proof.Infinity, 0},
		{"Black", "4k3/r7/8/4K3/8/8/8/8 b - - 75 90", "", 13, 0, proof.Infinity},
		{"castling", "8/8/8/8/4k3/8/8/4K2R w K - 0 1", "", 20, 1, 1},
		{"played once", rook + "0 1", "a2b2 e4e5 b2a2 e5e4", 13, 1, 1},
		{"played once, too few moves", rook + "0 1", "a2b2 e4e5 b2a2 e5e4", 12, proof.Infinity, 0},
		{"mate at once", "7k/8/6K1/8/8/8/8/R7 w - - 100 90", "", 1, 0, proof.Infinity},
	} {
		p := gametest.Chess(t, c.fen, c.moves)
		g := New(p, chess.Colour(p.Side()), c.left)
		var s proof.Child
		g.Evaluate(&s)
		if known := c.phi != 1; known != s.Solved() || known && (s.Phi != c.phi || s.Delta != c.delta) {
			t.Errorf("%s: φ %d δ %d", c.name, s.Phi, s.Delta)
		}
		if s.Phi != 0 {
			continue
		}
		next := g.Expand(nil, noTable{})
		if len(next) != 1 || next[0].Delta != 0 || next[0].Move == game.None || int(next[0].Plies) != 2*c.left-2 {
			t.Errorf("%s: %+v", c.name, next)
		}
	}
	// A king alone does not mate.
	var s proof.Child
	if New(gametest.Chess(t, rook+"0 1"), chess.Black, 250).Evaluate(&s); s.Phi != 0 {
		t.Errorf("φ %d δ %d", s.Phi, s.Delta)
	}
}
