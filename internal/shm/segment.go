package shm

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"trefoil/internal/container"
)

// lookTrusted returns an error if there is something at path that is not a file of this user with the
// mode 0600.
func lookTrusted(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = trusted(path, info)
	}
	return err
}

// trusted returns an error unless a file is a regular one of this user with the mode 0600.
func trusted(path string, info fs.FileInfo) error {
	switch owner, known := owner(info); {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: it is not a regular file", path)
	case known && owner != os.Geteuid():
		return fmt.Errorf("%s: it belongs to user %d, want %d", path, owner, os.Geteuid())
	case info.Mode().Perm() != 0o600:
		return fmt.Errorf("%s: its mode is %#o, want 0600", path, info.Mode().Perm())
	}
	return nil
}

// open opens the segment if there is one that w accepts, or else makes it, and returns the bytes of its
// contents.
func (g *gate) open(w Want, others int) (f *os.File, bytes uint64, made bool, err error) {
	f, bytes, err = g.existing(w, others)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrRenew) {
		f, err = g.create(w)
		return f, w.Bytes, true, err
	}
	return f, bytes, false, err
}

// existing opens the segment if w accepts it.
func (g *gate) existing(w Want, others int) (*os.File, uint64, error) {
	path := g.dir.file(g.name, "")
	f, info, page, err := readPage(path)
	if err != nil {
		return nil, 0, err
	}
	bytes, err := w.Accept(func(header any) error { return decodeHeader(path, page, header) }, others)
	if (err == nil || errors.Is(err, ErrRenew)) && uint64(info.Size()) != contentsAt+bytes {
		err = &container.Error{Path: path, Problem: fmt.Sprintf("its size is %d bytes, want %d", info.Size(), contentsAt+bytes)}
	}
	if err == nil && memory(info) < bytes { // a copy may have holes, which the system may be unable to fill later
		err = allocate(f, contentsAt, bytes)
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, bytes, nil
}

// readPage opens a segment and reads its first page.
func readPage(path string) (f *os.File, info fs.FileInfo, page []byte, err error) {
	f, err = os.OpenFile(path, os.O_RDWR|noFollow, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = trusted(path, info)
	}
	if err == nil && info.Size() < contentsAt {
		err = &container.Error{Path: path, Problem: fmt.Sprintf("cut short: it has %d bytes", info.Size())}
	}
	page = make([]byte, pageBytes)
	if err == nil {
		_, err = f.ReadAt(page, 0)
	}
	if err != nil {
		return nil, nil, nil, errors.Join(err, f.Close())
	}
	return f, info, page, nil
}

// create makes a segment and gives it its name, in place of another one if there is one.
func (g *gate) create(w Want) (*os.File, error) {
	if w.Room != nil {
		if err := w.Room(); err != nil {
			return nil, err
		}
	}
	header, err := container.EncodeHeader(container.Shared, w.Header)
	if err == nil && len(header) > headerBytes {
		err = fmt.Errorf("header of %d bytes: at most %d fit", len(header), headerBytes)
	}
	if err != nil {
		return nil, err
	}
	if err := enough(g.dir, w.Bytes); err != nil {
		return nil, err
	}
	path := g.dir.file(g.name, newSuffix)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	err = f.Chmod(0o600) // a umask may have taken bits
	if err == nil {
		err = allocate(f, contentsAt, w.Bytes)
	}
	if err == nil {
		err = f.Truncate(int64(contentsAt + w.Bytes))
	}
	if err == nil {
		_, err = f.WriteAt(header, 0)
	}
	if err == nil {
		err = os.Rename(path, g.dir.file(g.name, ""))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return f, nil
}

// enough returns an error, with the numbers, if the folder has no room for that many bytes.
func enough(d Dir, bytes uint64) error {
	free, known := available(d)
	if known && free < bytes {
		return fmt.Errorf("%s has %d MiB available, %d are needed", filepath.Clean(string(d)), free>>20, bytes>>20)
	}
	return nil
}
