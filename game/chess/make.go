package chess

import (
	"trefoil/game"
	"trefoil/zobrist"
)

// Make plays the legal move m.
func (p *Position) Make(m game.Move) {
	p.history = append(p.history, p.state)
	us := p.side
	from, to := origin(m), target(m)
	piece, victim := m.Piece(), m.Victim()
	form := m & forms

	p.key ^= zobrist.Side
	if p.ep != 0 {
		p.key ^= words.ep[p.ep&7]
		p.ep = 0
	}
	p.move = m
	p.half++
	p.back++
	p.ply++
	p.side ^= 1

	if form == castling {
		p.castleKing(piece, from, to)
	} else {
		if victim != 0 {
			s := to
			if form == enPassant {
				s ^= 8
			}
			p.removePiece(victim, s)
			p.half, p.back = 0, 0
		}
		p.movePiece(piece, from, to)
		if KindOf(piece) == Pawn {
			p.half, p.back = 0, 0
			if form >= promotion {
				p.removePiece(piece, to)
				p.putPiece(Code(us, promoted(m)), to)
			}
		}
	}
	if lost := p.castle & p.touched(m, us); lost != 0 {
		p.castle &^= lost
		for lost != 0 {
			p.key ^= words.castle[lost.Pop()]
		}
	}
	p.checkers = p.attackersOf(p.King(us^1), p.Occupied(), us)
	if form == doubleStep {
		p.offerEnPassant(to ^ 8)
	}
}

// Undo takes the last move back.
func (p *Position) Undo() {
	m := p.move
	from, to := origin(m), target(m)
	piece, victim := m.Piece(), m.Victim()
	p.side ^= 1
	p.ply--
	switch form := m & forms; {
	case form == castling:
		kingTo, rookTo := castled(from, to)
		p.unset(piece, kingTo)
		p.unset(piece-4, rookTo)
		p.set(piece, from)
		p.set(piece-4, to)
	case form >= promotion:
		p.unset(int(p.board[to&63]), to)
		p.set(piece, from)
		if victim != 0 {
			p.set(victim, to)
		}
	default:
		p.unset(piece, to)
		p.set(piece, from)
		if victim != 0 {
			if form == enPassant {
				to ^= 8
			}
			p.set(victim, to)
		}
	}
	p.pop()
}

// MakeNull passes; the side to move is not in check.
func (p *Position) MakeNull() {
	p.history = append(p.history, p.state)
	p.key ^= zobrist.Side
	if p.ep != 0 {
		p.key ^= words.ep[p.ep&7]
		p.ep = 0
	}
	p.move = game.None
	p.half++
	p.back = 0
	p.ply++
	p.side ^= 1
}

// UndoNull takes the pass back.
func (p *Position) UndoNull() {
	p.side ^= 1
	p.ply--
	p.pop()
}

// pop restores the state before the last move.
func (p *Position) pop() {
	last := len(p.history) - 1
	p.state = p.history[last]
	p.history = p.history[:last]
}

// removePiece removes a piece from the board and the keys.
func (p *Position) removePiece(code int, s Square) {
	p.unset(code, s)
	word := words.pieces[code&15][s&63]
	p.key ^= word
	p.parts[classes[code&15]] ^= word
}

// movePiece moves a piece to an empty square, on the board and in the keys.
func (p *Position) movePiece(code int, from, to Square) {
	p.board[from&63] = 0
	p.board[to&63] = uint8(code)
	both := from.Bit() | to.Bit()
	p.kinds[KindOf(code)&7] ^= both
	p.colours[ColourOf(code)] ^= both
	word := words.pieces[code&15][from&63] ^ words.pieces[code&15][to&63]
	p.key ^= word
	p.parts[classes[code&15]] ^= word
}

// castleKing castles: the king on from with the rook on to.
func (p *Position) castleKing(king int, from, to Square) {
	rook := king - 4
	kingTo, rookTo := castled(from, to)
	p.removePiece(king, from)
	p.removePiece(rook, to)
	p.putPiece(king, kingTo)
	p.putPiece(rook, rookTo)
}

// touched returns the squares whose castling rights a move of us ends: its
// origin and target, and the whole first rank if the king moves.
func (p *Position) touched(m game.Move, us Colour) Bitboard {
	touched := origin(m).Bit() | target(m).Bit()
	if KindOf(m.Piece()) == King {
		touched |= homeRank(us)
	}
	return touched
}

// offerEnPassant enters the target of an en passant capture if one is legal.
func (p *Position) offerEnPassant(to Square) {
	for pawns := PawnAttacks(p.side^1, to) & p.Pieces(p.side, Pawn); pawns != 0; {
		if p.enPassantLegal(pawns.Pop(), to) {
			p.ep = uint8(to)
			p.key ^= words.ep[to&7]
			return
		}
	}
}

// enPassantLegal reports whether the king is safe after the pawn on from has
// captured en passant on to.
func (p *Position) enPassantLegal(from, to Square) bool {
	captured := (to ^ 8).Bit()
	occ := p.Occupied() ^ from.Bit() ^ captured | to.Bit()
	return p.attackersOf(p.King(p.side), occ, p.side^1)&^captured == 0
}

func origin(m game.Move) Square { return Square(m >> 7 & 63) }

func target(m game.Move) Square { return Square(m & 63) }

// promoted returns what a promotion makes of the pawn.
func promoted(m game.Move) Kind { return Kind(m>>13&3) + Knight }

func homeRank(c Colour) Bitboard { return Rank1 << (56 * uint(c&1)) }

func lastRank(c Colour) Bitboard { return Rank8 >> (56 * uint(c&1)) }
