package chess

import "math/bits"

// Square is a square: a1 = 0, b1 = 1, … h8 = 63.
type Square int

// SquareAt returns the square of a file and a rank, both 0 to 7.
func SquareAt(file, rank int) Square { return Square(rank<<3 | file) }

// File returns 0 (a) to 7 (h).
func (s Square) File() int { return int(s & 7) }

// Rank returns 0 (first) to 7 (eighth).
func (s Square) Rank() int { return int(s >> 3) }

// Bit returns the board with s alone.
func (s Square) Bit() Bitboard { return 1 << (uint(s) & 63) }

// String returns the square's name.
func (s Square) String() string {
	return string([]byte{'a' + byte(s.File()), '1' + byte(s.Rank())})
}

// Bitboard is a set of squares; bit i is square i.
type Bitboard uint64

// Count returns the number of squares in b.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square of b, which is not empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b)) & 63) }

// Last returns the highest square of b, which is not empty.
func (b Bitboard) Last() Square { return Square(bits.Len64(uint64(b))-1) & 63 }

// Pop removes the lowest square of b, which is not empty, and returns it.
func (b *Bitboard) Pop() Square {
	s := b.First()
	*b &= *b - 1
	return s
}

// Has reports whether s is in b.
func (b Bitboard) Has(s Square) bool { return b>>(uint(s)&63)&1 != 0 }

// Many reports whether b has more than one square.
func (b Bitboard) Many() bool { return b&(b-1) != 0 }

// Files and ranks, and the dark squares (a1 is dark).
const (
	FileA Bitboard = 0x0101010101010101
	FileH Bitboard = FileA << 7
	Rank1 Bitboard = 0xff
	Rank3 Bitboard = Rank1 << 16
	Rank6 Bitboard = Rank1 << 40
	Rank8 Bitboard = Rank1 << 56
	Dark  Bitboard = 0xaa55aa55aa55aa55
)

// Colour is a side.
type Colour int

// The colours; White moves first.
const (
	White Colour = iota
	Black
)

// Other returns the opponent.
func (c Colour) Other() Colour { return c ^ 1 }

// Kind is a kind of piece. (game.Kind is a kind of moves.)
type Kind int

// The kinds of pieces.
const (
	Pawn Kind = iota
	Knight
	Bishop
	Rook
	Queen
	King
)

// Code returns the code of a piece, 1 to 12; 0 is no piece.
func Code(c Colour, k Kind) int { return 1 + int(k)<<1 + int(c) }

// KindOf returns the kind of a piece code, which is not 0.
func KindOf(code int) Kind { return Kind((code - 1) >> 1) }

// ColourOf returns the colour of a piece code, which is not 0.
func ColourOf(code int) Colour { return Colour((code - 1) & 1) }

// letters are the FEN letters of the piece codes.
const letters = ".PpNnBbRrQqKk"
