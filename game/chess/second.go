package chess

import "trefoil/zobrist"

// second are the words of the second key, from another seed.
var second = drawWords("trefoil chess, the second key")

// SecondKey returns a key of the position that is independent of Key, for the audit of false hits. It
// is computed from scratch at each call; a search without an audit does not call it.
func (p *Position) SecondKey() uint64 { return p.keyOf(second) }

// keyOf computes a key from scratch.
func (p *Position) keyOf(w *keyWords) uint64 {
	key := uint64(p.side) * zobrist.Side
	for pieces := p.Occupied(); pieces != 0; {
		s := pieces.Pop()
		key ^= w.pieces[p.board[s&63]&15][s&63]
	}
	for rooks := p.castle; rooks != 0; {
		key ^= w.castle[rooks.Pop()&63]
	}
	if p.ep != 0 {
		key ^= w.ep[p.ep&7]
	}
	return key
}
