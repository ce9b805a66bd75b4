//go:build unix || windows

package syzygy

import (
	"fmt"
	"math"
	"os"
)

// fileSize is the size of a regular file that fits into memory.
func fileSize(f *os.File) (int, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() || info.Size() > math.MaxInt {
		return 0, fmt.Errorf("%s: not a file that can be mapped", f.Name())
	}
	return int(info.Size()), nil
}
