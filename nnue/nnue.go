// Package nnue evaluates positions with an efficiently updatable neural network (NNUE): sparse
// inputs, one hidden layer for each side, clipped squared activation. It knows no game: a game
// defines what an input means, lists the inputs that are 1 (the active features), and chooses the
// output bucket.
//
//	active features      feature          accumulators    SCReLU      output weights
//	(numbers)            transformer      Hidden int16    0 to QA²/2  of one bucket
//
//	of the side to move ─ weights, bias ─ us ──────────── squares ──┐
//	                                                                Σ + bias ─ centipawns
//	of its opponent ───── the same ────── them ────────── squares ──┘
//
// Each side sees the position from its own perspective, with features of its own; both use the same
// feature transformer. An accumulator is the bias of the transformer plus the weights of the active
// features, so a move changes it by a few rows of weights (Update). SCReLU(a) is
// ⌊clamp(a, 0, QA)² / 2⌋, which fits int16.
//
// # Numbers
//
// All numbers are integers: 1.0 of an accumulator is QA, 1.0 of an output weight is QB, 1.0 of an
// output bias is QA·QB, and 1.0 of the output is Scale centipawns. The output is
//
//	Scale · (2 · Σ SCReLU(a)·w + QA·bias) / (QA²·QB)
//
// over both accumulators, us first, with one division, which truncates toward zero.
//
// Nothing overflows, whatever features are active, because Read and New refuse a Net unless
//
//   - |bias| + the Active largest |weights| ≤ 32,767 for each neuron, so an accumulator fits int16,
//   - ⌊QA²/2⌋·Σ|w| ≤ 2^31-1 for each bucket, so the sum fits int32 in any order of its terms.
//
// So the kernels in assembly, AVX2 on amd64 processors that have it and NEON on arm64, give the same
// result as those in Go, bit for bit. The build tag purego leaves assembly out.
package nnue

import (
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The quantisation; see the package comment.
const (
	QA = 255
	QB = 64
	// MaxOutputSum bounds the sum of the |output weights| of a bucket.
	MaxOutputSum = math.MaxInt32 / (QA * QA / 2)
)

// The bounds of a Net. MaxScale also bounds the output: it is always less than 2^31.
const (
	MaxInputs     = 1 << 16 // a feature is a uint16
	MaxHidden     = 1024
	HiddenDivisor = 32 // Hidden is a multiple: two vectors of AVX2
	MaxBuckets    = 256
	MaxScale      = 10_000

	maxFeatures = 64   // bytes of Features
	maxTrained  = 4096 // bytes of Trained
)

// A Shape is the architecture of a Net.
type Shape struct {
	Features string // what an input means, such as "chess 768 mirrored"
	Inputs   int    // numbers of features are less
	Active   int    // most features that are active at once for one side
	Hidden   int    // neurons of an accumulator, a multiple of HiddenDivisor
	Buckets  int    // sets of output weights; a position uses one
}

// A Net is a network with its weights. It never changes, so any number of goroutines may use it.
type Net struct {
	Shape
	Scale   int    // centipawns of 1.0
	Trained string // how it was trained, in one line

	featureWeights []int16 // all as in New
	featureBias    []int16
	outputWeights  []int16
	outputBias     []int32
	checksum       uint32
}

// New makes a Net of copies of the weights:
//
//	featureWeights  [Inputs][Hidden]
//	featureBias     [Hidden]
//	outputWeights   [Buckets][2][Hidden], the weights of us first
//	outputBias      [Buckets]
//
// The error names the number that is out of bounds, or the neuron or bucket that could overflow.
func New(shape Shape, scale int, trained string, featureWeights, featureBias, outputWeights []int16,
	outputBias []int32) (*Net, error) {
	n := &Net{Shape: shape, Scale: scale, Trained: trained}
	if err := n.checkHeader(); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name      string
		got, want int
	}{
		{"feature weights", len(featureWeights), n.Inputs * n.Hidden},
		{"feature biases", len(featureBias), n.Hidden},
		{"output weights", len(outputWeights), n.Buckets * 2 * n.Hidden},
		{"output biases", len(outputBias), n.Buckets},
	} {
		if part.got != part.want {
			return nil, fmt.Errorf("%d %s, expected %d", part.got, part.name, part.want)
		}
	}
	n.featureWeights = slices.Clone(featureWeights)
	n.featureBias = slices.Clone(featureBias)
	n.outputWeights = slices.Clone(outputWeights)
	n.outputBias = slices.Clone(outputBias)
	if err := n.checkOverflow(); err != nil {
		return nil, err
	}
	n.checksum = crc32.Checksum(n.encode(), castagnoli)
	return n, nil
}

// Weights returns copies of the weights, as New takes them.
func (n *Net) Weights() (featureWeights, featureBias, outputWeights []int16, outputBias []int32) {
	return slices.Clone(n.featureWeights), slices.Clone(n.featureBias), slices.Clone(n.outputWeights),
		slices.Clone(n.outputBias)
}

// checkHeader checks what a Net has beside its weights.
func (n *Net) checkHeader() error {
	for _, v := range []struct {
		name             string
		value, low, high int
	}{
		{"inputs", n.Inputs, 1, MaxInputs},
		{"active features", n.Active, 1, n.Inputs},
		{"hidden neurons", n.Hidden, HiddenDivisor, MaxHidden},
		{"buckets", n.Buckets, 1, MaxBuckets},
		{"scale", n.Scale, 1, MaxScale},
		{"bytes of the name of the features", len(n.Features), 1, maxFeatures},
		{"bytes about the training", len(n.Trained), 0, maxTrained},
	} {
		if v.value < v.low || v.value > v.high {
			return fmt.Errorf("%s: %d is not between %d and %d", v.name, v.value, v.low, v.high)
		}
	}
	if n.Hidden%HiddenDivisor != 0 {
		return fmt.Errorf("hidden neurons: %d is not a multiple of %d", n.Hidden, HiddenDivisor)
	}
	for _, text := range []string{n.Features, n.Trained} {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Errorf("%q is not one line of UTF-8", text)
		}
	}
	return nil
}

// checkOverflow checks the bounds in the package comment.
func (n *Net) checkOverflow() error {
	column := make([]int, n.Inputs) // |weights| of one neuron
	for neuron, bias := range n.featureBias {
		for i := range column {
			column[i] = abs(int(n.featureWeights[i*n.Hidden+neuron]))
		}
		if abs(int(bias))+n.Active*slices.Max(column) <= math.MaxInt16 {
			continue // without sorting
		}
		slices.Sort(column)
		reach := abs(int(bias))
		for _, w := range column[n.Inputs-n.Active:] {
			reach += w
		}
		if reach > math.MaxInt16 {
			return fmt.Errorf("neuron %d could overflow: |bias| and the %d largest |weights| add up to %d, more than %d",
				neuron, n.Active, reach, math.MaxInt16)
		}
	}
	for bucket := range n.Buckets {
		sum := 0
		for _, w := range n.bucket(bucket) {
			sum += abs(int(w))
		}
		if sum > MaxOutputSum {
			return fmt.Errorf("bucket %d could overflow: its |output weights| add up to %d, more than %d",
				bucket, sum, MaxOutputSum)
		}
	}
	return nil
}

func abs(x int) int { return max(x, -x) }

// bucket returns the output weights of a bucket.
func (n *Net) bucket(bucket int) []int16 {
	return n.outputWeights[bucket*2*n.Hidden:][:2*n.Hidden]
}

// Checksum returns the CRC-32C at the end of the Net's file, which identifies the Net.
func (n *Net) Checksum() uint32 { return n.checksum }

// Refresh computes an accumulator from the active features of one side, each listed once.
func (n *Net) Refresh(dst []int16, features []uint16) {
	n.Update(dst, n.featureBias, features, nil)
}

// Update sets dst to the accumulator src with the weights of the added features added, and of the
// removed ones subtracted. dst may be src. Both have Hidden neurons; it panics if one has less, or if
// a feature is not less than Inputs.
func (n *Net) Update(dst, src []int16, added, removed []uint16) {
	UpdateRows(dst[:n.Hidden], src[:n.Hidden], n.featureWeights, n.Inputs, added, removed)
}

// UpdateRows sets dst to src with the added rows of weights added, and the removed ones subtracted. There
// are rows rows, as long as dst, whose length is a multiple of HiddenDivisor. dst may be src. A row may be
// listed several times. Sums wrap around. It panics if src or weights are too short, or if there is no such
// row.
func UpdateRows(dst, src, weights []int16, rows int, added, removed []uint16) {
	checkRows(added, rows)
	checkRows(removed, rows)
	update(dst, src[:len(dst)], weights[:rows*len(dst)], added, removed)
}

// checkRows panics where an index into the weights would: assembly has no bounds checks.
func checkRows(list []uint16, rows int) {
	for _, row := range list {
		if int(row) >= rows {
			panic("nnue: a feature is not less than Inputs")
		}
	}
}

// Output returns the evaluation in centipawns for the side to move. us is the accumulator of that side,
// them of its opponent. It panics if an accumulator has less than Hidden neurons, or if there is no such
// bucket.
func (n *Net) Output(us, them []int16, bucket int) int {
	sum := int64(screlu(us[:n.Hidden], them[:n.Hidden], n.bucket(bucket)))
	return int(int64(n.Scale) * (2*sum + QA*int64(n.outputBias[bucket])) / (QA * QA * QB))
}
