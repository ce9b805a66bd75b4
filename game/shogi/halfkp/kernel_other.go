//go:build purego || !amd64

package halfkp

func propagate(l *layers, us, them *[half]int16, input *[2 * half]uint8) int32 {
	return propagateGo(l, us, them, input)
}
