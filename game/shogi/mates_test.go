package shogi

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
)

// MateInOne and EscapeSquares agree with the moves.
func TestMateInOne(t *testing.T) {
	var inner game.List
	mates := 0
	walk(t, steps(1), func(p *Position, l *game.List, _ *rand.Rand) {
		if p.InCheck() && p.mated() != (l.Len() == 0) {
			t.Fatalf("mated: %v with %d moves:\n%v", p.mated(), l.Len(), p)
		}
		mates1, checks := map[game.Move]bool{}, 0
		for _, m := range l.All() {
			p.Make(m)
			if p.InCheck() {
				checks++
				mates1[m] = !p.anyMove()
			}
			p.Undo()
		}
		m, n, free := p.MateInOne(&inner)
		some := false
		for _, mate := range mates1 {
			some = some || mate
		}
		if some != (m != game.None) || some && !mates1[m] || !some && n != checks {
			t.Fatalf("mate in one %s after %d checks of %d, is there one: %v:\n%v", p.Text(m), n, checks, some, p)
		}
		if free != p.EscapeSquares(p.side^1).Count() {
			t.Fatalf("%d squares are free:\n%v", free, p)
		}
		if some {
			mates++
		}
	})
	if mates == 0 {
		t.Error("no mate in one was met")
	}
}

// Pieces that seem to capture the checker but may not: positions that random games hardly reach.
func TestMateInOneUncapturable(t *testing.T) {
	for name, sfen := range map[string]string{
		"a rook behind its king":        "3lrl3/4k4/9/4P4/9/9/9/9/9 b G 1",
		"a gold that the check unveils": "4kb3/4g4/3PSP3/9/9/9/9/9/4R4 b - 1",
	} {
		p, inner := parse(t, sfen), new(game.List)
		m, _, _ := p.MateInOne(inner)
		if m == game.None {
			t.Errorf("%s: no mate is found", name)
			continue
		}
		if p.Make(m); !p.Mated() {
			t.Errorf("%s: %s does not mate", name, p.Text(m))
		}
	}
}
