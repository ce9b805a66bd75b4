//go:build !linux && !windows

package mem

import "runtime"

// own is Room.Own: what the Go runtime has of the system, where regions lie on its heap.
func own() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}
