package train

import (
	"fmt"
	"math"
	"math/rand/v2"

	"trefoil/nnue"
)

// parameters are the weights of a net, or as many derivatives. All of them are in one slice:
//
//	[Inputs+1][Hidden]     feature weights; the last row is the bias, as of a feature that is always active
//	[Buckets][2][Hidden]   output weights
//	[Buckets]              output biases, then zeros up to a multiple of nnue.HiddenDivisor
//
// A feature weight of 1 is nnue.QA of the quantised net, an output of 1 is K centipawns.
type parameters struct {
	nnue.Shape
	values []float32
}

func newParameters(shape nnue.Shape) parameters {
	return parameters{shape, make([]float32, size(shape))}
}

// size returns the number of parameters of a net.
func size(shape nnue.Shape) int {
	n := (shape.Inputs+1+2*shape.Buckets)*shape.Hidden + shape.Buckets
	return (n + nnue.HiddenDivisor - 1) / nnue.HiddenDivisor * nnue.HiddenDivisor
}

// rows returns the feature weights and the bias.
func (p *parameters) rows() []float32 { return p.values[:(p.Inputs+1)*p.Hidden] }

// bucket returns the output weights of a bucket.
func (p *parameters) bucket(b int) []float32 {
	return p.values[(p.Inputs+1+2*b)*p.Hidden:][:2*p.Hidden]
}

// outputBias returns the output biases.
func (p *parameters) outputBias() []float32 {
	return p.values[(p.Inputs+1+2*p.Buckets)*p.Hidden:][:p.Buckets]
}

// randomise draws weights so that accumulators and outputs are of the order of 1; biases are 0.
func (p *parameters) randomise(rng *rand.Rand) {
	draw := func(to []float32, limit float64) {
		for i := range to {
			to[i] = float32(limit * (2*rng.Float64() - 1))
		}
	}
	draw(p.rows()[:p.Inputs*p.Hidden], 1/math.Sqrt(float64(p.Active)))
	for b := range p.Buckets {
		draw(p.bucket(b), 1/math.Sqrt(2*float64(p.Hidden)))
	}
}

// bounds returns the greatest absolute feature weight and bias, output weight, and output bias. With the
// first, the sum of Active feature weights and the bias fits int16, in units of nnue.QA; with the second, a
// net of the scale K is within its bounds.
func bounds(shape nnue.Shape) (feature, output, outputBias float32) {
	quantised := min(2*nnue.QA, math.MaxInt16/(shape.Active+1))
	return float32(quantised) / nnue.QA, float32(nnue.MaxOutputWeight) / nnue.QB, 100
}

// A span is a part of the parameters with one bound of their absolute values.
type span struct {
	from, to int
	bound    float32
}

// spans returns parts of the parameters for the workers to share.
func (p *parameters) spans() (s []span) {
	const length = 1 << 13 // with all parts of the gradient, it fits a second-level cache
	feature, output, outputBias := bounds(p.Shape)
	from := 0
	for _, part := range []struct {
		to    int
		bound float32
	}{
		{(p.Inputs + 1) * p.Hidden, feature},
		{(p.Inputs + 1 + 2*p.Buckets) * p.Hidden, output},
		{len(p.values), outputBias},
	} {
		for ; from < part.to; from = s[len(s)-1].to {
			s = append(s, span{from, min(from+length, part.to), part.bound})
		}
	}
	return s
}

// roundFeatures rounds the feature weights and biases as the quantised net has them.
func (p *parameters) roundFeatures() {
	for i, w := range p.rows() {
		p.rows()[i] = float32(math.Round(float64(w)*nnue.QA) / nnue.QA)
	}
}

// finite returns an error if a value is no finite number.
func (p *parameters) finite() error {
	for i, v := range p.values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("weight %d is %v", i, v)
		}
	}
	return nil
}

// Net returns the quantised net. trained is a line that says how it was trained.
func (t *Trainer) Net(trained string) (*nnue.Net, error) {
	p := &t.weights
	rows := quantise[int16](p.rows(), nnue.QA)
	features := rows[:p.Inputs*p.Hidden]
	scale := p.scale(t.Loss.K)
	unit := nnue.QB * t.Loss.K / float64(scale)
	outputs := quantise[int16](p.values[len(rows):len(rows)+2*p.Buckets*p.Hidden], unit)
	biases := quantise[int32](p.outputBias(), nnue.QA*unit)
	return nnue.New(p.Shape, scale, trained, features, rows[len(features):], outputs, biases)
}

// RestartNet takes over the weights of a quantised net of the same shape. The optimiser begins anew.
func (t *Trainer) RestartNet(n *nnue.Net) error {
	if t.Shape != n.Shape {
		return fmt.Errorf("a net of the shape %+v, want %+v", n.Shape, t.Shape)
	}
	features, bias, outputs, outputBias := n.Weights()
	unit := nnue.QB * t.Loss.K / float64(n.Scale)
	p := &t.weights
	dequantise(p.rows(), append(features, bias...), nnue.QA)
	dequantise(p.values[len(p.rows()):], outputs, unit)
	dequantise(p.outputBias(), outputBias, nnue.QA*unit)
	return nil
}

// scale returns the least scale of a net, in centipawns, with which the quantised output weights are
// within bounds.
func (p *parameters) scale(k float64) int {
	const maxSum = math.MaxInt32 / (nnue.QA * nnue.QA) // of the |output weights| of a bucket
	least := 1.0
	for b := range p.Buckets {
		sum := 0.0
		for _, w := range p.bucket(b) {
			w := math.Abs(float64(w))
			sum += w
			least = max(least, w*k*nnue.QB/nnue.MaxOutputWeight)
		}
		// Rounding adds at most 0.5 for each of the 2·Hidden weights.
		least = max(least, sum*k*nnue.QB/(maxSum-float64(p.Hidden)))
	}
	return int(math.Ceil(least))
}

func quantise[T int16 | int32](weights []float32, unit float64) []T {
	q := make([]T, len(weights))
	for i, w := range weights {
		q[i] = T(math.Round(float64(w) * unit))
	}
	return q
}

func dequantise[T int16 | int32](to []float32, quantised []T, unit float64) {
	for i, q := range quantised {
		to[i] = float32(float64(q) / unit)
	}
}
