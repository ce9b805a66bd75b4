package main

import (
	"trefoil/game/chess"
	"trefoil/game/chess/eval"
)

// The sums of an evaluation that are linear in the weights.
const (
	sumScore = iota
	sumWhiteDanger
	sumBlackDanger
	sumWinnable
	sums
)

// term is one weight's part in one sum: how many times it is taken.
type term struct {
	weight uint16 // index into the vector
	sum    uint8
	times  int8
}

// tracer reads the terms of a position off the evaluation itself. Its
// evaluators have all weights zero but four, which are 1 and base in each half
// of a Score: so the sums, read in that base with digits from −127 to 127, are
// the numbers of times those four are taken.
type tracer struct {
	weights int
	probes  []*eval.Evaluator
}

// base is the largest for which two digits fit half a Score.
const base = 255

func newTracer() *tracer {
	var zero eval.Weights
	t := &tracer{weights: len(flatten(&zero).scores)}
	for i := 0; i < t.weights; i += 4 {
		w := zero
		v := flatten(&w).scores
		for k, s := range [4]eval.Score{eval.S(1, 0), eval.S(base, 0), eval.S(0, 1), eval.S(0, base)} {
			if i+k < t.weights {
				*v[i+k] = s
			}
		}
		t.probes = append(t.probes, eval.NewWith(&w, 1))
	}
	return t
}

// trace appends the terms of p to list.
func (t *tracer) trace(p *chess.Position, list []term) []term {
	for i, e := range t.probes {
		s := e.Sum(p)
		for sum, score := range [sums]eval.Score{s.Score, s.Danger[0], s.Danger[1], s.Winnable} {
			if score == 0 {
				continue
			}
			low, high := digits(score.MG())
			low2, high2 := digits(score.EG())
			for k, n := range [4]int{low, high, low2, high2} {
				if n != 0 {
					list = append(list, term{uint16(4*i + k), uint8(sum), int8(n)})
				}
			}
		}
	}
	return list
}

// digits splits n = low + base·high with digits from −127 to 127.
func digits(n int) (low, high int) {
	high = (n + base/2 + base*base) / base
	high -= base
	return n - base*high, high
}
