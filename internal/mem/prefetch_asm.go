//go:build amd64 || arm64

package mem

import "unsafe"

// Prefetch asks the processor to bring the cache line at p close. It never
// faults, whatever p is, and waits for nothing.
//
//go:noescape
func Prefetch(p unsafe.Pointer)
