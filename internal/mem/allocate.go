package mem

import "fmt"

// Options say how a table gets its memory; every table takes them. The zero value is a table of its whole
// size on the largest pages that suit it.
type Options struct {
	// Bytes, unless 0, is how much is allocated in place of the whole size, at least Least: for a table
	// that leaves the rest to another one, or where there is not enough memory.
	Bytes uint64
	// Pages is the kind of memory pages. If the system has no such pages, the next smaller kind is used,
	// and the Usage of the table says so.
	Pages Pages
	// Releasing, unless nil, is an old table that the caller is about to close: its memory counts as
	// available.
	Releasing interface {
		Freed() uint64 // how many bytes become available when it is closed
	}
}

// Least is the least that Options.Bytes allocates.
const Least = 64 << 10

// Part returns how many bytes of a table of that size are allocated: whole KiB.
func (o Options) Part(bytes uint64) uint64 {
	if o.Bytes == 0 {
		return bytes
	}
	return min(max(o.Bytes, Least)&^(1<<10-1), bytes)
}

// freed returns the method of Releasing, nil if there is no old table.
func (o Options) freed() func() uint64 {
	if o.Releasing == nil {
		return nil
	}
	return o.Releasing.Freed
}

// Allocate maps a region for a table on pages of the kind of the options, or the next smaller ones. What
// the old table releases counts as available, except reserved pages. Allocate returns an error, with the
// numbers, if the region is larger than Smallest and more than Measure says.
func (o Options) Allocate(bytes uint64) (*Region, error) {
	l := layoutOf(bytes, o.Pages)
	if err := fits(bytes, &l, o.freed()); err != nil {
		return nil, err
	}
	planned := l.reserved()
	r, err := mapLayout(bytes, l, false)
	if err == nil && r.layout.reserved() < planned {
		if err := fits(bytes, &r.layout, o.freed()); err != nil {
			_ = r.Unmap()
			return nil, err
		}
	}
	if err != nil {
		return nil, fmt.Errorf("hash of %s refused: %w", Size(bytes), err)
	}
	return r, nil
}

// Fits returns an error, with the numbers, if that many bytes are more than Measure says.
func Fits(bytes uint64) error { return fits(bytes, &layout{}, nil) }

// Fits returns the error of Allocate without allocating anything.
func (o Options) Fits(bytes uint64) error {
	l := layoutOf(bytes, o.Pages)
	return fits(bytes, &l, o.freed())
}

// Ordinary returns how many bytes of a region are not on pages that are reserved, now, for such regions.
func Ordinary(bytes uint64, pages Pages) uint64 {
	if pages > Pages2MiB { // none of them
		return bytes
	}
	l := layoutOf(bytes, pages)
	return l.ordinary(bytes)
}

// Ordinary returns how many bytes of the region are not on reserved pages.
func (r *Region) Ordinary() uint64 { return r.layout.ordinary(r.size) }

// Freed returns how many bytes become available when regions are unmapped.
func Freed(regions ...*Region) (bytes uint64) {
	for _, r := range regions {
		bytes += r.charged()
	}
	return bytes
}

// ordinary returns the bytes of a region of this layout that are not on pages which the system keeps apart.
func (l *layout) ordinary(bytes uint64) uint64 {
	if !reservedApart {
		return bytes
	}
	return bytes - min(bytes, l.reserved())
}

// fits returns an error unless the part of a region that is not on reserved pages is available. freed,
// unless it is nil, is how much more the old table gives back.
func fits(bytes uint64, l *layout, freed func() uint64) error {
	need := l.ordinary(bytes)
	if need <= Smallest {
		return nil
	}
	r := Measure()
	if need > r.Map {
		return refused(bytes, bytes-need, r.Map, r.explain(r.Map, r.Mapped))
	}
	if need <= r.Free {
		return nil // without asking how much the old regions have, which takes milliseconds
	}
	source := r.explain(r.Free, r.Source)
	if freed != nil {
		back := freed()
		r.Free = plus(r.Free, back)
		source += fmt.Sprintf(", plus %d MiB of the old table", back>>20)
	}
	if need <= r.Free {
		return nil
	}
	return refused(bytes, bytes-need, r.Free, source)
}

// refused is the error of fits. reserved is how much of a region is on reserved pages.
func refused(bytes, reserved, free uint64, source string) error {
	if reserved > 0 {
		source += fmt.Sprintf(", plus %d MiB on reserved pages", reserved>>20)
	}
	return fmt.Errorf("hash of %s refused: %s available (%s)", Size(bytes), Size(plus(free, reserved)), source)
}

// Size writes a number of bytes in MiB, or in KiB if it is less than one.
func Size(bytes uint64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}

// charged is how many bytes of available memory Unmap would give back: at most that many if the
// system does not report it.
func (r *Region) charged() uint64 {
	if u := r.Usage(); u.Known {
		return u.ordinary()
	}
	r.gate.RLock()
	defer r.gate.RUnlock()
	if r.gone {
		return 0
	}
	return r.size - r.discarded
}
