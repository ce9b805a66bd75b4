// Package eval evaluates positions of Ultimate Tic-Tac-Toe by hand-written terms.
package eval

import (
	"math/bits"

	"trefoil/game/ultimate"
	"trefoil/game/ultimate/chance"
)

// The weights, in centipawns.
const (
	line   = 900 // a line of boards completed in expectation
	tempo  = 15  // to be on move
	choice = 60  // to be on move and free to choose the board
)

// Where the side to move has a stone that wins the board which it has to play on, the board counts as
// won with this chance at least, of 255, and the opponent's chance is scaled down likewise.
const aboutToWin = 200

// Evaluate is the value of a position that is not over, in centipawns for the side to move. It is the
// difference of the lines of boards that both sides complete in expectation, if they win each board with
// the chance that they have in random play, and a bonus for the choice of the board.
func Evaluate(p *ultimate.Position) int {
	us, them := p.Side(), p.Side().Other()
	var own, other [ultimate.Boards]uint8
	table := chance.Table()
	for b := range own {
		both := &table[ultimate.BoardCode(p.Stones(us, b), p.Stones(them, b))]
		own[b], other[b] = both[0], both[1]
	}
	value, on := tempo, p.Open()
	if board, ok := p.Target(); ok {
		on = 1 << board
	} else {
		value = choice
	}
	for ; on != 0; on &= on - 1 {
		b := bits.TrailingZeros16(on)
		stones := p.Stones(us, b)
		if ultimate.Completing(stones)&^p.Stones(them, b) != 0 && own[b] < aboutToWin {
			other[b] = uint8(int(other[b]) * (255 - aboutToWin) / (255 - int(own[b])))
			own[b] = aboutToWin
			break
		}
	}
	return value + (chance.Lines(&own)-chance.Lines(&other))*line/(255*255*255)
}
