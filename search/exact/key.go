package exact

import "trefoil/remainder"

// setKey sets the table key of a node: the key of the position or, if symmetric, the smaller of the keys of the
// position and its mirror image. On a wide board it always has to be symmetric.
//
// Positions with equal keys have equal scores: package connect4's key is different for every
// position, and a position has the score of its mirror image.
func (n *node) setKey(b *board, symmetric bool) {
	n.key = n.mover + (n.mover | n.other)
	if symmetric {
		n.changeKey(b)
	}
}

// changeKey sets the smaller key. It is not inlined, so that setKey is.
//
//go:noinline
func (n *node) changeKey(b *board) {
	if !b.Wide {
		n.key = min(n.key, b.Mirror(n.key))
		return
	}
	all := n.mover | n.other
	var key remainder.Key
	key.High, key.Low = b.WideKey(n.mover, all)
	var other remainder.Key
	if other.High, other.Low = b.WideKey(b.Mirror(n.mover), b.Mirror(all)); other.Less(key) {
		key = other
	}
	n.high, n.key = uint16(key.High), key.Low
}

// tableKey returns the whole key.
func (n *node) tableKey() remainder.Key { return remainder.Key{High: uint64(n.high), Low: n.key} }

// canMirror reports whether a search from n can reach two positions that are mirror images of each
// other. Both contain the stones of n and of its mirror image, so no cell may belong to one side
// in n and to the other in the mirror image.
//
// On a wide board it reports true, which is right too, because setKey has only the smaller keys there.
func (n *node) canMirror(b *board) bool {
	return b.Wide || b.Mirror(n.mover)&n.other == 0
}
