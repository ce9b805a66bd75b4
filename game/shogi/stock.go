package shogi

import "trefoil/game"

// The hand that proves a mate, or refutes it, is what comparing positions of one board rests
// on (proof and disproof pieces). What is not in the attacker's hand is in the defender's.

// Covers reports whether a hand is at least another.
func (c *Claim) Covers(stock, other uint32) bool { return Hand(stock).Covers(Hand(other)) }

// Suffices returns the hand that is enough for the attacker in the present position, or as
// much as is not enough, by those of the successors, or of one of them.
func (c *Claim) Suffices(kids []game.Successor, witness int, reached bool) uint32 {
	switch attacking := c.Attacking(); {
	case attacking && reached:
		k := &kids[witness]
		return uint32(before(k.Move, Hand(k.Stock)))
	case attacking:
		h := c.useless()
		for i := range kids {
			h = h.both(before(kids[i].Move, Hand(kids[i].Stock)))
		}
		return uint32(h)
	case reached:
		return uint32(Hand(kids[witness].Stock).both(c.p.hands[0] + c.p.hands[1]))
	}
	h := Hand(0)
	for i := range kids {
		h = h.either(Hand(kids[i].Stock))
	}
	return uint32(c.guards(h))
}

// before returns the hand before the attacker's move m if it is h afterwards.
func before(m game.Move, h Hand) Hand {
	if m&drop != 0 {
		return h + one(dropped(m))
	}
	if victim := m.Victim(); victim != 0 {
		if k := KindOf(victim).Plain(); h.Has(k) {
			return h - one(k)
		}
	}
	return h
}

// useless returns the hand that gives no more checks than the attacker's by drops: any
// number of pieces of the kinds in it.
func (c *Claim) useless() (h Hand) {
	own, all := c.p.hands[c.attacker&1], c.p.hands[0]+c.p.hands[1]
	for k := Pawn; k <= Rook; k++ {
		if own.Has(k) {
			h += one(k) * Hand(all.Count(k))
		}
	}
	return h
}

// guards adds to h what the attacker must keep lest the defender, in check, has it to put
// between.
func (c *Claim) guards(h Hand) Hand {
	p := c.p
	if p.checkers.Many() {
		return h
	}
	us := p.side
	gap := Between(p.kings[us&1], p.checkers.First())
	if !gap.Any() {
		return h
	}
	for k := Pawn; k <= Rook; k++ {
		n := p.hands[us&1^1].Count(k)
		if n == 0 || p.hands[us&1].Has(k) {
			continue
		}
		targets := gap.Without(dead(us, k))
		if k == Pawn {
			targets = targets.Without(p.Of(us, Pawn).files())
		}
		if targets.Any() {
			h += one(k) * Hand(n-h.Count(k))
		}
	}
	return h
}

// both returns what is in both hands.
func (h Hand) both(g Hand) (b Hand) {
	for k := Pawn; k <= Rook; k++ {
		b += one(k) * Hand(min(h.Count(k), g.Count(k)))
	}
	return b
}

// either returns as much as the greater of both hands has of every kind.
func (h Hand) either(g Hand) (e Hand) { return h + g - h.both(g) }
