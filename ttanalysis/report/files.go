package report

import (
	"os"

	"trefoil/internal/atomicfile"
)

// writeFile writes a file. A regular one keeps its old contents until the new ones are complete; a
// device, a pipe and what a link names are written in place.
func writeFile(path string, data []byte) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o666)
	}
	return atomicfile.WriteBytes(path, atomicfile.Any, data)
}
