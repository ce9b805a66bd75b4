package nnue

import (
	"fmt"

	"trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/nnue"
)

// Shape returns the shape of a net of chess with the given number of hidden neurons.
func Shape(hidden int) nnue.Shape {
	return nnue.Shape{Features: Features, Inputs: Inputs, Active: Active, Hidden: hidden, Buckets: Buckets}
}

// Read makes a net of a file. The error says what is wrong with it, or that it is no net of chess.
func Read(data []byte) (*nnue.Net, error) {
	n, err := nnue.Read(data)
	if err != nil {
		return nil, err
	}
	switch want := Shape(n.Hidden); {
	case n.Features != want.Features:
		return nil, fmt.Errorf("its features are %q, want %q", n.Features, want.Features)
	case n.Shape != want:
		return nil, fmt.Errorf("%d inputs, %d active, %d buckets, want %d, %d, %d",
			n.Inputs, n.Active, n.Buckets, want.Inputs, want.Active, want.Buckets)
	}
	return n, nil
}

// An Evaluator evaluates positions by a net. It is not safe for concurrent use, and allocates only when
// made.
//
// It keeps the accumulators of the latest position at each ply, with the board that they stand for, so
// nothing needs to be done when a move is made or taken back. Those of another position come from the
// board that differs on the fewest squares, of
//
//   - the latest one at the same ply, mostly a sibling or the position itself,
//   - the latest one at the ply before, mostly the parent,
//   - the latest one that was computed from neither; there is one for each side and orientation, at
//     first the empty board.
//
// The first two serve a side only if it sees both boards with the same orientation.
type Evaluator struct {
	net            *nnue.Net
	plies          [plies]accumulators     // by moves played, modulo plies
	cache          [2][2]cachedAccumulator // by side, and by whether it sees the board mirrored
	added, removed [Active]uint16
}

// plies are more than a search is deep.
const plies = 256

// accumulators are those of a position.
type accumulators struct {
	board       board
	orientation [2]chess.Square // by side; noOrientation: there are none yet
	values      [2][]int16      // by side
}

const noOrientation = -1

// cachedAccumulator is that of one side and orientation.
type cachedAccumulator struct {
	board  board
	values []int16
}

// NewEvaluator returns an Evaluator with a net of chess.
func NewEvaluator(net *nnue.Net) *Evaluator {
	e := &Evaluator{net: net}
	values := make([]int16, (len(e.plies)+len(e.cache))*2*net.Hidden)
	next := func() []int16 {
		first := values[:net.Hidden:net.Hidden]
		values = values[net.Hidden:]
		return first
	}
	for i := range e.plies {
		e.plies[i] = accumulators{orientation: [2]chess.Square{noOrientation, noOrientation}, values: [2][]int16{next(), next()}}
	}
	for side := range e.cache {
		for mirrored := range e.cache[side] {
			c := &e.cache[side][mirrored]
			c.values = next()
			net.Refresh(c.values, nil) // the empty board
		}
	}
	return e
}

// Evaluate is the value of p in centipawns for the side to move, with the last steps of the hand-written
// evaluation (eval.Adjust).
func (e *Evaluator) Evaluate(p *chess.Position) int {
	a, us := e.accumulate(p), p.Side()
	return eval.Adjust(p, e.net.Output(a.values[us&1], a.values[us&1^1], Bucket(p.Occupied().Count())))
}

// accumulate returns the accumulators of p.
func (e *Evaluator) accumulate(p *chess.Position) *accumulators {
	played, now := p.Played(), boardOf(p)
	to, parent := &e.plies[played%plies], &e.plies[(played+plies-1)%plies]
	fromTo, fromParent := now.distance(&to.board), now.distance(&parent.board)
	for side := chess.White; side <= chess.Black; side++ {
		orientation := Orientation(side, p.King(side))
		cached := &e.cache[side][orientation>>2&1]
		nearest := now.distance(&cached.board)
		from, src := &cached.board, cached.values
		if fromParent <= nearest && parent.orientation[side] == orientation {
			nearest, from, src = fromParent, &parent.board, parent.values[side]
		}
		if fromTo <= nearest && to.orientation[side] == orientation {
			nearest, from, src = fromTo, &to.board, to.values[side]
		}
		dst := to.values[side]
		to.orientation[side] = orientation
		switch {
		case from == &cached.board:
			e.change(cached.values, cached.values, side, orientation, from, &now)
			cached.board = now
			copy(dst, cached.values)
		case nearest > 0 || from != &to.board:
			e.change(dst, src, side, orientation, from, &now)
		}
	}
	to.board = now
	return to
}

// change sets dst to the accumulator of a side on the board to, given that on the board from.
func (e *Evaluator) change(dst, src []int16, side chess.Colour, orientation chess.Square, from, to *board) {
	added, removed := e.added[:0], e.removed[:0]
	for squares := from.difference(to); squares != 0; {
		s := squares.Pop()
		if c, k, ok := from.at(s); ok {
			removed = append(removed, Feature(side, orientation, c, k, s))
		}
		if c, k, ok := to.at(s); ok {
			added = append(added, Feature(side, orientation, c, k, s))
		}
	}
	e.net.Update(dst, src, added, removed)
}

// A board says where the pieces stand. On every square bits 0 to 2 are 1 + the kind of the piece, 0 if
// there is none, and bit 3 is its colour.
type board [4]chess.Bitboard

func boardOf(p *chess.Position) board {
	bishops, queens, kings := p.Kind(chess.Bishop), p.Kind(chess.Queen), p.Kind(chess.King)
	return board{
		p.Kind(chess.Pawn) | bishops | queens,
		p.Kind(chess.Knight) | bishops | kings,
		p.Kind(chess.Rook) | queens | kings,
		p.Colour(chess.Black),
	}
}

// difference returns the squares on which two boards differ.
func (b *board) difference(o *board) chess.Bitboard {
	return (b[0] ^ o[0]) | (b[1] ^ o[1]) | (b[2] ^ o[2]) | (b[3] ^ o[3])
}

// distance returns the number of these squares.
func (b *board) distance(o *board) int { return b.difference(o).Count() }

// at returns the piece on s; ok is false if there is none.
func (b *board) at(s chess.Square) (c chess.Colour, k chess.Kind, ok bool) {
	s &= 63
	code := b[0]>>s&1 | b[1]>>s&1<<1 | b[2]>>s&1<<2
	return chess.Colour(b[3] >> s & 1), chess.Kind(code) - 1, code != 0
}
