//go:build race || !(linux || darwin || windows)

package mem

import (
	"errors"
	"unsafe"
)

// mapping keeps the slice alive that the region lies in.
type mapping struct{ whole []byte }

// reserve takes the region from the Go heap, aligned by hand: the race detector
// sees only this memory, and systems without a mapping call have no other.
func reserve(bytes uintptr, sparse bool) (unsafe.Pointer, mapping, error) {
	if sparse {
		return nil, mapping{}, errors.New("the Go heap has no sparse memory")
	}
	whole := make([]byte, bytes+Align)
	base := unsafe.Pointer(unsafe.SliceData(whole))
	return unsafe.Add(base, align(uintptr(base))-uintptr(base)), mapping{whole}, nil
}

func (m mapping) release() error { return nil }
