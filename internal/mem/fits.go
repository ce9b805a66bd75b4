package mem

import "fmt"

// Fits returns an error, which names the numbers, if a table of so many bytes is more than
// the machine and its control groups can give, counting what an old region gives back; nil
// is no region.
func Fits(bytes uint64, old *Region) error {
	room, explain := Available()
	if old != nil {
		back, _, known := old.Usage()
		if !known {
			back = old.Size()
		}
		room += min(back, ^uint64(0)-room)
		explain += fmt.Sprintf(", plus %d MiB of the old table", back>>20)
	}
	if bytes > room {
		return fmt.Errorf("hash of %d MiB refused: room for %d MiB (%s)", bytes>>20, room>>20, explain)
	}
	return nil
}
