// Package train trains the nets of package nnue in float32. It knows no game: a Source gives it
// samples, whose features, bucket and score are numbers.
//
// # One step
//
//	batch ─┬─ share 1 ── forward, loss, backward for each block ── gradient 1 ─┐
//	       └─ share N ──────────────────────────────────────────── gradient N ─┴─ Σ ── AdamW ── clip
//
// Each worker has an equal share of a batch and a gradient of its own, and the gradients are added in order. So with
// the same number of workers the result is the same, bit for bit.
//
// The first layer is sparse: forward adds up the rows of the active features, and backward adds the
// derivatives by the accumulator to the same rows of the gradient. Both compute a tile of 16 neurons for all samples
// of a block, then the next tile: the rows of a tile fit a first-level cache, the rows of all neurons do not.
//
// # Loss
//
// The target of a position is σ(score/K), where σ is the logistic function. An output of 1 is K centipawns, so the loss
// is |σ(output) - target|^Power.
//
// # Quantisation
//
// The feature weights of the quantised net are whole multiples of 1/nnue.QA. A last training with
// OutputOnly adapts the output layer to them.
//
// Each step clips the feature weights, so that no accumulator of the quantised net overflows. The
// output weights are quantised as finely as their range allows: the scale of the net is the least
// with which the greatest of them, and the sum of those of a bucket, are within the bounds of nnue.New.
package train

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"trefoil/nnue"
)

// A Sample is a position.
type Sample struct {
	Us, Them []uint16 // active features of the side to move, and of its opponent
	Bucket   int
	Score    float32 // in centipawns for the side to move
}

// A Batch is a list of samples. Several goroutines may use it.
type Batch interface {
	Len() int
	// Sample sets to, whose slices may be reused, to sample i.
	Sample(i int, to *Sample) error
}

// Samples is a Batch in memory.
type Samples []Sample

func (s Samples) Len() int { return len(s) }

// Sample copies sample i.
func (s Samples) Sample(i int, to *Sample) error {
	us, them := append(to.Us[:0], s[i].Us...), append(to.Them[:0], s[i].Them...)
	*to = s[i]
	to.Us, to.Them = us, them
	return nil
}

// A Source is an endless stream of samples in random order.
type Source interface {
	// Next returns the next n samples, which are valid until the call after.
	Next(n int) (Batch, error)
	// Place returns where the stream is, and Seek continues from there.
	Place() Place
	Seek(Place) error
}

// A Place is a place in a stream: a pass over the data, a group of that pass, and a sample of the group.
type Place struct {
	Pass, Group, Sample int
}

// A Config is what defines a training beside its samples.
type Config struct {
	Shape  nnue.Shape
	Loss   Loss
	Batch  int // samples of a step
	Steps  int
	Warmup int // steps in which the learning rate rises
	Rate   float64
	Final  float64 // learning rate at the end, as a share of Rate
	Decay  float64 // weight decay of AdamW
	Seed   uint64
	// OutputOnly trains the output layer alone, over feature weights that are rounded as in the
	// quantised net. It follows a training of all weights.
	OutputOnly bool
}

// Check returns an error that names the number that is out of bounds.
func (c *Config) Check() error {
	for _, v := range []struct {
		name             string
		value, low, high float64
	}{
		{"inputs", float64(c.Shape.Inputs), 1, nnue.MaxInputs - 2}, // two rows follow those of the features
		{"active features", float64(c.Shape.Active), 1, float64(c.Shape.Inputs)},
		{"hidden neurons", float64(c.Shape.Hidden), nnue.HiddenDivisor, nnue.MaxHidden},
		{"buckets", float64(c.Shape.Buckets), 1, nnue.MaxBuckets},
		{"batch", float64(c.Batch), 1, 1 << 24},
		{"steps", float64(c.Steps), 1, 1 << 40},
		{"steps of the warm-up", float64(c.Warmup), 0, 1 << 40},
		{"learning rate", c.Rate, math.SmallestNonzeroFloat32, 1},
		{"final learning rate as a share of the first", c.Final, 0, 1},
		{"weight decay", c.Decay, 0, 1},
		{"K", c.Loss.K, 1, nnue.MaxScale / 4},
		{"power of the loss", c.Loss.Power, 1, 10},
	} {
		if !(v.value >= v.low && v.value <= v.high) {
			return fmt.Errorf("%s: %v is not between %v and %v", v.name, v.value, v.low, v.high)
		}
	}
	if c.Shape.Hidden%nnue.HiddenDivisor != 0 {
		return fmt.Errorf("hidden neurons: %d is not a multiple of %d", c.Shape.Hidden, nnue.HiddenDivisor)
	}
	return nil
}

// rate returns the learning rate of a step, which counts from 0: a linear warm-up, then half a
// cosine from Rate to Final·Rate.
func (c *Config) rate(step int) float64 {
	if step < c.Warmup {
		return c.Rate * float64(step+1) / float64(c.Warmup+1)
	}
	done := float64(step-c.Warmup) / float64(max(1, c.Steps-c.Warmup))
	return c.Rate * (c.Final + (1-c.Final)*(1+math.Cos(math.Pi*min(1, done)))/2)
}

// A Trainer has the weights of a net in training and the state of the optimiser. It belongs to one
// goroutine.
type Trainer struct {
	Config
	step    int // steps done
	weights parameters
	mean    parameters // of the gradient
	square  parameters // of the squared gradient
	workers []*worker
}

// New returns a Trainer with random weights.
func New(c Config, workers int) (*Trainer, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	t := &Trainer{Config: c}
	for _, p := range []*parameters{&t.weights, &t.mean, &t.square} {
		*p = newParameters(c.Shape)
	}
	for range max(1, workers) {
		t.workers = append(t.workers, newWorker(c.Shape))
	}
	t.weights.randomise(rand.New(rand.NewPCG(c.Seed, 0)))
	return t, nil
}

// Step returns the number of steps done.
func (t *Trainer) Step() int { return t.step }

// Done reports whether all steps are done.
func (t *Trainer) Done() bool { return t.step >= t.Steps }

// LearningRate returns the learning rate of the next step.
func (t *Trainer) LearningRate() float64 { return t.rate(t.step) }

// Train does a step and returns the mean loss of the batch before it. After an error the weights are
// unchanged.
func (t *Trainer) Train(batch Batch) (loss float64, err error) {
	n := batch.Len()
	if n == 0 {
		return 0, errors.New("the batch is empty")
	}
	shares := len(t.workers)
	err = parallel(shares, shares, func(_, k int) error {
		return t.workers[k].train(t, batch, n*k/shares, n*(k+1)/shares, 1/float64(n))
	})
	if err != nil {
		return 0, err
	}
	for _, w := range t.workers {
		loss += w.loss / float64(n)
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return 0, fmt.Errorf("the training diverged: the loss of step %d is %v", t.step+1, loss)
	}
	t.update()
	return loss, nil
}

// The constants of AdamW.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// update moves the weights by the sum of the gradients of the workers.
func (t *Trainer) update() {
	rate := t.rate(t.step)
	t.step++
	step := adamStep{
		meanShare: 1 - beta1, squareShare: 1 - beta2,
		rate:       float32(rate / (1 - math.Pow(beta1, float64(t.step)))),
		correction: float32(1 / math.Sqrt(1-math.Pow(beta2, float64(t.step)))),
		epsilon:    epsilon,
		decay:      float32(rate * t.Decay),
	}
	spans := t.weights.spans()
	_ = parallel(len(t.workers), len(spans), func(_, i int) error {
		from, to := spans[i].from, spans[i].to
		if t.OutputOnly && from < len(t.weights.features()) {
			return nil
		}
		sum := t.workers[0].gradient.values[from:to]
		for _, w := range t.workers[1:] {
			add(sum, w.gradient.values[from:to])
		}
		step := step
		step.high, step.low = spans[i].bound, -spans[i].bound
		adam(t.weights.values[from:to], t.mean.values[from:to], t.square.values[from:to], sum, &step)
		return nil
	})
}
