package nnue

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// weights are the arguments of New after the shape.
type weights struct {
	feature, bias, output []int16
	outputBias            []int32
}

// randomWeights makes weights of any size that the shape allows: with a bound of 1.0 they come close
// to an overflow.
func randomWeights(rng *rand.Rand, s Shape, bound float64) weights {
	w := weights{
		feature:    make([]int16, s.Inputs*s.Hidden),
		bias:       make([]int16, s.Hidden),
		output:     make([]int16, s.Buckets*2*s.Hidden),
		outputBias: make([]int32, s.Buckets),
	}
	fill := func(v []int16, most float64) {
		for i := range v {
			v[i] = int16(math.Trunc(bound * most * (2*rng.Float64() - 1)))
		}
	}
	fill(w.feature, float64(math.MaxInt16/(s.Active+1)))
	fill(w.bias, float64(math.MaxInt16/(s.Active+1)))
	fill(w.output, MaxOutputSum/float64(2*s.Hidden))
	for i := range w.outputBias {
		w.outputBias[i] = int32(rng.Uint32()) >> rng.IntN(20)
	}
	return w
}

func (w weights) net(t testing.TB, s Shape, scale int) *Net {
	t.Helper()
	n, err := New(s, scale, "at random", w.feature, w.bias, w.output, w.outputBias)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func randomNet(t testing.TB, rng *rand.Rand, s Shape) *Net {
	return randomWeights(rng, s, []float64{0.02, 0.1, 1}[rng.IntN(3)]).net(t, s, 1+rng.IntN(MaxScale))
}

// randomShapes has every width of assembly: whole tiles, parts of one, and both.
func randomShapes() (shapes []Shape) {
	for _, hidden := range []int{32, 64, 96, 128, 160, 224, 256, 288, 512, 1024} {
		shapes = append(shapes, Shape{Features: "test", Inputs: 77, Active: 30, Hidden: hidden, Buckets: 3})
	}
	return shapes
}

// exactOutput is the formula of the package comment, in numbers without bounds.
func exactOutput(n *Net, w weights, sides [2][]uint16, bucket int) *big.Int {
	sum := new(big.Int).Mul(big.NewInt(QA), big.NewInt(int64(w.outputBias[bucket])))
	for half, features := range sides {
		for j := range n.Hidden {
			a := big.NewInt(int64(w.bias[j]))
			for _, f := range features {
				a.Add(a, big.NewInt(int64(w.feature[int(f)*n.Hidden+j])))
			}
			if a.Sign() < 0 {
				a.SetInt64(0)
			} else if a.Cmp(big.NewInt(QA)) > 0 {
				a.SetInt64(QA)
			}
			a.Mul(a, a)
			a.Rsh(a, 1)
			a.Lsh(a, 1)
			sum.Add(sum, a.Mul(a, big.NewInt(int64(w.output[(bucket*2+half)*n.Hidden+j]))))
		}
	}
	sum.Mul(sum, big.NewInt(int64(n.Scale)))
	return sum.Quo(sum, big.NewInt(QA*QA*QB)) // truncates toward zero
}

// activeFeatures returns n different features below inputs.
func activeFeatures(rng *rand.Rand, inputs, n int) (features []uint16) {
	for _, f := range rng.Perm(inputs)[:n] {
		features = append(features, uint16(f))
	}
	return features
}

// TestOutputIsExact compares evaluations with exact arithmetic.
func TestOutputIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range randomShapes() {
		for range 4 {
			w := randomWeights(rng, s, []float64{0.02, 0.1, 1}[rng.IntN(3)])
			n := w.net(t, s, 1+rng.IntN(MaxScale))
			var sides [2][]uint16
			var accumulators [2][]int16
			for i := range sides {
				sides[i] = activeFeatures(rng, s.Inputs, rng.IntN(s.Active+1))
				accumulators[i] = make([]int16, s.Hidden)
				n.Refresh(accumulators[i], sides[i])
			}
			for bucket := range s.Buckets {
				got := n.Output(accumulators[0], accumulators[1], bucket)
				if want := exactOutput(n, w, sides, bucket); want.Cmp(big.NewInt(int64(got))) != 0 {
					t.Fatalf("hidden %d, bucket %d: %d, want %v", s.Hidden, bucket, got, want)
				}
			}
		}
	}
}

// TestLargestNumbers evaluates nets at their bounds: accumulators of ±32,767, and the largest output.
func TestLargestNumbers(t *testing.T) {
	s := Shape{Features: "test", Inputs: 31, Active: 31, Hidden: 1024, Buckets: 2}
	var all []uint16
	for f := range s.Inputs {
		all = append(all, uint16(f))
	}
	for _, sign := range []int{1, -1} {
		w := randomWeights(rand.New(rand.NewPCG(1, 2)), s, 0)
		for i := range w.feature {
			w.feature[i] = 1024 // 31 of them and 1023 are 32,767
		}
		for i := range w.bias {
			w.bias[i] = 1023
		}
		for i := range s.Buckets * 2 * s.Hidden {
			w.output[i] = int16(32 * sign) // 2,048 of them
		}
		w.output[0] += int16(sign) * (MaxOutputSum - 32*2048)
		w.outputBias = []int32{math.MaxInt32, math.MinInt32}
		n := w.net(t, s, MaxScale)
		a := make([]int16, s.Hidden)
		n.Refresh(a, all)
		if slices.Min(a) != math.MaxInt16 {
			t.Fatalf("a neuron is %d, want %d", slices.Min(a), math.MaxInt16)
		}
		for bucket := range s.Buckets {
			got := n.Output(a, a, bucket)
			if want := exactOutput(n, w, [2][]uint16{all, all}, bucket); want.Cmp(big.NewInt(int64(got))) != 0 {
				t.Errorf("bucket %d: %d, want %v", bucket, got, want)
			}
			if got > math.MaxInt32 || got < math.MinInt32 {
				t.Errorf("bucket %d: %d needs more than 32 bits", bucket, got)
			}
		}
		for i := range w.feature {
			w.feature[i] = -1024
		}
		for i := range w.bias {
			w.bias[i] = -1023
		}
		n = w.net(t, s, MaxScale)
		n.Refresh(a, all)
		if slices.Max(a) != -math.MaxInt16 {
			t.Fatalf("a neuron is %d, want %d", slices.Max(a), -math.MaxInt16)
		}
		if got, want := n.Output(a, a, 0),
			exactOutput(n, w, [2][]uint16{all, all}, 0); want.Cmp(big.NewInt(int64(got))) != 0 {
			t.Errorf("%d, want %v", got, want)
		}
	}
}

// TestUpdateIsRefresh walks from one set of features to the next, and compares each accumulator with
// one from scratch.
func TestUpdateIsRefresh(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, s := range randomShapes() {
		n := randomNet(t, rng, s)
		active := activeFeatures(rng, s.Inputs, s.Active/2)
		a, b, fresh := make([]int16, s.Hidden), make([]int16, s.Hidden), make([]int16, s.Hidden)
		n.Refresh(a, active)
		for step := range 500 {
			removed := slices.Clone(active[:rng.IntN(min(len(active), 4)+1)])
			var added []uint16
			for _, f := range activeFeatures(rng, s.Inputs, min(rng.IntN(5), s.Active-len(active))) {
				if !slices.Contains(active, f) {
					added = append(added, f)
				}
			}
			active = append(active[len(removed):], added...)
			rng.Shuffle(len(active), func(i, j int) { active[i], active[j] = active[j], active[i] })
			if step%2 == 0 {
				n.Update(a, a, added, removed)
			} else {
				n.Update(b, a, added, removed)
				a, b = b, a
			}
			n.Refresh(fresh, active)
			if !slices.Equal(a, fresh) {
				t.Fatalf("hidden %d, step %d: added %v, removed %v: the accumulator is not that of %v",
					s.Hidden, step, added, removed, active)
			}
		}
	}
}

// TestUpdateTouchesOnlyDst holds that nothing beyond Hidden neurons is written, also where dst is not
// aligned to vectors.
func TestUpdateTouchesOnlyDst(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, s := range randomShapes() {
		n := randomNet(t, rng, s)
		memory := make([]int16, s.Hidden+64)
		for i := range memory {
			memory[i] = 12345
		}
		n.Refresh(memory[33:], activeFeatures(rng, s.Inputs, s.Active))
		for i, v := range memory {
			if (i < 33 || i >= 33+s.Hidden) && v != 12345 {
				t.Fatalf("hidden %d: wrote to neuron %d", s.Hidden, i-33)
			}
		}
	}
}

func TestWrongArgumentsPanic(t *testing.T) {
	s := Shape{Features: "test", Inputs: 10, Active: 2, Hidden: 64, Buckets: 2}
	n := randomNet(t, rand.New(rand.NewPCG(7, 8)), s)
	a := make([]int16, s.Hidden)
	short := make([]int16, s.Hidden-1)
	for name, f := range map[string]func(){
		"an added feature":    func() { n.Update(a, a, []uint16{9, 10}, nil) },
		"a removed feature":   func() { n.Update(a, a, nil, []uint16{65535}) },
		"a feature":           func() { n.Refresh(a, []uint16{10}) },
		"a short destination": func() { n.Update(short, a, nil, nil) },
		"a short source":      func() { n.Update(a, short, nil, nil) },
		"short us":            func() { n.Output(short, a, 0) },
		"short them":          func() { n.Output(a, short, 0) },
		"a bucket":            func() { n.Output(a, a, 2) },
		"a negative bucket":   func() { n.Output(a, a, -1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// TestNewRefuses holds that each bound of a Net is checked, and that the error names what breaks it.
func TestNewRefuses(t *testing.T) {
	shape := Shape{Features: "test", Inputs: 10, Active: 2, Hidden: 64, Buckets: 2}
	type arguments struct {
		Shape
		weights
		scale   int
		trained string
	}
	for _, c := range []struct {
		want   string
		change func(*arguments)
	}{
		{"inputs: 0 is not between 1 and 65536", func(a *arguments) { a.Inputs = 0 }},
		{"inputs: 65537 is not", func(a *arguments) { a.Inputs = 65537 }},
		{"active features: 11 is not between 1 and 10", func(a *arguments) { a.Active = 11 }},
		{"active features: 0 is not", func(a *arguments) { a.Active = 0 }},
		{"hidden neurons: 0 is not between 32 and 1024", func(a *arguments) { a.Hidden = 0 }},
		{"hidden neurons: 1056 is not", func(a *arguments) { a.Hidden = 1056 }},
		{"hidden neurons: 48 is not a multiple of 32", func(a *arguments) { a.Hidden = 48 }},
		{"buckets: 0 is not between 1 and 256", func(a *arguments) { a.Buckets = 0 }},
		{"buckets: 257 is not", func(a *arguments) { a.Buckets = 257 }},
		{"scale: 0 is not between 1 and 10000", func(a *arguments) { a.scale = 0 }},
		{"scale: 10001 is not", func(a *arguments) { a.scale = 10001 }},
		{"name of the features: 0 is not", func(a *arguments) { a.Features = "" }},
		{"name of the features: 65 is not", func(a *arguments) { a.Features = strings.Repeat("x", 65) }},
		{"about the training: 4097 is not", func(a *arguments) { a.trained = strings.Repeat("x", 4097) }},
		{`"a\nb" is not one line`, func(a *arguments) { a.trained = "a\nb" }},
		{`"\xff" is not one line`, func(a *arguments) { a.Features = "\xff" }},
		{"639 feature weights, expected 640", func(a *arguments) { a.feature = a.feature[1:] }},
		{"65 feature biases, expected 64", func(a *arguments) { a.bias = append(a.bias, 0) }},
		{"0 output weights, expected 256", func(a *arguments) { a.output = nil }},
		{"1 output biases, expected 2", func(a *arguments) { a.outputBias = a.outputBias[1:] }},
		{"neuron 63 could overflow: |bias| and the 2 largest |weights| add up to 32768", func(a *arguments) {
			a.bias[63], a.feature[63], a.feature[64+63] = -32000, 368, -400
		}},
		{"neuron 5 could overflow: |bias| and the 2 largest |weights| add up to 32768, more than 32767", func(a *arguments) { a.bias[5] = -32768 }},
		{"neuron 5 could overflow: |bias| and the 2 largest |weights| add up to 32868", func(a *arguments) {
			a.feature[5], a.feature[64+5], a.feature[9*64+5] = -32768, 100, 100
		}},
		{"bucket 1 could overflow: its |output weights| add up to 66053, more than 66052", func(a *arguments) {
			a.Hidden, a.weights = 256,
				randomWeights(rand.New(rand.NewPCG(1, 1)), Shape{Inputs: 10, Active: 2, Hidden: 256, Buckets: 2}, 0)
			for i := 512; i < 1024; i++ {
				a.output[i] = 129
			}
			a.output[512], a.output[513] = -133, 130
		}},
	} {
		a := arguments{shape, randomWeights(rand.New(rand.NewPCG(1, 1)), shape, 0), 400, "by hand"}
		c.change(&a)
		_, err := New(a.Shape, a.scale, a.trained, a.feature, a.bias, a.output, a.outputBias)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestNewAcceptsTheBounds holds that nothing within the bounds is refused.
func TestNewAcceptsTheBounds(t *testing.T) {
	s := Shape{Features: "test", Inputs: 10, Active: 2, Hidden: 256, Buckets: 1}
	w := randomWeights(rand.New(rand.NewPCG(1, 1)), s, 0)
	w.bias[7], w.feature[7], w.feature[256+7], w.feature[512+7] = -32000, 367, -400, 367
	w.bias[8] = 32767
	w.feature[9] = -32767
	w.output[0], w.output[1], w.output[2] = math.MaxInt16, -math.MaxInt16, MaxOutputSum-2*math.MaxInt16
	w.net(t, s, MaxScale)
}

// TestNewCopies holds that a Net does not change with the slices it was made of.
func TestNewCopies(t *testing.T) {
	s := Shape{Features: "test", Inputs: 10, Active: 2, Hidden: 32, Buckets: 1}
	w := randomWeights(rand.New(rand.NewPCG(1, 1)), s, 1)
	n := w.net(t, s, 400)
	before := n.encode()
	for _, part := range [][]int16{w.feature, w.bias, w.output} {
		clear(part)
	}
	clear(w.outputBias)
	if !slices.Equal(before, n.encode()) {
		t.Error("the net has changed")
	}
}
