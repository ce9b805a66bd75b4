package mem

import "fmt"

// Fits returns an error, with the numbers, if a table of that size is more than the machine and its
// control groups have available. The memory of old regions counts as available; nil is none.
func Fits(bytes uint64, old ...*Region) error {
	free, explain := Available()
	if bytes <= free {
		return nil // without asking how much the old regions have, which takes milliseconds
	}
	back, any := uint64(0), false
	for _, r := range old {
		if r != nil {
			back, any = back+r.charged(), true
		}
	}
	if any {
		free += min(back, ^uint64(0)-free)
		explain += fmt.Sprintf(", plus %d MiB of the old table", back>>20)
	}
	if bytes <= free {
		return nil
	}
	return fmt.Errorf("hash of %d MiB refused: %d MiB available (%s)", bytes>>20, free>>20, explain)
}

// charged is how many bytes Unmap would give back: at most that many if the system does not report it.
func (r *Region) charged() uint64 {
	if resident, _, known := r.Usage(); known {
		return resident
	}
	r.gate.RLock()
	defer r.gate.RUnlock()
	return r.size - r.discarded
}
