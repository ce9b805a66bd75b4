package exact

import (
	"trefoil/game/connect4"
	"trefoil/remainder"
)

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
	key.High, key.Low = b.on.WideKey(n.mover, all)
	var other remainder.Key
	if other.High, other.Low = b.on.WideKey(b.Mirror(n.mover), b.Mirror(all)); other.Less(key) {
		key = other
	}
	n.high, n.key = uint16(key.High), key.Low
}

// tableKey returns the whole key.
func (n *node) tableKey() remainder.Key { return remainder.Key{High: uint64(n.high), Low: n.key} }

// prefetchKey returns the key whose bucket is loaded into the cache; on a wide board part of the node's.
func (n *node) prefetchKey() uint64 { return n.key }

// word returns the key, on a wide board part of it.
func (n *node) word() uint64 { return n.key }

// The same for sets of two words, where a key is one too.

func (n *node128) setKey(b *board128, symmetric bool) {
	all := n.mover.Or(n.other)
	if n.key = b.key(n.mover, all); !symmetric {
		return
	}
	if other := b.key(b.Mirror(n.mover), b.Mirror(all)); remainder.Key(other).Less(n.tableKey()) {
		n.key = other
	}
}

// key returns the key of a position.
func (b *board128) key(mover, all connect4.Set128) connect4.Set128 {
	if !b.Wide {
		return mover.Add(all)
	}
	high, low := b.on.WideKey(mover.Low, all.Low)
	return connect4.Set128{High: high, Low: low}
}

func (n *node128) tableKey() remainder.Key    { return remainder.Key(n.key) }
func (n *node128) prefetchKey() remainder.Key { return n.tableKey() }
func (n *node128) word() uint64               { return n.key.High ^ n.key.Low }
