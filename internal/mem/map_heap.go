//go:build race || !(linux || darwin || windows)

package mem

import (
	"errors"
	"unsafe"
)

// mapping keeps the slice of the region alive.
type mapping struct{ whole []byte }

// mapRegion allocates the region on the Go heap, aligned: the race detector observes only this
// memory, and there is no other on systems without a mapping call.
func mapRegion(bytes uintptr, l *layout, sparse bool) (unsafe.Pointer, mapping, error) {
	if sparse {
		return nil, mapping{}, errors.New("the Go heap has no sparse memory")
	}
	whole := make([]byte, bytes+Align)
	base := unsafe.Pointer(unsafe.SliceData(whole))
	return unsafe.Add(base, align(uintptr(base), Align)-uintptr(base)), mapping{whole}, nil
}

func (m mapping) release() error { return nil }
