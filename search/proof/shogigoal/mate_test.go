package shogigoal

import (
	"math/rand/v2"
	"testing"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
)

// mateInOne and EscapeSquares agree with the moves.
func TestMateInOne(t *testing.T) {
	var moves, inner game.List
	mates := 0
	walk(t, 4000, func(p *shogi.Position, _ *rand.Rand) {
		if p.King(shogi.Colour(p.Side()).Other()) == shogi.Nowhere {
			return
		}
		moves.Reset()
		p.Moves(game.All, &moves)
		mating, checks := map[game.Move]bool{}, 0
		for _, m := range moves.All() {
			p.Make(m)
			if p.InCheck() {
				checks++
				mating[m] = p.MoveCount() == 0
			}
			p.Undo()
		}
		m, n, escapes := mateInOne(p, &inner, false)
		some := false
		for _, mate := range mating {
			some = some || mate
		}
		if some != (m != game.None) || some && !mating[m] || !some && n != checks {
			t.Fatalf("mate in one %s after %d checks of %d, is there one: %v:\n%v", p.Text(m), n, checks, some, p)
		}
		if escapes != p.EscapeSquares(shogi.Colour(p.Side()).Other()).Count() {
			t.Fatalf("%d escape squares:\n%v", escapes, p)
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
		p, inner := gametest.Shogi(t, sfen), new(game.List)
		m, _, _ := mateInOne(p, inner, false)
		if m == game.None {
			t.Errorf("%s: no mate is found", name)
			continue
		}
		if p.Make(m); !p.Mated() {
			t.Errorf("%s: %s does not mate", name, p.Text(m))
		}
	}
}
