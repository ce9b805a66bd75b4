package exact

import "trefoil/game/connect4"

// keyOf returns the table key of a node: the key of the position or, if symmetric, the smaller of
// the keys of the position and its mirror image.
//
// Positions with equal keys have equal scores: package connect4's key is different for every
// position, and a position has the score of its mirror image.
func (n *node) keyOf(symmetric bool) uint64 {
	key := n.mover + (n.mover | n.other)
	if symmetric {
		key = min(key, connect4.Mirror(key))
	}
	return key
}

// canMirror reports whether a search from n can reach two positions that are mirror images of each
// other. Both contain the stones of n and of its mirror image, so no cell may belong to one side
// in n and to the other in the mirror image.
func (n *node) canMirror() bool {
	return connect4.Mirror(n.mover)&n.other == 0
}
