package exact

import "trefoil/game/connect4"

//go:generate -command sets128 go run ../../tools/sets128
//go:generate sets128 best.go board.go bounds.go entry.go node.go order.go pool.go saved.go search.go shape.go

// board is a Board with what the search needs of it. Rows are counted from 1.
//
// The upper cells are the cells that a side gets by answering in the same column, just above: every second
// row, down from the highest. On the standard board these are the even rows.
type board struct {
	connect4.Sets  // a copy, which saves following a pointer
	on             *connect4.Board
	cells          int32
	late           int32          // cells - 2
	uppers, lowers connect4.Set   // upper cells, and the others
	top            connect4.Set   // the highest row
	first          connect4.Set   // the first column
	lowest         []connect4.Set // the rows up to each row of upper cells
	heads          connect4.Set   // the cells above the highest row: sentinels or, on a wide board, the lowest cells
	above          connect4.Set   // the cells of upwards: all or, on a wide board, all but the lowest
	strongest      int32          // upper bound by a threat in the lowest row of uppers that can have one
	prior          history
	workDrop       uint // see pack
}

func newBoard(on *connect4.Board, keyBits uint) *board {
	b := setsOf(on)
	e := &board{
		Sets: *b, on: on, cells: int32(b.Cells), late: int32(b.Cells) - 2, top: b.Bottom << (b.Height - 1),
		heads: b.Bottom << b.Height, above: b.All,
		strongest: int32(-(b.Height / 2)), first: b.Column(0), prior: prior(on), workDrop: keyBits - leastKeyBits,
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
