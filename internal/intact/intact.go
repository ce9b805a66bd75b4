// Package intact is how tables get into files and back: a file is either the old one
// or the new one, whole, whatever happens while it is written; and who reads one that
// does not fit is told in one form what is wrong with it.
package intact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Part comes after the name of a file that is being written.
const Part = ".part"

// ErrBusy is why a file is not written while somebody else writes it.
var ErrBusy = errors.New("it is being written by another save")

// An Error says why a file is not what it should be.
type Error struct {
	Path      string
	What      string // what is wrong: magic, version, length, checksum, game …
	Got, Want string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s is %s, want %s", e.Path, e.What, e.Got, e.Want)
}

// Write makes a file under path, or replaces the one that is there when all has been
// written and not before. write fills a file in the same folder, with Part after its
// name, which is then synced and renamed; if anything fails it is removed, and what was
// under path is as it was. A killed process may leave it behind, for the next Write to
// overwrite. Where the system has locks, a second writer of the same file is refused with
// ErrBusy.
//
// What is no regular file (a folder, a device), and a file that begins with anything but magic,
// which somebody may need, is refused before anything is written; a symbolic link is followed,
// and refused if it leads nowhere.
func Write(path, magic string, write func(*os.File) error) (err error) {
	if path, err = target(path, magic); err != nil {
		return err
	}
	part := path + Part
	f, err := claim(part)
	if err != nil {
		return err
	}
	defer func() {
		if !locks {
			_ = f.Close() // such systems remove no open file
		}
		if err != nil {
			_ = os.Remove(part) // under the lock: it is still ours
		}
		_ = f.Close()
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if !locks { // nor do they rename one
		if err := f.Close(); err != nil {
			return err
		}
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	syncDirectory(filepath.Dir(path))
	return nil
}

// Writable returns the error with which Write would begin, if there is one.
func Writable(path, magic string) error {
	path, err := target(path, magic)
	if err != nil {
		return err
	}
	f, err := claim(path + Part)
	if err != nil {
		return err
	}
	_ = os.Remove(path + Part)
	return f.Close()
}

// target is what a name stands for, if that may be written.
func target(path, magic string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && path != "":
		if _, err := os.Lstat(path); err == nil {
			return "", fmt.Errorf("%s: it is a link to what is not there", path)
		}
		return path, nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", notAFile(path, info)
	}
	if info.Size() > 0 {
		if err := begins(path, magic); err != nil {
			return "", err
		}
	}
	return filepath.EvalSymlinks(path)
}

// begins returns an error if a file begins otherwise.
func begins(path, magic string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	b := make([]byte, len(magic))
	n, err := io.ReadFull(f, b)
	if string(b[:n]) != magic {
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		return fmt.Errorf("%s: it is another kind of file, which begins with %q and not with %q, and is not replaced", path, b[:n], magic)
	}
	return nil
}

// notAFile says what a path is instead.
func notAFile(path string, info fs.FileInfo) error {
	what := "no regular file"
	if info.IsDir() {
		what = "a directory"
	}
	return fmt.Errorf("%s: it is %s", path, what)
}

// claim opens a file for one writer, empty.
func claim(part string) (*os.File, error) {
	for {
		f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if !lock(f) {
			_ = f.Close()
			return nil, fmt.Errorf("%s: %w", part, ErrBusy)
		}
		// Its writer may have renamed it between our opening and our lock: then it
		// is whole, and no longer ours to empty.
		ours, err1 := f.Stat()
		there, err2 := os.Stat(part)
		if err1 == nil && err2 == nil && os.SameFile(ours, there) {
			if err := f.Truncate(0); err != nil {
				_ = f.Close()
				return nil, err
			}
			return f, nil
		}
		if err := errors.Join(f.Close(), err1); err != nil {
			return nil, err
		}
	}
}

// syncDirectory makes a renaming last where the system can; the file is whole without it.
func syncDirectory(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// Open opens a file to be read and tells its size. What is no regular file is refused.
func Open(path string) (f *os.File, size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() { // to open a pipe could wait for ever
		return nil, 0, notAFile(path, info)
	}
	if f, err = os.Open(path); err != nil {
		return nil, 0, err
	}
	if info, err = f.Stat(); err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// PutText fills field with text and then zeros; its error names what the text is.
func PutText(field []byte, what, text string) error {
	if len(text) > len(field) || strings.Contains(text, "\x00") {
		return fmt.Errorf("%s %q is longer than %d bytes or has a zero in it", what, text, len(field))
	}
	clear(field[copy(field, text):])
	return nil
}

// Text is what PutText has put into a field.
func Text(field []byte) string { return strings.TrimRight(string(field), "\x00") }
