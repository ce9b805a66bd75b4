//go:build !amd64 || purego

package train

func sumRows(dst, matrix []float32, rows []uint16)     { sumRowsGo(dst, matrix, rows) }
func addToRows(matrix, delta []float32, rows []uint16) { addToRowsGo(matrix, delta, rows) }
func output(acc, weights []float32) float32            { return outputGo(acc, weights) }
func add(dst, src []float32)                           { addGo(dst, src) }

func outputGradient(acc, weights, gradient, delta []float32, slope float32) {
	outputGradientGo(acc, weights, gradient, delta, slope)
}

func adam(weights, mean, square, gradient []float32, step *adamStep) {
	adamGo(weights, mean, square, gradient, step)
}
