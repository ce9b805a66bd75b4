//go:build linux || darwin

package shm

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// owner is the user that a file belongs to.
func owner(info fs.FileInfo) (uid int, known bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}

// memory is how many bytes of a file exist.
func memory(info fs.FileInfo) uint64 {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return uint64(info.Size())
	}
	return uint64(s.Blocks) * 512
}

// available is how many bytes new files in a folder may have.
func available(d Dir) (bytes uint64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(string(d), &s); err != nil || s.Blocks == 0 { // tmpfs without a limit says 0
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}
