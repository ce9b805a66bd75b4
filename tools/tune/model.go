package main

import (
	"math"

	"trefoil/game/chess/eval"
)

// position is what the fit needs to know of a position: its terms, and all
// that does not depend on the weights.
type position struct {
	terms  []term
	mg, eg float64 // shares of the two halves in the value: phase, scale, fade
	unit   float64 // centipawns of a logistic unit
	target float64 // the expected result for White, 0 to 1
	phase  int
	value  int // by the weights in play, in White's centipawns
}

// params are the weights as numbers: middlegame halves, then endgame halves.
type params []float64

func newParams(w *eval.Weights) params {
	v := flatten(w).scores
	x := make(params, 2*len(v))
	for i, s := range v {
		x[i], x[len(v)+i] = float64(s.MG()), float64(s.EG())
	}
	return x
}

// store rounds x into w.
func (x params) store(w *eval.Weights) {
	v := flatten(w).scores
	for i, s := range v {
		*s = eval.S(int(math.Round(x[i])), int(math.Round(x[len(v)+i])))
	}
}

// value is the value of p in White's centipawns, and how it depends on the sums:
// the last steps of eval.Sum again, in real numbers. Tests hold the two
// together.
func (x params) value(p *position) (v float64, d derivative) {
	n := len(x) / 2
	var mg, eg [sums]float64
	for _, t := range p.terms {
		mg[t.sum] += float64(t.times) * x[t.weight]
		eg[t.sum] += float64(t.times) * x[n+int(t.weight)]
	}
	d.mg[sumScore], d.eg[sumScore] = p.mg, p.eg
	m, e := mg[sumScore], eg[sumScore]
	for k, sign := range [2]float64{-1, 1} {
		if danger := mg[sumWhiteDanger+k]; danger > 0 {
			m += sign * danger * danger / eval.DangerSquare
			d.mg[sumWhiteDanger+k] = sign * 2 * danger / eval.DangerSquare * p.mg
		}
		if danger := eg[sumWhiteDanger+k]; danger > 0 {
			e += sign * danger / eval.DangerEndgame
			d.eg[sumWhiteDanger+k] = sign / eval.DangerEndgame * p.eg
		}
	}
	switch w := eg[sumWinnable]; {
	case w < -math.Abs(e):
		e, d.eg[sumScore], d.eg[sumWhiteDanger], d.eg[sumBlackDanger] = 0, 0, 0, 0
	case e > 0:
		e += w
		d.eg[sumWinnable] = p.eg
	case e < 0:
		e -= w
		d.eg[sumWinnable] = -p.eg
	}
	return p.mg*m + p.eg*e, d
}

// derivative is that of a value by the sums it is made of.
type derivative struct{ mg, eg [sums]float64 }

// add adds slope times the gradient of p's value to grad.
func (d *derivative) add(grad []float64, p *position, slope float64) {
	n := len(grad) / 2
	for k := range sums {
		d.mg[k] *= slope
		d.eg[k] *= slope
	}
	for _, t := range p.terms {
		grad[t.weight] += float64(t.times) * d.mg[t.sum]
		grad[n+int(t.weight)] += float64(t.times) * d.eg[t.sum]
	}
}

// expect is the expected result of a value.
func expect(v, unit float64) float64 { return 1 / (1 + math.Exp(-v/unit)) }
