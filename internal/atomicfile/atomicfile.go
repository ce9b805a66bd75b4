// Package atomicfile replaces files. At any time the name of a file refers to either the old file
// or the new one, complete:
//
//	Create ── check the target ── lock FILE.lock ── create FILE.<random>.part ──▶ File
//	Commit ── sync ── check the target again ── rename ── sync the directory ── unlock
//
// The temporary file is created with O_EXCL under a random name, so no existing file or link is
// opened. The lock excludes a second writer; FILE.lock is empty and removed with the lock. A
// process that is killed may leave both behind: neither blocks the next Create, which removes them.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"trefoil/internal/disk"
)

// ErrBusy is returned while another writer holds the lock of the file.
var ErrBusy = errors.New("another save to this file is in progress")

// HeadBytes is the number of bytes from the beginning of a file that a Check receives.
const HeadBytes = 64

// A Check returns an error if a file that begins with head must not be replaced. It is not called
// for an empty file, which may always be replaced.
type Check func(head []byte) error

// Prefix is the Check for files that begin with a text.
func Prefix(text string) Check {
	return func(head []byte) error {
		if !bytes.HasPrefix(head, []byte(text)) {
			return fmt.Errorf("not replaced: it begins with %q, not with %q", head[:min(len(head), len(text))], text)
		}
		return nil
	}
}

// Any is the Check for files that may begin in any way.
func Any([]byte) error { return nil }

// A File is the new version of a file. It is written under a temporary name until Commit gives it
// its own, or Discard removes it.
type File struct {
	*disk.File
	path     string
	check    Check
	lock     *flock.Flock // nil where the file system has no locks
	unsynced int          // bytes
}

// syncBytes are as many as Write may leave to be written to the disk. So Commit, which cannot be
// interrupted, has little left to do on a slow disk too.
const syncBytes = 32 << 20

// Write implements io.Writer.
func (f *File) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	if f.unsynced += n; err == nil && f.unsynced >= syncBytes {
		f.unsynced = 0
		err = f.Sync()
	}
	return n, err
}

// Create begins a new version of the file at path. It takes the permissions of the old one.
//
// A symbolic link, anything else that is no regular file, and a file that check refuses are not
// replaced. Other hard links to the old file keep the old contents.
func Create(path string, check Check) (*File, error) { return create(path, check, false) }

func create(path string, check Check, private bool) (*File, error) {
	old, err := target(path, check)
	if err != nil {
		return nil, err
	}
	l, err := lock(path)
	if err != nil {
		return nil, err
	}
	if l != nil {
		removeLeftovers(path, check)
	}
	f, err := createTemporary(path, old, private)
	if err != nil {
		unlock(l)
		return nil, err
	}
	return &File{File: f, path: path, check: check, lock: l}, nil
}

// Writable returns the error that Create would return now.
func Writable(path string, check Check) error {
	f, err := Create(path, check)
	if err != nil {
		return err
	}
	return f.Discard()
}

// Write replaces the file at path by what write writes.
func Write(path string, check Check, write func(io.Writer) error) error {
	return replace(path, check, false, write)
}

// WriteBytes replaces the file at path by data.
func WriteBytes(path string, check Check, data []byte) error {
	return Write(path, check, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WritePrivate is Write for a secret: only the owner can read the new version, whatever the permissions of
// the old one.
func WritePrivate(path string, check Check, write func(io.Writer) error) error {
	return replace(path, check, true, write)
}

func replace(path string, check Check, private bool, write func(io.Writer) error) error {
	f, err := create(path, check, private)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}

// Commit puts the new version in the place of the old one. After an error the old one is
// unchanged. It ends the File.
func (f *File) Commit() error {
	defer unlock(f.lock)
	err := f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		_, err = target(f.path, f.check) // another program may have created it since
	}
	if err == nil {
		err = disk.Rename(f.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, disk.Remove(f.Name()))
	}
	syncDirectory(filepath.Dir(f.path))
	return nil
}

// Discard removes the new version. It ends the File.
func (f *File) Discard() error {
	defer unlock(f.lock)
	_ = f.Close() // it is removed in any case
	return disk.Remove(f.Name())
}

// target describes the file that is to be replaced, nil if there is none.
func target(path string, check Check) (fs.FileInfo, error) {
	if path == "" {
		return nil, errors.New("the name of the file is empty")
	}
	info, err := disk.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := disk.Stat(filepath.Dir(path)); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(path)
		return nil, fmt.Errorf("%s: not replaced: it is a symbolic link, to %s; name the file itself", path, to)
	case !info.Mode().IsRegular():
		return nil, NotRegular(path, info)
	case info.Size() > 0:
		head, err := readHead(path)
		if err == nil {
			err = check(head)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return info, nil
}

// OpenAppend opens a file for reading and appending, and creates it if it does not exist. A link, and
// anything else that is no regular file, is refused.
func OpenAppend(path string) (*disk.File, error) {
	f, err := disk.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o666)
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	info, err := disk.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, NotRegular(path, info)
	}
	return disk.OpenFile(path, os.O_RDWR|os.O_APPEND|NoFollow, 0)
}

// NotRegular is the error about a path where a regular file is needed.
func NotRegular(path string, info fs.FileInfo) error {
	if info.IsDir() {
		return fmt.Errorf("%s: it is a directory", path)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s: it is a symbolic link", path)
	}
	return fmt.Errorf("%s: it is not a regular file", path)
}

// readHead returns the first HeadBytes of a file, or the whole file if it is shorter.
func readHead(path string) ([]byte, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, HeadBytes))
}

const suffix = ".part"

// createTemporary creates the temporary file, with the permissions of the old file if there is one, unless
// it is private.
func createTemporary(path string, old fs.FileInfo, private bool) (*disk.File, error) {
	mode := fs.FileMode(0o666) // less the umask
	switch {
	case private:
		mode, old = 0o600, nil
	case old != nil:
		mode = old.Mode().Perm()
	}
	for {
		name := fmt.Sprintf("%s.%016x%s", path, rand.Uint64(), suffix)
		f, err := disk.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if old != nil {
			err = restoreMode(f, mode)
		}
		if err != nil {
			_ = f.Close()
			return nil, errors.Join(err, disk.Remove(name))
		}
		return f, nil
	}
}

// restoreMode gives f the bits of mode that the umask has taken. Some file systems cannot change
// permissions; there they are the same already.
func restoreMode(f *disk.File, mode fs.FileMode) error {
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == mode {
		return err
	}
	return f.Chmod(mode)
}

// removeLeftovers removes the temporary files of writers that were killed. The caller holds the lock.
func removeLeftovers(path string, check Check) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	entries, err := disk.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !isTemporary(e.Name(), base) || !e.Type().IsRegular() {
			continue
		}
		name := filepath.Join(dir, e.Name())
		// After a power failure a file may be empty or have zeros instead of its contents.
		head, err := readHead(name)
		if err == nil && (len(bytes.Trim(head, "\x00")) == 0 || check(head) == nil) {
			_ = disk.Remove(name) // what stays does no harm
		}
	}
}

// isTemporary reports whether name is the name of a temporary file for base.
func isTemporary(name, base string) bool {
	middle, ok := strings.CutPrefix(name, base+".")
	if !ok {
		return false
	}
	middle, ok = strings.CutSuffix(middle, suffix)
	return ok && len(middle) == 16 && strings.Trim(middle, "0123456789abcdef") == ""
}

// syncDirectory makes a rename durable where the system can do that. The file is complete without it.
func syncDirectory(path string) {
	if d, err := disk.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
