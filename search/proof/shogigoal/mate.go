package shogigoal

import (
	"trefoil/game"
	"trefoil/game/shogi"
)

// mateInOne returns a check that mates, or mates in effect, if there is one, the number of checks up to it,
// and the number of escape squares of the enemy king before it. l is overwritten.
//
// A move that neither uncovers a slider nor attacks all escape squares from its target does not
// mate, nor one whose piece the king can capture, so few of them have to be made.
func mateInOne(p *shogi.Position, l *game.List, inEffect bool) (mate game.Move, checks, escapes int) {
	l.Reset()
	p.Checks(l)
	us := shogi.Colour(p.Side())
	enemy := p.King(us.Other())
	squares := p.EscapeSquares(us.Other())
	escapes = squares.Count()
	occ := p.Occupied().Without(enemy.Bit())
	var covers shogi.Bitboard
	if escapes > 0 {
		covers = sliderAttacks(p, us)
	}
	ring := shogi.KingAttacks(enemy)
	for i, m := range l.All() {
		to, after, drop := shogi.Square(m.To()), occ, shogi.IsDrop(m)
		if !drop {
			after = after.Without(shogi.Origin(m).Bit())
		}
		if escapes > 0 && (drop || !covers.Has(shogi.Origin(m))) {
			attacks := shogi.Attacks(us, shogi.KindOf(shogi.Placed(m)), to, after.Or(to.Bit()))
			if squares.Without(attacks).Any() {
				continue
			}
		}
		if !drop && ring.Has(to) && !p.AttackersOf(to, after, us).Without(shogi.Origin(m).Bit()).Any() {
			continue // the king captures it
		}
		if !inEffect && p.Mates(m) || inEffect && p.MatesInEffect(m) {
			return m, i + 1, escapes
		}
	}
	return game.None, l.Len(), escapes
}

// sliderAttacks returns the squares that the sliders of c attack along lines.
func sliderAttacks(p *shogi.Position, c shogi.Colour) (reached shogi.Bitboard) {
	occ, own := p.Occupied(), p.Colour(c)
	var s shogi.Square
	for b := p.Kind(shogi.Lance).And(own); b.Any(); {
		s, b = b.Next()
		reached = reached.Or(shogi.LanceAttacks(c, s, occ))
	}
	for b := p.Kind(shogi.Bishop).Or(p.Kind(shogi.Horse)).And(own); b.Any(); {
		s, b = b.Next()
		reached = reached.Or(shogi.BishopAttacks(s, occ))
	}
	for b := p.Kind(shogi.Rook).Or(p.Kind(shogi.Dragon)).And(own); b.Any(); {
		s, b = b.Next()
		reached = reached.Or(shogi.RookAttacks(s, occ))
	}
	return reached
}
