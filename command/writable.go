package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"trefoil/internal/atomicfile"
)

// writable returns an error if a file cannot be written or is the input. It is called before long work
// whose results go to the files, and does not change them.
func writable(paths []string, input string) error {
	read, _ := os.Stat(input) // its error is reported when it is opened
	for _, path := range paths {
		switch info, err := os.Stat(path); {
		case err != nil:
		case os.SameFile(info, read):
			return fmt.Errorf("%s: not replaced: it is the input", path)
		case info.Mode()&fs.ModeNamedPipe != 0:
			continue // it would have to wait for a reader, for which the file would end when it is closed
		}
		info, err := os.Lstat(path)
		created := errors.Is(err, fs.ErrNotExist)
		replaced := created || err == nil && info.Mode().IsRegular() // by a new file in its directory
		flags := os.O_WRONLY
		if created {
			flags |= os.O_CREATE
		}
		f, err := os.OpenFile(path, flags, 0o666)
		if !created && errors.Is(err, fs.ErrNotExist) {
			continue // a link to a file that does not exist, which is not created yet
		}
		if err != nil {
			return err
		}
		if created {
			_ = os.Remove(path)
		}
		if err := f.Close(); err != nil {
			return err
		}
		if replaced {
			if err := atomicfile.Writable(path, atomicfile.Any); err != nil {
				return err
			}
		}
	}
	return nil
}
