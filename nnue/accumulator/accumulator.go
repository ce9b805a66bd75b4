// Package accumulator keeps accumulators of a net for the positions that a search evaluates. It knows no
// game: a game has a board type B, which says what the accumulators depend on, and lists the changes
// between two boards.
//
// A Stack has the accumulators of the latest position at each ply, with its board, so nothing needs to be
// done when a move is made or taken back. Those of another position are updated from the latest one at the
// ply before, mostly the parent, if that is near. Otherwise they are updated from the nearest of
//
//   - the latest one at the same ply, mostly a sibling,
//   - the latest one at the ply before,
//   - the latest one that was not near any; there is one for each side and orientation, at first the empty
//     board.
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

// near is the distance up to which the ply before is not compared with others: no move changes more.
const near = 4

// A Game compares boards.
type Game[B any] interface {
	// Distance returns the number of changes between two boards.
	Distance(a, b *B) int
	// Changes lists the features that side 0 with orientation 0 sees on the board to and not on from, and the
	// other way round: fewer than 256 each, which are valid until the next call.
	Changes(from, to *B) (added, removed []uint16)
	// View returns, for each feature that side 0 sees with orientation 0, the one that a side sees with an
	// orientation.
	View(side, orientation int) []uint16
}

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
type Stack[B comparable] struct {
	// Now is the board of the position whose accumulators Values returns.
	Now   B
	net   Transformer
	game  Game[B]
	plies [plies]position[B] // by moves played, modulo plies
	apart [2][]apart[B]      // by side and orientation

	from           *B // the board whose changes to Now are added and removed
	added, removed []uint16
	seen           [2][256]uint16 // both, as the side that is updated sees them
}

// position is the accumulators of a position.
type position[B any] struct {
	board       B
	values      [2][]int16 // by side
	orientation [2]int     // by side; none if there are no values yet
}

// apart is the accumulator of a side with an orientation in a position.
type apart[B any] struct {
	board  B
	values []int16
	view   []uint16 // Game.View
}

const none = -1

// New returns a Stack for a net. The zero B is the empty board.
func New[B comparable](net *nnue.Net, game Game[B]) *Stack[B] { return NewWith(mirrored{net}, game) }

// NewWith returns a Stack for any net.
func NewWith[B comparable](net Transformer, game Game[B]) *Stack[B] {
	s := &Stack[B]{net: net, game: game}
	neurons, orientations := net.Neurons(), net.Orientations()
	values := make([]int16, (len(s.plies)+orientations)*2*neurons)
	next := func() []int16 {
		first := values[:neurons:neurons]
		values = values[neurons:]
		return first
	}
	for i := range s.plies {
		s.plies[i].values = [2][]int16{next(), next()}
		s.plies[i].orientation = [2]int{none, none}
	}
	for side := range s.apart {
		s.apart[side] = make([]apart[B], orientations)
		for i := range s.apart[side] {
			s.apart[side][i].values = next()
			net.Empty(s.apart[side][i].values)
			s.apart[side][i].view = game.View(side, i)
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

// Values returns the accumulators by side of the position of s.Now after that many moves, which the sides see
// with these orientations. They are valid until the next call.
func (s *Stack[B]) Values(played int, orientations [2]int) *[2][]int16 {
	to, parent := &s.plies[played&(plies-1)], &s.plies[(played-1)&(plies-1)]
	same, toParent := to.board == s.Now, s.game.Distance(&s.Now, &parent.board)
	s.from = nil
	for side, orientation := range orientations {
		if same && to.orientation[side] == orientation {
			continue
		}
		if toParent <= near && parent.orientation[side] == orientation {
			s.update(side, orientation, to.values[side], parent.values[side], &parent.board)
		} else {
			s.updateFar(side, orientation, to, parent, toParent)
		}
		to.orientation[side] = orientation
	}
	to.board = s.Now
	return &to.values
}

// updateFar computes the accumulator of a side in to from the nearest board.
func (s *Stack[B]) updateFar(side, orientation int, to, parent *position[B], toParent int) {
	dst, a := to.values[side], &s.apart[side][orientation]
	from, src, nearest := &a.board, a.values, s.game.Distance(&s.Now, &a.board)
	if parent.orientation[side] == orientation && toParent <= nearest {
		from, src, nearest = &parent.board, parent.values[side], toParent
	}
	if to.orientation[side] == orientation && s.game.Distance(&s.Now, &to.board) <= nearest {
		from, src = &to.board, dst
	}
	if from != &a.board {
		s.update(side, orientation, dst, src, from)
		return
	}
	s.update(side, orientation, src, src, from)
	a.board = s.Now
	copy(dst, src)
}

// update sets dst to the accumulator of a side on the board s.Now; src is the accumulator on the board from.
func (s *Stack[B]) update(side, orientation int, dst, src []int16, from *B) {
	if s.from != from {
		s.added, s.removed = s.game.Changes(from, &s.Now)
		s.from = from
	}
	view := s.apart[side][orientation].view
	s.net.Update(orientation, dst, src, see(&s.seen[0], view, s.added), see(&s.seen[1], view, s.removed))
}

// see sets dst to what features are in a view.
func see(dst *[256]uint16, view, features []uint16) []uint16 {
	for i, f := range features {
		dst[i&255] = view[f]
	}
	return dst[:len(features)]
}
