package shogigoal

import (
	"trefoil/game"
	"trefoil/game/shogi"
	"trefoil/search/proof"
)

// Positions with the same board are compared by the attacker's hand: a mate remains a mate with more in
// hand, and what fails still fails with less. Proof pieces are a hand that is enough to mate, disproof
// pieces a hand that is not enough. A piece that is not in the attacker's hand is in the defender's, so the
// key of the board tells apart positions that have not the same pieces in all.

// fullSet is what pieces returns in a game that has begun with all pieces.
var fullSet = 18*shogi.One(shogi.Pawn) + 4*shogi.One(shogi.Lance) + 4*shogi.One(shogi.Knight) +
	4*shogi.One(shogi.Silver) +
	4*shogi.One(shogi.Gold) + 2*shogi.One(shogi.Bishop) + 2*shogi.One(shogi.Rook)

// pieces returns all pieces on the board and in both hands, except the kings.
func pieces(p *shogi.Position) shogi.Hand {
	all := p.Hand(shogi.Black) + p.Hand(shogi.White)
	for board := p.Occupied(); board.Any(); {
		var s shogi.Square
		s, board = board.Next()
		if k := shogi.KindOf(p.At(s)).Plain(); k != shogi.King {
			all += shogi.One(k)
		}
	}
	return all
}

// Dominates reports whether a hand has at least as many pieces of every kind as another. If a position has occurred
// three times it never does: what leads there may fail with more in hand, and mate with less.
func (g *Goal) Dominates(hand, other uint32) bool {
	return g.thrice == nil && shogi.Hand(hand).Dominates(shogi.Hand(other))
}

// SolvingHand returns the proof or disproof pieces of the present position, from the pieces of its winning
// child or of all its children.
func (g *Goal) SolvingHand(children []proof.Child, witness int, won bool) uint32 {
	switch attacking := g.Attacking(); {
	case attacking && won:
		c := &children[witness]
		return uint32(handBefore(c.Move, shogi.Hand(c.Hand)))
	case attacking:
		h := g.noNewDrops()
		for i := range children {
			h = least(h, handBefore(children[i].Move, shogi.Hand(children[i].Hand)))
		}
		return uint32(h)
	case won:
		return uint32(least(shogi.Hand(children[witness].Hand), g.p.Hand(shogi.Black)+g.p.Hand(shogi.White)))
	}
	h := shogi.Hand(0)
	for i := range children {
		h = most(h, shogi.Hand(children[i].Hand))
	}
	return uint32(g.withhold(h))
}

// handBefore returns the hand before the attacker's move m if it is h afterwards.
func handBefore(m game.Move, h shogi.Hand) shogi.Hand {
	if shogi.IsDrop(m) {
		return h + shogi.One(shogi.Dropped(m))
	}
	if victim := m.Victim(); victim != 0 {
		if k := shogi.KindOf(victim).Plain(); h.Has(k) {
			return h - shogi.One(k)
		}
	}
	return h
}

// noNewDrops returns the greatest hand that allows no other drops than the attacker's: all pieces in
// hand of the kinds that it has.
func (g *Goal) noNewDrops() (h shogi.Hand) {
	own, all := g.p.Hand(g.attacker), g.p.Hand(shogi.Black)+g.p.Hand(shogi.White)
	for k := shogi.Pawn; k <= shogi.Rook; k++ {
		if own.Has(k) {
			h += shogi.One(k) * shogi.Hand(all.Count(k))
		}
	}
	return h
}

// withhold adds to h the pieces that the attacker must keep so that the defender, in check, cannot
// interpose them.
func (g *Goal) withhold(h shogi.Hand) shogi.Hand {
	return g.withholdFrom(g.gap(), h)
}

// gap returns the squares between the defender's king and the only checker.
func (g *Goal) gap() (gap shogi.Bitboard) {
	if checkers := g.p.Checkers(); !checkers.Many() {
		gap = shogi.Between(g.p.King(shogi.Colour(g.p.Side())), checkers.First())
	}
	return gap
}

// mateHand returns the pieces that the attacker must keep so that the present mate remains one. In a mate
// in effect useless drops do not matter, unless a piece on the board can be put between: then no other drop
// may be possible afterwards.
func (g *Goal) mateHand() (h shogi.Hand) {
	gap := g.gap()
	if !g.inEffect || !gap.Any() {
		return g.withholdFrom(gap, 0)
	}
	p, us := g.p, shogi.Colour(g.p.Side())
	for b := gap; b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		if p.AttackersOf(s, p.Occupied(), us).Without(p.King(us).Bit()).Any() {
			return g.withholdAll()
		}
	}
	return g.withholdFrom(p.UsefulDrops(), 0)
}

// withholdAll returns the attacker's pieces of the kinds that the defender has not in hand.
func (g *Goal) withholdAll() (h shogi.Hand) {
	own, theirs := g.p.Hand(g.attacker), g.p.Hand(g.attacker.Other())
	for k := shogi.Pawn; k <= shogi.Rook; k++ {
		if !theirs.Has(k) {
			h += shogi.One(k) * shogi.Hand(own.Count(k))
		}
	}
	return h
}

// withholdFrom adds to h the pieces that the attacker must keep so that the defender cannot drop them on
// gap.
func (g *Goal) withholdFrom(gap shogi.Bitboard, h shogi.Hand) shogi.Hand {
	if !gap.Any() {
		return h
	}
	p, us := g.p, shogi.Colour(g.p.Side())
	for k := shogi.Pawn; k <= shogi.Rook; k++ {
		n := p.Hand(us.Other()).Count(k)
		if n == 0 || p.Hand(us).Has(k) {
			continue
		}
		if p.DropTargets(us, k, gap).Any() {
			h += shogi.One(k) * shogi.Hand(n-h.Count(k))
		}
	}
	return h
}

// least returns the smaller number of each kind of piece in two hands.
func least(h, g shogi.Hand) (b shogi.Hand) {
	for k := shogi.Pawn; k <= shogi.Rook; k++ {
		b += shogi.One(k) * shogi.Hand(min(h.Count(k), g.Count(k)))
	}
	return b
}

// most returns the greater number of each kind of piece in two hands.
func most(h, g shogi.Hand) shogi.Hand { return h + g - least(h, g) }
