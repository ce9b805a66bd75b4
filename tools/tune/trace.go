package main

import (
	"fmt"
	"strings"

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
// evaluators have all weights zero but a few, which are the values of digits: so
// the sums, read as numbers of mixed base, are the numbers of times that those
// few are taken.
type tracer struct {
	probes []probe
	// plain is the evaluation by the weights in play, to prove the terms.
	plain  *eval.Evaluator
	scores []eval.Score
}

// probe is an evaluator and the digits in each half of its scores.
type probe struct {
	eval   *eval.Evaluator
	halves [2][]digit
}

// digit is a weight, taken from −limit to limit times.
type digit struct{ weight, limit int }

// limit is how often a weight can be taken for one side more than for the
// other. What is wrong here is found by trace.
func limit(name string) int {
	table := strings.HasSuffix(name, "]")
	switch field, rest, _ := strings.Cut(name, "."); {
	case rest == "" && strings.Contains(field, "Mobility"):
		return 16 // pieces of a kind
	case rest == "" && table && !strings.HasPrefix(field, "Material"):
		return 1 // a man on a square
	case field == "Shelter":
		return 3 // files
	case field == "Structure" && table, field == "Passed" && !strings.Contains(rest, "King"):
		return 16 // pawns, or twice their number
	}
	return 127
}

func newTracer() *tracer {
	w := eval.Default()
	t := &tracer{plain: eval.NewWith(&w, 1)}
	v := flatten(&w)
	for _, s := range v.scores {
		t.scores = append(t.scores, *s)
	}
	for next := 0; next < len(v.names); {
		var zero eval.Weights
		var p probe
		scores := flatten(&zero).scores
		for half := range p.halves {
			for unit := 1; next < len(v.names); next++ {
				n := limit(v.names[next])
				if unit*(2*n+1) > 1<<16 {
					break
				}
				*scores[next] = eval.S(unit, 0)
				if half == 1 {
					*scores[next] = eval.S(0, unit)
				}
				p.halves[half] = append(p.halves[half], digit{next, n})
				unit *= 2*n + 1
			}
		}
		p.eval = eval.NewWith(&zero, 1)
		t.probes = append(t.probes, p)
	}
	return t
}

// trace appends the terms of p to list. It is an error if they do not make up
// the evaluation.
func (t *tracer) trace(p *chess.Position, list []term) ([]term, error) {
	first := len(list)
	for i := range t.probes {
		probe := &t.probes[i]
		for sum, score := range parts(probe.eval.Sum(p)) {
			if score != 0 {
				list = decode(list, probe.halves[0], sum, score.MG())
				list = decode(list, probe.halves[1], sum, score.EG())
			}
		}
	}
	var got [sums]eval.Score
	for _, term := range list[first:] {
		got[term.sum] += t.scores[term.weight] * eval.Score(term.times)
	}
	if want := parts(t.plain.Sum(p)); got != want {
		return list, fmt.Errorf("%s: the terms read make %v, the evaluation %v", p.FEN(), got, want)
	}
	return list, nil
}

func parts(s eval.Sum) [sums]eval.Score {
	return [sums]eval.Score{s.Score, s.Danger[0], s.Danger[1], s.Winnable}
}

// decode appends the terms that the digits of n are, the lowest first.
func decode(list []term, digits []digit, sum, n int) []term {
	for _, d := range digits {
		base := 2*d.limit + 1
		// The remainder from −limit to limit; n is far above −base·2^16.
		times := (n+d.limit+base<<16)%base - d.limit
		n = (n - times) / base
		if times != 0 {
			list = append(list, term{uint16(d.weight), uint8(sum), int8(times)})
		}
	}
	return list
}
