package connect4

import "math/bits"

// Set128 is a set of cells in two words: its methods do what the operators do with one. They are what
// tools/sets128 writes for an operator.
type Set128 struct{ High, Low uint64 }

const lastBit128 = 127 // see lastBit

// IsZero reports whether the set is empty.
func (s Set128) IsZero() bool { return s.High|s.Low == 0 }

// And returns s & t.
func (s Set128) And(t Set128) Set128 { return Set128{s.High & t.High, s.Low & t.Low} }

// Or returns s | t.
func (s Set128) Or(t Set128) Set128 { return Set128{s.High | t.High, s.Low | t.Low} }

// Xor returns s ^ t.
func (s Set128) Xor(t Set128) Set128 { return Set128{s.High ^ t.High, s.Low ^ t.Low} }

// AndNot returns s &^ t.
func (s Set128) AndNot(t Set128) Set128 { return Set128{s.High &^ t.High, s.Low &^ t.Low} }

// Add returns s + t, as numbers.
func (s Set128) Add(t Set128) Set128 {
	low, carry := bits.Add64(s.Low, t.Low, 0)
	return Set128{s.High + t.High + carry, low}
}

// Sub returns s - t, as numbers.
func (s Set128) Sub(t Set128) Set128 {
	low, borrow := bits.Sub64(s.Low, t.Low, 0)
	return Set128{s.High - t.High - borrow, low}
}

// Neg returns -s.
func (s Set128) Neg() Set128 { return Set128{}.Sub(s) }

// Shl returns s << n. Of the shifts by n - 64 and 64 - n at least one is by 64 or more, which gives 0.
func (s Set128) Shl(n uint) Set128 {
	return Set128{s.High<<n | s.Low<<(n-64) | s.Low>>(64-n), s.Low << n}
}

// Shr returns s >> n.
func (s Set128) Shr(n uint) Set128 {
	return Set128{s.High >> n, s.Low>>n | s.High>>(n-64) | s.High<<(64-n)}
}

// Count returns the number of cells.
func (s Set128) Count() int { return bits.OnesCount64(s.High) + bits.OnesCount64(s.Low) }

// TrailingZeros returns the number of the first cell, 128 if there is none.
func (s Set128) TrailingZeros() int {
	if s.Low != 0 {
		return bits.TrailingZeros64(s.Low)
	}
	return 64 + bits.TrailingZeros64(s.High)
}

// Len returns the number of the last cell plus one, 0 if there is none.
func (s Set128) Len() int {
	if s.High != 0 {
		return 64 + bits.Len64(s.High)
	}
	return bits.Len64(s.Low)
}
