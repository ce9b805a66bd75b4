package exact

// keyOf returns the table key of a node: the key of the position or, if symmetric, the smaller of
// the keys of the position and its mirror image.
//
// Positions with equal keys have equal scores: package connect4's key is different for every
// position, and a position has the score of its mirror image.
func (n *node) keyOf(b *board, symmetric bool) uint64 {
	key := n.mover + (n.mover | n.other)
	if symmetric {
		key = b.smaller(key)
	}
	return key
}

// smaller returns the smaller of the keys of a position and its mirror image. It is not inlined, so
// that keyOf is.
//
//go:noinline
func (b *board) smaller(key uint64) uint64 { return min(key, b.Mirror(key)) }

// canMirror reports whether a search from n can reach two positions that are mirror images of each
// other. Both contain the stones of n and of its mirror image, so no cell may belong to one side
// in n and to the other in the mirror image.
func (n *node) canMirror(b *board) bool {
	return b.Mirror(n.mover)&n.other == 0
}
