// Package chess has the rules of chess and of Chess960: positions and their
// keys, the legal moves, when a game is drawn, what an exchange wins, and the
// notation of positions (FEN, X-FEN, Shredder-FEN) and moves (UCI).
//
// Squares count from a1 = 0 along the ranks to h8 = 63. A piece code is
// 1 + 2·kind + colour (white pawn 1, black pawn 2, … black king 12). The low 16
// bits of a move, which a table keeps, are
//
//	15     13 12           7 6             0
//	┌────────┬──────────────┬───────────────┐
//	│  form  │    origin    │    target     │
//	└────────┴──────────────┴───────────────┘
//	form: 0 plain, 1 castling, 2 en passant, 3 a pawn's double step,
//	      4 to 7 promotion to knight, bishop, rook, queen
//
// Castling is the king taking its own rook (the target is the rook's square,
// and nothing is captured), which is unambiguous in Chess960 too.
//
// Only legal moves are ever generated, restored from 16 bits or parsed; Make trusts its argument to be such
// a move.
//
// Arrays by square, kind or colour are indexed with s&63, k&7 or c&1: the mask drops the bounds
// check and changes no valid index.
package chess

import (
	"trefoil/game"
	"trefoil/zobrist"
)

// The forms of a move, in the top three bits of its Move16.
const (
	plain game.Move = iota << 13
	castling
	enPassant
	doubleStep
	promotion // to a knight; the next three to a bishop, a rook, a queen
	forms     = 7 << 13
)

// Position is a position and the moves that led to it. It belongs to one
// goroutine; Copy makes another.
type Position struct {
	state
	kinds        [8]Bitboard // by Kind
	colours      [2]Bitboard
	board        [64]uint8 // piece codes
	side         Colour
	ply          int    // plies since White's first move of the game
	passedBefore Square // what a pawn passed by the move before the position was set up, else 0
	chess960     bool
	history      []state // the states before this one, oldest first
}

// state is what a move changes and Undo cannot recompute.
type state struct {
	key      uint64
	parts    [5]uint64 // keys of the pieces of a class: see classes
	castle   Bitboard  // the rooks that may still castle
	checkers Bitboard  // the enemies that give check
	move     game.Move // the move that led here
	half     uint32    // plies since the last capture or pawn move
	back     uint32    // plies since the last capture, pawn move or null move
	ep       uint8     // target of a legal en passant capture, else 0
}

// classes are the classes of pieces that have a key of their own, by piece code:
// pawns, White's and Black's minor pieces, White's and Black's rooks, queens
// and king. Correction histories are indexed by sums of them.
var classes = [16]uint8{1: 0, 0, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}

// keyWords are the words of a key.
type keyWords struct {
	pieces [16][64]uint64 // by piece code
	castle [64]uint64     // by the rook's square
	ep     [8]uint64      // by file
}

// Seed names the key words. Keys of equal seeds are comparable, so they may be saved in files.
const Seed = "trefoil chess"

// words are the words of the key.
var words = *drawWords(Seed)

// drawWords returns the words of a seed. Their order in its stream is part of every file
// that holds keys.
func drawWords(seed string) *keyWords {
	src, w := zobrist.NewSource(seed), new(keyWords)
	for code := 1; code <= 12; code++ {
		src.Fill(w.pieces[code][:])
	}
	src.Fill(w.castle[:8])
	src.Fill(w.castle[56:])
	src.Fill(w.ep[:])
	return w
}

// Copy returns an independent position with the same history. No two copies lie
// on one cache line: each is for another goroutine, which writes it at every move.
func (p *Position) Copy() *Position {
	c := &struct {
		Position
		_ [64]byte
	}{Position: *p}
	c.history = make([]state, len(p.history), len(p.history)+64)
	copy(c.history, p.history)
	return &c.Position
}

// Pieces returns where the pieces of a colour and kind stand.
func (p *Position) Pieces(c Colour, k Kind) Bitboard { return p.kinds[k&7] & p.colours[c&1] }

// Kind returns where the pieces of a kind stand.
func (p *Position) Kind(k Kind) Bitboard { return p.kinds[k&7] }

// Colour returns where the pieces of a colour stand.
func (p *Position) Colour(c Colour) Bitboard { return p.colours[c&1] }

// Occupied returns where pieces stand.
func (p *Position) Occupied() Bitboard { return p.colours[White] | p.colours[Black] }

// At returns the code of the piece on s, 0 if there is none.
func (p *Position) At(s Square) int { return int(p.board[s&63]) }

// King returns where the king of c stands.
func (p *Position) King(c Colour) Square { return p.Pieces(c, King).First() }

// Side returns the side to move.
func (p *Position) Side() int { return int(p.side) }

// Played returns the number of moves made since the position was set up.
func (p *Position) Played() int { return len(p.history) }

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool { return p.checkers != 0 }

// Checkers returns the pieces that give check.
func (p *Position) Checkers() Bitboard { return p.checkers }

// CastlingRooks returns where the rooks of c stand that may still castle.
func (p *Position) CastlingRooks(c Colour) Bitboard { return p.castle & p.colours[c&1] }

// EnPassant returns the target of a legal en passant capture, 0 if there is none.
func (p *Position) EnPassant() Square { return Square(p.ep) }

// Passed returns the square that a pawn has passed by the last move, 0 if that was no double step.
// Whether a capture there is legal, or there is a pawn for it, does not count.
func (p *Position) Passed() Square {
	switch {
	case len(p.history) == 0:
		return p.passedBefore
	case p.move&forms == doubleStep:
		return target(p.move) ^ 8
	}
	return 0
}

// MoveNumber returns the number of the next move as a FEN counts: it grows after Black's moves.
func (p *Position) MoveNumber() int { return 1 + (p.ply-int(p.side))/2 }

// Chess960 reports whether castling is written in the manner of Chess960.
func (p *Position) Chess960() bool { return p.chess960 }

// SetChess960 chooses how castling is written: moves as king takes rook, and
// rights in a FEN by the rook's file.
func (p *Position) SetChess960(on bool) { p.chess960 = on }

// LastMove returns the move that led to the position, None if that is not known.
func (p *Position) LastMove() game.Move { return p.move }

// Attacked reports whether a piece of c attacks s.
func (p *Position) Attacked(s Square, c Colour) bool { return p.attackersOf(s, p.Occupied(), c) != 0 }

// Rule50 returns the number of plies since the last capture or pawn move.
func (p *Position) Rule50() int { return int(p.half) }

// Key returns the key of the position; bit 0 is the side to move.
func (p *Position) Key() uint64 { return p.key }

// PawnKey returns the key of the pawns alone; bit 0 is clear.
func (p *Position) PawnKey() uint64 { return p.parts[0] }

// CorrectionKeys fills keys with the keys of the pawns, of White's other pieces, of Black's other
// pieces, and of the minor pieces of both sides.
func (p *Position) CorrectionKeys(keys *[4]uint64) int {
	*keys = [4]uint64{
		p.parts[0],
		p.parts[1] ^ p.parts[3],
		p.parts[2] ^ p.parts[4],
		p.parts[1] ^ p.parts[2],
	}
	return 4
}

// HistoryDimensions returns the size of history tables: piece codes are below 13.
func (p *Position) HistoryDimensions() (pieces, squares int) { return 13, 64 }

// putPiece places a piece on an empty square and enters it into the keys.
func (p *Position) putPiece(code int, s Square) {
	p.set(code, s)
	word := words.pieces[code&15][s&63]
	p.key ^= word
	p.parts[classes[code&15]] ^= word
}

// set places a piece on an empty square.
func (p *Position) set(code int, s Square) {
	p.board[s&63] = uint8(code)
	p.kinds[KindOf(code)&7] |= s.Bit()
	p.colours[ColourOf(code)] |= s.Bit()
}

// unset takes the piece code off s.
func (p *Position) unset(code int, s Square) {
	p.board[s&63] = 0
	p.kinds[KindOf(code)&7] &^= s.Bit()
	p.colours[ColourOf(code)] &^= s.Bit()
}

// attackers returns the pieces of both colours that attack s when occ is occupied.
func (p *Position) attackers(s Square, occ Bitboard) Bitboard {
	return PawnAttacks(White, s)&p.Pieces(Black, Pawn) |
		PawnAttacks(Black, s)&p.Pieces(White, Pawn) |
		KnightAttacks(s)&p.kinds[Knight] |
		KingAttacks(s)&p.kinds[King] |
		BishopAttacks(s, occ)&(p.kinds[Bishop]|p.kinds[Queen]) |
		RookAttacks(s, occ)&(p.kinds[Rook]|p.kinds[Queen])
}

// attackersOf returns the pieces of c that attack s when occ is occupied.
func (p *Position) attackersOf(s Square, occ Bitboard, c Colour) Bitboard {
	by := p.colours[c&1]
	found := by & (KnightAttacks(s)&p.kinds[Knight] | KingAttacks(s)&p.kinds[King] | PawnAttacks(c^1, s)&p.kinds[Pawn])
	r := &rays[s&63]
	if sliders := by & (p.kinds[Bishop] | p.kinds[Queen]); r.bishop&sliders != 0 {
		found |= BishopAttacks(s, occ) & sliders
	}
	if sliders := by & (p.kinds[Rook] | p.kinds[Queen]); r.rook&sliders != 0 {
		found |= RookAttacks(s, occ) & sliders
	}
	return found
}

// blockers returns the pieces, of either colour, that alone stand between the
// king on s and a slider of c.
func (p *Position) blockers(s Square, c Colour) (found Bitboard) {
	r := &rays[s&63]
	occ := p.Occupied()
	snipers := p.colours[c&1] & (r.bishop&(p.kinds[Bishop]|p.kinds[Queen]) | r.rook&(p.kinds[Rook]|p.kinds[Queen]))
	for snipers != 0 {
		if b := Between(s, snipers.Pop()) & occ; !b.Many() {
			found |= b
		}
	}
	return found
}

// castled returns where king and rook stand after castling with the rook on s.
func castled(king, rook Square) (kingTo, rookTo Square) {
	rank := rook &^ 7
	if rook > king {
		return rank + 6, rank + 5
	}
	return rank + 2, rank + 3
}
