package train

import (
	"errors"
	"math"

	"trefoil/nnue"
)

// An Evaluator evaluates samples. Use returns a function for one goroutine: it returns sample k of a block and its
// output in centipawns for the side to move, in rising order of k.
type Evaluator struct {
	Shape nnue.Shape
	use   func() func(b *block, k int) (*Sample, float64)
}

// Float is the evaluation by the float weights of a Trainer, which does not train meanwhile.
func Float(t *Trainer) Evaluator {
	return Evaluator{t.Shape, func() func(*block, int) (*Sample, float64) {
		return func(b *block, k int) (*Sample, float64) {
			if k == 0 {
				b.forward(&t.weights)
			}
			s, out := b.output(&t.weights, k)
			return s, float64(out) * t.Loss.K
		}
	}}
}

// Quantised is the evaluation by a net.
func Quantised(n *nnue.Net) Evaluator {
	return Evaluator{n.Shape, func() func(*block, int) (*Sample, float64) {
		us, them := make([]int16, n.Hidden), make([]int16, n.Hidden)
		return func(b *block, k int) (*Sample, float64) {
			s := &b.samples[b.order[k]]
			n.Refresh(us, s.Us)
			n.Refresh(them, s.Them)
			return s, float64(n.Output(us, them, s.Bucket))
		}
	}}
}

// A Measure says how well an evaluation fits samples.
type Measure struct {
	Loss        float64 // mean
	Correlation float64 // of σ(output/K) and σ(score/K)
	Mean, Most  float64 // |difference| from the first evaluation, in centipawns
}

// sums are what a Measure is computed of: sums over samples, but Most.
type sums struct {
	loss, x, y, xx, yy, xy, difference, most float64
}

// measureChunk is the number of samples of a task. Their sums are added in order, so the result does
// not depend on the number of workers.
const measureChunk = 4096

// MeasureAll measures evaluations on a batch.
func MeasureAll(batch Batch, loss Loss, workers int, evaluators ...Evaluator) ([]Measure, error) {
	n := batch.Len()
	if n == 0 {
		return nil, errors.New("no positions of games that are held out")
	}
	chunks := (n + measureChunk - 1) / measureChunk
	parts := make([][]sums, chunks)
	err := parallel(workers, chunks, func(_, c int) error {
		m := newMeter(loss, evaluators)
		parts[c] = m.sums
		last := min(n, (c+1)*measureChunk)
		for i := c * measureChunk; i < last; i += blockSamples {
			if err := m.add(batch, i, min(i+blockSamples, last)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	measures := make([]Measure, len(evaluators))
	for k := range measures {
		var all sums
		for _, part := range parts {
			all.add(&part[k])
		}
		measures[k] = all.measure(float64(n))
	}
	return measures, nil
}

// A meter measures some samples.
type meter struct {
	loss      Loss
	functions []func(*block, int) (*Sample, float64)
	blocks    []*block
	sums      []sums
}

func newMeter(loss Loss, evaluators []Evaluator) *meter {
	m := &meter{loss: loss, sums: make([]sums, len(evaluators))}
	for _, e := range evaluators {
		m.functions = append(m.functions, e.use())
		m.blocks = append(m.blocks, newBlock(e.Shape))
	}
	return m
}

// add adds samples first to last-1 of a batch to the sums.
func (m *meter) add(batch Batch, first, last int) error {
	for _, b := range m.blocks {
		if err := b.load(batch, first, last); err != nil {
			return err
		}
	}
	for k := range last - first { // all blocks have the same order
		reference := 0.0
		for e, evaluate := range m.functions {
			s, out := evaluate(m.blocks[e], k)
			if e == 0 {
				reference = out
			}
			loss, _ := m.loss.of(out/m.loss.K, s)
			x, y := m.loss.sigmoid(out), m.loss.sigmoid(float64(s.Score))
			difference := math.Abs(out - reference)
			m.sums[e].add(&sums{loss, x, y, x * x, y * y, x * y, difference, difference})
		}
	}
	return nil
}

func (s *sums) add(o *sums) {
	s.loss += o.loss
	s.x += o.x
	s.y += o.y
	s.xx += o.xx
	s.yy += o.yy
	s.xy += o.xy
	s.difference += o.difference
	s.most = max(s.most, o.most)
}

// measure returns the Measure of sums over n samples. A correlation that is not defined is NaN.
func (s *sums) measure(n float64) Measure {
	variances := (s.xx - s.x*s.x/n) * (s.yy - s.y*s.y/n)
	return Measure{s.loss / n, (s.xy - s.x*s.y/n) / math.Sqrt(variances), s.difference / n, s.most}
}
