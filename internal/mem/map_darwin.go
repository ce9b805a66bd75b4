//go:build !race

package mem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapping is the whole reservation, including the guard pages.
type mapping struct {
	base unsafe.Pointer
	size uintptr
}

// mapRegion reserves inaccessible address space and makes its aligned middle accessible. The rest
// costs nothing and catches overruns.
func mapRegion(bytes uintptr, l *layout, sparse bool) (unsafe.Pointer, mapping, error) {
	page := uintptr(os.Getpagesize())
	total := (bytes+page-1)&^(page-1) + Align + 2*page
	flags := unix.MAP_PRIVATE | unix.MAP_ANON
	if sparse {
		flags |= unix.MAP_NORESERVE
	}
	whole, err := unix.MmapPtr(-1, 0, nil, total, unix.PROT_NONE, flags)
	if err != nil {
		return nil, mapping{}, os.NewSyscallError("mmap", err)
	}
	held := mapping{whole, total}
	base := unsafe.Add(whole, align(uintptr(whole)+page)-uintptr(whole))
	if err := unix.Mprotect(unsafe.Slice((*byte)(base), bytes), unix.PROT_READ|unix.PROT_WRITE); err != nil {
		_ = held.release()
		return nil, mapping{}, os.NewSyscallError("mprotect", err)
	}
	return base, held, nil
}

func (m mapping) release() error {
	return os.NewSyscallError("munmap", unix.MunmapPtr(m.base, m.size))
}
