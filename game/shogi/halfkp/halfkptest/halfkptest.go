// Package halfkptest makes evaluation files for tests. It shares nothing with the reader of package halfkp.
package halfkptest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// Sizes bound the random numbers of a file: each is between -size and +size.
type Sizes struct {
	FeatureWeight, FeatureBias uint16
	Bias1, Bias2, Bias3        uint32
	Weight1, Weight2, Weight3  uint8
}

// Usual makes about half of the activations of each layer be between their bounds, and values that are
// usual in games.
var Usual = Sizes{
	FeatureWeight: 20, FeatureBias: 60,
	Bias1: 3000, Weight1: 7, Bias2: 3000, Weight2: 40, Bias3: 5000, Weight3: 60,
}

// Extreme has weights of any size: the sums of accumulators wrap around, most activations are at their
// bounds, and so are some values.
var Extreme = Sizes{
	FeatureWeight: 1 << 15, FeatureBias: 1 << 15,
	Bias1: 1 << 17, Weight1: 128, Bias2: 1 << 15, Weight2: 128, Bias3: 1 << 15, Weight3: 128,
}

// A Kind is what the features and the layers are.
type Kind struct {
	Features               string // the name, as in the text of an architecture
	Inputs                 int
	FeaturesHash           uint32
	Half, Hidden1, Hidden2 int // the neurons of an accumulator and of the hidden layers
	Stacks                 int // of SFNN: the number of layer stacks; otherwise 0
}

// Kinds of files.
var (
	HalfKP = Kind{"HalfKP(Friend)", 125388, 0x5D69D5B8, 256, 32, 32, 0}
	KP     = Kind{"K+P", 1710, 0x3F5717FF, 256, 32, 32, 0}
	// SFNN, with HalfKA_hm2 and nine layer stacks, or HalfKA2 and one.
	SFNN    = Kind{"HalfKA_hm2(Friend)", 73305, 0, 1536, 15, 32, 9}
	HalfKA2 = Kind{"HalfKA2(Friend)", 131949, 0, 1024, 7, 64, 1}
)

// Sized returns k with other layers.
func (k Kind) Sized(half, hidden1, hidden2 int) Kind {
	k.Half, k.Hidden1, k.Hidden2 = half, hidden1, hidden2
	return k
}

// Stacked returns k with that many layer stacks.
func (k Kind) Stacked(stacks int) Kind {
	k.Stacks = stacks
	return k
}

// File returns an evaluation file of HalfKP 256x2-32-32 with random numbers, the same for the same seed and
// sizes.
func File(seed uint64, s Sizes) []byte { return HalfKP.File(seed, s) }

// File returns an evaluation file with random numbers, the same for the same seed and sizes. The hash of the
// layers are the layers of 256x2-32-32.
func (k Kind) File(seed uint64, s Sizes) []byte {
	architecture := fmt.Sprintf("Features=%s[%d->%dx2],Network=AffineTransform[1<-%d](ClippedReLU[%[4]d]"+
		"(AffineTransform[%[4]d<-%d](ClippedReLU[%[5]d](AffineTransform[%[5]d<-%d](InputSlice[%[6]d(0:%[6]d)])))))",
		k.Features, k.Inputs, k.Half, k.Hidden2, k.Hidden1, 2*k.Half)
	padded := func(n int) int { return (n + 31) / 32 * 32 }
	if k.Stacks > 0 {
		architecture = fmt.Sprintf("ModelType=SFNNWithoutPsqt;Features=%s[%d->%dx2],Network=SFNN_RANDOM_%[3]d_%d_%d",
			k.Features, k.Inputs, k.Half, k.Hidden1, k.Hidden2) + map[int]string{9: "_K3K3"}[k.Stacks] +
			fmt.Sprintf("{LayerStack=%d}", k.Stacks)
	}
	rng := rand.NewPCG(seed, 0)
	b := make([]byte, 0, 2*k.Inputs*k.Half+1<<18)
	word := func(v uint32) { b = binary.LittleEndian.AppendUint32(b, v) }
	int16s := func(n int, size uint16) {
		width := 2*uint64(size) + 1
		for range n / 4 {
			x, four := rng.Uint64(), uint64(0)
			for i := 0; i < 64; i += 16 {
				four |= (x>>i&0xffff*width>>16 - uint64(size)) & 0xffff << i
			}
			b = binary.LittleEndian.AppendUint64(b, four)
		}
	}
	int8s := func(n int, size uint8) {
		for range n {
			b = append(b, byte(rng.Uint64()>>32*(2*uint64(size)+1)>>32-uint64(size)))
		}
	}
	compressed := func(n int, size uint16) {
		b = append(b, "COMPRESSED_LEB128\x00\x00\x00\x00"...)
		begin, width := len(b), 2*uint64(size)+1
		for range n / 4 {
			for x, i := rng.Uint64(), 0; i < 4; i++ {
				v := int16(x>>(16*i)&0xffff*width>>16 - uint64(size))
				for ; v < -64 || v > 63; v >>= 7 {
					b = append(b, byte(v)|0x80)
				}
				b = append(b, byte(v)&0x7f)
			}
		}
		binary.LittleEndian.PutUint32(b[begin-4:], uint32(len(b)-begin))
	}
	int32s := func(n int, size uint32) {
		for range n {
			word(uint32(rng.Uint64()>>32*(2*uint64(size)+1)>>32 - uint64(size)))
		}
	}
	if k.Stacks > 0 {
		outputs := (k.Hidden1 + 1) / 8 * 8
		word(0x7AF32F16)
		word(0x3C203B32)
		word(uint32(len(architecture)))
		b = append(b, architecture...)
		word(0x5F134AB8)
		compressed(k.Half, s.FeatureBias)
		compressed(k.Inputs*k.Half, s.FeatureWeight)
		for range k.Stacks {
			word(0x6333718A)
			int32s(outputs, s.Bias1)
			int8s(outputs*k.Half, s.Weight1)
			int32s(k.Hidden2, s.Bias2)
			int8s(k.Hidden2*padded(2*k.Hidden1), s.Weight2)
			int32s(1, s.Bias3)
			int8s(padded(k.Hidden2), s.Weight3)
		}
		return b
	}
	word(0x7AF32F16)
	word(k.FeaturesHash ^ uint32(2*k.Half) ^ 0x63337156)
	word(uint32(len(architecture)))
	b = append(b, architecture...)
	word(k.FeaturesHash ^ uint32(2*k.Half))
	int16s(k.Half, s.FeatureBias)
	int16s(k.Inputs*k.Half, s.FeatureWeight)
	word(0x63337156)
	int32s(k.Hidden1, s.Bias1)
	int8s(k.Hidden1*2*k.Half, s.Weight1)
	int32s(k.Hidden2, s.Bias2)
	int8s(k.Hidden2*padded(k.Hidden1), s.Weight2)
	int32s(1, s.Bias3)
	int8s(padded(k.Hidden2), s.Weight3)
	return b
}
