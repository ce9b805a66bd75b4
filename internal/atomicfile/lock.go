package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"github.com/gofrs/flock"

	"trefoil/internal/disk"
)

const lockSuffix = ".lock"

// Lock takes the lock of the file at path for a writer that adds to it. release ends it. It is
// ErrBusy, with the path, while another writer has the lock.
func Lock(path string) (release func(), err error) {
	l, err := lock(path)
	if err != nil {
		return nil, err
	}
	return func() { unlock(l) }, nil
}

// lock takes the lock of the file at path, or returns ErrBusy. It returns nil and no error where the
// file system has no locks.
func lock(path string) (*flock.Flock, error) {
	name := path + lockSuffix
	for {
		if info, err := disk.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: it is not a regular file, and its name is needed to lock %s", name, path)
		}
		// Network file systems lock only what is open for writing.
		l := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR|NoFollow), flock.SetPermissions(0o666))
		err, locked := disk.Check("lock", name), false
		if err == nil {
			locked, err = l.TryLock()
		}
		switch {
		case errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK):
			return nil, nil
		case err != nil:
			return nil, err
		case !locked:
			return nil, fmt.Errorf("%s: %w", path, ErrBusy)
		case InPlace(l):
			return l, nil
		}
		_ = l.Close() // its last owner removed it between our opening and our locking
	}
}

// InPlace reports whether a lock is held on the file that stands under its name: its last holder may have removed
// that file after this process has opened it.
func InPlace(l *flock.Flock) bool {
	locked, err := l.Stat()
	if err != nil {
		return false
	}
	now, err := disk.Lstat(l.Path())
	return err == nil && os.SameFile(locked, now)
}

// unlock gives a lock back and removes its file. A file of that name that is not empty belongs to
// another program and stays.
func unlock(l *flock.Flock) {
	if l == nil {
		return
	}
	info, err := l.Stat()
	empty := err == nil && info.Size() == 0
	if runtime.GOOS == "windows" { // it cannot remove an open file, so neither one that the next writer has opened
		_ = l.Close()
	}
	if empty {
		_ = disk.Remove(l.Path()) // if it stays, the next writer locks it
	}
	_ = l.Close()
}
