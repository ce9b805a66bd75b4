package halfkp

// The kernels in Go. Those in assembly do the same; their results are equal.

// A kernel computes a layer after the other.
type kernel struct {
	// clip sets outputs to the activations of an accumulator.
	clip func(outputs []uint8, accumulator []int16)
	// affine sets outputs to the activations of a group of neurons.
	affine func(outputs []uint8, bias []int32, weights []int8, inputs []uint8)
	// products sets outputs to the products of the halves of an accumulator of SFNN.
	products func(outputs []uint8, accumulator []int16)
	// sums sets sums to the sums of 16 neurons. The inputs have room for a multiple of 256, and are 0 there.
	sums func(sums, bias []int32, weights []int8, inputs []uint8)
}

// activations has room for the activations of all layers. Those beyond the number of neurons are 0.
type activations struct {
	input         [2 * maxHalf]uint8
	sums          [maxProducts]int32
	first, second [maxHidden]uint8
}

// propagate computes the layers after the accumulators: the output for the side to move, before the division by
// FV_SCALE.
func (k *kernel) propagate(l *layers, a *activations, us, them []int16) int32 {
	sum := l.bias3
	if l.products > 0 {
		sum += k.propagateProducts(l, a, us, them)
	} else {
		k.clip(a.input[:l.half], us)
		k.clip(a.input[l.half:][:l.half], them)
		k.layer(&l.first, &a.first, a.input[:])
	}
	k.layer(&l.second, &a.second, a.first[:])
	for i, w := range l.weights3 {
		sum += int32(w) * int32(a.second[i])
	}
	return sum
}

// propagateProducts computes the first layer of SFNN, and returns the output that bypasses the second, or 0.
func (k *kernel) propagateProducts(l *layers, a *activations, us, them []int16) int32 {
	half := l.half / 2
	k.products(a.input[:half], us)
	k.products(a.input[half:][:half], them)
	for i := 0; i < len(l.first.bias); i += productGroup {
		k.sums(a.sums[i:][:productGroup], l.first.bias[i:][:productGroup], l.first.weights[i*l.first.inputs:],
			a.input[:l.first.inputs])
	}
	for i, sum := range a.sums[:l.products] {
		a.first[i] = uint8(min(int64(sum)*int64(sum)>>19, 127))
		a.first[l.products+i] = clipped(sum >> 6)
	}
	if l.products%8 == 7 {
		return a.sums[l.products]
	}
	return 0
}

func (k *kernel) layer(l *layer, outputs *[maxHidden]uint8, inputs []uint8) {
	for i := 0; i < len(l.bias); i += l.group {
		k.affine(outputs[i:][:l.group], l.bias[i:][:l.group], l.weights[i*l.inputs:], inputs[:l.inputs])
	}
}

var goKernel = kernel{clipGo, affineGo, productsGo, sumsGo}

func clipGo(outputs []uint8, accumulator []int16) {
	for i, x := range accumulator {
		outputs[i] = clipped(int32(x))
	}
}

func affineGo(outputs []uint8, bias []int32, weights []int8, inputs []uint8) {
	var room [32]int32
	sums := room[:len(bias)]
	sumsGo(sums, bias, weights, inputs)
	for i, sum := range sums {
		outputs[i] = clipped(sum >> 6)
	}
}

func sumsGo(sums, bias []int32, weights []int8, inputs []uint8) {
	copy(sums, bias)
	for ; len(inputs) >= 4; inputs, weights = inputs[4:], weights[4*len(sums):] {
		if inputs[0]|inputs[1]|inputs[2]|inputs[3] == 0 {
			continue
		}
		a, b, c, d := int32(inputs[0]), int32(inputs[1]), int32(inputs[2]), int32(inputs[3])
		for i := range sums {
			w := (*[4]int8)(weights[4*i:])
			sums[i] += a*int32(w[0]) + b*int32(w[1]) + c*int32(w[2]) + d*int32(w[3])
		}
	}
}

func productsGo(outputs []uint8, accumulator []int16) {
	for i := range outputs {
		a, b := accumulator[i], accumulator[len(outputs)+i]
		outputs[i] = uint8(int32(min(max(a, 0), 254)) * int32(min(max(b, 0), 254)) >> 9)
	}
}

// clipped is the activation.
func clipped(x int32) uint8 { return uint8(min(max(x, 0), 127)) }
