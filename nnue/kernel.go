package nnue

// The kernels in Go. Those in assembly do the same; their results are equal bit for bit.

// updateGo sets dst to src + the rows of added - the rows of removed. Rows are as long as dst.
// Sums that leave int16 wrap around, and come back before the end.
func updateGo(dst, src, weights []int16, added, removed []uint16) {
	copy(dst, src)
	for _, f := range added {
		row := weights[int(f)*len(dst):][:len(dst)]
		for i, w := range row {
			dst[i] += w
		}
	}
	for _, f := range removed {
		row := weights[int(f)*len(dst):][:len(dst)]
		for i, w := range row {
			dst[i] -= w
		}
	}
}

// screluGo returns Σ SCReLU(a)·w over both accumulators. weights has the weights of us, then of them.
func screluGo(us, them, weights []int16) (sum int32) {
	for half, accumulator := range [2][]int16{us, them} {
		row := weights[half*len(us):][:len(accumulator)]
		for i, a := range accumulator {
			c := int32(min(max(a, 0), QA))
			sum += c * c >> 1 * int32(row[i])
		}
	}
	return sum
}
