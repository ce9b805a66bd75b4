package shogi

import "math/bits"

// Square is a square: 1a = 0, 1b = 1, … 1i = 8, 2a = 9, … 9i = 80.
type Square int

// Nowhere is the square of a king that is not on the board. Nothing attacks
// from it or on it.
const Nowhere Square = 81

// SquareAt returns the square of a file, 0 (1) to 8 (9), and a rank, 0 (a) to 8 (i).
func SquareAt(file, rank int) Square { return Square(file*9 + rank) }

// File returns 0 (file 1, Black's right) to 8.
func (s Square) File() int { return int(s) / 9 }

// Rank returns 0 (rank a, White's first) to 8.
func (s Square) Rank() int { return int(s) % 9 }

// Bit returns the board with s alone, or the empty one for Nowhere.
func (s Square) Bit() Bitboard { return squares[s&127] }

// String returns the square's name.
func (s Square) String() string {
	return string([]byte{'1' + byte(s.File()), 'a' + byte(s.Rank())})
}

// Bitboard is a set of squares: bit s of lo is a square of files 1 to 7, bit s − 63 of hi a square of files
// 8 and 9. No file lies in both words.
type Bitboard struct{ lo, hi uint64 }

// whole is the board.
var whole = Bitboard{1<<63 - 1, 1<<18 - 1}

// column is a file of either word, and filesLo and filesHi repeat a file's bits
// in every file of their word by multiplication.
const (
	column  = 1<<9 - 1
	filesLo = 1 | 1<<9 | 1<<18 | 1<<27 | 1<<36 | 1<<45 | 1<<54
	filesHi = 1 | 1<<9
)

// squares are the boards of one square; from Nowhere on they are empty.
var squares = func() (boards [128]Bitboard) {
	for s := range 63 {
		boards[s].lo = 1 << s
	}
	for s := range 18 {
		boards[63+s].hi = 1 << s
	}
	return boards
}()

// And returns the squares in both.
func (b Bitboard) And(c Bitboard) Bitboard { return Bitboard{b.lo & c.lo, b.hi & c.hi} }

// Or returns the squares in either.
func (b Bitboard) Or(c Bitboard) Bitboard { return Bitboard{b.lo | c.lo, b.hi | c.hi} }

// Xor returns the squares in one alone.
func (b Bitboard) Xor(c Bitboard) Bitboard { return Bitboard{b.lo ^ c.lo, b.hi ^ c.hi} }

// Without returns the squares of b that are not in c.
func (b Bitboard) Without(c Bitboard) Bitboard { return Bitboard{b.lo &^ c.lo, b.hi &^ c.hi} }

// Any reports whether b has a square.
func (b Bitboard) Any() bool { return b.lo|b.hi != 0 }

// Meets reports whether b and c have a square in common.
func (b Bitboard) Meets(c Bitboard) bool { return b.lo&c.lo|b.hi&c.hi != 0 }

// Has reports whether s is in b.
func (b Bitboard) Has(s Square) bool { return b.Meets(squares[s&127]) }

// Many reports whether b has more than one square.
func (b Bitboard) Many() bool {
	return b.lo&(b.lo-1) != 0 || b.hi&(b.hi-1) != 0 || b.lo != 0 && b.hi != 0
}

// Count returns the number of squares in b.
func (b Bitboard) Count() int { return bits.OnesCount64(b.lo) + bits.OnesCount64(b.hi) }

// First returns the lowest square of b, Nowhere if b is empty.
func (b Bitboard) First() Square {
	if b.lo != 0 {
		return Square(bits.TrailingZeros64(b.lo))
	}
	if b.hi != 0 {
		return Square(63 + bits.TrailingZeros64(b.hi))
	}
	return Nowhere
}

// Next returns the lowest square of b, which is not empty, and the others.
func (b Bitboard) Next() (Square, Bitboard) {
	if b.lo != 0 {
		return Square(bits.TrailingZeros64(b.lo)), Bitboard{b.lo & (b.lo - 1), b.hi}
	}
	return Square(63 + bits.TrailingZeros64(b.hi)), Bitboard{0, b.hi & (b.hi - 1)}
}

// ahead returns b one rank on, as c sees it; nothing of b is on c's last rank.
func (b Bitboard) ahead(c Colour) Bitboard {
	if c == Black {
		return Bitboard{b.lo >> 1, b.hi >> 1}
	}
	return Bitboard{b.lo << 1, b.hi << 1}
}

// files returns the files, whole, that b has a square of. Adding what eight
// ranks can hold carries into the ninth where there is one.
func (b Bitboard) files() Bitboard {
	const low, top = column >> 1, (column + 1) >> 1
	lo := (b.lo&(filesLo*low) + filesLo*low | b.lo) & (filesLo * top)
	hi := (b.hi&(filesHi*low) + filesHi*low | b.hi) & (filesHi * top)
	return Bitboard{lo - lo>>8 | lo, hi - hi>>8 | hi}
}

// ranks returns the ranks from a to b, both 0 to 8.
func ranks(a, b int) Bitboard {
	set := uint64(1)<<(b+1) - uint64(1)<<a
	return Bitboard{set * filesLo, set * filesHi}
}

// Colour is a side.
type Colour int

// The colours; Black (sente) moves first and moves towards rank a.
const (
	Black Colour = iota
	White
)

// Other returns the opponent.
func (c Colour) Other() Colour { return c ^ 1 }

// Kind is a kind of piece. (game.Kind is a kind of moves.) The first seven can
// be in hand; promotion adds 8.
type Kind int

// The kinds of pieces.
const (
	Pawn Kind = iota
	Lance
	Knight
	Silver
	Gold
	Bishop
	Rook
	King
	ProPawn
	ProLance
	ProKnight
	ProSilver
	golds // no kind: the set of all that move as golds
	Horse
	Dragon
	others // no kind: the set of the rest
)

const promoted Kind = 8

// Promotes reports whether there is a promoted form of k.
func (k Kind) Promotes() bool { return k < King && k != Gold }

// Plain returns the unpromoted form of k.
func (k Kind) Plain() Kind { return k &^ promoted }

// Code returns the code of a piece, 1 to 30; 0 is no piece.
func Code(c Colour, k Kind) int { return 1 + int(k)<<1 + int(c) }

// KindOf returns the kind of a piece code, which is not 0.
func KindOf(code int) Kind { return Kind((code - 1) >> 1) }

// ColourOf returns the colour of a piece code, which is not 0.
func ColourOf(code int) Colour { return Colour((code - 1) & 1) }
