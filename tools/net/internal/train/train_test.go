package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"trefoil/nnue"
)

// The toy game: a side's features are numbers below 24, and 6 of them are active. Each has a fixed value;
// the score is the difference of the sums, and more in bucket 1.
var toyShape = nnue.Shape{Features: "toy", Inputs: 24, Active: 6, Hidden: 32, Buckets: 2}

func toyConfig() Config {
	return Config{
		Shape: toyShape, Loss: Loss{K: 400, Power: 2},
		Batch: 512, Steps: 800, Warmup: 20, Rate: 0.01, Final: 0.01, Decay: 0.01, Seed: 1,
	}
}

// toy is a Source of random samples of the toy game, a pass for each batch.
type toy struct{ place Place }

func (s *toy) Place() Place       { return s.place }
func (s *toy) Seek(p Place) error { s.place = p; return nil }

func (s *toy) Next(n int) (Batch, error) {
	rng := rand.New(rand.NewPCG(uint64(s.place.Pass), 7))
	s.place.Pass++
	batch := make(Samples, n)
	for i := range batch {
		batch[i] = toySample(rng)
	}
	return batch, nil
}

func toySample(rng *rand.Rand) Sample {
	var s Sample
	value := 0.0
	for side, features := range []*[]uint16{&s.Us, &s.Them} {
		for _, f := range rng.Perm(toyShape.Inputs)[:1+rng.IntN(toyShape.Active)] {
			*features = append(*features, uint16(f))
			value += float64(1-2*side) * 2 * float64(f)
		}
	}
	s.Bucket = rng.IntN(toyShape.Buckets)
	s.Score = float32(value * (1 + 0.5*float64(s.Bucket)))
	return s
}

func newTrainer(t *testing.T, c Config, workers int) *Trainer {
	t.Helper()
	trainer, err := New(c, workers)
	if err != nil {
		t.Fatal(err)
	}
	return trainer
}

// steps trains for n steps.
func steps(t *testing.T, trainer *Trainer, source Source, n int) {
	t.Helper()
	for range n {
		batch, err := source.Next(trainer.Batch)
		if err == nil {
			_, err = trainer.Train(batch)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestGradient compares the gradient of each weight with a difference quotient.
func TestGradient(t *testing.T) {
	for _, power := range []float64{2, 2.5, 3.3} {
		c := toyConfig()
		c.Loss = Loss{K: 300, Power: power}
		trainer := newTrainer(t, c, 1)
		// no accumulator is so close to 0 or 1 that the quotient bends there
		rng := rand.New(rand.NewPCG(3, 4))
		for tiles := range trainer.weights.tiles() { // not 0
			copy(trainer.weights.tile(tiles)[toyShape.Inputs*tile:], randoms(rng, tile, 0.5))
		}
		batch := Samples{toySample(rng), toySample(rng)}
		batch[0].Score, batch[1].Score = 900, -900 // far from the outputs
		w := newWorker(toyShape)
		if err := w.train(trainer, batch, 0, len(batch), 1); err != nil {
			t.Fatal(err)
		}
		gradient := &w.gradient
		mean := func() float64 {
			m, err := MeasureAll(batch, c.Loss, 1, Float(trainer))
			if err != nil {
				t.Fatal(err)
			}
			return m[0].Loss * float64(len(batch))
		}
		most := 0.0
		for i := range size(toyShape) {
			if row := i / tile % (toyShape.Inputs + 2); i < len(trainer.weights.features()) &&
				row == zeroRow(&toyShape) {
				continue
			}
			v := &trainer.weights.values[i]
			old, h := *v, float32(1.0/256)
			*v = old + h
			up := mean()
			*v = old - h
			quotient := (up - mean()) / float64(2*h)
			*v = old
			most = max(most, math.Abs(quotient))
			if got := float64(gradient.values[i]); math.Abs(got-quotient) > 1e-4+0.01*math.Abs(quotient) {
				t.Errorf("power %v: the gradient of weight %d is %v, the difference quotient %v",
					power, i, got, quotient)
			}
		}
		if most < 0.01 {
			t.Errorf("power %v: the greatest derivative is %v: the test compares nothing", power, most)
		}
	}
}

// TestWorkers checks that a training can be repeated with the same number of workers, and that another number changes
// the last bits only.
func TestWorkers(t *testing.T) {
	var first []float32
	for _, workers := range []int{1, 2, 5} {
		one, two := newTrainer(t, toyConfig(), workers), newTrainer(t, toyConfig(), workers)
		steps(t, one, &toy{}, 30)
		steps(t, two, &toy{}, 30)
		if !slices.Equal(one.weights.values, two.weights.values) {
			t.Errorf("%d workers do not repeat the weights", workers)
		}
		if first == nil {
			first = one.weights.values
		}
		for i, w := range one.weights.values {
			if math.Abs(float64(w-first[i])) > 1e-3 {
				t.Fatalf("weight %d of %d workers is %v, of one %v", i, workers, w, first[i])
			}
		}
	}
}

// TestLearns trains the toy to a small loss, and checks that the quantised net is close to the float
// weights and within bounds.
func TestLearns(t *testing.T) {
	c := toyConfig()
	trainer, source := newTrainer(t, c, 2), &toy{}
	var last Progress
	err := Run(context.Background(), trainer, source, nil, c.Steps, func(p Progress) error { last = p; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if !trainer.Done() || last.Step != c.Steps {
		t.Errorf("ended after step %d, reported %d", trainer.Step(), last.Step)
	}
	net, err := trainer.Net("toy")
	if err != nil {
		t.Fatal(err)
	}
	batch, _ := source.Next(4 * measureChunk / 3)
	measures, err := MeasureAll(batch, c.Loss, 2, Float(trainer), Quantised(net))
	if err != nil {
		t.Fatal(err)
	}
	one, err := MeasureAll(batch, c.Loss, 1, Float(trainer), Quantised(net))
	if err != nil || !slices.Equal(measures, one) {
		t.Errorf("two workers measure %v, one %v, %v", measures, one, err)
	}
	t.Logf("%+v", measures)
	for i, m := range measures {
		if m.Loss > 1e-4 || m.Correlation < 0.999 {
			t.Errorf("evaluation %d: %+v", i, m)
		}
	}
	if measures[1].Most > 10 || measures[1].Most == 0 || measures[0].Most != 0 {
		t.Errorf("the quantised net differs by %v centipawns", measures[1].Most)
	}
}

// TestBounds checks that weights at their bounds make a net.
func TestBounds(t *testing.T) {
	for _, shape := range []nnue.Shape{
		{Features: "wide", Inputs: 100, Active: 90, Hidden: 512, Buckets: 2},
		{Features: "narrow", Inputs: 100, Active: 1, Hidden: 32, Buckets: 1},
	} {
		c := toyConfig()
		c.Shape = shape
		trainer := newTrainer(t, c, 2)
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range trainer.weights.values {
			trainer.weights.values[i] = float32(10000 * (rng.IntN(2)*2 - 1)) // update clips it
		}
		trainer.update() // the gradient is 0
		if _, err := trainer.Net(""); err != nil {
			t.Errorf("%s: %v", shape.Features, err)
		}
	}
}

// TestGPUBounds: gpu/train.py clips weights as update does.
func TestGPUBounds(t *testing.T) {
	const script = `import ast, sys
def name(n): return getattr(n.targets[0], "id", "") if isinstance(n, ast.Assign) else getattr(n, "name", "")
tree = ast.parse(open("../../gpu/train.py", encoding="utf-8").read())
exec(compile(ast.Module([n for n in tree.body if name(n) in ("QA", "bounds")], []), "train.py", "exec"))
print(*("%.6f" % b for b in bounds({"Active": int(sys.argv[1])})))`
	if exec.Command("python3", "--version").Run() != nil {
		t.Skip("there is no python3")
	}
	for _, active := range []int{1, 32, 54, 63, 64, 100} {
		feature, output, bias := bounds(nnue.Shape{Active: active})
		want := fmt.Sprintf("%.6f %.6f %.6f\n", feature, output, bias)
		got, err := exec.Command("python3", "-c", script, fmt.Sprint(active)).CombinedOutput()
		if err != nil || string(got) != want {
			t.Errorf("%d active features: %s, %v, want %s", active, got, err, want)
		}
	}
}

// TestScale: a bucket with one output weight, whose sum has a greater bound than a weight, is quantised too.
func TestScale(t *testing.T) {
	trainer := newTrainer(t, toyConfig(), 1)
	outputs := trainer.weights.outputs()
	clear(outputs)
	outputs[0] = 2
	net, err := trainer.Net("")
	if err != nil {
		t.Fatal(err)
	}
	_, _, weights, _ := net.Weights()
	if got := float64(weights[0]) * float64(net.Scale) / nnue.QB / trainer.Loss.K; math.Abs(got-2) > 1e-4 {
		t.Errorf("weight %d with scale %d is %g, want 2", weights[0], net.Scale, got)
	}
}

func TestRate(t *testing.T) {
	c := Config{Steps: 110, Warmup: 9, Rate: 1, Final: 0.1}
	for step, want := range map[int]float64{0: 0.1, 4: 0.5, 9: 1, 110: 0.1} {
		if got := c.rate(step); math.Abs(got-want) > 1e-12 {
			t.Errorf("learning rate of step %d: %v, want %v", step, got, want)
		}
	}
	for step := 9; step < c.Steps; step++ {
		if c.rate(step+1) >= c.rate(step) {
			t.Errorf("the learning rate rises after step %d", step)
		}
	}
}

// TestBadSamples checks that a sample that does not fit changes nothing.
func TestBadSamples(t *testing.T) {
	for want, s := range map[string]Sample{
		"feature 24 of 24":        {Them: []uint16{24}},
		"7 active features":       {Us: make([]uint16, 7)},
		"bucket 2 of 2":           {Bucket: 2},
		"bucket -1 of 2":          {Bucket: -1},
		"diverged: the loss of s": {Score: float32(math.NaN())},
	} {
		trainer := newTrainer(t, toyConfig(), 2)
		before := slices.Clone(trainer.weights.values)
		_, err := trainer.Train(Samples{{}, s})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if trainer.Step() != 0 || !slices.Equal(before, trainer.weights.values) {
			t.Errorf("%s: the weights changed", want)
		}
	}
	if _, err := newTrainer(t, toyConfig(), 1).Train(Samples{}); err == nil {
		t.Error("an empty batch is accepted")
	}
}

func TestBadConfig(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"hidden neurons: 33 is not a multiple": func(c *Config) { c.Shape.Hidden = 33 },
		"hidden neurons: 0":                    func(c *Config) { c.Shape.Hidden = 0 },
		"inputs: 65536":                        func(c *Config) { c.Shape.Inputs = 1 << 16 },
		"active features: 25":                  func(c *Config) { c.Shape.Active = 25 },
		"learning rate: NaN":                   func(c *Config) { c.Rate = math.NaN() },
		"K: 0":                                 func(c *Config) { c.Loss.K = 0 },
		"steps: 0":                             func(c *Config) { c.Steps = 0 },
	} {
		c := toyConfig()
		change(&c)
		if _, err := New(c, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func BenchmarkTrain(b *testing.B) {
	for _, hidden := range []int{128, 256} {
		b.Run(fmt.Sprint(hidden), func(b *testing.B) {
			c := toyConfig()
			c.Shape = nnue.Shape{Features: "like chess", Inputs: 768, Active: 32, Hidden: hidden, Buckets: 8}
			trainer, err := New(c, 1)
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			batch := make(Samples, 16384)
			for i := range batch {
				for _, features := range []*[]uint16{&batch[i].Us, &batch[i].Them} {
					for range 22 {
						*features = append(*features, uint16(rng.IntN(768)))
					}
				}
				batch[i].Bucket = rng.IntN(8)
			}
			for b.Loop() {
				if _, err := trainer.Train(batch); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(batch))/b.Elapsed().Seconds(), "positions/s")
		})
	}
}
