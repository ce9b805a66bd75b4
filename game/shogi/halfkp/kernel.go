package halfkp

// The kernels in Go. Those in assembly do the same; their results are equal.

// propagateGo computes the layers after the accumulators: the output for the side to move, before the
// division by FV_SCALE.
func propagateGo(l *layers, us, them *[half]int16) int32 {
	var input [2 * half]uint8
	for i := range us {
		input[i], input[half+i] = clipped(int32(us[i])), clipped(int32(them[i]))
	}
	var outputs1, outputs2 [32]uint8
	affineGo(&outputs1, &l.bias1, l.weight1[:], input[:])
	affineGo(&outputs2, &l.bias2, l.weight2[:], outputs1[:])
	return l.output(&outputs2)
}

// affineGo computes a layer with 32 neurons and its clipped outputs.
func affineGo(outputs *[32]uint8, bias *[32]int32, weights [][32][4]int8, inputs []uint8) {
	sums := *bias
	for block := range weights {
		in := inputs[4*block:][:4]
		if in[0]|in[1]|in[2]|in[3] == 0 {
			continue
		}
		a, b, c, d := int32(in[0]), int32(in[1]), int32(in[2]), int32(in[3])
		for i := range sums {
			w := &weights[block][i]
			sums[i] += a*int32(w[0]) + b*int32(w[1]) + c*int32(w[2]) + d*int32(w[3])
		}
	}
	for i, sum := range sums {
		outputs[i] = clipped(sum >> 6)
	}
}

// output computes the last layer.
func (l *layers) output(inputs *[hidden2]uint8) int32 {
	sum := l.bias3
	for i, w := range l.weight3 {
		sum += int32(w) * int32(inputs[i])
	}
	return sum
}

// clipped is the activation.
func clipped(x int32) uint8 { return uint8(min(max(x, 0), 127)) }
