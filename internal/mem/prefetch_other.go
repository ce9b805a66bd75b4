//go:build !(amd64 || arm64)

package mem

import "unsafe"

// Prefetch does nothing: there is no stub for this processor.
func Prefetch(p unsafe.Pointer) {}
