package chess

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// MateInOne finds a mate wherever there is one, and counts the checks. CheckCount counts them if the side
// to move is not in check, but for castling, promotions and captures en passant.
func TestMateInOne(t *testing.T) {
	var moves, inner game.List
	rnd := rand.New(rand.NewPCG(1, 2))
	mates := 0
	for range 300 {
		p := parse(t, []string{
			StartFEN,
			"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
			"r1b1k2r/1P4P1/8/pPpPp3/PpPpP3/8/1p4p1/R1B1K2R w KQkq - 0 1",
			"qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
		}[rnd.IntN(4)])
		for range 60 {
			moves.Reset()
			p.Moves(game.All, &moves)
			if moves.Len() == 0 {
				break
			}
			mating, checks, counted := game.None, 0, 0
			for _, m := range moves.All() {
				p.Make(m)
				if p.InCheck() {
					checks++
					if form := m & forms; form == plain || form == doubleStep {
						counted++
					}
					if p.MoveCount() == 0 {
						mating = m
					}
				}
				p.Undo()
			}
			if n := p.CheckCount(); n != counted && !p.InCheck() {
				t.Fatalf("%d checks, not %d:\n%v", n, counted, p)
			}
			m, n := p.MateInOne(p.EscapeSquares(Colour(p.Side()^1)), &inner)
			if (m == game.None) != (mating == game.None) || n > checks || m == game.None && n != checks {
				t.Fatalf("mate in one %s after %d checks, not %s of %d:\n%v", p.Text(m), n, p.Text(mating), checks, p)
			}
			if m != game.None {
				mates++
				p.Make(m)
				if !p.Mated() {
					t.Fatalf("%s does not mate:\n%v", p.Text(m), p)
				}
				p.Undo()
			}
			p.Make(moves.At(rnd.IntN(moves.Len())))
		}
	}
	if mates == 0 {
		t.Error("no mate in one was met")
	}
}
