//go:build !race

package mem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// discard decommits pages; the reservation stays. Large pages cannot be decommitted.
func discard(b []byte) error {
	return os.NewSyscallError("VirtualFree",
		windows.VirtualFree(uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), windows.MEM_DECOMMIT))
}
