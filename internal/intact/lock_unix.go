//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package intact

import (
	"errors"
	"os"
	"syscall"
)

const locks = true

// lock keeps other writers off a file until it is closed, and reports whether it is
// free. A file system without locks keeps nobody off.
func lock(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return !errors.Is(err, syscall.EWOULDBLOCK)
}
