package shogi

// MoveCount returns the number of legal moves without listing them.
func (p *Position) MoveCount() (n int) {
	if p.checkers.Any() {
		w := p.Evasions()
		return w.Count()
	}
	us := p.side
	own, king, occ := p.colours[us&1], p.kings[us&1], p.Occupied()
	n = p.EscapeSquares(us).Count()
	pinned := p.blockers(king, us^1).And(own)
	pawns := own.And(p.kinds[Pawn]).Without(pinned)
	targets := pawns.ahead(us).Without(own)
	n += targets.Count() + targets.And(zone(us)).Without(dead(us, Pawn)).Count()
	for b := own.Without(pawns).Without(king.Bit()); b.Any(); {
		var from Square
		from, b = b.Next()
		k := KindOf(p.At(from))
		t := Attacks(us, k, from, occ).Without(own)
		if pinned.Has(from) {
			t = t.And(Line(king, from))
		}
		n += t.Count()
		if k.Promotes() {
			n += p.choices(from, k, t)
		}
	}
	if p.hands[us&1] != 0 {
		n += p.countDrops(whole.Without(occ))
	}
	return n
}

// Evasions are the moves that end a check.
type Evasions struct {
	Escapes  Bitboard // where the king can step to
	Captures int      // other pieces that can take the only checker
	Others   int      // moves of other pieces
}

// Count returns the number of moves.
func (w *Evasions) Count() int { return w.Escapes.Count() + w.Others }

// Evasions returns the legal moves of the side to move, which is in check.
func (p *Position) Evasions() (w Evasions) {
	us := p.side
	w.Escapes = p.EscapeSquares(us)
	if p.checkers.Many() {
		return w
	}
	checker := p.checkers.First()
	gap := Between(p.kings[us&1], checker)
	for targets := gap.Or(checker.Bit()); targets.Any(); {
		var to Square
		to, targets = targets.Next()
		helpers := p.helpers(to.Bit())
		if !helpers.Any() {
			continue
		}
		if to == checker {
			w.Captures = helpers.Count()
		}
		w.Others += helpers.Count()
		choosing := helpers.Without(p.kinds[golds]).Without(p.kinds[Horse]).Without(p.kinds[Dragon])
		if !zone(us).Has(to) {
			choosing = choosing.And(zone(us))
		}
		if dead(us, Knight).Has(to) {
			choosing = choosing.Without(p.kinds[Knight])
		}
		if dead(us, Pawn).Has(to) {
			choosing = choosing.Without(p.kinds[Pawn]).Without(p.kinds[Lance])
		}
		w.Others += choosing.Count()
	}
	if gap.Any() && p.hands[us&1] != 0 {
		w.Others += p.countDrops(gap)
	}
	return w
}

// helpers returns the pieces of the side to move, which is in check by one piece, that can move to a
// target: the checker's square or a square between it and the king. These are all attackers of the targets
// except the king and pinned pieces. A pinned piece is pinned on another line than the checker's.
func (p *Position) helpers(targets Bitboard) (found Bitboard) {
	us := p.side
	king, occ := p.kings[us&1], p.Occupied()
	for targets.Any() {
		var to Square
		to, targets = targets.Next()
		found = found.Or(p.AttackersOf(to, occ, us))
	}
	if found = found.Without(king.Bit()); found.Any() {
		found = found.Without(p.blockers(king, us^1))
	}
	return found
}

// choices returns on how many of its targets a piece may promote or not.
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
