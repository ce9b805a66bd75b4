//go:build linux || darwin

package mem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// replace maps zeroed memory of this process over a range of addresses. Where writable is not granted,
// because the system charges it at once, the memory can be read only.
func replace(at unsafe.Pointer, bytes uintptr) (writable bool, err error) {
	bytes = align(bytes, uintptr(os.Getpagesize()))
	const flags = unix.MAP_PRIVATE | unix.MAP_ANON | unix.MAP_FIXED
	if _, err := unix.MmapPtr(-1, 0, at, bytes, unix.PROT_READ|unix.PROT_WRITE, flags); err == nil {
		return true, nil
	}
	_, err = unix.MmapPtr(-1, 0, at, bytes, unix.PROT_READ, flags)
	return false, os.NewSyscallError("mmap", err)
}
