//go:build linux || darwin

package mem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapFile maps a file into the middle of a reservation.
func mapFile(f *os.File, offset int64, bytes uintptr) (unsafe.Pointer, releaser, error) {
	held, base, err := reserve(bytes, Align, false)
	if err != nil {
		return nil, nil, err
	}
	if _, err := unix.MmapPtr(int(f.Fd()), offset, base, bytes, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED|unix.MAP_FIXED); err != nil {
		_ = held.release()
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return base, held, nil
}
