package tests

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	oracle "github.com/notnil/chess"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
)

// openings are the start positions of the random games. The oracle has no Chess960.
var openings = []string{
	chess.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
	"r1b1k2r/1P4P1/8/pPpPp3/PpPpP3/8/1p4p1/R1B1K2R w KQkq - 0 1",
	"4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2",
}

// TestRules plays random games with package chess and with notnil/chess, and compares
// the legal moves, the placement and mates in every position: 5,000
// positions, with -long 100,000.
func TestRules(t *testing.T) {
	n := 5000
	if *long {
		n = 100000
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	var l game.List
	for n > 0 {
		fen := openings[rnd.IntN(len(openings))]
		p := gametest.Chess(t, fen)
		q := new(oracle.Position)
		if err := q.UnmarshalText([]byte(fen)); err != nil {
			t.Fatal(err)
		}
		for range 150 {
			l.Reset()
			p.Moves(game.All, &l)
			moves := compare(t, p, q, &l)
			n--
			if len(moves) == 0 || n == 0 {
				break
			}
			m := l.At(rnd.IntN(l.Len()))
			next := q.Update(moves[p.Text(m)])
			p.Make(m)
			q = next
		}
	}
}

// compare checks p and its legal moves against q, and returns q's moves by name.
func compare(t *testing.T, p *chess.Position, q *oracle.Position, l *game.List) map[string]*oracle.Move {
	t.Helper()
	moves := map[string]*oracle.Move{}
	var want, got []string
	for _, m := range q.ValidMoves() {
		moves[m.String()] = m
		want = append(want, m.String())
	}
	for _, m := range l.All() {
		got = append(got, p.Text(m))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Fatalf("%s: moves\n%v, want\n%v", p.FEN(), got, want)
	}
	ours, theirs := strings.Fields(p.FEN()), strings.Fields(q.String())
	theirs[3] = ours[3] // the oracle writes en passant targets that no pawn can capture on
	if !slices.Equal(ours, theirs) {
		t.Fatalf("%v, want %v", ours, theirs)
	}
	if len(want) == 0 && (p.NoMoves() == game.Loss) != (q.Status() == oracle.Checkmate) {
		t.Fatalf("%s: outcome %v, but %v", p.FEN(), p.NoMoves(), q.Status())
	}
	return moves
}
