//go:build unix

package syzygy

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading. unmap is nil if it is empty.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if size == 0 {
		return nil, nil, nil
	}
	if data, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED); err != nil {
		return nil, nil, fmt.Errorf("%s: mmap: %w", path, err)
	}
	_ = unix.Madvise(data, unix.MADV_RANDOM) // probes read a page here and there
	return data, func() error { return unix.Munmap(data) }, nil
}
