// Package nnue evaluates positions of Ultimate Tic-Tac-Toe by a neural network of the top-level package
// nnue.
//
// The features "ultimate 361" are, from the perspective of a side,
//
//	  0 + 81·(0 own, 1 opponent's) + 9·board + cell   stones on open boards
//	162 + 81·(0 own, 1 opponent's) + 9·board + cell   empty cells where a stone would win the board
//	324 + 9·(0 own, 1 opponent's, 2 neither's) + board boards that are decided
//	351 + board, 360                                  the board to play on, or the choice of any
//
// Stones on decided boards have none, because they do not matter any more.
package nnue

import (
	"math/bits"

	"trefoil/game/ultimate"
	"trefoil/nnue"
)

// The shape of a net; see Shape of the top-level package nnue. Active is at most 11 features of each board,
// and one for the board to play on.
const (
	Features = "ultimate 361"
	Inputs   = wins + 2*cells + 3*boards + boards + 1
	Active   = 11*boards + 1
	Buckets  = 8

	boards  = ultimate.Boards
	cells   = boards * boards
	wins    = 2 * cells
	decided = wins + 2*cells
	targets = decided + 3*boards
)

// Shape returns the shape of a net of Ultimate Tic-Tac-Toe with the given number of hidden neurons.
func Shape(hidden int) nnue.Shape {
	return nnue.Shape{Features: Features, Inputs: Inputs, Active: Active, Hidden: hidden, Buckets: Buckets}
}

// Read makes a net of a file. The error says what is wrong with it, or that it is no net of Ultimate
// Tic-Tac-Toe.
func Read(data []byte) (*nnue.Net, error) { return nnue.ReadShaped(data, Shape) }

// A Board is what the features depend on.
type Board struct {
	Small  [boards]Small
	Target uint8 // the board to play on, Any, or NoTarget
}

// The values of Target that are no board. NoTarget, the zero value, has no feature.
const (
	NoTarget = 0
	first    = 1 // the target is 1 + the board
	Any      = first + boards
)

// Small is a small board as the set of its features, each at its place:
//
//	bits 0 to 8, 9 to 17     stones of X, of O
//	bits 18 to 26, 27 to 35  empty cells where a stone of X, of O would win the board
//	bits 36, 37, 38          won by X, by O, drawn: then there are no others
type Small uint64

const (
	setBits = 9
	over    = 4 * setBits // the first bit about the end
	places  = over + 3
)

// SmallOf returns the Small of a board by the cells of X and of O.
func SmallOf(x, o uint16) Small {
	switch {
	case ultimate.HasLine(x):
		return 1 << over
	case ultimate.HasLine(o):
		return 2 << over
	case x|o == ultimate.All:
		return 4 << over
	}
	empty := ultimate.All &^ (x | o)
	return Small(x) | Small(o)<<setBits |
		Small(empty&ultimate.Completing(x))<<(2*setBits) | Small(empty&ultimate.Completing(o))<<(3*setBits)
}

// at has the features of board 0 by side and place, and the steps from there to the features of the next
// board.
var at = func() (t [2][64]struct{ feature, step uint16 }) {
	for side := range 2 {
		for place := range places {
			f := &t[side][place]
			switch of, cell := place/setBits, place%setBits; {
			case place < over:
				f.feature, f.step = uint16(cells*(of&2|(of&1^side))+cell), boards
			case place < over+2:
				f.feature, f.step = uint16(decided+boards*((place-over)^side)), 1
			default:
				f.feature, f.step = decided+2*boards, 1
			}
		}
	}
	return t
}()

// Append appends the features of small board number i for a side.
func (s Small) Append(to []uint16, side ultimate.Side, i int) []uint16 {
	for ; s != 0; s &= s - 1 {
		f := &at[side&1][bits.TrailingZeros64(uint64(s))]
		to = append(to, f.feature+f.step*uint16(i))
	}
	return to
}

// TargetOf returns the Target of a position in which board has to be played on, or any if it is 9.
func TargetOf(board int) uint8 { return first + uint8(board) }

// BoardOf returns the Board of a position.
func BoardOf(p *ultimate.Position) (b Board) {
	for i := range b.Small {
		b.Small[i] = SmallOf(p.Stones(ultimate.X, i), p.Stones(ultimate.O, i))
	}
	b.Target = Any
	if target, ok := p.Target(); ok {
		b.Target = TargetOf(target)
	}
	return b
}

// AppendTarget appends the feature of the board to play on.
func AppendTarget(to []uint16, target uint8) []uint16 {
	if target == NoTarget {
		return to
	}
	return append(to, uint16(targets)+uint16(target-first))
}

// Append appends all features for a side.
func (b *Board) Append(to []uint16, side ultimate.Side) []uint16 {
	for i, s := range b.Small {
		to = s.Append(to, side, i)
	}
	return AppendTarget(to, b.Target)
}

// Bucket returns the output bucket of a position, by the number of its empty cells on open boards.
func (b *Board) Bucket() int {
	var taken [2]uint64 // the cells of boards 0 to 6 and of the others that are not empty cells of open boards
	for i, s := range b.Small {
		cells := (s | s>>setBits) & ultimate.All
		if s>>over != 0 {
			cells = ultimate.All
		}
		taken[i/7] |= uint64(cells) << (setBits * (i % 7))
	}
	empty := cells - bits.OnesCount64(taken[0]) - bits.OnesCount64(taken[1])
	return empty * Buckets / (cells + 1)
}
