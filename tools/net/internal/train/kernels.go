package train

import "math"

// The kernels take slices of float32 whose lengths are multiples of nnue.HiddenDivisor. Those in
// assembly use fused multiplication and add up in another order, so their results differ from
// these in the last bits: a training is reproducible on processors that have AVX2 and FMA, and on
// those that have not, but not from one to the other.

// sumRowsGo sets dst to the sum of the listed rows of a matrix, whose rows are as long as dst.
func sumRowsGo(dst, matrix []float32, rows []uint16) {
	clear(dst)
	for _, row := range rows {
		addGo(dst, matrix[int(row)*len(dst):][:len(dst)])
	}
}

// addToRowsGo adds delta to each of the listed rows of a matrix, whose rows are as long as delta.
func addToRowsGo(matrix, delta []float32, rows []uint16) {
	for _, row := range rows {
		addGo(matrix[int(row)*len(delta):][:len(delta)], delta)
	}
}

// outputGo returns Σ weights·SCReLU(acc), where SCReLU(a) = clamp(a, 0, 1)².
func outputGo(acc, weights []float32) float32 {
	sum := float32(0)
	for i, a := range acc {
		c := min(max(a, 0), 1)
		sum += weights[i] * c * c
	}
	return sum
}

// outputGradientGo takes the derivative of the loss by the output, slope. It adds the derivatives by
// the output weights to gradient, and sets delta to those by acc.
func outputGradientGo(acc, weights, gradient, delta []float32, slope float32) {
	for i, a := range acc {
		c := min(max(a, 0), 1)
		gradient[i] += slope * c * c
		delta[i] = 0
		if a < 1 {
			delta[i] = 2 * slope * weights[i] * c
		}
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
// square.
func adamGo(weights, mean, square, gradient []float32, step *adamStep) {
	for i, g := range gradient {
		mean[i] += step.meanShare * (g - mean[i])
		square[i] += step.squareShare * (g*g - square[i])
		root := float32(math.Sqrt(float64(square[i])))
		move := step.rate*mean[i]/(root*step.correction+step.epsilon) + step.decay*weights[i]
		weights[i] = max(min(weights[i]-move, step.high), step.low)
	}
}
