// Package disk is what Trefoil uses of package os for files that it writes, and for files that an option names.
// Its functions and methods do the same, but a test can make each call fail. See package disktest.
package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// A Fault is called before every call of this package, with the name of the operation and the path of the file.
// If it returns an error, the call fails with that; of a write, the first n of its size bytes are written before.
type Fault func(op, path string, size int) (n int, err error)

var injected atomic.Pointer[Fault]

// Inject makes f, unless it is nil, the fault of all calls. It is for tests.
func Inject(f Fault) {
	if f == nil {
		injected.Store(nil)
		return
	}
	injected.Store(&f)
}

// check calls the fault, if there is one.
func check(op, path string, size int) (n int, err error) {
	f := injected.Load()
	if f == nil {
		return 0, nil
	}
	if n, err = (*f)(op, path, size); err != nil {
		err = &fs.PathError{Op: op, Path: path, Err: err}
	}
	return n, err
}

// Check stands before a call, of that operation, that another package makes.
func Check(op, path string) error {
	_, err := check(op, path, 0)
	return err
}

func Stat(path string) (fs.FileInfo, error) {
	if err := Check("stat", path); err != nil {
		return nil, err
	}
	return os.Stat(path)
}

func Lstat(path string) (fs.FileInfo, error) {
	if err := Check("lstat", path); err != nil {
		return nil, err
	}
	return os.Lstat(path)
}

func ReadDir(path string) ([]fs.DirEntry, error) {
	if err := Check("readdir", path); err != nil {
		return nil, err
	}
	return os.ReadDir(path)
}

func Remove(path string) error {
	if err := Check("remove", path); err != nil {
		return err
	}
	return os.Remove(path)
}

func Rename(from, to string) error {
	if err := Check("rename", from); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// A File is an open file.
type File struct{ *os.File }

func Open(path string) (*File, error) { return OpenFile(path, os.O_RDONLY, 0) }

func OpenFile(path string, flag int, mode fs.FileMode) (*File, error) {
	op := "open"
	if flag&os.O_CREATE != 0 {
		op = "create"
	}
	if err := Check(op, path); err != nil {
		return nil, err
	}
	return file(os.OpenFile(path, flag, mode))
}

// CreateTemp creates the file in the system's folder for temporary files.
func CreateTemp(pattern string) (*File, error) {
	if err := Check("create", filepath.Join(os.TempDir(), pattern)); err != nil {
		return nil, err
	}
	return file(os.CreateTemp("", pattern))
}

func file(f *os.File, err error) (*File, error) {
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

func (f *File) Read(b []byte) (int, error) {
	if err := Check("read", f.Name()); err != nil {
		return 0, err
	}
	return f.File.Read(b)
}

func (f *File) ReadAt(b []byte, at int64) (int, error) {
	if err := Check("read", f.Name()); err != nil {
		return 0, err
	}
	return f.File.ReadAt(b, at)
}

func (f *File) Write(b []byte) (int, error) {
	if n, err := check("write", f.Name(), len(b)); err != nil {
		n, _ = f.File.Write(b[:n])
		return n, err
	}
	return f.File.Write(b)
}

func (f *File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func (f *File) Chmod(mode fs.FileMode) error {
	if err := Check("chmod", f.Name()); err != nil {
		return err
	}
	return f.File.Chmod(mode)
}

func (f *File) Truncate(size int64) error {
	if err := Check("truncate", f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f *File) Sync() error {
	if err := Check("sync", f.Name()); err != nil {
		return err
	}
	return f.File.Sync()
}

// Close closes the file also if a fault makes it fail.
func (f *File) Close() error {
	err := Check("close", f.Name())
	if closed := f.File.Close(); err == nil {
		err = closed
	}
	return err
}
