package mem

// A Field is a bit field of an entry in memory.
type Field struct {
	Name     string
	From, To int // 64 × word + bit, the lowest and the highest
}

// Bits returns the Field of a name.
func Bits(name string, from, to int) Field { return Field{name, from, to} }
