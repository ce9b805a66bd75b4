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
// The first two serve a side only if it sees both boards with the same orientation, of which there are
// two: a side sees the board as it is, or mirrored.
package accumulator

import "trefoil/nnue"

// plies are more than a search is deep.
const plies = 256

// A Stack is the accumulators of an evaluator. It is not safe for concurrent use, and allocates only when
// made.
type Stack[B any] struct {
	net   *nnue.Net
	plies [plies]Position[B] // by moves played, modulo plies
	apart [2][2]struct {     // by side and orientation
		board  B
		values []int16
	}
}

// Position is the accumulators of a position.
type Position[B any] struct {
	Board       B
	Values      [2][]int16 // by side
	orientation [2]int     // by side; none if there are no values yet
}

const none = -1

// New returns a Stack for a net. The zero B is the empty board.
func New[B any](net *nnue.Net) *Stack[B] {
	s := &Stack[B]{net: net}
	values := make([]int16, (len(s.plies)+len(s.apart))*2*net.Hidden)
	next := func() []int16 {
		first := values[:net.Hidden:net.Hidden]
		values = values[net.Hidden:]
		return first
	}
	for i := range s.plies {
		s.plies[i].Values = [2][]int16{next(), next()}
		s.plies[i].orientation = [2]int{none, none}
	}
	for side := range s.apart {
		for orientation := range s.apart[side] {
			a := &s.apart[side][orientation]
			a.values = next()
			net.Refresh(a.values, nil) // the empty board
		}
	}
	return s
}

// Plies returns the accumulators of the latest position after that many moves, and those of the latest
// one after a move less.
func (s *Stack[B]) Plies(played int) (to, parent *Position[B]) {
	return &s.plies[played&(plies-1)], &s.plies[(played-1)&(plies-1)]
}

// Apart returns the board for a side and an orientation, 0 or 1, that was computed from neither ply.
func (s *Stack[B]) Apart(side, orientation int) *B { return &s.apart[side&1][orientation&1].board }

// Distances are the numbers of changes from the boards of to, parent and Apart to a position.
type Distances struct{ To, Parent, Apart int }

// Nearest returns the board from which a side's accumulator in a position, which the side sees with an
// orientation, is best computed; nil if to has it already.
func (s *Stack[B]) Nearest(side, orientation int, to, parent *Position[B], d Distances) (from *B) {
	from, nearest := s.Apart(side, orientation), d.Apart
	if d.Parent <= nearest && parent.orientation[side&1] == orientation {
		from, nearest = &parent.Board, d.Parent
	}
	if d.To <= nearest && to.orientation[side&1] == orientation {
		if d.To == 0 {
			return nil
		}
		from = &to.Board
	}
	return from
}

// Compute computes the accumulator of a side in the position of board now from that of the board which
// Nearest has returned, given the features that now has and from has not, and the other way round. When
// both sides are done, the caller sets to.Board.
func (s *Stack[B]) Compute(side, orientation int, to, parent *Position[B], from, now *B, added, removed []uint16) {
	dst := to.Values[side&1]
	to.orientation[side&1] = orientation
	a := &s.apart[side&1][orientation&1]
	switch from {
	case &a.board:
		s.net.Update(a.values, a.values, added, removed)
		a.board = *now
		copy(dst, a.values)
	case &parent.Board:
		s.net.Update(dst, parent.Values[side&1], added, removed)
	default:
		s.net.Update(dst, dst, added, removed)
	}
}
