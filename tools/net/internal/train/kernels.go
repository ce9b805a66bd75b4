package train

import "math"

// tile is the number of neurons that a kernel computes for all samples of a block before the next ones. Their
// feature weights, or derivatives, fit a first-level cache: a row of them is one cache line.
const tile = 16

// A stream lists the samples of a block: for each its bucket, the number n of its rows, which is even, and n pairs of
// rows, of the side to move and of its opponent. Rows are rows of a tile; see parameters.
//
// The kernels in assembly use fused multiplication and add up in another order, so their results differ from these in
// the last bits: a training is reproducible on processors that have AVX2 and FMA, and on those that have not, but not
// from one to the other.

// forwardGo computes a tile of the accumulators of some samples: acc is [samples][2][tile]. It adds each sample's
// terms of the output to the eight numbers of out, in any order.
func forwardGo(acc, out, matrix, bias, weights []float32, stream []uint16, samples int) {
	for s := range samples {
		bucket, n := int(stream[0]), int(stream[1])
		sums := acc[s*2*tile:][:2*tile]
		copy(sums, bias[:tile])
		copy(sums[tile:], bias[:tile])
		for i, row := range stream[2:][:2*n] {
			addGo(sums[i&1*tile:][:tile], matrix[int(row)*tile:])
		}
		w := weights[bucket*2*tile:][:2*tile]
		for i, a := range sums {
			c := min(max(a, 0), 1)
			out[8*s+i&7] += w[i] * c * c
		}
		stream = stream[2+2*n:]
	}
}

// backwardGo follows forwardGo. slopes are the derivatives of the loss by the outputs. It adds those by the feature
// weights to matrix, by the biases to bias and by the output weights to gradient.
func backwardGo(acc, slopes, matrix, bias, weights, gradient []float32, stream []uint16, samples int) {
	var delta [2 * tile]float32
	for s := range samples {
		bucket, n := int(stream[0]), int(stream[1])
		w, g := weights[bucket*2*tile:][:2*tile], gradient[bucket*2*tile:][:2*tile]
		for i, a := range acc[s*2*tile:][:2*tile] {
			c := min(max(a, 0), 1)
			g[i] += slopes[s] * c * c
			delta[i] = 0
			if a < 1 {
				delta[i] = 2 * slopes[s] * w[i] * c
			}
			bias[i%tile] += delta[i]
		}
		for i, row := range stream[2:][:2*n] {
			addGo(matrix[int(row)*tile:][:tile], delta[i&1*tile:])
		}
		stream = stream[2+2*n:]
	}
}

// addGo adds src to dst.
func addGo(dst, src []float32) {
	for i, s := range src[:len(dst)] {
		dst[i] += s
	}
}

// An adamStep has the numbers of one step of AdamW for some weights. Assembly reads the fields in
// this order.
type adamStep struct {
	meanShare, squareShare float32 // 1 - β₁, 1 - β₂
	rate                   float32 // learning rate / (1 - β₁^t)
	correction             float32 // 1 / √(1 - β₂^t)
	epsilon                float32
	decay                  float32 // learning rate · weight decay
	high, low              float32 // bounds of the weights
}

// adamGo moves weights by a step of AdamW, and updates the running means of the gradient and of its
// square. The length is a multiple of nnue.HiddenDivisor, as in addGo.
func adamGo(weights, mean, square, gradient []float32, step *adamStep) {
	for i, g := range gradient {
		mean[i] += step.meanShare * (g - mean[i])
		square[i] += step.squareShare * (g*g - square[i])
		root := float32(math.Sqrt(float64(square[i])))
		move := step.rate*mean[i]/(root*step.correction+step.epsilon) + step.decay*weights[i]
		weights[i] = max(min(weights[i]-move, step.high), step.low)
	}
}
