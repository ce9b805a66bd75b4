// Package chance estimates who will win a small board of Ultimate Tic-Tac-Toe, and what boards won
// with some probability are worth on the big board.
package chance

import (
	"math/bits"
	"sync"

	"trefoil/game/ultimate"
)

// Codes is the number of codes of a local board: nine ternary digits, cell 0 lowest, 0 an empty
// cell, 1 a stone of the first role, 2 one of the second.
const Codes = 19683

// Power has the powers of three: the weight of a cell in a code.
var Power = [ultimate.Boards]uint16{1, 3, 9, 27, 81, 243, 729, 2187, 6561}

// ternary is the code of a set of stones of the first role.
var ternary = func() (t [ultimate.All + 1]uint16) {
	for set := range t {
		for cell, power := range Power {
			t[set] += uint16(set) >> cell & 1 * power
		}
	}
	return t
}()

// Code returns the code of a local board by the cells of both roles.
func Code(first, second uint16) uint16 {
	return ternary[first&ultimate.All] + 2*ternary[second&ultimate.All]
}

// Stones returns the cells of both roles on a board by its code.
func Stones(code uint16) (stones [2]uint16) {
	for cell := 0; code > 0; cell, code = cell+1, code/3 {
		if digit := code % 3; digit > 0 {
			stones[digit-1] |= 1 << cell
		}
	}
	return stones
}

// Table returns for each code how often, of 255, either role wins the board if both play at random
// and a random role moves at every turn.
var Table = sync.OnceValue(func() *[Codes][2]uint8 {
	const one = 1 << 24
	chances, sums := new([Codes][2]uint8), new([Codes][2]uint32)
	for code := Codes - 1; code >= 0; code-- {
		stones := Stones(uint16(code))
		sum := &sums[code]
		switch empty := ultimate.All &^ (stones[0] | stones[1]); {
		case ultimate.HasLine(stones[0]):
			sum[0] = one
		case ultimate.HasLine(stones[1]):
			sum[1] = one
		default:
			ways := uint32(2 * bits.OnesCount16(empty))
			for ; empty != 0; empty &= empty - 1 {
				cell := bits.TrailingZeros16(empty)
				for role := range 2 { // more stones are a higher code: known already
					next := sums[code+int(Power[cell])<<role]
					sum[0] += next[0] / ways
					sum[1] += next[1] / ways
				}
			}
		}
		for role, s := range sum {
			chances[code][role] = uint8((uint64(s)*255 + one/2) / one)
		}
	}
	return chances
})

// Lines returns how many lines of the big board a side completes in expectation if it wins the
// boards with these chances, of 255, in units of 255^3.
func Lines(chance *[ultimate.Boards]uint8) int {
	p := chance
	a, b, c := int(p[0]), int(p[1]), int(p[2])
	d, e, f := int(p[3]), int(p[4]), int(p[5])
	g, h, i := int(p[6]), int(p[7]), int(p[8])
	return a*(b*c+d*g+e*i) + e*(d*f+b*h+c*g) + i*(g*h+c*f)
}
