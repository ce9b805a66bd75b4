package exact

import "trefoil/game/connect4"

// board is a Board with what the search needs of it. Rows are counted from 1.
//
// The upper cells are the cells that a side gets by answering in the same column, just above: every second
// row, down from the highest. On the standard board these are the even rows.
type board struct {
	connect4.Board // a copy, which saves following a pointer
	cells          int32
	late           int32    // cells - 2
	uppers, lowers uint64   // upper cells, and the others
	top            uint64   // the highest row
	first          uint64   // the first column
	lowest         []uint64 // the rows up to each row of upper cells
	heads          uint64   // the cells above the highest row: sentinels or, on a wide board, the lowest cells
	above          uint64   // the cells of upwards: all or, on a wide board, all but the lowest
	strongest      int32    // upper bound by a threat in the lowest row of uppers that can have one
	prior          history
	workDrop       uint // see pack
}

func newBoard(b *connect4.Board, keyBits uint) *board {
	e := &board{
		Board: *b, cells: int32(b.Cells), late: int32(b.Cells) - 2, top: b.Bottom << (b.Height - 1),
		heads: b.Bottom << b.Height, above: b.All,
		strongest: int32(-(b.Height / 2)), first: b.Column(0), prior: prior(b), workDrop: keyBits - leastKeyBits,
	}
	if b.Wide {
		e.above &^= b.Bottom
	}
	for n := 2 - b.Height%2; n <= b.Height; n += 2 {
		e.uppers |= b.Bottom << (n - 1)
		e.lowest = append(e.lowest, b.Rows(n))
	}
	e.lowers = b.All &^ e.uppers
	return e
}
