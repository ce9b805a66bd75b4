package chess

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// In walks that go back and forth, UpcomingRepetition sees every move that repeats a position, and no
// other. (It would see illegal moves too, but none occurs in these walks.)
func TestUpcomingRepetition(t *testing.T) {
	seen := 0
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		p := parse(t, []string{
			StartFEN,
			"r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
			"4k3/8/8/2q5/8/3N4/8/R3K2R w KQ - 0 1",
			"8/8/3k4/8/1r6/8/3BK3/7R b - - 0 1",
		}[seed%4])
		for ply := range 60 {
			var l game.List
			p.Moves(game.All, &l)
			if l.Len() == 0 {
				break
			}
			for _, root := range []int{0, 3, ply} { // plies since the root
				want := false
				for _, m := range l.All() {
					p.Make(m)
					want = want || p.repeats(root+1)
					p.Undo()
				}
				got := p.UpcomingRepetition(root)
				if got != want {
					t.Fatalf("%v after %d plies, %d since the root: repetition %v, want %v", p, ply, root, got, want)
				}
				if got {
					seen++
				}
			}
			m := l.At(rnd.IntN(l.Len()))
			if n := len(p.history); n >= 2 && rnd.IntN(3) != 0 { // back, if that is legal
				last := p.history[n-1].move
				for _, back := range l.All() {
					if origin(back) == target(last) && target(back) == origin(last) {
						m = back
					}
				}
			}
			p.Make(m)
		}
	}
	if seen < 1000 {
		t.Errorf("%d upcoming repetitions seen, want at least 1000", seen)
	}
}
