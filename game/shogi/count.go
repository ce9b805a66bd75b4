package shogi

// count returns the number of legal moves. It lists none of them.
func (p *Position) count() (n int) {
	us := p.side
	own, king, occ := p.colours[us&1], p.kings[us&1], p.Occupied()
	safe, gap := whole.Without(own), whole.Without(occ)
	for b := around[0][king&127].king.Without(own); b.Any(); {
		var to Square
		if to, b = b.Next(); !p.attacked(to, occ.Without(king.Bit()), us^1) {
			n++
		}
	}
	if p.checkers.Any() {
		if p.checkers.Many() {
			return n
		}
		checker := p.checkers.First()
		gap = Between(king, checker)
		safe = gap.Or(checker.Bit())
	}
	pinned := p.blockers(king, us^1).And(own)
	pawns := own.And(p.kinds[Pawn]).Without(pinned)
	targets := pawns.ahead(us).And(safe)
	n += targets.Count() + targets.And(zone(us)).Without(dead(us, Pawn)).Count()
	for b := own.Without(pawns).Without(king.Bit()); b.Any(); {
		var from Square
		from, b = b.Next()
		k := KindOf(p.At(from))
		t := Attacks(us, k, from, occ).And(safe)
		if pinned.Has(from) {
			t = t.And(Line(king, from))
		}
		n += t.Count()
		if k.Promotes() {
			n += p.choices(from, k, t)
		}
	}
	if gap.Any() && p.hands[us&1] != 0 {
		n += p.countDrops(gap)
	}
	return n
}

// choices returns to how many of its targets a piece may promote or not, as it likes.
func (p *Position) choices(from Square, k Kind, targets Bitboard) int {
	us := p.side
	if !zone(us).Has(from) {
		targets = targets.And(zone(us))
	}
	if k <= Knight {
		targets = targets.Without(dead(us, k))
	}
	return targets.Count()
}

// countDrops returns the number of drops on targets, which are empty.
func (p *Position) countDrops(targets Bitboard) (n int) {
	us, hand := p.side, p.hands[p.side&1]
	if hand.Has(Pawn) {
		n = p.pawnDrops(targets).Count()
	}
	if hand.Has(Lance) {
		n += targets.Without(dead(us, Lance)).Count()
	}
	if hand.Has(Knight) {
		n += targets.Without(dead(us, Knight)).Count()
	}
	kinds := 0
	for k := Silver; k <= Rook; k++ {
		if hand.Has(k) {
			kinds++
		}
	}
	return n + kinds*targets.Count()
}
