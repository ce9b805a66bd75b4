//go:build !amd64 || purego

package train

func forward(acc, out, matrix, bias, weights []float32, stream []uint16, samples int) {
	forwardGo(acc, out, matrix, bias, weights, stream, samples)
}

func backward(acc, slopes, matrix, bias, weights, gradient []float32, stream []uint16, samples int) {
	backwardGo(acc, slopes, matrix, bias, weights, gradient, stream, samples)
}

func add(dst, src []float32) { addGo(dst, src) }

func adam(weights, mean, square, gradient []float32, step *adamStep) {
	adamGo(weights, mean, square, gradient, step)
}
