package mem

import (
	"fmt"
	"math"
	"os"
)

// MapFile returns a Region of the bytes of a file from offset on, a multiple of the page size; the file has
// them all. Every mapping of the same file, also of another process, is the same memory, and stays after
// the file is closed or removed. If a program shortens the file, a use of what it cut off is a fault
// (SIGBUS); see Replace.
//
// In race builds too a Region of MapFile is mapped, so the race detector does not observe it.
func MapFile(f *os.File, offset int64, bytes uint64) (*Region, error) {
	if bytes == 0 || bytes > math.MaxInt-2*Align {
		return nil, fmt.Errorf("memory: %d bytes are outside 1 to %d", bytes, math.MaxInt-2*Align)
	}
	base, release, err := mapFile(f, offset, uintptr(bytes))
	if err != nil {
		return nil, fmt.Errorf("memory: %d bytes of %s: %w", bytes, f.Name(), err)
	}
	return &Region{base: base, size: bytes, held: release}, nil
}

// releaser returns memory to the system.
type releaser interface{ release() error }
