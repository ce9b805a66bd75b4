package shogi

import "trefoil/game"

// MateNear returns a move that mates from a square beside the enemy king or by a knight, None if it
// finds none. The side to move is not in check. ours and theirs are the squares that the pieces
// of the side to move and of the opponent attack, without the kings': they rule out nearly all
// positions before a move is tried.
//
// It finds mates by a piece whose target only the king attacks. It does not find those by distant
// sliders, by discovered check, and where a defender is pinned; of the mates in one that a search
// meets these are a few percent.
func (p *Position) MateNear(ours, theirs Bitboard) game.Move {
	us := p.side
	enemy := p.kings[us&1^1]
	if enemy == Nowhere {
		return game.None
	}
	ours = ours.Or(around[0][p.kings[us&1]&127].king)
	ring := around[0][enemy&127].king
	escapes := ring.Without(ours).Without(p.colours[us&1^1])
	for b := ring.And(ours).Without(theirs).Without(p.colours[us&1]); b.Any(); {
		var to Square
		to, b = b.Next()
		if m := p.mateOn(to, escapes.Without(to.Bit())); m != game.None {
			return m
		}
	}
	if escapes.Any() {
		return game.None
	}
	for b := around[us&1^1][enemy&127].knight.Without(theirs).Without(p.colours[us&1]); b.Any(); {
		var to Square
		to, b = b.Next()
		if m := p.mateOn(to, Bitboard{}); m != game.None {
			return m
		}
	}
	return game.None
}

// MateBeside is MateNear for a caller that does not know what is attacked.
func (p *Position) MateBeside() game.Move {
	us := p.side
	enemy := p.kings[us&1^1]
	if enemy == Nowhere {
		return game.None
	}
	ours := p.guarded(enemy, us)
	// Theirs count only where MateNear may try a move.
	var theirs Bitboard
	for b := around[0][enemy&127].king.And(ours).Or(around[us&1^1][enemy&127].knight).Without(p.colours[us&1]); b.Any(); {
		var s Square
		s, b = b.Next()
		if p.AttackersOf(s, p.Occupied(), us^1).Without(enemy.Bit()).Any() {
			theirs = theirs.Or(s.Bit())
		}
	}
	return p.MateNear(ours, theirs)
}

// mateOn returns a mate by a drop on a square or a move there, where only the enemy king could capture the
// piece, and from where it attacks every escape square; None if there is no such mate.
func (p *Position) mateOn(to Square, escapes Bitboard) game.Move {
	us := p.side
	hand, enemy := p.hands[us&1], p.kings[us&1^1]
	beside := around[0][enemy&127].king.Has(to)
	occ := p.Occupied().Without(enemy.Bit())
	// aims reports whether a kind of piece attacks the king and its escapes from there. A piece that
	// may not stand there attacks nothing.
	aims := func(k Kind, occ Bitboard) bool {
		a := Attacks(us, k, to, occ)
		return a.Has(enemy) && !escapes.Without(a).Any()
	}
	if hand != 0 && !occ.Has(to) {
		for k := Lance; k <= Rook; k++ { // a pawn may not mate
			if hand.Has(k) && beside == (k != Knight) && aims(k, occ) {
				if m := newDrop(us, k) | game.Move(to); p.Mates(m) {
					return m
				}
			}
		}
	}
	for pieces := p.AttackersOf(to, occ, us).Without(p.kings[us&1].Bit()); pieces.Any(); {
		var from Square
		from, pieces = pieces.Next()
		after := occ.Without(from.Bit())
		if beside && !p.AttackersOf(to, after, us).Without(from.Bit()).Any() {
			continue // the king takes it
		}
		code := p.At(from)
		k := KindOf(code)
		if !p.safe(k, from, to) {
			continue
		}
		m := game.Move(from)<<7 | game.Move(to) | game.Move(code)<<16 | p.victim(to)
		if k.Promotes() && squares[from].Or(squares[to]).Meets(zone(us)) && aims(k|promoted, after) && p.Mates(m|promotes1) {
			return m | promotes1
		}
		if aims(k, after) && p.Mates(m) {
			return m
		}
	}
	return game.None
}

// Mates reports whether the legal move m, a check, mates.
func (p *Position) Mates(m game.Move) bool {
	before := p.MakeBoard(m)
	mated := p.mated()
	p.UndoBoard(before)
	return mated
}
