//go:build !race

package mem

import "golang.org/x/sys/unix"

// advise asks the kernel for huge pages, or for small ones if the region is sparse. A kernel without
// transparent huge pages refuses; small pages work too, only slower.
func advise(b []byte, sparse bool) {
	advice := unix.MADV_HUGEPAGE
	if sparse {
		advice = unix.MADV_NOHUGEPAGE
	}
	_ = unix.Madvise(b, advice)
}

// populate asks the kernel to fault b in for writing. It reports false if the kernel is older than
// 5.14 or out of memory.
func populate(b []byte) bool { return unix.Madvise(b, unix.MADV_POPULATE_WRITE) == nil }
