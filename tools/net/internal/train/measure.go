package train

import (
	"errors"
	"math"

	"trefoil/nnue"
)

// An Evaluator evaluates samples. Use returns a function for one goroutine, which returns the output
// in centipawns for the side to move.
type Evaluator struct {
	Shape nnue.Shape
	use   func() func(*worker) float64
}

// Float is the evaluation by the float weights of a Trainer, which does not train meanwhile.
func Float(t *Trainer) Evaluator {
	return Evaluator{t.Shape, func() func(*worker) float64 {
		return func(w *worker) float64 { return float64(w.forward(&t.weights)) * t.Loss.K }
	}}
}

// Quantised is the evaluation by a net.
func Quantised(n *nnue.Net) Evaluator {
	return Evaluator{n.Shape, func() func(*worker) float64 {
		us, them := make([]int16, n.Hidden), make([]int16, n.Hidden)
		return func(w *worker) float64 {
			n.Refresh(us, w.sample.Us)
			n.Refresh(them, w.sample.Them)
			return float64(n.Output(us, them, w.sample.Bucket))
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
		for i := c * measureChunk; i < min(n, (c+1)*measureChunk); i++ {
			if err := m.add(batch, i); err != nil {
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
	loss       Loss
	evaluators []Evaluator
	functions  []func(*worker) float64
	workers    []*worker
	sums       []sums
}

func newMeter(loss Loss, evaluators []Evaluator) *meter {
	m := &meter{loss: loss, evaluators: evaluators, sums: make([]sums, len(evaluators))}
	for _, e := range evaluators {
		m.functions = append(m.functions, e.use())
		m.workers = append(m.workers, newWorker(e.Shape))
	}
	return m
}

// add adds sample i of a batch to the sums.
func (m *meter) add(batch Batch, i int) error {
	first := 0.0
	for k, evaluate := range m.functions {
		w, s := m.workers[k], &m.sums[k]
		if err := w.load(&m.evaluators[k].Shape, batch, i); err != nil {
			return err
		}
		out := evaluate(w)
		if k == 0 {
			first = out
		}
		loss, _ := m.loss.of(out/m.loss.K, &w.sample)
		x, y := m.loss.sigmoid(out), m.loss.sigmoid(float64(w.sample.Score))
		difference := math.Abs(out - first)
		s.add(&sums{loss, x, y, x * x, y * y, x * y, difference, difference})
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
