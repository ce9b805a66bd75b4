package nnue

import (
	"unsafe"

	"trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/nnue"
	"trefoil/nnue/accumulator"
)

// Shape returns the shape of a net of chess with the given number of hidden neurons.
func Shape(hidden int) nnue.Shape {
	return nnue.Shape{Features: Features, Inputs: Inputs, Active: Active, Hidden: hidden, Buckets: Buckets}
}

// Read makes a net of a file. The error says what is wrong with it, or that it is no net of chess.
func Read(data []byte) (*nnue.Net, error) { return nnue.ReadShaped(data, Shape) }

// An Evaluator evaluates positions by a net. It is not safe for concurrent use, and allocates only when
// made. It keeps the accumulators of earlier positions (see package accumulator).
type Evaluator struct {
	net   *nnue.Net
	stack *accumulator.Stack[board]
}

// NewEvaluator returns an Evaluator with a net of chess.
func NewEvaluator(net *nnue.Net) *Evaluator {
	return &Evaluator{net: net, stack: accumulator.New(net, new(changes))}
}

// Bytes returns how much memory e takes besides the net.
func (e *Evaluator) Bytes() uint64 {
	return uint64(unsafe.Sizeof(*e)+unsafe.Sizeof(changes{})) + e.stack.Bytes()
}

// Evaluate is the value of p in centipawns for the side to move: the output of the net, times Scale, with the
// last steps of the hand-written evaluation (eval.Adjust).
func (e *Evaluator) Evaluate(p *chess.Position) int {
	us := p.Side()
	e.stack.Now = boardOf(p)
	values := e.stack.Values(p.Played(), [2]int{Mirrored(p.King(chess.White)), Mirrored(p.King(chess.Black))})
	v := e.net.Output(values[us&1], values[us&1^1], Bucket(p.Occupied().Count()))
	return eval.Adjust(p, v*Scale(p)/ScaleUnit)
}

// Scale is the material scaling of the output of a net for p, in parts of ScaleUnit: with more pieces on the
// board, an advantage wins more often. It is 0.8 with pawns alone and 1.07 with all pieces.
func Scale(p *chess.Position) int {
	minor := p.Kind(chess.Knight) | p.Kind(chess.Bishop)
	return 72 + min(minor.Count()+2*p.Kind(chess.Rook).Count()+4*p.Kind(chess.Queen).Count(), 24)
}

// ScaleUnit is the whole of a Scale.
const ScaleUnit = 90

// changes is the accumulator.Game of chess, with memory for its lists.
type changes struct{ added, removed [Active]uint16 }

// Distance returns the number of squares on which two boards differ.
func (*changes) Distance(a, b *board) int { return a.difference(b).Count() }

// Changes lists the features of White, not mirrored, on the board to and not on from, and the other way
// round.
func (c *changes) Changes(from, to *board) (added, removed []uint16) {
	added, removed = c.added[:0], c.removed[:0]
	for squares := from.difference(to); squares != 0; {
		s := squares.Pop()
		if c, k, ok := from.at(s); ok {
			removed = append(removed, Feature(chess.White, 0, c, k, s))
		}
		if c, k, ok := to.at(s); ok {
			added = append(added, Feature(chess.White, 0, c, k, s))
		}
	}
	return added, removed
}

// View returns what a side sees instead of each feature that White sees on the board as it is.
func (*changes) View(side, mirrored int) []uint16 { return views[side][mirrored][:] }

var views = func() (views [2][2][Inputs]uint16) {
	for side := range views {
		for mirrored := range views[side] {
			view, us := &views[side][mirrored], chess.Colour(side)
			for f := range chess.Square(Inputs) {
				c, k, s := chess.Colour(f/384), chess.Kind(f/64%6), f%64
				view[Feature(chess.White, 0, c, k, s)] = Feature(us, seen(us, mirrored), c, k, s)
			}
		}
	}
	return views
}()

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

// at returns the piece on s; ok is false if there is none.
func (b *board) at(s chess.Square) (c chess.Colour, k chess.Kind, ok bool) {
	s &= 63
	code := b[0]>>s&1 | b[1]>>s&1<<1 | b[2]>>s&1<<2
	return chess.Colour(b[3] >> s & 1), chess.Kind(code) - 1, code != 0
}
