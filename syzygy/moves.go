package syzygy

import "math/bits"

// maxMoves is more than any position with as many pieces as a table has legal moves.
const maxMoves = 256

// moveList is a list of moves without an allocation.
type moveList struct {
	n     int
	moves [maxMoves]Move
}

func (l *moveList) all() []Move { return l.moves[:l.n] }

func (l *moveList) add(m Move) {
	if l.n < maxMoves {
		l.moves[l.n] = m
		l.n++
	}
}

// pseudoLegal lists the moves, captures only or all, whether or not they leave the king in check. There is
// no castling.
func (p *Position) pseudoLegal(l *moveList, capturesOnly bool) {
	us, them := p.sides()
	occ := us | them
	targets := ^us
	if capturesOnly {
		targets = them
	}
	for k := Knight; k <= King; k++ {
		for from := *p.of(k) & us; from != 0; from &= from - 1 {
			s := uint8(bits.TrailingZeros64(from))
			for to := attacks(k, s, occ) & targets; to != 0; to &= to - 1 {
				l.add(Move{From: s, To: uint8(bits.TrailingZeros64(to))})
			}
		}
	}
	ep := uint64(0)
	if p.EnPassant != 0 {
		ep = 1 << p.EnPassant
	}
	for from := p.Pawns & us; from != 0; from &= from - 1 {
		s := uint8(bits.TrailingZeros64(from))
		to := pawnAttacks(1<<s, p.BlackToMove) & (them | ep)
		if !capturesOnly {
			to |= pawnSteps(1<<s, occ, p.BlackToMove)
		}
		for ; to != 0; to &= to - 1 {
			addPawnMove(l, s, uint8(bits.TrailingZeros64(to)))
		}
	}
}

// attacks returns the targets of a piece other than a pawn.
func attacks(k Kind, s uint8, occ uint64) uint64 {
	switch k {
	case Knight:
		return knightAttacks[s&63]
	case Bishop:
		return lineAttacks(s, occ, diagonals)
	case Rook:
		return lineAttacks(s, occ, straights)
	case Queen:
		return lineAttacks(s, occ, diagonals) | lineAttacks(s, occ, straights)
	}
	return kingAttacks[s&63]
}

// pawnSteps returns where the pawn of the bit from can move without capturing.
func pawnSteps(from, occ uint64, black bool) uint64 {
	if black {
		one := from >> 8 &^ occ
		return one | one&(rank8>>16)>>8&^occ
	}
	one := from << 8 &^ occ
	return one | one&(rank1<<16)<<8&^occ
}

// addPawnMove adds a pawn move, or the four promotions.
func addPawnMove(l *moveList, from, to uint8) {
	if 1<<to&(rank1|rank8) == 0 {
		l.add(Move{From: from, To: to})
		return
	}
	for k := Queen; k >= Knight; k-- {
		l.add(Move{from, to, k})
	}
}

// anyLegal reports whether there is a legal move, only those counted for which skip is false.
func (p *Position) anyLegal(skip func(Move) bool) bool {
	var l moveList
	p.pseudoLegal(&l, false)
	for _, m := range l.all() {
		if skip != nil && skip(m) {
			continue
		}
		if _, ok := p.legal(m); ok {
			return true
		}
	}
	return false
}
