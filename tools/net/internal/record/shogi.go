package record

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"trefoil/game/shogi"
)

// ShogiBytes is the length of a record of shogi.
const ShogiBytes = 42

// A record of shogi, of at most shogiPieces pieces on the board and in both hands:
//
//	11   occupied squares, bit 0 1a, bit 1 1b, … bit 80 9i; bits 81 to 86 are 0; bit 87 the side to move,
//	     0 Black
//	25   for each of them in this order five bits, the low ones of a byte first: 1 + 2·kind + colour, the
//	     piece codes of package shogi: kind 0 pawn, 1 lance, 2 knight, 3 silver, 4 gold, 5 bishop, 6 rook,
//	     7 king, 8 promoted pawn to 11 promoted silver, 13 horse, 14 dragon, colour 0 Black, 1 White; then
//	     for each piece in hand the same, Black's first, each hand by kind; the rest is 0
//	6    the tail, whose clock is 0
const (
	shogiPieces = 40
	shogiCodes  = 11     // where the codes begin
	shogiSide   = 1 << 7 // in the byte before
)

// PutShogi writes the position of a record, of ShogiBytes bytes; the score, the half points and the
// number of the game are 0. The position has no more pieces than a set.
func PutShogi(rec []byte, p *shogi.Position) {
	rec = rec[:ShogiBytes]
	clear(rec)
	n := 0
	put := func(code int) {
		at := 5 * n
		word := code << (at & 7)
		rec[shogiCodes+at/8] |= byte(word)
		rec[shogiCodes+at/8+1] |= byte(word >> 8) // no bit of the last code goes beyond the codes
		n++
	}
	for b := p.Occupied(); b.Any(); {
		var s shogi.Square
		s, b = b.Next()
		rec[s/8] |= 1 << (s & 7)
		put(p.At(s))
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		for k := shogi.Pawn; k < shogi.King; k++ {
			for range p.Hand(c).Count(k) {
				put(shogi.Code(c, k))
			}
		}
	}
	if p.Side() == int(shogi.White) {
		rec[shogiCodes-1] |= shogiSide
	}
}

// ShogiBoard is the part of a position of shogi that a net sees.
type ShogiBoard struct {
	N       int                       // pieces on the board
	Squares [shogiPieces]shogi.Square // where they stand, ascending
	Codes   [shogiPieces]int          // their piece codes
	Hands   [2][shogi.King]int        // pieces in hand by colour and kind
	Kings   [2]shogi.Square
	Side    shogi.Colour // to move
}

// ReadShogiBoard reads a record of shogi. It refuses what no net could be given: other than one king a
// side, more pieces than a set has, and values out of their ranges. Shogi checks the rest.
func ReadShogiBoard(rec []byte) (b ShogiBoard, err error) {
	rec = rec[:ShogiBytes]
	b.Kings = [2]shogi.Square{shogi.Nowhere, shogi.Nowhere}
	var count [shogi.King + 1]int // by kind, not promoted
	next := 0
	code := func() (int, error) {
		at := 5 * next
		code := int(rec[shogiCodes+at/8]) | int(rec[shogiCodes+at/8+1])<<8
		code = code >> (at & 7) & 31
		next++
		if code == 0 {
			return 0, nil
		}
		if k := shogi.KindOf(code); code > 30 || !isKind(k) {
			return 0, fmt.Errorf("piece code %d", code)
		}
		k := shogi.KindOf(code).Plain()
		if count[k]++; count[k] > shogiSet[k] {
			return 0, fmt.Errorf("more than %d pieces of kind %d", shogiSet[k], k)
		}
		return code, nil
	}
	for s := range shogi.Nowhere {
		if rec[s/8]>>(s&7)&1 == 0 {
			continue
		}
		if b.N == shogiPieces {
			return b, fmt.Errorf("more than %d pieces", shogiPieces)
		}
		piece, err := code()
		if err != nil {
			return b, fmt.Errorf("%w on %v", err, s)
		}
		if piece == 0 {
			return b, fmt.Errorf("no piece on %v", s)
		}
		if shogi.KindOf(piece) == shogi.King {
			king := &b.Kings[shogi.ColourOf(piece)]
			if *king != shogi.Nowhere {
				return b, fmt.Errorf("two kings of colour %d", shogi.ColourOf(piece))
			}
			*king = s
		}
		b.Squares[b.N], b.Codes[b.N] = s, piece
		b.N++
	}
	for c, king := range b.Kings {
		if king == shogi.Nowhere {
			return b, fmt.Errorf("no king of colour %d", c)
		}
	}
	for last := 0; next < shogiPieces; {
		piece, err := code()
		if err != nil {
			return b, fmt.Errorf("%w in hand", err)
		}
		order := shogiOrder(piece)
		if order < last {
			return b, fmt.Errorf("piece code %d in hand out of order", piece)
		}
		if last = order; piece != 0 {
			if shogi.KindOf(piece) >= shogi.King {
				return b, fmt.Errorf("piece code %d in hand", piece)
			}
			b.Hands[shogi.ColourOf(piece)][shogi.KindOf(piece)]++
		}
	}
	flags := rec[shogiCodes-1]
	if flags&^(shogiSide|1) != 0 {
		return b, fmt.Errorf("squares beyond the board: %#x", flags)
	}
	b.Side = shogi.Colour(flags / shogiSide)
	tail := TailOf(rec)
	if tail.Clock != 0 {
		return b, fmt.Errorf("a clock of %d", tail.Clock)
	}
	return b, tail.check()
}

// shogiSet is the number of pieces of a kind in a set, both sides together.
var shogiSet = [shogi.King + 1]int{18, 4, 4, 4, 4, 2, 2, 2}

// isKind reports whether a number below 15 is a kind of pieces: 12 is none.
func isKind(k shogi.Kind) bool { return k <= shogi.ProSilver || k >= shogi.Horse }

// shogiOrder is the place of a piece in hand among the others; no piece comes last.
func shogiOrder(code int) int {
	if code == 0 {
		return 1 << 10
	}
	return int(shogi.ColourOf(code))<<4 | int(shogi.KindOf(code))
}

// Shogi returns the position of a record of shogi; the number of the move is not kept. What cannot be a
// position of a game, or is not written as PutShogi writes it, is refused.
func Shogi(rec []byte) (*shogi.Position, error) {
	b, err := ReadShogiBoard(rec)
	if err != nil {
		return nil, err
	}
	p, err := shogi.ParseSFEN(b.sfen())
	if err != nil {
		return nil, err
	}
	var again [ShogiBytes]byte
	PutShogi(again[:], p)
	if !bytes.Equal(Place(again[:]), Place(rec)) {
		return nil, errors.New("the pieces are not in the order of a record")
	}
	return p, nil
}

// sfen is the position of a record as text.
func (b *ShogiBoard) sfen() string {
	var squares [81]int // codes
	for i, s := range b.Squares[:b.N] {
		squares[s] = b.Codes[i]
	}
	var text strings.Builder
	for rank := range 9 {
		for file := 8; file >= 0; file-- {
			if code := squares[shogi.SquareAt(file, rank)]; code == 0 {
				text.WriteByte('1')
			} else {
				text.WriteString(shogi.Letter(code))
			}
		}
		if rank < 8 {
			text.WriteByte('/')
		}
	}
	fmt.Fprintf(&text, " %c ", "bw"[b.Side])
	empty := true
	for c, hand := range b.Hands {
		for k, n := range hand {
			if n > 0 {
				fmt.Fprintf(&text, "%d%s", n, shogi.Letter(shogi.Code(shogi.Colour(c), shogi.Kind(k))))
				empty = false
			}
		}
	}
	if empty {
		text.WriteByte('-')
	}
	return text.String() + " 1"
}

// ShogiPieces is the number of pieces on the board of a record of shogi.
func ShogiPieces(rec []byte) (n int) {
	for s := range shogi.Nowhere {
		n += int(rec[s/8] >> (s & 7) & 1)
	}
	return n
}
