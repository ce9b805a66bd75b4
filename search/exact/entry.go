package exact

import "math/bits"

// An entry of the table shares its word with 40 bits of the key; on larger boards with more, and then work
// has only its higher bits:
//
//	bit  23                   12 11         6 5          0
//	    ┌───────────────────────┬────────────┬────────────┐
//	    │        work, 12       │ upper + 32 │ lower + 32 │
//	    └───────────────────────┴────────────┴────────────┘
//
// An entry has both bounds, so that a proof of one does not replace the other. work is the
// replacement value: a full bucket replaces its least entry. No move is stored: the entry of the
// child finds a move that was good enough, and searching the last best move first saved no
// nodes. On boards of more than 64 cells the bounds have a bit more each, see the constants with the suffix 128.
const (
	mostKeyBits = entryBits - workShift
	bias        = 1 << (boundBits - 1)
	workShift   = 2 * boundBits
	boundsMask  = 1<<workShift - 1
	valueBits   = workShift + workBits // with all of work
	workBits    = 12
)

// pack makes an entry. It is never 0, because a lower bound is at least −31.
// workDrop is the number of low bits of work for which there is no room.
func pack(lower, upper int32, nodes uint64, workDrop uint) uint64 {
	return workOf(nodes)>>(workDrop&63)<<workShift | uint64(upper+bias)<<boundBits | uint64(lower+bias)
}

// unpack returns the bounds of an entry.
func unpack(v uint64) (lower, upper int32) {
	const mask = 1<<boundBits - 1
	return int32(v&mask) - bias, int32(v>>boundBits&mask) - bias
}

// workOf returns a number below 2^12 that grows with the logarithm of nodes, which are 1 or more: their
// bit length and the six bits below the highest.
func workOf(nodes uint64) uint64 {
	n := bits.Len64(nodes)
	return uint64(n)<<6 | nodes<<(64-n)>>57&63
}
