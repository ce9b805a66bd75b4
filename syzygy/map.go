//go:build unix || windows

package syzygy

import (
	"fmt"
	"math"
	"os"
)

// openFile opens a regular file that fits into memory and returns its size.
func openFile(path string) (f *os.File, size int, err error) {
	info, err := os.Stat(path) // before it is opened: opening a named pipe waits
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() || info.Size() > math.MaxInt {
		return nil, 0, fmt.Errorf("%s: not a file that can be mapped", path)
	}
	f, err = os.Open(path)
	return f, int(info.Size()), err
}
