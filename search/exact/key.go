package exact

import "trefoil/game/connect4"

// keyOf returns the key under which the table knows a node: connect4's key of the mover's
// and all stones or, where that is worth while, of their mirror image if that is smaller.
//
// Positions of one key have one score: connect4's key tells all stones, and the mover's
// from the other's; and what is true of a position is true of its mirror image.
func (n *node) keyOf(symmetric bool) uint64 {
	key := n.mover + (n.mover | n.other)
	if symmetric {
		key = min(key, connect4.Mirror(key))
	}
	return key
}

// canMirror reports whether a search from n can meet two positions that are each
// other's mirror image. Both have all the stones of n and those of its mirror image, so
// no cell may be one side's here and the other's there.
func (n *node) canMirror() bool {
	return connect4.Mirror(n.mover)&n.other == 0
}
