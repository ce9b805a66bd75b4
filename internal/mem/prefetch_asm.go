//go:build amd64 || arm64

package mem

import "unsafe"

// Prefetch asks the processor to load the cache line at p. It never faults, whatever p is, and does
// not wait.
//
//go:noescape
func Prefetch(p unsafe.Pointer)
