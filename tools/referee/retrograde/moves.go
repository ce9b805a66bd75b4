package retrograde

import "strings"

// A Move leads from a square to another.
type Move struct {
	From, To  Square
	promotion Piece // or 0, White's pawn
}

// String returns the move as UCI does: e2e4, e7e8q.
func (m Move) String() string {
	text := m.From.String() + m.To.String()
	if m.promotion != 0 {
		text += strings.ToLower(m.promotion.String())
	}
	return text
}

// A successor is what a move leads to. Zeroing moves are captures and moves of pawns.
type successor struct {
	move    Move
	zeroing bool
	Position
}

// appendZeroing appends the pseudo-legal captures and pawn moves; they may leave the king in check.
func (p *Position) appendZeroing(list []successor) []successor {
	occupied, enemies := p.occupied(p.square), p.occupiedBy(p.side^1)
	for i := range p.n {
		piece, from := p.pieces[i], p.square[i]
		if piece.side() != p.side {
			continue
		}
		targets := attacks(piece, from, occupied) & enemies
		if piece.kind() == pawn {
			targets |= p.pawnTargets(i, occupied)
		}
		for targets != 0 {
			list = p.appendMove(list, i, targets.pop())
		}
	}
	return list
}

// pawnTargets returns where pawn i moves straight ahead or captures en passant.
func (p *Position) pawnTargets(i int, occupied squareSet) (targets squareSet) {
	from, up, start := p.square[i], 8, 1
	if p.side == Black {
		up, start = -8, 6
	}
	if one := Square(int(from) + up); occupied&setOf(one) == 0 {
		targets |= setOf(one)
		if two := Square(int(from) + 2*up); from.rank() == start && occupied&setOf(two) == 0 {
			targets |= setOf(two)
		}
	}
	if p.enPassant != noSquare {
		targets |= pawnCaptures[p.side][from&63] & setOf(p.enPassant)
	}
	return targets
}

// appendQuiet appends the pseudo-legal moves that are not zeroing.
func (p *Position) appendQuiet(list []successor) []successor {
	occupied := p.occupied(p.square)
	for i := range p.n {
		if p.pieces[i].side() == p.side && p.pieces[i].kind() != pawn {
			for targets := attacks(p.pieces[i], p.square[i], occupied) &^ occupied; targets != 0; {
				list = p.appendMove(list, i, targets.pop())
			}
		}
	}
	return list
}

// appendMove appends the move of piece i to a square, or its promotions.
func (p *Position) appendMove(list []successor, i int, to Square) []successor {
	from, piece := p.square[i], p.pieces[i]
	next := successor{Move{From: from, To: to}, false, *p}
	next.side ^= 1
	next.enPassant = noSquare
	next.square[i] = to
	next.zeroing = piece.kind() == pawn
	captured := p.at(to)
	if piece.kind() == pawn && to == p.enPassant {
		captured = p.at(to ^ 8)
	}
	if captured >= 0 {
		next.zeroing = true
		next.remove(captured)
	}
	if piece.kind() != pawn {
		return append(list, next)
	}
	if to^from == 16 {
		next.enPassant = (from + to) / 2
	}
	if to >= 8 && to < 56 {
		return append(list, next)
	}
	next.remove(next.at(to))
	for kind := queen; kind <= knight; kind++ {
		promoted := next
		promoted.move.promotion = pieceOf(kind, p.side)
		promoted.insert(promoted.move.promotion, to)
		list = append(list, promoted)
	}
	return list
}

// canCaptureEnPassant reports whether a pawn attacks the en passant square.
func (p *Position) canCaptureEnPassant() bool {
	if p.enPassant == noSquare {
		return false
	}
	for i := range p.n {
		if p.pieces[i] == pieceOf(pawn, p.side) && pawnCaptures[p.side][p.square[i]&63]&setOf(p.enPassant) != 0 {
			return true
		}
	}
	return false
}
