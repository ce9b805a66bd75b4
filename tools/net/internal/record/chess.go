package record

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"trefoil/game/chess"
)

// ChessBytes is the length of a record of chess.
const ChessBytes = 32

// A record of chess:
//
//	8    occupied squares, bit 0 a1 to bit 63 h8
//	16   for each of them in this order four bits, the low half of a byte first:
//	     2·kind + colour, kind 0 pawn to 5 king, colour 0 white, 1 black; the rest is 0
//	1    bit 0 the side to move, bits 1 to 4 the castling rights K, Q, k, q
//	1    1 + the file of a legal en passant capture, or 0
//	6    the tail
//
// A castling right of Chess960 belongs to the outermost rook of its wing.

// PutChess writes the position of a record, of ChessBytes bytes; the score, the half points and the
// number of the game are 0.
func PutChess(rec []byte, p *chess.Position) {
	rec = rec[:ChessBytes]
	clear(rec)
	occ := p.Occupied()
	binary.LittleEndian.PutUint64(rec, uint64(occ))
	for i := 0; occ != 0; i++ {
		rec[8+i/2] |= byte(p.At(occ.Pop())-1) << (4 * (i & 1))
	}
	rec[24] = byte(p.Side())
	for c := chess.White; c <= chess.Black; c++ {
		for rooks := p.CastlingRooks(c); rooks != 0; {
			bit := byte(2)
			if rooks.Pop() < p.King(c) {
				bit = 4
			}
			rec[24] |= bit << (2 * c)
		}
	}
	if ep := p.EnPassant(); ep != 0 {
		rec[25] = 1 + byte(ep.File())
	}
	Tail{Clock: uint8(min(p.Rule50(), 255))}.Put(rec)
}

// Board is the part of a position of chess that a net sees.
type Board struct {
	N       int              // pieces
	Squares [32]chess.Square // where they stand, ascending
	Codes   [32]uint8        // 2·kind + colour
	Kings   [2]chess.Square  // by colour
	Side    chess.Colour     // to move
}

// ChessBoard reads a record of chess. It refuses what no net could be given: other than one king and
// at most 16 pieces a side, and values out of their ranges. Chess checks the rest.
func ChessBoard(rec []byte) (b Board, err error) {
	rec = rec[:ChessBytes]
	occ := chess.Bitboard(binary.LittleEndian.Uint64(rec))
	if b.N = occ.Count(); b.N > len(b.Squares) {
		return b, fmt.Errorf("%d pieces", b.N)
	}
	var total, kings [2]int
	for i := range b.N {
		code, s := rec[8+i/2]>>(4*(i&1))&15, occ.Pop()
		if code > 11 {
			return b, fmt.Errorf("piece code %d on %v", code, s)
		}
		b.Squares[i], b.Codes[i] = s, code
		total[code&1]++
		if chess.Kind(code>>1) == chess.King {
			kings[code&1]++
			b.Kings[code&1] = s
		}
	}
	for i := b.N; i < len(b.Squares); i++ {
		if rec[8+i/2]>>(4*(i&1))&15 != 0 {
			return b, fmt.Errorf("piece %d of %d", i+1, b.N)
		}
	}
	for c := range kings {
		if kings[c] != 1 || total[c] > 16 {
			return b, fmt.Errorf("%d kings and %d pieces of colour %d", kings[c], total[c], c)
		}
	}
	if rec[24] > 31 || rec[25] > 8 {
		return b, fmt.Errorf("side and castling rights %#x, en passant %d", rec[24], rec[25])
	}
	b.Side = chess.Colour(rec[24] & 1)
	return b, TailOf(rec).check()
}

// Chess returns the position of a record of chess; the number of the move is not kept. What cannot be
// a position of a game, or is not written as PutChess writes it, is refused.
func Chess(rec []byte) (*chess.Position, error) {
	b, err := ChessBoard(rec)
	if err != nil {
		return nil, err
	}
	p, err := chess.ParseFEN(b.fen(rec))
	if err != nil {
		return nil, err
	}
	var again [ChessBytes]byte
	PutChess(again[:], p)
	switch { // ParseFEN drops what is impossible
	case again[24] != rec[24]:
		return nil, fmt.Errorf("side and castling rights %#x, where the kings and rooks allow %#x", rec[24], again[24])
	case again[25] != rec[25]:
		return nil, fmt.Errorf("en passant %d, where no pawn can capture", rec[25])
	case !bytes.Equal(again[:ChessBytes-tailBytes], rec[:ChessBytes-tailBytes]):
		return nil, errors.New("not written as PutChess writes it")
	}
	return p, nil
}

// fen is the position of a record as text.
func (b *Board) fen(rec []byte) string {
	var squares [64]byte
	for i, s := range b.Squares[:b.N] {
		squares[s] = "PpNnBbRrQqKk"[b.Codes[i]]
	}
	var text []byte
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			text = append(text, cmp.Or(squares[chess.SquareAt(file, rank)], '1'))
		}
		text = append(text, '/')
	}
	text = append(text[:len(text)-1], ' ', "wb"[b.Side], ' ')
	for right := range 4 {
		if rec[24]>>(1+right)&1 != 0 {
			text = append(text, "KQkq"[right])
		}
	}
	if rec[24]>>1 == 0 {
		text = append(text, '-')
	}
	if rec[25] == 0 {
		text = append(text, " -"...)
	} else {
		text = append(text, ' ', 'a'-1+rec[25], "63"[b.Side])
	}
	return fmt.Sprintf("%s %d 1", text, TailOf(rec).Clock)
}

// ChessPieces is the number of pieces of a record of chess.
func ChessPieces(rec []byte) int { return bits.OnesCount64(binary.LittleEndian.Uint64(rec)) }
