// Package accumulator keeps accumulators of a net for the positions that a search evaluates. It knows no
// game: a game has a board type B, which says what the accumulators depend on, and the number of changes
// between two boards.
//
// A Stack has the accumulators of the latest position at each ply, with its board, so nothing needs to be
// done when a move is made or taken back. Those of another position come from the board that differs
// least, of
//
//   - the latest one at the same ply, mostly a sibling or the position itself,
//   - the latest one at the ply before, mostly the parent,
//   - the latest one that was computed from neither; there is one for each side and orientation, at
//     first the empty board.
//
// The first two serve a side only if it sees both boards with the same orientation. With a Net of Trefoil
// there are two: a side sees the board as it is, or mirrored. Another Transformer may have an orientation
// for each square of a king.
package accumulator

import (
	"unsafe"

	"trefoil/nnue"
)

// plies are more than a search is deep.
const plies = 256

// A Transformer is the part of a net from features to accumulators.
type Transformer interface {
	Neurons() int      // of an accumulator
	Orientations() int // how many there are for a side
	// Empty sets dst to the accumulator of the empty board.
	Empty(dst []int16)
	// Update sets dst to the accumulator src with features added and removed. dst may be src.
	Update(orientation int, dst, src []int16, added, removed []uint16)
}

// mirrored is the Transformer of a Net of Trefoil.
type mirrored struct{ net *nnue.Net }

func (m mirrored) Neurons() int      { return m.net.Hidden }
func (m mirrored) Orientations() int { return 2 }
func (m mirrored) Empty(dst []int16) { m.net.Refresh(dst, nil) }
func (m mirrored) Update(_ int, dst, src []int16, added, removed []uint16) {
	m.net.Update(dst, src, added, removed)
}

// A Stack is the accumulators of an evaluator. It is not safe for concurrent use, and allocates only when
// made.
type Stack[B any] struct {
	net   Transformer
	plies [plies]Position[B] // by moves played, modulo plies
	apart [2][]apart[B]      // by side and orientation
}

// apart is the accumulator of a side in a position.
type apart[B any] struct {
	board  B
	values []int16
}

// Position is the accumulators of a position.
type Position[B any] struct {
	Board       B
	Values      [2][]int16 // by side
	orientation [2]int     // by side; none if there are no values yet
}

const none = -1

// Has reports whether the accumulator of a side with an orientation is there.
func (p *Position[B]) Has(side, orientation int) bool { return p.orientation[side&1] == orientation }

// New returns a Stack for a net. The zero B is the empty board.
func New[B any](net *nnue.Net) *Stack[B] { return NewWith[B](mirrored{net}) }

// NewWith returns a Stack for any net.
func NewWith[B any](net Transformer) *Stack[B] {
	s := &Stack[B]{net: net}
	neurons, orientations := net.Neurons(), net.Orientations()
	values := make([]int16, (len(s.plies)+orientations)*2*neurons)
	next := func() []int16 {
		first := values[:neurons:neurons]
		values = values[neurons:]
		return first
	}
	for i := range s.plies {
		s.plies[i].Values = [2][]int16{next(), next()}
		s.plies[i].orientation = [2]int{none, none}
	}
	for side := range s.apart {
		s.apart[side] = make([]apart[B], orientations)
		for i := range s.apart[side] {
			s.apart[side][i].values = next()
			net.Empty(s.apart[side][i].values)
		}
	}
	return s
}

// Bytes returns how much memory s takes.
func (s *Stack[B]) Bytes() uint64 {
	apart := len(s.apart[0]) + len(s.apart[1])
	values := (2*len(s.plies) + apart) * s.net.Neurons()
	return uint64(unsafe.Sizeof(*s) + uintptr(apart)*unsafe.Sizeof(s.apart[0][0]) +
		uintptr(values)*unsafe.Sizeof(int16(0)))
}

// Plies returns the accumulators of the latest position after that many moves, and the accumulators of the
// latest position after a move less.
func (s *Stack[B]) Plies(played int) (to, parent *Position[B]) {
	return &s.plies[played&(plies-1)], &s.plies[(played-1)&(plies-1)]
}

// Apart returns the board for a side and an orientation that was computed from neither ply.
func (s *Stack[B]) Apart(side, orientation int) *B { return &s.apart[side&1][orientation].board }

// Distances are the numbers of changes from the boards of to, parent and Apart to a position.
type Distances struct{ To, Parent, Apart int }

// Nearest returns the board from which a side's accumulator in a position, which the side sees with an
// orientation, is best computed; nil if to has it already.
func (s *Stack[B]) Nearest(side, orientation int, to, parent *Position[B], d Distances) (from *B) {
	from, nearest := s.Apart(side, orientation), d.Apart
	if d.Parent <= nearest && parent.Has(side, orientation) {
		from, nearest = &parent.Board, d.Parent
	}
	if d.To <= nearest && to.Has(side, orientation) {
		if d.To == 0 {
			return nil
		}
		from = &to.Board
	}
	return from
}

// Compute computes the accumulator of a side in the position of board now from the accumulator of the board
// that Nearest has returned, given the features that now has and from has not, and the other way round.
// When both sides are done, the caller sets to.Board.
func (s *Stack[B]) Compute(side, orientation int, to, parent *Position[B], from, now *B, added, removed []uint16) {
	dst := to.Values[side&1]
	to.orientation[side&1] = orientation
	a := &s.apart[side&1][orientation]
	switch from {
	case &a.board:
		s.net.Update(orientation, a.values, a.values, added, removed)
		a.board = *now
		copy(dst, a.values)
	case &parent.Board:
		s.net.Update(orientation, dst, parent.Values[side&1], added, removed)
	default:
		s.net.Update(orientation, dst, dst, added, removed)
	}
}
