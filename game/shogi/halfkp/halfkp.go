// Package halfkp evaluates positions of shogi by an evaluation file of YaneuraOu, nn.bin, with the features
// HalfKP or K-P, or of the kind SFNN, and with the same values as YaneuraOu. The layers have any sizes; most files
// with HalfKP are 256x2-32-32:
//
//	features of    feature        accumulators   clipped    affine     affine    affine
//	one side       transformer    int16          to 0..127  int8       int8      int8
//
//	side to move ─ 125,388→256 ── us ─────────── 256 ──┐
//	               or 1,710→256                        512→32 ──── 32→32 ─── 32→1 ─ / FV_SCALE
//	opponent ───── the same ───── them ───────── 256 ──┘
//
// The sums of an affine layer are int32. Those of the first two are divided by 64 and clipped to 0 to 127
// to become the inputs of the next. The last one, divided by FV_SCALE, is the value, within ±MaxValue. Both
// divisions drop the fraction; the first is a shift, the last truncates toward zero.
//
// Sums that leave their type wrap around. A file may have any weights, so nothing is refused for them.
//
// # Features
//
// A feature of HalfKP is the square of a side's own king and one other piece, on the board or in a hand, as
// the side sees them: White turns the board by 180 degrees. It has the number 1548·king + piece. A feature of
// K-P is one piece: the kings follow the others, from 1548 on the own one, from 1629 on the other. Numbers of pieces
// begin at 1 with the pieces in the hands, where a second piece of a kind is a feature of its own. The
// pieces on the board follow, 81 numbers for each colour and kind. Promoted minor pieces count as golds.
//
// In handicap games each piece missing from the 38 is a piece 0. Some positions have a value only here, not
// in YaneuraOu: for HalfKP a missing king counts as standing on its square of the start position, for K-P it
// is no feature, and pieces in a hand beyond the pieces of a set do not count.
//
// # SFNN
//
// SFNN has the features HalfKA_hm2 or HalfKA2, other layers, and several stacks of them. SFNN-1536:
//
//	features of    feature        accumulators   products of   affine      activations  affine    affine
//	one side       transformer    int16          the halves    int8                     int8      int8
//
//	side to move ─ 73,305→1536 ── us ─────────── 768 ──┐       ┌─ 15 ───── 30 ───────── 30→32 ─── 32→1 ─┐
//	                                                   1536→16 ┤                                        + / FV_SCALE
//	opponent ───── the same ───── them ───────── 768 ──┘       └─ 1 ────────────────────────────────────┘
//
// The weights and biases of the feature transformer count twice. Each neuron of the first half of an accumulator and
// the neuron in its place in the second half are clipped to 0 to 254; their product, divided by 512, is an input. Of
// each of the 15 sums there are two activations, its square divided by 2^19 and the sum divided by 64, both clipped to
// 0 to 127. The last sum is there if the number of neurons without it is 8n - 1.
//
// HalfKA2 is HalfKP with both kings as pieces: from 1548 on, whichever king it is. In HalfKA_hm2 a side whose own king
// stands on the files 6 to 9 sees the board mirrored. The kings choose one of nine stacks: three times the third of
// the board, from the far end, that the side to move sees its own king in, plus the opponent's.
package halfkp

import (
	"errors"
	"math"
	"runtime"
	"unsafe"

	"trefoil/internal/mem"
)

// pieces is the number of pieces of a set, without kings.
const pieces = 38

// MaxValue bounds values.
const MaxValue = 31753

// The least and greatest divisors of values, FV_SCALE, and the divisor that most nets were made for.
const (
	MinScale     = 1
	MaxScale     = 128
	DefaultScale = 16
)

// A Net is the content of an evaluation file. It never changes, so any number of goroutines may use it.
type Net struct {
	architecture
	bias     []int16
	weights  []int16   // [kings][rows][half], outside the Go heap
	layers   []*layers // the layer stacks of SFNN, otherwise one
	checksum uint32
	note     string
}

// layers are the layers after the accumulators.
type layers struct {
	half     int // the neurons of an accumulator
	products int // the neurons of the first layer of SFNN, without the sum that bypasses the second; otherwise 0
	first    layer
	second   layer
	weights3 []int8
	bias3    int32
	parts    [5]*int8 // biases and weights of the first layer, of the second, and weights3, for the kernel for AVX2

	// The number of blocks of the first layer that fit, 8, 4 or 1; 0 if a hidden layer has not 32 neurons.
	together int
}

// A layer is an affine layer with its activation. Its neurons are in groups. A block of four inputs has the
// weights for all neurons of a group beside each other, so that a broadcast of the block meets a row of vectors.
type layer struct {
	bias    []int32
	weights []int8 // [groups][blocks][neurons of a group][4]
	inputs  int    // a multiple of 16; those that the file has not are 0
	group   int    // 32, or 8 if the number of neurons is no multiple of 32; productGroup in the first layer of SFNN
}

func newLayer(neurons, inputs int) layer {
	group := 32
	if neurons%32 != 0 {
		group = 8
	}
	return newLayerOf(neurons, inputs, group)
}

func newLayerOf(neurons, inputs, group int) layer {
	l := layer{bias: make([]int32, neurons), inputs: (inputs + 15) &^ 15, group: group}
	l.weights = make([]int8, neurons*l.inputs)
	return l
}

// at returns the weights of a neuron for a block of inputs.
func (l *layer) at(block, neuron int) *[4]int8 {
	first := neuron / l.group * l.group
	return (*[4]int8)(l.weights[first*l.inputs+(block*l.group+neuron-first)*4:])
}

func newLayers(a *architecture) *layers {
	outputs, inputs2 := a.firstLayer()
	l := &layers{half: a.half, second: newLayer(a.hidden2, inputs2), weights3: make([]int8, a.hidden2)}
	if a.stacks > 0 {
		l.products = a.hidden1
		l.first = newLayerOf((outputs+productGroup-1)&^(productGroup-1), a.half, productGroup)
		return l
	}
	l.first = newLayer(outputs, a.inputs())
	l.parts = [...]*int8{(*int8)(unsafe.Pointer(&l.first.bias[0])), &l.first.weights[0],
		(*int8)(unsafe.Pointer(&l.second.bias[0])), &l.second.weights[0], &l.weights3[0]}
	return l
}

// fit reports whether sums of products of the inputs with n neighbouring blocks of the first layer, two
// products of each block, fit int16 for any inputs. Inputs are 0 to 127, so a sum is at least 127 times the sum
// of its negative weights, and at most 127 times the sum of its positive weights. The kernel for AVX2 then adds
// them in 16 bits.
func (l *layers) fit(n int) bool {
	for first := 0; first < l.first.inputs/4; first += n {
		for neuron := range l.first.bias {
			for i := 0; i < 4; i += 2 {
				lowest, highest := 0, 0
				for block := range n {
					for _, w := range l.first.at(first+block, neuron)[i:][:2] {
						lowest += 127 * min(int(w), 0)
						highest += 127 * max(int(w), 0)
					}
				}
				if lowest < math.MinInt16 || highest > math.MaxInt16 {
					return false
				}
			}
		}
	}
	return true
}

// setTogether sets l.together; the weights are complete.
func (l *layers) setTogether() {
	switch {
	case l.products > 0 || len(l.first.bias) != 32 || len(l.second.bias) != 32:
		l.together = 0
	case l.fit(8):
		l.together = 8
	case l.fit(4):
		l.together = 4
	default:
		l.together = 1
	}
}

// newNet returns a Net of zeros. Its memory is freed after its last use.
func newNet(a *architecture) (*Net, error) {
	runtime.GC() // frees Nets that are not used any more, whose memory the collector does not count
	region, err := mem.Options{Pages: mem.TransparentPages}.Allocate(a.transformerBytes())
	if err != nil {
		return nil, errors.New("no memory for the feature transformer: " + err.Error())
	}
	n := &Net{
		architecture: *a,
		weights:      unsafe.Slice((*int16)(region.Pointer()), a.transformerBytes()/2),
		bias:         make([]int16, a.half),
	}
	for range max(1, a.stacks) {
		n.layers = append(n.layers, newLayers(a))
	}
	runtime.AddCleanup(n, func(r *mem.Region) { _ = r.Unmap() }, region) // a mapping that stays is harmless
	return n, nil
}

// Checksum returns the CRC-32C of the file, which identifies the Net.
func (n *Net) Checksum() uint32 { return n.checksum }

// Note says what is unusual about the file, although it can be used; it is mostly empty.
func (n *Net) Note() string { return n.note }

// Architecture names the features and the sizes of the layers.
func (n *Net) Architecture() string { return n.architecture.String() }

// TransformerBytes is the memory of the feature transformer, nearly all that n takes.
func (n *Net) TransformerBytes() uint64 { return n.transformerBytes() }

// rowsFor returns the rows of weights for an orientation.
func (n *Net) rowsFor(orientation int) []int16 {
	if n.features.mirrored && orientation >= n.features.kings {
		orientation = mirror(orientation)
	}
	size := n.features.rows * n.half
	return n.weights[orientation*size:][:size]
}
