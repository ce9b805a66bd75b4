package exact

import "trefoil/game/connect4"

// keyOf returns the key under which the table knows a node: connect4's key of one mover's
// stones and all stones, or of their mirror image if that is smaller.
//
// Positions with one key have one score: the key tells all stones and the mover's apart
// from the other's, up to the mirror, which changes no line of four.
//
// mirrored tells that a column in the entry counts from the right.
func (n *node) keyOf(symmetric bool) (key uint64, mirrored bool) {
	key = n.mover + (n.mover | n.other)
	if symmetric {
		if m := connect4.Mirror(key); m < key {
			return m, true
		}
	}
	return key, false
}

// canMirror reports whether a search from n can meet two positions that are each
// other's mirror image. Both have all the stones of n and those of its mirror image, so
// no cell may be one side's here and the other's there.
func (n *node) canMirror() bool {
	return connect4.Mirror(n.mover)&n.other == 0
}
