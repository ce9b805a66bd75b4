package command

import (
	"errors"
	"io/fs"
	"os"
)

// writable returns an error if one of the files cannot be written. It is called before long
// work whose results go to them, and leaves them as they are.
func writable(paths []string) error {
	for _, path := range paths {
		_, err := os.Stat(path)
		created := errors.Is(err, fs.ErrNotExist)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return err
		}
		if created {
			_ = os.Remove(path)
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
