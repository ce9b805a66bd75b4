package atomicfile

import (
	"context"
	"errors"
	"io"

	"trefoil/internal/disk"
	"trefoil/internal/pipe"
)

// A Regular is a regular file that is open for reading, with the size that it had then.
type Regular struct {
	*io.SectionReader
	file *disk.File
}

// OpenRegular opens a regular file for reading. Anything else is refused: to open a pipe could wait
// without end.
//
// A file on a disk that does not answer, and some files of the system, wait as well. OpenRegular and calls of the
// file return the cause of ctx once that has ended.
func OpenRegular(ctx context.Context, path string) (*Regular, error) {
	return pipe.Within(ctx, func() (*Regular, error) {
		info, err := disk.Stat(path)
		switch {
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, NotRegular(path, info)
		}
		f, err := disk.Open(path)
		if err != nil {
			return nil, err
		}
		if info, err = f.Stat(); err != nil { // of the file that was opened
			return nil, errors.Join(err, f.Close())
		}
		return &Regular{io.NewSectionReader(pipe.ReaderAt(ctx, f), 0, info.Size()), f}, nil
	})
}

// Detach makes calls of f wait for the disk also after the end of the context.
func (f *Regular) Detach() { f.SectionReader = io.NewSectionReader(f.file, 0, f.Size()) }

// Close closes the file.
func (f *Regular) Close() error { return f.file.Close() }
