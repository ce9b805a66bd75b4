//go:build !(linux || darwin)

package mem

import (
	"errors"
	"os"
	"unsafe"
)

// mapFile always fails: only on Linux and macOS do processes share memory.
func mapFile(*os.File, int64, uintptr) (unsafe.Pointer, releaser, error) {
	return nil, nil, errors.ErrUnsupported
}
