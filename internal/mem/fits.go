package mem

import "fmt"

// Allocate maps a region for a table on pages of a kind, or the next smaller ones. The memory of
// old regions counts as available, except reserved pages; nil counts nothing. Allocate returns an
// error, with the numbers, if the table is more than the machine and its control groups have
// available.
func Allocate(bytes uint64, pages Pages, old ...*Region) (*Region, error) {
	l := layoutOf(bytes, pages)
	if err := fits(bytes, &l, old); err != nil {
		return nil, err
	}
	planned := l.reserved()
	r, err := mapLayout(bytes, l, false)
	if err == nil && r.layout.reserved() < planned {
		if err := fits(bytes, &r.layout, old); err != nil {
			_ = r.Unmap()
			return nil, err
		}
	}
	if err != nil {
		return nil, fmt.Errorf("hash of %d MiB refused: %w", bytes>>20, err)
	}
	return r, nil
}

// Fits returns an error, with the numbers, if that many bytes are more than the machine and its
// control groups have available. The memory of old regions counts as available; nil counts nothing.
func Fits(bytes uint64, old ...*Region) error { return fits(bytes, &layout{}, old) }

// FitsOn is Fits for a region on pages of a kind.
func FitsOn(bytes uint64, pages Pages, old ...*Region) error {
	l := layoutOf(bytes, pages)
	return fits(bytes, &l, old)
}

// fits returns an error unless the part of a region that is not on reserved pages is available.
func fits(bytes uint64, l *layout, old []*Region) error {
	free, explain := Available()
	if reservedApart && l.reserved() > 0 {
		free += min(l.reserved(), ^uint64(0)-free)
		explain += fmt.Sprintf(", plus %d MiB on reserved pages", l.reserved()>>20)
	}
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

// charged is how many bytes of available memory Unmap would give back: at most that many if the
// system does not report it.
func (r *Region) charged() uint64 {
	if u := r.Usage(); u.Known {
		return u.ordinary()
	}
	r.gate.RLock()
	defer r.gate.RUnlock()
	return r.size - r.discarded
}
