package remainder

import "math/bits"

// modulus computes remainders by a fixed number without a division.
//
// For an odd n ≥ 3 let L = ⌊log2 n⌋ and r = ⌈2^(64+L) / n⌉. Because 2^L < n < 2^(L+1), r
// lies between 2^63 and 2^64. Then ⌊x / n⌋ = ⌊x·r / 2^(64+L)⌋ for every x with x·e < 2^(64+L):
//
//	r·n = 2^(64+L) + e with 0 < e < n, so x·r / 2^(64+L) = x/n + x·e / (n·2^(64+L)).
//	The last term is less than 1/n, and x/n is at least 1/n below the next whole number:
//	the sum does not reach it.
//
// As e < 2^(L+1), that is every x < 2^63, and for about every second n every x < 2^64; divides tells which.
// The method is from Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994,
// without their correction step.
//
// The result is the remainder times a scale, the size of a bucket. The product of x and the
// scale does not depend on the quotient, so it takes no extra time.
type modulus struct {
	r, scale, span uint64 // span is n times the scale
	log            uint8
}

// newModulus returns the modulus of an odd number from 3 on.
func newModulus(n, scale uint64) modulus {
	log := uint8(bits.Len64(n) - 1)
	quotient, _ := bits.Div64(1<<log, 0, n) // never exact: n is odd
	return modulus{quotient + 1, scale, n * scale, log}
}

// divides reports whether the remainders by n, an odd number from 3 on, are right for every x up to most.
func divides(n, most uint64) bool {
	m := newModulus(n, 1)
	_, e := bits.Mul64(m.r, n) // r·n - 2^(64+L) is below 2^64
	high, _ := bits.Mul64(most, e)
	return high>>m.log == 0
}

// of returns x mod n, times the scale, for every x that divides allows.
func (m *modulus) of(x uint64) uint64 {
	quotient, _ := bits.Mul64(x, m.r)
	return x*m.scale - quotient>>(m.log&63)*m.span // log is below 63: the mask drops the check for an oversized shift
}
