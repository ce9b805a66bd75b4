package ultimate

import (
	"math/bits"
	"sync"
)

// BoardCodes is the number of codes of a small board: nine ternary digits, cell 0 lowest, 0 an empty cell,
// 1 a stone of the first role, 2 a stone of the second. The roles are sides, or attacker and defender.
const BoardCodes = 19683

// Power has the powers of three: the weight of a cell in a code.
var Power = [boards]uint16{1, 3, 9, 27, 81, 243, 729, 2187, 6561}

// ternary is the code of a set of stones of the first role.
var ternary = func() (t [all + 1]uint16) {
	for set := range t {
		for cell, power := range Power {
			t[set] += uint16(set) >> cell & 1 * power
		}
	}
	return t
}()

// BoardCode returns the code of a small board by the cells of both roles.
func BoardCode(first, second uint16) uint16 { return ternary[first&all] + 2*ternary[second&all] }

// BoardStones returns the cells of both roles on a small board by its code.
func BoardStones(code uint16) (stones [2]uint16) {
	for cell := 0; code > 0; cell, code = cell+1, code/3 {
		if digit := code % 3; digit > 0 {
			stones[digit-1] |= 1 << cell
		}
	}
	return stones
}

// Code identifies a position up to the stones on decided boards, which do not matter any more. Codes can be compared.
//
//	18 bytes   the boards a to i, two bytes each, the high one first: Σ 3^cell · (0 empty, 1 X, 2 O) of an open
//	           board, 19683 of one that X has won, 19684 of one that O has won, 19685 of a drawn one
//	1 byte     2 · the board to play on, 9 if any, + 1 if O is to move
type Code [2*boards + 1]byte

// Codes of decided boards.
const (
	wonCode   = BoardCodes // + the side
	drawnCode = wonCode + 2
	codes     = drawnCode + 1
)

// boardCodes has the stones of a board by its code.
var boardCodes = sync.OnceValue(func() *[codes][2]uint16 {
	t := new([codes][2]uint16)
	for code := range uint16(BoardCodes) {
		t[code] = BoardStones(code)
	}
	t[wonCode+uint16(X)][X], t[wonCode+uint16(O)][O] = lines[0], lines[0]
	t[drawnCode] = [2]uint16{0o615, 0o162} // no line
	return t
})

// Code returns the code of the position.
func (p *Position) Code() (c Code) {
	for b := range boards {
		code := p.boardCode(b)
		c[2*b], c[2*b+1] = byte(code>>8), byte(code)
	}
	c[2*boards] = p.target<<1 | uint8(p.side)
	return c
}

func (p *Position) boardCode(b int) uint16 {
	switch bit := uint16(1) << b; {
	case p.won[X]&bit != 0:
		return wonCode + uint16(X)
	case p.won[O]&bit != 0:
		return wonCode + uint16(O)
	case p.drawn&bit != 0:
		return drawnCode
	}
	return BoardCode(p.stones[X][b], p.stones[O][b])
}

// Position returns the position of a code that Code has returned. On each decided board it has some stones with that
// result.
func (c *Code) Position() Position {
	p := Position{side: Side(c[2*boards] & 1), target: c[2*boards] >> 1}
	t := boardCodes()
	for b := range boards {
		stones := &t[uint16(c[2*b])<<8|uint16(c[2*b+1])]
		p.stones[X][b], p.stones[O][b] = stones[X], stones[O]
		p.decide(b)
	}
	return p
}

// CanWin reports whether a side can still win: there is a line of boards that it has won or that are open and have a
// line without a stone of the opponent.
func (p *Position) CanWin(s Side) bool {
	boards := p.won[s]
	for on := p.Open(); on != 0; on &= on - 1 {
		if b := bits.TrailingZeros16(on); HasLine(all &^ p.stones[s.Other()][b]) {
			boards |= 1 << b
		}
	}
	return HasLine(boards)
}
