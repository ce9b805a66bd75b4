//go:build !purego

package halfkp

import (
	"unsafe"

	"github.com/klauspost/cpuid/v2"
)

//go:generate -command asmgen go run -C ../../../nnue/asmgen ./halfkp
//go:generate asmgen -out ../../game/shogi/halfkp/avx2_amd64.s -stubs ../../game/shogi/halfkp/avx2_amd64.go -pkg halfkp

var hasAVX2 = cpuid.CPU.Supports(cpuid.AVX2)

// Kernel names the kernel that this processor runs for the layers.
func Kernel() string {
	if hasAVX2 {
		return "AVX2"
	}
	return "Go"
}

func propagate(l *layers, us, them *[half]int16) int32 {
	if hasAVX2 {
		return propagateAVX2(&l.bias1[0], &us[0], &them[0], l.together)
	}
	return propagateGo(l, us, them)
}

// The kernel knows these offsets.
var _ = [1]struct{}{}[(unsafe.Offsetof(layers{}.weight1)-128)+(unsafe.Offsetof(layers{}.bias2)-16512)+
	(unsafe.Offsetof(layers{}.weight2)-16640)+(unsafe.Offsetof(layers{}.weight3)-17664)+
	(unsafe.Offsetof(layers{}.bias3)-17696)]
