package shogi

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"trefoil/game"
)

// What is seen of mates in one and of free squares is what the moves say.
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
		m, n, free := p.mateInOne(&inner)
		some := false
		for _, mate := range mates1 {
			some = some || mate
		}
		if some != (m != game.None) || some && !mates1[m] || !some && n != checks {
			t.Fatalf("mate in one %s after %d checks of %d, is there one: %v:\n%v", p.Text(m), n, checks, some, p)
		}
		if free != p.flights(p.side^1).Count() {
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

// Who seems to take the checking piece, but may not: positions that walks hardly meet.
func TestMateInOneThatNobodyTakes(t *testing.T) {
	for name, sfen := range map[string]string{
		"a rook behind its king":        "3lrl3/4k4/9/4P4/9/9/9/9/9 b G 1",
		"a gold that the check unveils": "4kb3/4g4/3PSP3/9/9/9/9/9/4R4 b - 1",
	} {
		p, inner := parse(t, sfen), new(game.List)
		m, _, _ := p.mateInOne(inner)
		if m == game.None {
			t.Errorf("%s: no mate is seen", name)
			continue
		}
		if p.Make(m); !p.Mated() {
			t.Errorf("%s: %s does not mate", name, p.Text(m))
		}
	}
}

type nobody struct{}

func (nobody) Prefetch(uint64) {}

// A position is the same claim only with the same attacker, moves left and, where they
// matter, earlier occurrences; Make and Undo lead where Expand says and back.
func TestClaimKey(t *testing.T) {
	const sfen = "7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1"
	const endless = MostMoves + 1
	key := func(who Colour, moves int) uint64 { return NewClaim(parse(t, sfen), who, moves).Key() }
	base := key(Black, 5)
	for name, other := range map[string]uint64{
		"attacker": key(White, 5), "number of moves": key(Black, 6), "number, which is no limit,": key(Black, endless),
	} {
		if other == base {
			t.Errorf("another %s, the same key", name)
		}
	}
	for _, left := range []int{5, endless} {
		c := NewClaim(parse(t, sfen), Black, left)
		for _, s := range c.Expand(nil, nobody{}) {
			c.Make(s.Move)
			if c.Key() != s.Key && s.Key != 0 {
				t.Errorf("%v: the key after it is not that of Expand", s.Move)
			}
			if c.Attacking() || (c.Left() != left) != (left == 5) {
				t.Errorf("%d moves left of %d", c.Left(), left)
			}
			c.Undo()
		}
		if c.Key() != key(Black, left) || c.Left() != left {
			t.Error("Undo does not lead back")
		}
	}
	p := parse(t, "8k/9/9/9/9/9/9/9/K6R1 b - 1")
	before := NewClaim(p, Black, 5).Key()
	for range 2 {
		if NewClaim(p, Black, 5).Key() != before {
			t.Error("a position that has not occurred three times is another claim")
		}
		play(t, p, "2i1i 1a2a 1i2i 2a1a")
	}
	c := NewClaim(p, Black, 5)
	if c.Key() == before {
		t.Error("a position that has occurred three times is the same claim")
	}
	play(t, p, "2i1i 1a2a 1i2i 2a1a")
	if !NewClaim(p, Black, 5).Drawn() || c.Drawn() {
		t.Error("the fourth occurrence ends the game, the third does not")
	}
}

// A check that brings a position about for the fourth time mates nobody, whatever the moves left.
func TestFourthTime(t *testing.T) {
	p := parse(t, "8k/9/9/9/9/9/9/9/K6R1 b - 1")
	for range 3 {
		play(t, p, "2i1i 1a2a 1i2i 2a1a")
	}
	check, err := p.ParseMove("2i1i")
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []int{2, MostMoves, MostMoves + 1, math.MaxInt32} {
		for _, s := range NewClaim(p, Black, left).Expand(nil, nobody{}) {
			if drawn := s.Phi == 0; drawn != (s.Move == check) {
				t.Errorf("%s with %d moves left: the defender is saved: %v", p.Text(s.Move), left, drawn)
			}
		}
	}
}

// What a claim remembers of a position is what it sees there, whatever it has looked at since.
func TestGlances(t *testing.T) {
	for _, sfen := range []string{
		"7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1",
		"6ppk/6+B2/9/9/9/9/9/9/4K4 b RGNL3P 1",
	} {
		c := NewClaim(parse(t, sfen), Black, 0)
		rnd := rand.New(rand.NewPCG(1, 2))
		met := 0
		for range 300 {
			c.SetLeft([]int{1, 2, 3, math.MaxInt32}[rnd.IntN(4)])
			depth := 0
			for ; c.left > 0 && depth < 6; depth++ {
				again := c.Expand(nil, nobody{})
				kept := c.glances
				c.glances = nil
				anew := c.Expand(nil, nobody{})
				c.glances = kept
				if !slices.Equal(again, anew) {
					t.Fatalf("%d moves left, seen %+v, remembered %+v, in\n%v", c.left, anew, again, c.p)
				}
				if len(anew) == 0 {
					break
				}
				met++
				c.Make(anew[rnd.IntN(len(anew))].Move)
			}
			for range depth {
				c.Undo()
			}
		}
		if met < 300 {
			t.Errorf("%d positions met", met)
		}
	}
}

// Hands that are enough or not enough follow from the moves.
func TestStock(t *testing.T) {
	h := func(p *Position) Hand { return p.Hand(Black) }
	small, big := parse(t, "4k4/9/9/9/9/9/9/9/4K4 b GP 1"), parse(t, "4k4/9/9/9/9/9/9/9/4K4 b RG2P 1")
	if !h(big).Covers(h(small)) || h(small).Covers(h(big)) {
		t.Error("a gold and a pawn are covered by a rook, a gold and two pawns, not the reverse")
	}
	if h(big).both(h(small)) != h(small) || h(big).either(h(small)) != h(big) {
		t.Error("both, either")
	}
	// The rook mates from afar only as long as White has nothing to put between.
	p := parse(t, "6ppk/6+B2/9/9/9/9/9/9/4K4 b RG 1")
	play(t, p, "R*1e")
	if c := NewClaim(p, Black, 1); c.guards(0) != one(Gold) {
		t.Errorf("Black must keep %b, not one gold", c.guards(0))
	}
}
