//go:build linux || darwin

package mem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A reservation is a range of address space, inaccessible but for what has been mapped into its middle. The
// guard pages on both sides of that cost nothing and catch overruns.
type reservation struct {
	base unsafe.Pointer
	size uintptr
}

// reserve returns a reservation with room for that many bytes, and the address where they are to begin, a
// multiple of alignment.
func reserve(bytes, alignment uintptr, sparse bool) (reservation, unsafe.Pointer, error) {
	page := uintptr(os.Getpagesize())
	r := reservation{size: align(bytes, page) + alignment + 2*page}
	flags := unix.MAP_PRIVATE | unix.MAP_ANON
	if sparse {
		flags |= unix.MAP_NORESERVE
	}
	var err error
	if r.base, err = unix.MmapPtr(-1, 0, nil, r.size, unix.PROT_NONE, flags); err != nil {
		return r, nil, os.NewSyscallError("mmap", err)
	}
	return r, unsafe.Add(r.base, align(uintptr(r.base)+page, alignment)-uintptr(r.base)), nil
}

func (r reservation) release() error {
	return os.NewSyscallError("munmap", unix.MunmapPtr(r.base, r.size))
}
