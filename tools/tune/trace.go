package main

import "fmt"

// term is one weight's part in one sum: how many times it is taken.
type term struct {
	weight uint16 // index into the vector
	sum    uint8
	times  int8
}

// tracer reads the terms of a position off the evaluation itself. Its
// evaluations have all weights zero but a few, which are the values of digits: so
// the sums, read as numbers of mixed base, are the numbers of times that those
// few are taken.
type tracer struct {
	probes []probe
	// plain is the evaluation by the weights in play, to prove the terms.
	plain  evaluator
	scores [][2]int
}

// probe is an evaluation and the digits in each half of its scores.
type probe struct {
	evaluator
	halves [2][]digit
}

// digit is a weight, taken from −limit to limit times.
type digit struct{ weight, limit int }

func newTracer(g subject) *tracer {
	w := g.weights()
	t := &tracer{plain: g.evaluator(w)}
	v := flatten(g, w)
	for i := range v.names {
		first, second := v.get(i)
		t.scores = append(t.scores, [2]int{first, second})
	}
	for next := 0; next < len(v.names); {
		zero := g.blank()
		var p probe
		digits := flatten(g, zero)
		for half := range p.halves {
			for unit := 1; next < len(v.names); next++ {
				n := g.limit(v.names[next])
				if unit*(2*n+1) > g.halfRange() {
					break
				}
				values := [2]int{}
				values[half] = unit
				digits.set(next, values[0], values[1])
				p.halves[half] = append(p.halves[half], digit{next, n})
				unit *= 2*n + 1
			}
		}
		p.evaluator = g.evaluator(zero)
		t.probes = append(t.probes, p)
	}
	return t
}

// trace appends the terms of p to list. It is an error if they do not make up
// the evaluation.
func (t *tracer) trace(p any, list []term) ([]term, error) {
	first := len(list)
	for i := range t.probes {
		probe := &t.probes[i]
		for sum, halves := range probe.sums(p) {
			if halves != [2]int{} {
				list = decode(list, probe.halves[0], sum, halves[0])
				list = decode(list, probe.halves[1], sum, halves[1])
			}
		}
	}
	var got pairs
	for _, term := range list[first:] {
		for half := range got[term.sum] {
			got[term.sum][half] += t.scores[term.weight][half] * int(term.times)
		}
	}
	if want := t.plain.sums(p); got != want {
		return list, fmt.Errorf("the terms read make %v, the evaluation %v", got, want)
	}
	return list, nil
}

// decode appends the terms that the digits of n are, the lowest first.
func decode(list []term, digits []digit, sum, n int) []term {
	for _, d := range digits {
		base := 2*d.limit + 1
		// The remainder from −limit to limit.
		times := ((n+d.limit)%base+base)%base - d.limit
		n = (n - times) / base
		if times != 0 {
			list = append(list, term{uint16(d.weight), uint8(sum), int8(times)})
		}
	}
	return list
}
