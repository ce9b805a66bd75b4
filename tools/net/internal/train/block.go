package train

import (
	"fmt"
	"slices"

	"trefoil/nnue"
)

// blockSamples is the number of samples of a block but the last of a batch: enough that the tiles of the weights are
// loaded seldom, few enough that the accumulators fit a second-level cache.
const blockSamples = 256

// A block has some samples of a batch and what is computed for them.
type block struct {
	shape   nnue.Shape
	order   []int // the samples, by number of rows, so that loops over rows are predicted well
	samples [blockSamples]Sample
	stream  []uint16
	acc     []float32 // [tiles][len(order)][2][tile]
	partial []float32 // [len(order)][8], whose sums are the outputs without the bias
	slopes  []float32
}

func newBlock(shape nnue.Shape) *block {
	return &block{
		shape:  shape,
		acc:    make([]float32, blockSamples*2*shape.Hidden),
		slopes: make([]float32, blockSamples), partial: make([]float32, 8*blockSamples),
	}
}

// load takes samples first to last-1 of a batch, at most blockSamples, and checks that their numbers fit the shape.
func (b *block) load(batch Batch, first, last int) error {
	b.order = b.order[:0]
	for i := range last - first {
		if err := batch.Sample(first+i, &b.samples[i]); err != nil {
			return err
		}
		if err := b.samples[i].check(&b.shape); err != nil {
			return err
		}
		b.order = append(b.order, i)
	}
	slices.SortStableFunc(b.order, func(i, j int) int { return b.samples[i].rows() - b.samples[j].rows() })
	b.stream = b.stream[:0]
	for _, i := range b.order {
		b.stream = b.samples[i].appendStream(b.stream, uint16(zeroRow(&b.shape)))
	}
	return nil
}

// check returns an error if a number does not fit the shape.
func (s *Sample) check(shape *nnue.Shape) error {
	for _, features := range [2][]uint16{s.Us, s.Them} {
		if len(features) > shape.Active {
			return fmt.Errorf("a sample with %d active features, want at most %d", len(features), shape.Active)
		}
		for _, f := range features {
			if int(f) >= shape.Inputs {
				return fmt.Errorf("a sample with feature %d of %d", f, shape.Inputs)
			}
		}
	}
	if uint(s.Bucket) >= uint(shape.Buckets) {
		return fmt.Errorf("a sample with bucket %d of %d", s.Bucket, shape.Buckets)
	}
	return nil
}

// rows returns the number of pairs of rows in a stream: even, and not 0.
func (s *Sample) rows() int { return (max(len(s.Us), len(s.Them), 1) + 1) &^ 1 }

// appendStream appends a sample to a stream. The row of zeros makes the sides equal in length.
func (s *Sample) appendStream(stream []uint16, zeros uint16) []uint16 {
	n := s.rows()
	stream = append(stream, uint16(s.Bucket), uint16(n))
	for i := range n {
		us, them := zeros, zeros
		if i < len(s.Us) {
			us = s.Us[i]
		}
		if i < len(s.Them) {
			them = s.Them[i]
		}
		stream = append(stream, us, them)
	}
	return stream
}

// forward computes the accumulators and the outputs of the samples.
func (b *block) forward(p *parameters) {
	n := len(b.order)
	clear(b.partial)
	for t := range p.tiles() {
		weights := p.tile(t)
		forward(b.accTile(t), b.partial, weights, weights[biasRow(&p.Shape)*tile:], p.outputTile(t), b.stream, n)
	}
}

// accTile returns tile t of the accumulators.
func (b *block) accTile(t int) []float32 {
	size := len(b.order) * 2 * tile
	return b.acc[t*size:][:size]
}

// output returns sample k in order and its output.
func (b *block) output(p *parameters, k int) (*Sample, float32) {
	s, sum := &b.samples[b.order[k]], float32(0)
	for _, v := range b.partial[8*k:][:8] {
		sum += v
	}
	return s, sum + p.outputBias()[s.Bucket]
}

// backward follows forward and the setting of slopes, the derivatives of the loss by the outputs. It adds those by the
// parameters to gradient.
func (b *block) backward(p, gradient *parameters) {
	n := len(b.order)
	for k, i := range b.order {
		gradient.outputBias()[b.samples[i].Bucket] += b.slopes[k]
	}
	for t := range p.tiles() {
		g := gradient.tile(t)
		backward(b.accTile(t), b.slopes, g, g[biasRow(&p.Shape)*tile:], p.outputTile(t), gradient.outputTile(t), b.stream, n)
	}
}
