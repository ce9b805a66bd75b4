//go:build !race

package mem

import (
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// calls are the system calls that a region needs and the system may refuse. Tests replace them.
type calls struct {
	// mmap maps zeroed memory, at a fixed address unless that is nil.
	mmap func(at unsafe.Pointer, bytes uintptr, flags int) (unsafe.Pointer, error)
	// interleave lets the pages of a range take turns on the nodes of a mask.
	interleave func(at unsafe.Pointer, bytes uintptr, mask []uint64) error
}

var system = calls{mmap: mmap, interleave: interleave}

// mapRegion makes the middle of a reservation accessible, on the pages of the layout. Where the system
// refuses pages, mapRegion changes the layout and adds a note. The guard pages also keep the kernel from
// merging the mapping with another, so that its usage is accounted for separately.
func mapRegion(bytes uintptr, l *layout, sparse bool) (unsafe.Pointer, reservation, error) {
	return system.mapRegion(bytes, l, sparse)
}

func (c *calls) mapRegion(bytes uintptr, l *layout, sparse bool) (unsafe.Pointer, reservation, error) {
	alignment := uintptr(Align)
	if l.pages1GiB > 0 {
		alignment = bytes1GiB
	}
	held, base, err := reserve(bytes, alignment, sparse)
	if err != nil {
		return nil, held, err
	}
	open := align(bytes, uintptr(os.Getpagesize()))
	if err := c.mapParts(base, open, l); err != nil {
		_ = held.release()
		return nil, held, err
	}
	c.place(base, open, l)
	return base, held, nil
}

// mapParts makes the bytes at an address accessible: on pages of 1 GiB, of 2 MiB, and on others.
func (c *calls) mapParts(at unsafe.Pointer, bytes uintptr, l *layout) error {
	for _, part := range []struct {
		pages *uint64
		size  uintptr
		flag  int
		name  string
	}{
		{&l.pages1GiB, bytes1GiB, unix.MAP_HUGE_1GB, "1 GiB"},
		{&l.pages2MiB, bytes2MiB, unix.MAP_HUGE_2MB, "2 MiB"},
	} {
		size, flags := uintptr(*part.pages)*part.size, unix.MAP_HUGETLB|part.flag
		if size == 0 {
			continue
		}
		// A refused mapping at a fixed address leaves a gap there in some kernels, so the
		// first attempt is anywhere.
		anywhere, err := c.mmap(nil, size, flags)
		if err != nil {
			l.addNote("%d pages of %s refused: %v", *part.pages, part.name, err)
			*part.pages = 0
			continue
		}
		if err := unix.MunmapPtr(anywhere, size); err != nil {
			return os.NewSyscallError("munmap", err)
		}
		if _, err := c.mmap(at, size, flags); err != nil {
			return os.NewSyscallError("mmap", err)
		}
		at, bytes = unsafe.Add(at, size), bytes-size
	}
	if bytes == 0 {
		return nil
	}
	rest := unsafe.Slice((*byte)(at), bytes)
	if err := unix.Mprotect(rest, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return os.NewSyscallError("mprotect", err)
	}
	advice := unix.MADV_HUGEPAGE
	if l.rest == SmallPages {
		advice = unix.MADV_NOHUGEPAGE
	}
	// A kernel without transparent huge pages refuses; small ones work too, only slower.
	_ = unix.Madvise(rest, advice)
	return nil
}

// place sets the NUMA nodes of the bytes at an address.
func (c *calls) place(at unsafe.Pointer, bytes uintptr, l *layout) {
	if len(l.nodes) == 0 {
		return
	}
	mask := make([]uint64, slices.Max(l.nodes)/64+1)
	for _, node := range l.nodes {
		mask[node/64] |= 1 << (node % 64)
	}
	if err := c.interleave(at, bytes, mask); err != nil {
		l.addNote("not interleaved over %d NUMA nodes: %v", len(l.nodes), err)
		l.nodes = nil
	}
}

func mmap(at unsafe.Pointer, bytes uintptr, flags int) (unsafe.Pointer, error) {
	if at != nil {
		flags |= unix.MAP_FIXED
	}
	return unix.MmapPtr(-1, 0, at, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|flags)
}

func interleave(at unsafe.Pointer, bytes uintptr, mask []uint64) error {
	// The kernel uses one bit less than it is told.
	_, _, errno := unix.Syscall6(unix.SYS_MBIND, uintptr(at), bytes, unix.MPOL_INTERLEAVE,
		uintptr(unsafe.Pointer(unsafe.SliceData(mask))), uintptr(64*len(mask)+1), 0)
	if errno != 0 {
		return os.NewSyscallError("mbind", errno)
	}
	return nil
}

// touch makes every page of b present and writable. It changes no byte, also beside other writers. If the
// kernel cannot provide a reserved page after all, ordinary pages replace the whole of b, and the data
// stored there is lost: to write to the missing page would end the process (SIGBUS).
func touch(b []byte, reserved bool) {
	switch err := unix.Madvise(b, unix.MADV_POPULATE_WRITE); {
	case err == nil:
		return
	case reserved && err != unix.EINVAL: // EINVAL: older than Linux 5.14
		_, _ = mmap(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)), 0)
	}
	touchPages(b)
}
