package shogi

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// mateWithin is the plainest search: whether the side to move mates within so many plies.
func mateWithin(p *Position, plies int) bool {
	var l game.List
	p.Moves(game.All, &l)
	for _, m := range l.All() {
		p.Make(m)
		mates := p.Mated() || plies > 1 && p.InCheck() && matedWithin(p, plies-1)
		p.Undo()
		if mates {
			return true
		}
	}
	return false
}

// matedWithin reports whether the side to move is mated within so many plies, whatever it plays.
func matedWithin(p *Position, plies int) bool {
	var l game.List
	p.Moves(game.All, &l)
	for _, m := range l.All() {
		p.Make(m)
		mates := mateWithin(p, plies-1)
		p.Undo()
		if !mates {
			return false
		}
	}
	return true
}

// A mate in three that is seen is one, and most are seen.
func TestMateInThree(t *testing.T) {
	var inner [3]game.List
	mates, seen := 0, 0
	walk(t, steps(8), func(p *Position, l *game.List, _ *rand.Rand) {
		if p.InCheck() {
			return
		}
		m := p.MateInThree(&inner)
		some := mateWithin(p, 3)
		if some {
			mates++
		}
		if m == game.None {
			return
		}
		seen++
		p.Make(m)
		if !some || !p.InCheck() || !matedWithin(p, 2) {
			t.Fatalf("%s does not mate in three:\n%v", p.Text(m), p)
		}
		p.Undo()
	})
	t.Logf("%d of %d mates within three are seen", seen, mates)
	if mates == 0 || seen < mates/2 {
		t.Errorf("%d of %d mates within three are seen", seen, mates)
	}
}
