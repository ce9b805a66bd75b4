package train

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"trefoil/nnue"
)

// A Loss is a loss function; see the package comment.
type Loss struct {
	K           float64 // centipawns
	ScoreWeight float64
	Power       float64
}

// sigmoid returns the logistic function of a score in centipawns.
func (l *Loss) sigmoid(centipawns float64) float64 { return 1 / (1 + math.Exp(-centipawns/l.K)) }

// of returns the loss of an output, of which 1 is K centipawns, and its derivative by the output.
func (l *Loss) of(output float64, s *Sample) (loss, slope float64) {
	target := l.ScoreWeight*l.sigmoid(float64(s.Score)) + (1-l.ScoreWeight)*float64(s.Result)
	p := l.sigmoid(output * l.K)
	error := math.Abs(p - target)
	power := error // to the power of Power - 1
	switch l.Power {
	case 2:
	case 2.5:
		power *= math.Sqrt(error)
	default:
		power = math.Pow(error, l.Power-1)
	}
	return power * error, math.Copysign(l.Power*power, p-target) * p * (1 - p)
}

// A worker has what a goroutine needs to compute samples.
type worker struct {
	sample Sample
	acc    []float32 // [2][Hidden]: accumulators, us first
	delta  []float32 // [2][Hidden]: derivatives of the loss by them
}

func newWorker(shape nnue.Shape) *worker {
	return &worker{acc: make([]float32, 2*shape.Hidden), delta: make([]float32, 2*shape.Hidden)}
}

// load sets the worker's sample to sample i of a batch and checks that its numbers fit the shape.
func (w *worker) load(shape *nnue.Shape, batch Batch, i int) error {
	if err := batch.Sample(i, &w.sample); err != nil {
		return err
	}
	for _, features := range [2][]uint16{w.sample.Us, w.sample.Them} {
		if len(features) > shape.Active {
			return fmt.Errorf("a sample with %d active features, want at most %d", len(features), shape.Active)
		}
		for _, f := range features {
			if int(f) >= shape.Inputs {
				return fmt.Errorf("a sample with feature %d of %d", f, shape.Inputs)
			}
		}
	}
	if uint(w.sample.Bucket) >= uint(shape.Buckets) {
		return fmt.Errorf("a sample with bucket %d of %d", w.sample.Bucket, shape.Buckets)
	}
	return nil
}

// forward returns the output for the worker's sample, to whose features it appends that of the bias.
func (w *worker) forward(p *parameters) float32 {
	s, hidden := &w.sample, p.Hidden
	s.Us, s.Them = append(s.Us, uint16(p.Inputs)), append(s.Them, uint16(p.Inputs))
	sumRows(w.acc[:hidden], p.rows(), s.Us)
	sumRows(w.acc[hidden:], p.rows(), s.Them)
	return output(w.acc, p.bucket(s.Bucket)) + p.outputBias()[s.Bucket]
}

// train returns the loss of sample i of a batch, and adds share of its derivatives to the gradient.
func (w *worker) train(t *Trainer, gradient *parameters, batch Batch, i int, share float64) (float64, error) {
	if err := w.load(&t.Shape, batch, i); err != nil {
		return 0, err
	}
	loss, slope := t.Loss.of(float64(w.forward(&t.weights)), &w.sample)
	w.backward(&t.weights, gradient, float32(slope*share))
	return loss, nil
}

// backward follows forward. It adds the derivatives of the loss to gradient, where slope is that by
// the output.
func (w *worker) backward(p, gradient *parameters, slope float32) {
	s, hidden := &w.sample, p.Hidden
	outputGradient(w.acc, p.bucket(s.Bucket), gradient.bucket(s.Bucket), w.delta, slope)
	gradient.outputBias()[s.Bucket] += slope
	addToRows(gradient.rows(), w.delta[:hidden], s.Us)
	addToRows(gradient.rows(), w.delta[hidden:], s.Them)
}

// parallel calls do for the tasks 0 to n-1, from several goroutines, and waits for them. Of several
// errors it returns that of the first task; no task begins after an error.
func parallel(workers, n int, do func(worker, task int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var wait sync.WaitGroup
	for worker := range min(workers, n) {
		wait.Go(func() {
			for !failed.Load() {
				task := int(next.Add(1)) - 1
				if task >= n {
					return
				}
				if errs[task] = do(worker, task); errs[task] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
