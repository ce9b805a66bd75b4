package mem

import "fmt"

// Allocate maps a region for a table on pages of a kind, or the next smaller ones. The memory of
// old regions counts as available, except reserved pages; nil counts nothing. Allocate returns an
// error, with the numbers, if the table is more than the machine and its control groups have
// available.
func Allocate(bytes uint64, pages Pages, old ...*Region) (*Region, error) {
	l := layoutOf(bytes, pages)
	if err := fits(bytes, &l, freedBy(old)); err != nil {
		return nil, err
	}
	planned := l.reserved()
	r, err := mapLayout(bytes, l, false)
	if err == nil && r.layout.reserved() < planned {
		if err := fits(bytes, &r.layout, freedBy(old)); err != nil {
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
func Fits(bytes uint64, old ...*Region) error { return fits(bytes, &layout{}, freedBy(old)) }

// FitsOn is Fits for a region on pages of a kind. freed, unless it is nil, returns how many bytes of an old table
// count as available.
func FitsOn(bytes uint64, pages Pages, freed func() uint64) error {
	l := layoutOf(bytes, pages)
	return fits(bytes, &l, freed)
}

// Freed returns how many bytes become available when regions are unmapped; nil counts nothing.
func Freed(regions ...*Region) (bytes uint64) {
	for _, r := range regions {
		if r != nil {
			bytes += r.charged()
		}
	}
	return bytes
}

// freedBy is Freed for fits: nil if there is no region.
func freedBy(regions []*Region) func() uint64 {
	for _, r := range regions {
		if r != nil {
			return func() uint64 { return Freed(regions...) }
		}
	}
	return nil
}

// fits returns an error unless the part of a region that is not on reserved pages is available. freed, unless it
// is nil, is how much more the old table gives back.
func fits(bytes uint64, l *layout, freed func() uint64) error {
	free, explain := Available()
	if reservedApart && l.reserved() > 0 {
		free += min(l.reserved(), ^uint64(0)-free)
		explain += fmt.Sprintf(", plus %d MiB on reserved pages", l.reserved()>>20)
	}
	if bytes <= free {
		return nil // without asking how much the old regions have, which takes milliseconds
	}
	if freed != nil {
		back := freed()
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
