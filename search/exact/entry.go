package exact

import "math/bits"

// An entry of the table stands beside 40 bits of the key:
//
//	bit  23                   12 11         6 5          0
//	    ┌───────────────────────┬────────────┬────────────┐
//	    │        work, 12       │ upper + 32 │ lower + 32 │
//	    └───────────────────────┴────────────┴────────────┘
//
// Both bounds are always there, so that a proof of one does not drive out the other. work
// stands on top because of a full bucket's entries the least is replaced. No move is
// kept: a move that was good enough once is found by its child's entry, and to search the
// last best one first saved no nodes.
const (
	keyBits   = 40
	bias      = 32
	workShift = 12
)

// pack makes an entry; a lower bound is at least −21, so that it is never 0.
func pack(lower, upper int32, nodes uint64) uint64 {
	return workOf(nodes)<<workShift | uint64(upper+bias)<<6 | uint64(lower+bias)
}

// unpack returns the bounds of an entry.
func unpack(v uint64) (lower, upper int32) { return int32(v&63) - bias, int32(v>>6&63) - bias }

// workOf returns a number below 2^12 that grows with the logarithm of 1 or more nodes: how
// many bits they have, and the six bits below the highest.
func workOf(nodes uint64) uint64 {
	n := bits.Len64(nodes)
	return uint64(n)<<6 | nodes<<(64-n)>>57&63
}
