package command

import (
	"errors"
	"io/fs"
	"os"
)

// writable returns why a file cannot be written. It is asked before the work, the result
// of which the file is to have; until that is there the file stays as it is.
func writable(path string) error {
	_, err := os.Stat(path)
	created := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if created {
		_ = os.Remove(path)
	}
	return f.Close()
}
