package mem

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

// A Field is a bit field of an entry in memory.
type Field struct {
	Name     string
	From, To int // 64 × word + bit, the lowest and the highest
}

// Bits returns the Field of a name.
func Bits(name string, from, to int) Field { return Field{name, from, to} }
