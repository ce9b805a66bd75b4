//go:build !race

package mem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapRegion makes the middle of a reservation accessible.
func mapRegion(bytes uintptr, l *layout, sparse bool) (unsafe.Pointer, reservation, error) {
	held, base, err := reserve(bytes, Align, sparse)
	if err != nil {
		return nil, held, err
	}
	if err := unix.Mprotect(unsafe.Slice((*byte)(base), bytes), unix.PROT_READ|unix.PROT_WRITE); err != nil {
		_ = held.release()
		return nil, held, os.NewSyscallError("mprotect", err)
	}
	return base, held, nil
}
