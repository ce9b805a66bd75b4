//go:build purego || !amd64

package halfkp

func propagate(l *layers, us, them *[half]int16) int32 {
	return propagateGo(l, us, them)
}
