package exact

import "math/bits"

// An entry of the table, 24 bits beside 40 bits of the key:
//
//	bit  23         15 14    12 11         6 5          0
//	    ┌─────────────┬────────┬────────────┬────────────┐
//	    │   work, 9   │ col, 3 │ upper + 32 │ lower + 32 │
//	    └─────────────┴────────┴────────────┴────────────┘
//
// Both bounds are always there, so that a proof of one does not drive out the other. col
// is the move that made the lower bound, 1 to 7, in the orientation of the key; 0 is
// none. work stands on top because of a full bucket's entries the least is replaced.
const (
	keyBits   = 40
	entryBias = 32
	workShift = 15
)

// pack makes an entry. A bound is at least −21, so that it is never 0.
func pack(lower, upper int32, column uint8, nodes uint64) uint64 {
	return workOf(nodes)<<workShift | uint64(column)<<12 | uint64(upper+entryBias)<<6 | uint64(lower+entryBias)
}

// unpack is the reverse of pack, but for the work.
func unpack(v uint64) (lower, upper int32, column uint8) {
	return int32(v&63) - entryBias, int32(v>>6&63) - entryBias, uint8(v >> 12 & 7)
}

// workOf returns a number below 2^9 that grows with the logarithm of nodes: the bits they
// have, and the three bits below the highest.
func workOf(nodes uint64) uint64 {
	n := bits.Len64(nodes)
	return uint64(n)<<3 | nodes<<(64-n)>>60&7
}
