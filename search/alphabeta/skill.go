package alphabeta

import (
	"math"
	"math/rand/v2"

	"trefoil/game"
)

// Skill weakens a search: it plays one of its best moves, each with a probability that falls exponentially
// with what the move loses (softmax).
//
// The random numbers depend on nothing but the position after the move and the Seed. So a move is
// misjudged in the same way whenever it is considered, and a search can be repeated.
type Skill struct {
	Moves   int     // of which one is played, the best ones; at least 1
	Noise   float64 // centipawns: a move that loses that much is e times less probable
	MaxLoss int     // centipawns: a move that loses more is not played; 0 is no limit
	Seed    uint64
}

// moveForward makes the root move that is to be played the first root move of w, and reports whether
// another move was first. If an iteration was stopped, the values of the iteration before count.
func (s *Skill) moveForward(w *worker) bool {
	chosen, best, first := 0, math.Inf(-1), w.root[0].value()
	for i := range w.root[:min(s.Moves, w.lines)] {
		r := &w.root[i]
		if v := r.value(); v != -infinite && (s.MaxLoss == 0 || first-v <= s.MaxLoss) {
			if judged := float64(v) + s.Noise*s.gumbel(w.pos, r.move); judged > best {
				chosen, best = i, judged
			}
		}
	}
	r := w.root[chosen]
	copy(w.root[1:chosen+1], w.root[:chosen])
	w.root[0] = r
	return chosen > 0
}

// gumbel returns a random number of the standard Gumbel distribution for the position after m. The
// greatest sum of a value and such a number is a choice by softmax.
func (s *Skill) gumbel(pos Position, m game.Move) float64 {
	pos.Make(m)
	defer pos.Undo()
	return -math.Log(rand.New(rand.NewPCG(s.Seed, pos.Key())).ExpFloat64())
}
