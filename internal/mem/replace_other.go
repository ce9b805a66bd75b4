//go:build !(linux || darwin)

package mem

import (
	"errors"
	"unsafe"
)

func replace(unsafe.Pointer, uintptr) (writable bool, err error) { return false, errors.ErrUnsupported }
