//go:build (linux || darwin) && !race

package mem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// discard replaces pages by inaccessible address space, so that their memory is free and any use of
// them is caught, while the reservation stays whole for release.
func discard(b []byte) error {
	_, err := unix.MmapPtr(-1, 0, unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)),
		unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_FIXED)
	return os.NewSyscallError("mmap", err)
}
