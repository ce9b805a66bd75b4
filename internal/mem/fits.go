package mem

import "fmt"

// Fits returns an error, with the numbers, if a table of that size is more than the machine and its
// control groups have available. The memory of old, unless it is nil, counts as available.
func Fits(bytes uint64, old *Region) error {
	free, explain := Available()
	if old != nil {
		back, _, known := old.Usage()
		if !known {
			back = old.Size()
		}
		free += min(back, ^uint64(0)-free)
		explain += fmt.Sprintf(", plus %d MiB of the old table", back>>20)
	}
	if bytes > free {
		return fmt.Errorf("hash of %d MiB refused: %d MiB available (%s)", bytes>>20, free>>20, explain)
	}
	return nil
}
