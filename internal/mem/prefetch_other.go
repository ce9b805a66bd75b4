//go:build !(amd64 || arm64)

package mem

import "unsafe"

// Prefetch does nothing: it is not implemented for this processor.
func Prefetch(p unsafe.Pointer) {}
