//go:build linux || darwin

package mem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// fileMapping is the whole reservation, including the guard pages.
type fileMapping struct {
	base unsafe.Pointer
	size uintptr
}

// mapFile reserves inaccessible address space and maps the file into its aligned middle.
func mapFile(f *os.File, offset int64, bytes uintptr) (unsafe.Pointer, releaser, error) {
	page := uintptr(os.Getpagesize())
	total := (bytes+page-1)&^(page-1) + Align + 2*page
	whole, err := unix.MmapPtr(-1, 0, nil, total, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	held := fileMapping{whole, total}
	base := unsafe.Add(whole, align(uintptr(whole)+page)-uintptr(whole))
	if _, err := unix.MmapPtr(int(f.Fd()), offset, base, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_FIXED); err != nil {
		_ = held.release()
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return base, held, nil
}

func (m fileMapping) release() error {
	return os.NewSyscallError("munmap", unix.MunmapPtr(m.base, m.size))
}
