package report

import (
	"io"
	"os"

	"trefoil/internal/atomicfile"
)

// writeFile writes a file. A regular one keeps its old contents until the new ones are complete; a
// device, a pipe and what a link names are written in place.
func writeFile(path string, data []byte) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o666)
	}
	return atomicfile.Write(path, func([]byte) error { return nil }, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
