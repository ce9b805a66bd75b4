package shogigoal

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
	"trefoil/search/proof"
	"trefoil/search/proof/initial"
)

// hasFeatures reports whether the initial numbers of p, for a goal of an attacker, come from
// features.
func hasFeatures(p *shogi.Position, attacker shogi.Colour) bool {
	if p.Side() != int(attacker) {
		return p.InCheck() && p.MoveCount() > 0
	}
	mate, checks, _ := mateInOne(p, new(game.List), false)
	return mate == game.None && checks > 0
}

// A position has one feature of each group, and the same with the sides exchanged and mirrored.
func TestFeatures(t *testing.T) {
	for _, attacking := range []bool{true, false} {
		sum, all := 0, len(attackWeights)
		if !attacking {
			all = len(defenceWeights)
		}
		for _, n := range Groups(attacking) {
			sum += n
		}
		if sum != all {
			t.Fatalf("attacking %v: %d features, %d weights", attacking, sum, all)
		}
	}
	seen := 0
	check := func(p *shogi.Position, attacker shogi.Colour) {
		if !hasFeatures(p, attacker) {
			return
		}
		seen++
		features := func(swap, mirror bool) []uint16 {
			side := attacker
			if swap {
				side ^= 1
			}
			g := New(gametest.Shogi(t, turned(p.SFEN(), swap, mirror)), side, 9)
			return g.featuresAfter(turnedMove(p.LastMove(), swap, mirror))
		}
		first := features(false, false)
		groups := Groups(p.Side() == int(attacker))
		if len(first) != len(groups) {
			t.Fatalf("%d features of %d groups:\n%v", len(first), len(groups), p)
		}
		at := 0
		for i, n := range groups {
			if f := int(first[i]); f < at || f >= at+n {
				t.Fatalf("feature %d of group %d, which has %d to %d:\n%v", f, i, at, at+n-1, p)
			}
			at += n
		}
		for _, swap := range []bool{true, false} {
			if turned := features(swap, true); !slices.Equal(turned, first) {
				t.Fatalf("sides swapped %v, mirrored: %v, not %v:\n%v", swap, turned, first, p)
			}
		}
	}
	walk(t, 4000, func(p *shogi.Position, rnd *rand.Rand) { check(p, shogi.Colour(rnd.IntN(2))) })
	// A double check, in which one piece can be taken.
	double := gametest.Shogi(t, "9/9/9/9/4k4/9/4S4/9/K3R4 b - 1", "5g4f")
	check(double, shogi.Black)
	if seen < 100 {
		t.Errorf("only %d positions have features", seen)
	}
}

// The initial numbers of a child are the numbers of its features.
func TestInitialNumbers(t *testing.T) {
	seen := 0
	walk(t, 2000, func(p *shogi.Position, rnd *rand.Rand) {
		attacker := shogi.Colour(rnd.IntN(2))
		if p.King(attacker^1) == shogi.Nowhere || !hasFeatures(p, attacker) {
			return
		}
		c := New(p, attacker, MaxMoves+1)
		for _, s := range c.Expand(nil, noTable{}) {
			if s.Solved() {
				continue
			}
			seen++
			c.Make(s.Move)
			weights := attackWeights[:]
			if !c.Attacking() {
				weights = defenceWeights[:]
			}
			var there proof.Child
			initial.Evaluate(&there, c.Features(), weights)
			if there.Phi != s.Phi || there.Delta != s.Delta {
				t.Fatalf("φ %d δ %d, by features %d and %d:\n%v", s.Phi, s.Delta, there.Phi, there.Delta, c.p)
			}
			c.Undo()
		}
	})
	if seen < 100 {
		t.Errorf("only %d children were compared", seen)
	}
}

// turned is a position with the sides swapped, mirrored or both.
func turned(sfen string, swap, mirror bool) string {
	fields := strings.Fields(sfen)
	rows := strings.Split(fields[0], "/")
	if swap {
		slices.Reverse(rows)
	}
	for i, row := range rows {
		if swap != mirror { // to swap turns the board round
			rows[i] = backwards(row)
		}
		if swap {
			rows[i] = otherCase(rows[i])
		}
	}
	fields[0] = strings.Join(rows, "/")
	if swap {
		fields[1] = map[string]string{"b": "w", "w": "b"}[fields[1]]
		fields[2] = otherCase(fields[2])
	}
	return strings.Join(fields, " ")
}

// turnedMove is the move that is m on a board that is turned so.
func turnedMove(m game.Move, swap, mirror bool) game.Move {
	square := func(s shogi.Square) game.Move {
		if swap {
			s = 80 - s
		}
		if mirror {
			s = (8-s/9)*9 + s%9
		}
		return game.Move(s)
	}
	code := func(code int) game.Move {
		if swap && code != 0 {
			code = shogi.Code(shogi.ColourOf(code)^1, shogi.KindOf(code))
		}
		return game.Move(code)
	}
	from := m & (127 << 7)
	if !shogi.IsDrop(m) {
		from = square(shogi.Square(m>>7&127)) << 7
	}
	return m&(3<<14) | from | square(shogi.Square(m.To())) | code(m.Piece())<<16 | code(m.Victim())<<21
}

// backwards is a row of a board from the other end.
func backwards(row string) string {
	var b strings.Builder
	for i := len(row) - 1; i >= 0; i-- {
		if row[i] == '+' {
			continue
		}
		if i > 0 && row[i-1] == '+' {
			b.WriteByte('+')
		}
		b.WriteByte(row[i])
	}
	return b.String()
}

func otherCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}
