//go:build !race

package mem

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapping is the whole reservation, including the guard pages.
type mapping struct{ base uintptr }

// mapRegion reserves address space and commits its aligned middle. The commit is charged at once, so
// it fails if the size is not available. Large pages are reserved and committed in one call, which
// also zeroes them; they have no guard pages. If they are refused, the layout gets a note.
func mapRegion(bytes uintptr, l *layout, sparse bool) (unsafe.Pointer, mapping, error) {
	if sparse {
		return nil, mapping{}, errors.New("Windows has no sparse memory: a commit is charged at once")
	}
	if l.pages2MiB > 0 {
		base, err := windows.VirtualAlloc(0, uintptr(l.reserved()),
			windows.MEM_RESERVE|windows.MEM_COMMIT|windows.MEM_LARGE_PAGES, windows.PAGE_READWRITE)
		if err == nil {
			return pointer(base), mapping{base}, nil
		}
		l.pages2MiB = 0
		l.addNote("large pages refused: %v", err)
	}
	page := uintptr(os.Getpagesize())
	total := align(bytes, page) + Align + 2*page
	whole, err := windows.VirtualAlloc(0, total, windows.MEM_RESERVE, windows.PAGE_NOACCESS)
	if err != nil {
		return nil, mapping{}, os.NewSyscallError("VirtualAlloc(reserve)", err)
	}
	held := mapping{whole}
	base, err := windows.VirtualAlloc(align(whole+page, Align), bytes, windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		_ = held.release()
		return nil, mapping{}, os.NewSyscallError("VirtualAlloc(commit)", err)
	}
	return pointer(base), held, nil
}

// pointer returns an address as a pointer. The address is not from a Go pointer: reading it through
// its own storage is the conversion that vet accepts.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

func (m mapping) release() error {
	return os.NewSyscallError("VirtualFree", windows.VirtualFree(m.base, 0, windows.MEM_RELEASE))
}
