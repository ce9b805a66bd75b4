//go:build !unix && !windows

package syzygy

import "os"

// mapFile reads a file: this system cannot map it.
func mapFile(path string) (data []byte, unmap func() error, err error) {
	data, err = os.ReadFile(path)
	return data, nil, err
}
