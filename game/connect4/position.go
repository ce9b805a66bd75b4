// Package connect4 implements the rules of Connect Four, on the standard board of seven columns and six
// rows and on others: positions, keys, wins, and notation of games as the columns played.
//
// A set of cells has one bit more for every column than it has cells, the lowest cell
// first. The last bit of a column is a sentinel that is always empty, so that no line
// runs from the top of one column into the bottom of the next. Sets of a board of up to 64 cells are one word: of such
// boards those that have no room for sentinels are wide: their columns follow each other without them. Sets of larger
// boards are two words. On the standard board:
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
// A Position is a Board and two sets: the stones of the side to move, and all stones. It is a value:
// playing a move returns another one, and nothing has to be undone. The zero value is the empty standard
// board. Only errors and text allocate.
package connect4

import (
	"math/bits"
	"strings"
)

// Position is the stones of the side to move, and all stones.
type Position struct {
	Mover, All Set128
	board      *Board // nil: Standard
}

// Board returns the board of the position.
func (p Position) Board() *Board {
	if p.board == nil {
		return Standard
	}
	return p.board
}

// Ply returns how many stones have been played.
func (p Position) Ply() int { return p.All.Count() }

// Moves returns the cells where a stone can land, one for each column that is not
// full. It does not ask whether the game is over.
func (p Position) Moves() Set128 { return p.Board().Moves(p.All) }

// CanPlay reports whether a column, from 0 on, has an empty cell.
func (p Position) CanPlay(col int) bool { return !p.Board().Column(col).AndNot(p.All).IsZero() }

// Play drops a stone into a column, from 0 on, which must not be full.
func (p Position) Play(col int) Position { return p.Drop(p.cell(col)) }

// cell returns the cell where a stone in a column lands, none if the column is full.
func (p Position) cell(col int) Set128 {
	b := p.Board()
	if s := b.Small; s != nil { // as below, but quicker
		return Set128{Low: s.Moves(p.All.Low) & s.Column(col)}
	}
	return b.Moves(p.All).And(b.Column(col))
}

// Wins returns the cells where a stone of the side to move lands and completes a line.
func (p Position) Wins() Set128 { return p.Board().Wins(p.Mover, p.All).And(p.Moves()) }

// Drop puts a stone on a cell of Moves.
func (p Position) Drop(cell Set128) Position {
	return Position{p.Mover.Xor(p.All), p.All.Or(cell), p.board}
}

// Key returns a number from 0 to the MaxKey of the board, whose MaxHigh is 0, that is different for every
// position.
//
// A column of n stones adds 2^n - 1 for the column and 0 to 2^n - 1 for the mover's stones: from 2^n - 1 to
// 2^(n+1) - 2. For different n these ranges do not meet, and none exceeds 2^(height+1) - 2, so that no
// column carries into the next.
func (p Position) Key() uint64 { return p.Mover.Low + p.All.Low }

// WideKey returns a number as Key does, for any board: high·2^64 + low.
func (p Position) WideKey() (high, low uint64) {
	if p.Board().Wide {
		return p.board.WideKey(p.Mover.Low, p.All.Low)
	}
	key := p.Mover.Add(p.All)
	return key.High, key.Low
}

// WideKey returns the key of a position on a wide board, given the stones of the side to move and all stones. It
// is a set of cells, and beyond them one bit for each column that is full:
//
// A column of n stones has the mover's stones, and above them the cell of the next stone, from 2^n to
// 2^(n+1) - 1. For different n these ranges do not meet. In a full column there is no next stone, and any cells
// may be the mover's, but then its bit beyond the cells is set. So the key has width × (height + 1) bits.
func (b *Board) WideKey(mover, all Set) (high, low uint64) {
	full := all >> (b.Height - 1) & b.Bottom.Low
	for i, groups := range b.gather { // two groups of 2^i columns each become one
		full = (full | full>>((b.Height-1)<<i)) & groups
	}
	return full >> (keyWord - b.Cells), full<<b.Cells | mover | b.Small.Moves(all)
}

// PositionOf returns the position of this board that has a key as WideKey returns it.
func (b *Board) PositionOf(high, key uint64) Position {
	p := Position{board: b}
	for col := range b.Width {
		at := b.Stride * uint(col)
		n := Set128{high, key}.Shr(at).Low & (1<<b.Stride - 1) // 2^stones - 1 and the mover's
		all := uint64(1)<<(bits.Len64(n+1)-1) - 1
		mover := n - all
		if b.Wide {
			all, mover = 1<<b.Height-1, n
			if full := (high<<(keyWord-b.Cells) | key>>b.Cells) >> col & 1; full == 0 {
				all = 1<<(bits.Len64(n)-1) - 1
				mover &= all
			}
		}
		p.All = p.All.Or(Set128{Low: all}.Shl(at))
		p.Mover = p.Mover.Or(Set128{Low: mover}.Shl(at))
	}
	return p
}

// Mirror returns the position with left and right exchanged.
func (p Position) Mirror() Position {
	b := p.Board()
	return Position{b.Mirror(p.Mover), b.Mirror(p.All), p.board}
}

// Over reports whether the game has ended, and whether it did because the side that
// has just moved, not the side to move, has a line.
func (p Position) Over() (won, over bool) {
	b := p.Board()
	won = b.Line(p.Mover.Xor(p.All))
	return won, won || p.All == b.All
}

// WinScore returns the score of a win by the stone that is played next: 1 and the stones that the
// side to move then has left.
func (p Position) WinScore() int { return (p.Board().Cells + 1 - p.Ply()) / 2 }

// FinalScore returns the score of a position whose game is over, for the side to move.
func (p Position) FinalScore() int {
	if won, _ := p.Over(); won {
		return -(p.Board().Cells + 2 - p.Ply()) / 2
	}
	return 0
}

// String draws the board, x for the side that began and o for the other, and the numbers of the columns
// below it. No line is empty.
func (p Position) String() string {
	board := p.Board()
	stones := [2]Set128{p.Mover, p.Mover.Xor(p.All)} // of the side to move, of the other
	first := stones[p.Ply()&1]
	var b strings.Builder
	for row := board.Height - 1; row >= 0; row-- {
		for col := range board.Width {
			switch cell := board.Column(col).And(board.Bottom.Shl(uint(row))); {
			case p.All.And(cell).IsZero():
				b.WriteByte('.')
			case !first.And(cell).IsZero():
				b.WriteByte('x')
			default:
				b.WriteByte('o')
			}
			b.WriteByte(" \n"[col/(board.Width-1)])
		}
	}
	b.WriteString(strings.Join(strings.Split(columns[:board.Width], ""), " "))
	return b.String()
}
