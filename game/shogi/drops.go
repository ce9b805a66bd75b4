package shogi

import "trefoil/game"

// drops adds the drops on targets, which are empty.
func (g *generator) drops(targets Bitboard) {
	hand := g.hands[g.us&1]
	if hand == 0 {
		return
	}
	if hand.Has(Pawn) {
		g.addDrops(Pawn, g.pawnDrops(targets))
	}
	for k := Lance; k <= Rook; k++ {
		if hand.Has(k) {
			g.addDrops(k, targets.Without(dead(g.us, k)))
		}
	}
}

// addDrops adds the drops of a kind on targets.
func (g *generator) addDrops(k Kind, targets Bitboard) {
	m := newDrop(g.us, k)
	for targets.Any() {
		var to Square
		to, targets = targets.Next()
		g.l.Add(m | game.Move(to))
	}
}

// newDrop returns the drop of a piece of c and kind k on 1a.
func newDrop(c Colour, k Kind) game.Move {
	return drop | game.Move(Nowhere+Square(k))<<7 | game.Move(Code(c, k))<<16
}

// pawnDrops returns the targets, empty squares, where the side to move may drop
// a pawn: no second one on a file, none on the last rank, none that mates. A
// pawn can only mate from the square in front of the king.
func (p *Position) pawnDrops(targets Bitboard) Bitboard {
	us := p.side
	targets = p.DropTargets(us, Pawn, targets)
	front := around[us&1^1][p.kings[us&1^1]&127].pawn
	if targets.Meets(front) && p.pawnDropMates(front.First()) {
		targets = targets.Without(front)
	}
	return targets
}

// DropTargets returns the targets, empty squares, on which c may drop a piece of a kind: no square from
// which the piece could never move, no second pawn on a file. It does not exclude pawns that mate.
func (p *Position) DropTargets(c Colour, k Kind, targets Bitboard) Bitboard {
	targets = targets.Without(dead(c, k))
	if k == Pawn {
		targets = targets.Without(p.Pieces(c, Pawn).files())
	}
	return targets
}

// pawnDropMates reports whether a pawn of the side to move, dropped on the empty
// square to in front of the enemy king, mates it.
func (p *Position) pawnDropMates(to Square) bool {
	us, them := p.side, p.side^1
	king := p.kings[them&1]
	occ := p.Occupied().Or(to.Bit())
	for escapes := around[0][king&127].king.Without(p.colours[them&1]); escapes.Any(); {
		var s Square
		if s, escapes = escapes.Next(); !p.Attacked(s, occ.Without(king.Bit()), us) {
			return false
		}
	}
	// Nothing can be put between, and the pawn pins no piece.
	pinned := p.blockers(king, us)
	for takers := p.AttackersOf(to, occ, them).Without(king.Bit()); takers.Any(); {
		var s Square
		if s, takers = takers.Next(); !pinned.Has(s) || Line(king, s).Has(to) {
			return false
		}
	}
	return true
}
