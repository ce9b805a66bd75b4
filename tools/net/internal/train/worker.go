package train

import (
	"math"
	"sync"
	"sync/atomic"

	"trefoil/nnue"
)

// A Loss is a loss function; see the package comment.
type Loss struct {
	K     float64 // centipawns
	Power float64
}

// sigmoid returns the logistic function of a score in centipawns.
func (l *Loss) sigmoid(centipawns float64) float64 { return 1 / (1 + math.Exp(-centipawns/l.K)) }

// of returns the loss of an output, of which 1 is K centipawns, and its derivative by the output.
func (l *Loss) of(output float64, s *Sample) (loss, slope float64) {
	target, p := l.sigmoid(float64(s.Score)), l.sigmoid(output*l.K)
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

// A worker computes a share of each batch.
type worker struct {
	block    *block
	gradient parameters
	loss     float64 // sum over its samples
}

func newWorker(shape nnue.Shape) *worker {
	return &worker{block: newBlock(shape), gradient: newParameters(shape)}
}

// train computes the loss and the gradient of samples first to last-1 of a batch; share is the share of a sample in
// the loss of the batch.
func (w *worker) train(t *Trainer, batch Batch, first, last int, share float64) error {
	b := w.block
	clear(w.gradient.values)
	w.loss = 0
	for ; first < last; first += blockSamples {
		if err := b.load(batch, first, min(first+blockSamples, last)); err != nil {
			return err
		}
		b.forward(&t.weights)
		for k := range b.order {
			sample, out := b.output(&t.weights, k)
			loss, slope := t.Loss.of(float64(out), sample)
			w.loss += loss
			b.slopes[k] = float32(slope * share)
		}
		b.backward(&t.weights, &w.gradient)
	}
	w.gradient.clearZeros()
	return nil
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
