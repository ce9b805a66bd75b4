package mem

// Options say how a table gets its memory; every table takes them. The zero value is a table of its whole size on
// the largest pages that suit it.
type Options struct {
	// KiB, unless 0, is how much is allocated in place of the whole size, at least LeastKiB: for a table that leaves
	// the rest to another one, or where there is not enough memory.
	KiB uint64
	// Pages is the kind of memory pages. If the system has no such pages, the next smaller kind is used, and the Usage
	// of the table says so.
	Pages Pages
	// Releasing, unless nil, is an old table that the caller is about to close: its memory counts as available.
	Releasing interface {
		Freed() uint64 // how many bytes become available when it is closed
	}
}

// LeastKiB is the least that Options.KiB allocates.
const LeastKiB = 64

// Part returns how many bytes of a table of that size are allocated.
func (o Options) Part(bytes uint64) uint64 {
	if o.KiB == 0 {
		return bytes
	}
	return min(max(o.KiB, LeastKiB)<<10, bytes)
}

// freed returns the method of Releasing, nil if there is no old table.
func (o Options) freed() func() uint64 {
	if o.Releasing == nil {
		return nil
	}
	return o.Releasing.Freed
}

// A Field is a bit field of an entry in memory.
type Field struct {
	Name     string
	From, To int // 64 × word + bit, the lowest and the highest
}

// Bits returns the Field of a name.
func Bits(name string, from, to int) Field { return Field{name, from, to} }
