// Package chance estimates who will win a small board of Ultimate Tic-Tac-Toe, and what boards won
// with some probability are worth on the big board.
package chance

import (
	"math/bits"
	"sync"

	"trefoil/game/ultimate"
)

// Table returns for each code how often, of 255, either role wins the board if both play at random
// and a random role moves at every turn.
var Table = sync.OnceValue(func() *[ultimate.BoardCodes][2]uint8 {
	const one = 1 << 24
	chances, sums := new([ultimate.BoardCodes][2]uint8), new([ultimate.BoardCodes][2]uint32)
	for code := ultimate.BoardCodes - 1; code >= 0; code-- {
		stones := ultimate.BoardStones(uint16(code))
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
					next := sums[code+int(ultimate.Power[cell])<<role]
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

// pairs are the other two boards of the lines through each board, in pairs.
var pairs = func() (t [ultimate.Boards][]pair) {
	for b := range t {
		for _, line := range ultimate.Lines() {
			if line>>b&1 != 0 {
				rest := line &^ (1 << b)
				t[b] = append(t[b], pair{uint8(bits.TrailingZeros16(rest)), uint8(bits.Len16(rest) - 1)})
			}
		}
	}
	return t
}()

type pair [2]uint8

// Through returns what each unit of the chance of board b adds to Lines.
func Through(chance *[ultimate.Boards]uint8, b uint8) (sum int) {
	for _, p := range pairs[b] {
		sum += int(chance[p[0]]) * int(chance[p[1]])
	}
	return sum
}
