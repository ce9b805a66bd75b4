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
// it fails if the size is not available. Pages are small: large pages need a privilege that users
// do not have, and are zeroed in one call that cannot be interrupted.
func mapRegion(bytes uintptr, sparse bool) (unsafe.Pointer, mapping, error) {
	if sparse {
		return nil, mapping{}, errors.New("Windows has no sparse memory: a commit is charged at once")
	}
	page := uintptr(os.Getpagesize())
	total := (bytes+page-1)&^(page-1) + Align + 2*page
	whole, err := windows.VirtualAlloc(0, total, windows.MEM_RESERVE, windows.PAGE_NOACCESS)
	if err != nil {
		return nil, mapping{}, os.NewSyscallError("VirtualAlloc(reserve)", err)
	}
	held := mapping{whole}
	base, err := windows.VirtualAlloc(align(whole+page), bytes, windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		_ = held.release()
		return nil, mapping{}, os.NewSyscallError("VirtualAlloc(commit)", err)
	}
	// The address is not from a Go pointer. Reading it through its own storage is the
	// conversion that vet accepts.
	return *(*unsafe.Pointer)(unsafe.Pointer(&base)), held, nil
}

func (m mapping) release() error {
	return os.NewSyscallError("VirtualFree", windows.VirtualFree(m.base, 0, windows.MEM_RELEASE))
}
