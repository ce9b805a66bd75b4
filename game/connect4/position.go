// Package connect4 implements the rules of Connect Four on the standard board of seven columns and
// six rows: positions, keys, wins, and notation of games as the columns played.
//
// A set of cells is one 64-bit word, seven bits for every column, the lowest cell
// first. The seventh bit of a column is a sentinel that is always empty, so that no line of four
// runs from the top of one column into the bottom of the next:
//
//	 6 13 20 27 34 41 48     the sentinels
//	┌────────────────────┐
//	│ 5 12 19 26 33 40 47│
//	│ 4 11 18 25 32 39 46│   from a cell to its neighbour
//	│ 3 10 17 24 31 38 45│       above              +1
//	│ 2  9 16 23 30 37 44│       right and below    +6
//	│ 1  8 15 22 29 36 43│       right              +7
//	│ 0  7 14 21 28 35 42│       right and above    +8
//	└────────────────────┘
//	  1  2  3  4  5  6  7      columns in text; in code 0 to 6
//
// A Position is two words: the stones of the side to move, and all stones. It is a value: playing
// a move returns another one, and nothing has to be undone. The zero value is the empty board. Only
// errors and text allocate.
package connect4

import (
	"math/bits"
	"strings"
)

// The board.
const (
	Width  = 7
	Height = 6
	Cells  = Width * Height

	column        = Height + 1 // bits of a column, and from a cell to the one to its right
	Bottom uint64 = 1<<0 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42
	Board  uint64 = Bottom * (1<<Height - 1) // all cells

	MaxKey = 2 * Board // no key is larger; it has 49 bits
)

// Column returns the cells of a column, 0 to 6.
func Column(col int) uint64 { return (1<<Height - 1) << (column * uint(col)) }

// Position is the stones of the side to move, and all stones.
type Position struct{ Mover, All uint64 }

// Ply returns how many stones have been played.
func (p Position) Ply() int { return bits.OnesCount64(p.All) }

// Moves returns the cells where a stone can land, one for each column that is not
// full. It does not ask whether the game is over.
//
// Adding one at the bottom of a column carries through its stones into the first
// empty cell; in a full column that is the sentinel.
func (p Position) Moves() uint64 { return (p.All + Bottom) & Board }

// CanPlay reports whether column col, 0 to 6, has an empty cell.
func (p Position) CanPlay(col int) bool { return p.Moves()&Column(col) != 0 }

// Play drops a stone into column col, 0 to 6, which must not be full.
func (p Position) Play(col int) Position {
	return Position{p.Mover ^ p.All, p.All | (p.All + 1<<(column*uint(col)))}
}

// Drop puts a stone on one of the cells of Moves.
func (p Position) Drop(cell uint64) Position {
	return Position{p.Mover ^ p.All, p.All | cell}
}

// Key returns a number from 0 to MaxKey that is different for every position.
//
// A column of n stones adds 2^n - 1 for all of them and 0 to 2^n - 1 for the mover's:
// from 2^n - 1 to 2^(n+1) - 2. For different n these ranges do not meet, and none
// exceeds 126, so that no column carries into the next.
func (p Position) Key() uint64 { return p.Mover + p.All }

// Mirror returns the position with left and right exchanged.
func (p Position) Mirror() Position { return Position{Mirror(p.Mover), Mirror(p.All)} }

// Mirror exchanges left and right in a set of cells, or in a key: the key of a
// mirrored position is the mirrored key.
func Mirror(cells uint64) uint64 {
	const first = 1<<column - 1
	return cells&first<<(6*column) | cells>>(6*column)&first |
		cells&(first<<column)<<(4*column) | cells>>(4*column)&(first<<column) |
		cells&(first<<(2*column))<<(2*column) | cells>>(2*column)&(first<<(2*column)) |
		cells&(first<<(3*column))
}

// Wins returns the empty cells, playable or not, where one more stone completes four in a line with
// stones. all is the stones of both sides.
func Wins(stones, all uint64) uint64 {
	wins := stones << 1 & (stones << 2) & (stones << 3) // upright, only the top one can be missing
	wins |= threes(stones, column-1) | threes(stones, column) | threes(stones, column+1)
	return wins & (Board &^ all)
}

// threes returns the bits where a stone would complete four at distance d; they may be sentinels.
//
//	x x x ·     x x · x     x · x x     · x x x
func threes(stones uint64, d uint) uint64 {
	before := stones << d & (stones << (2 * d))
	after := stones >> d & (stones >> (2 * d))
	return before&(stones<<(3*d)|stones>>d) | after&(stones>>(3*d)|stones<<d)
}

// Four reports whether the stones have four in a line.
func Four(stones uint64) bool {
	return fours(stones, 1)|fours(stones, column-1)|fours(stones, column)|fours(stones, column+1) != 0
}

// fours returns the first cells of the lines of four at distances d.
func fours(stones uint64, d uint) uint64 {
	pairs := stones & (stones >> d)
	return pairs & (pairs >> (2 * d))
}

// Over reports whether the game has ended, and whether it did because the side that
// has just moved, not the side to move, has four in a line.
func (p Position) Over() (won, over bool) {
	won = Four(p.Mover ^ p.All)
	return won, won || p.All == Board
}

// String draws the board, x for the side that began and o for the other, and the
// numbers of the columns below it; six lines and one, none of them empty.
func (p Position) String() string {
	stones := [2]uint64{p.Mover, p.Mover ^ p.All} // of the side to move, of the other
	first := stones[p.Ply()&1]
	var b strings.Builder
	for row := Height - 1; row >= 0; row-- {
		for col := range Width {
			switch cell := uint64(1) << (column*col + row); {
			case p.All&cell == 0:
				b.WriteByte('.')
			case first&cell != 0:
				b.WriteByte('x')
			default:
				b.WriteByte('o')
			}
			b.WriteByte(" \n"[col/(Width-1)])
		}
	}
	b.WriteString("1 2 3 4 5 6 7")
	return b.String()
}
