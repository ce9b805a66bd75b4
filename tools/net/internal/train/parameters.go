package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"trefoil/nnue"
)

// parameters are the weights of a net, or as many derivatives. All of them are in one slice:
//
//	[tiles][Inputs+2][tile]     feature weights; the last rows are the bias and zeros
//	[tiles][Buckets][2][tile]   output weights
//	[Buckets]                   output biases, then zeros up to a multiple of nnue.HiddenDivisor
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
	n := (shape.Inputs+2+2*shape.Buckets)*shape.Hidden + shape.Buckets
	return (n + nnue.HiddenDivisor - 1) / nnue.HiddenDivisor * nnue.HiddenDivisor
}

// The rows of a tile after the rows of the features.
func biasRow(shape *nnue.Shape) int { return shape.Inputs }
func zeroRow(shape *nnue.Shape) int { return shape.Inputs + 1 }

// tiles returns the number of tiles.
func (p *parameters) tiles() int { return p.Hidden / tile }

// features returns the feature weights and the biases of all tiles.
func (p *parameters) features() []float32 { return p.values[:(p.Inputs+2)*p.Hidden] }

// tile returns the feature weights and the bias of tile t.
func (p *parameters) tile(t int) []float32 {
	n := (p.Inputs + 2) * tile
	return p.values[t*n:][:n]
}

// outputs returns the output weights of all tiles.
func (p *parameters) outputs() []float32 {
	return p.values[(p.Inputs+2)*p.Hidden:][:2*p.Buckets*p.Hidden]
}

// outputTile returns the output weights of tile t.
func (p *parameters) outputTile(t int) []float32 {
	n := 2 * p.Buckets * tile
	return p.outputs()[t*n:][:n]
}

// outputBias returns the output biases.
func (p *parameters) outputBias() []float32 {
	return p.values[(p.Inputs+2+2*p.Buckets)*p.Hidden:][:p.Buckets]
}

// clearZeros sets the row of zeros of each tile, to which kernels add, to zeros.
func (p *parameters) clearZeros() {
	for t := range p.tiles() {
		clear(p.tile(t)[zeroRow(&p.Shape)*tile:])
	}
}

// untile copies the rows of some tiles, each rows×tile, to rows of Hidden numbers, as a Net has them.
func (p *parameters) untile(tiles []float32, rows int) []float32 {
	list := make([]float32, rows*p.Hidden)
	stride := len(tiles) / p.tiles()
	for i := range list {
		row, neuron := i/p.Hidden, i%p.Hidden
		list[i] = tiles[neuron/tile*stride+row*tile+neuron%tile]
	}
	return list
}

// setTiles is the reverse of untile.
func (p *parameters) setTiles(tiles, list []float32) {
	stride := len(tiles) / p.tiles()
	for i, v := range list {
		row, neuron := i/p.Hidden, i%p.Hidden
		tiles[neuron/tile*stride+row*tile+neuron%tile] = v
	}
}

// randomise draws weights so that accumulators and outputs are of the order of 1; biases are 0.
func (p *parameters) randomise(rng *rand.Rand) {
	draw := func(to []float32, limit float64) {
		for i := range to {
			to[i] = float32(limit * (2*rng.Float64() - 1))
		}
	}
	for t := range p.tiles() {
		draw(p.tile(t)[:p.Inputs*tile], 1/math.Sqrt(float64(p.Active)))
	}
	draw(p.outputs(), 1/math.Sqrt(2*float64(p.Hidden)))
}

// bounds returns the greatest absolute feature weight and bias, output weight, and output bias. With the
// first, the sum of Active feature weights and the bias fits int16, in units of nnue.QA.
func bounds(shape nnue.Shape) (feature, output, outputBias float32) {
	quantised := min(2*nnue.QA, math.MaxInt16/(shape.Active+1))
	return float32(quantised) / nnue.QA, 2, 100
}

// A span is a part of the parameters with one bound of their absolute values.
type span struct {
	from, to int
	bound    float32
}

// spans returns parts of the parameters for the workers to share.
func (p *parameters) spans() (s []span) {
	const length = 1 << 13
	feature, output, outputBias := bounds(p.Shape)
	from := 0
	for _, part := range []struct {
		to    int
		bound float32
	}{
		{len(p.features()), feature},
		{len(p.features()) + len(p.outputs()), output},
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
	for i, w := range p.features() {
		p.features()[i] = float32(math.Round(float64(w)*nnue.QA) / nnue.QA)
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
	rows := quantise[int16](p.untile(p.features(), p.Inputs+1), nnue.QA)
	features := rows[:p.Inputs*p.Hidden]
	scale := p.scale(t.Loss.K)
	unit := nnue.QB * t.Loss.K / float64(scale)
	outputs := quantise[int16](p.untile(p.outputs(), 2*p.Buckets), unit)
	biases := quantise[int32](p.outputBias(), nnue.QA*unit)
	return nnue.New(p.Shape, scale, trained, features, rows[len(features):], outputs, biases)
}

// SetWeights sets the weights to features, bias, output weights and output biases, in the order of nnue.New.
func (t *Trainer) SetWeights(values []float32) error {
	p := &t.weights
	rows, outputs := (p.Inputs+1)*p.Hidden, 2*p.Buckets*p.Hidden
	if want := rows + outputs + p.Buckets; len(values) != want {
		return fmt.Errorf("%d weights, want %d", len(values), want)
	}
	p.setTiles(p.features(), values[:rows])
	p.clearZeros()
	p.setTiles(p.outputs(), values[rows:][:outputs])
	copy(p.outputBias(), values[rows+outputs:])
	return p.finite()
}

// RestartNet is Restart from a quantised net.
func (t *Trainer) RestartNet(n *nnue.Net) error {
	features, bias, outputs, outputBias := n.Weights()
	p := newParameters(n.Shape)
	p.setTiles(p.features(), dequantise(append(features, bias...), nnue.QA))
	p.setTiles(p.outputs(), dequantise(outputs, nnue.QB))
	copy(p.outputBias(), dequantise(outputBias, nnue.QA*nnue.QB))
	return t.takeOver(p, float64(n.Scale))
}

// scale returns the least scale of a net, in centipawns, with which the |output weights| and their sums are within
// their bounds. The less it is, the less rounding does.
func (p *parameters) scale(k float64) int {
	least := 1.0
	weights := p.untile(p.outputs(), 2*p.Buckets)
	for bucket := range slices.Chunk(weights, 2*p.Hidden) {
		sum := 0.0
		for _, w := range bucket {
			sum += math.Abs(float64(w))
			least = max(least, math.Abs(float64(w))*k*nnue.QB/math.MaxInt16)
		}
		// Rounding adds at most 0.5 for each of the 2·Hidden weights.
		least = max(least, sum*k*nnue.QB/float64(nnue.MaxOutputSum-p.Hidden))
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

func dequantise[T int16 | int32](quantised []T, unit float64) []float32 {
	weights := make([]float32, len(quantised))
	for i, q := range quantised {
		weights[i] = float32(float64(q) / unit)
	}
	return weights
}
