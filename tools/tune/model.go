package main

import "math"

// position is what the fit needs to know of a position: its terms, and all
// that does not depend on the weights.
type position struct {
	terms  []term
	mg, eg float64 // shares of the two halves in the value of chess: phase, scale, fade
	unit   float64 // centipawns of a logistic unit
	target float64 // the expected result for the first player, 0 to 1
	phase  int
	value  int // by the weights in play, for the first player
}

// params are the weights as numbers: their first halves, then their second ones.
type params []float64

func newParams(g subject, w any) params {
	v := flatten(g, w)
	n := len(v.names)
	x := make(params, 2*n)
	for i := range n {
		first, second := v.get(i)
		x[i], x[n+i] = float64(first), float64(second)
	}
	return x
}

// store rounds x into w.
func (x params) store(g subject, w any) {
	v := flatten(g, w)
	n := len(v.names)
	for i := range n {
		v.set(i, int(math.Round(x[i])), int(math.Round(x[n+i])))
	}
}

// value is the value of p for the first player, and how it depends on the sums.
func (x params) value(g subject, p *position) (v float64, d derivative) {
	n := len(x) / 2
	var halves [2][sums]float64
	for _, t := range p.terms {
		halves[0][t.sum] += float64(t.times) * x[t.weight]
		halves[1][t.sum] += float64(t.times) * x[n+int(t.weight)]
	}
	return g.combine(p, &halves)
}

// derivative is the derivative of a value by the halves of the sums that it is made of.
type derivative [2][sums]float64

// add adds slope times the gradient of p's value to grad.
func (d *derivative) add(grad []float64, p *position, slope float64) {
	n := len(grad) / 2
	for k := range sums {
		d[0][k] *= slope
		d[1][k] *= slope
	}
	for _, t := range p.terms {
		grad[t.weight] += float64(t.times) * d[0][t.sum]
		grad[n+int(t.weight)] += float64(t.times) * d[1][t.sum]
	}
}

// expect is the expected result of a value.
func expect(v, unit float64) float64 { return 1 / (1 + math.Exp(-v/unit)) }
