package shm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unsafe"

	"trefoil/internal/atomicfile"
	"trefoil/internal/container"
	"trefoil/internal/mem"
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

// OtherUser is the error of a file that belongs to another user.
type OtherUser struct {
	path string
	ID   int // of that user
}

// Error names the file and both users.
func (e *OtherUser) Error() string {
	return fmt.Sprintf("%s: it belongs to user %d, expected %d", e.path, e.ID, os.Geteuid())
}

// trusted returns an error unless path is a regular file of this user with the mode 0600.
func trusted(path string, info fs.FileInfo) error {
	switch owner, known := owner(info); {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: it is not a regular file", path)
	case known && owner != os.Geteuid():
		return &OtherUser{path, owner}
	case info.Mode().Perm() != 0o600:
		return fmt.Errorf("%s: its mode is %#o, expected 0600", path, info.Mode().Perm())
	}
	return nil
}

// open maps the segment if there is one that w accepts, or else makes one, which has no name yet.
func (s *Segment) open(ctx context.Context, g *gate, w Want, others int) error {
	f, bytes, err := g.existing(ctx, w, others)
	switch {
	case errors.Is(err, ErrRenew):
		defer f.Close()
		s.made = true
		if w.Own == nil {
			s.replaced = &Segment{dir: s.dir, name: s.name}
			if err := s.replaced.mapFile(f, bytes); err != nil {
				return err
			}
		}
	case errors.Is(err, fs.ErrNotExist):
		s.made = true
	case err != nil:
		return err
	}
	if s.made {
		if f, err = g.create(ctx, w); err != nil {
			return err
		}
		bytes = w.Bytes
	}
	defer f.Close()
	return s.mapFile(f, bytes)
}

// mapFile maps a segment that has that many bytes of contents.
func (s *Segment) mapFile(f *os.File, bytes uint64) (err error) {
	if s.page, err = mem.MapFile(f, 0, pageBytes); err != nil {
		return err
	}
	if s.contents, err = mem.MapFile(f, contentsAt, bytes); err != nil {
		return err
	}
	advise(unsafe.Slice((*byte)(s.contents.Pointer()), bytes))
	return nil
}

// existing opens the segment if w accepts it. With ErrRenew it returns it too.
func (g *gate) existing(ctx context.Context, w Want, others int) (*os.File, uint64, error) {
	path := g.dir.file(g.name, "")
	f, info, page, err := readPage(path)
	if err != nil {
		return nil, 0, err
	}
	bytes, answer := w.Accept(func(header any) error { return decodeHeader(path, page, header) }, others)
	switch {
	case answer != nil && !errors.Is(answer, ErrRenew):
		err = answer
	case uint64(info.Size()) != contentsAt+bytes:
		err = &container.Error{Path: path,
			Problem: fmt.Sprintf("its size is %d bytes, expected %d", info.Size(), contentsAt+bytes)}
	case memory(info) < bytes: // a copy may have holes, which the system may be unable to fill later
		err = allocate(ctx, f, contentsAt, bytes)
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, bytes, answer
}

// readPage opens a segment and reads its first page.
func readPage(path string) (f *os.File, info fs.FileInfo, page []byte, err error) {
	f, err = os.OpenFile(path, os.O_RDWR|atomicfile.NoFollow, 0)
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

// create makes a segment, which install gives its name.
func (g *gate) create(ctx context.Context, w Want) (*os.File, error) {
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
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|atomicfile.NoFollow, 0o600)
	if err != nil {
		return nil, err
	}
	err = allocate(ctx, f, contentsAt, w.Bytes)
	if err == nil {
		err = f.Truncate(int64(contentsAt + w.Bytes))
	}
	if err == nil {
		_, err = f.WriteAt(header, 0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return f, nil
}

// install gives the segment that create has made its name, in place of another one if there is one.
func (g *gate) install() error {
	return os.Rename(g.dir.file(g.name, newSuffix), g.dir.file(g.name, ""))
}

// enough returns an error, with the numbers, if the folder has no room for that many bytes.
func enough(d Dir, bytes uint64) error {
	free, known := available(d)
	if known && free < bytes {
		return fmt.Errorf("%s has %d MiB available, %d are needed", filepath.Clean(string(d)), free>>20, bytes>>20)
	}
	return nil
}
