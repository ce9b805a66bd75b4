package chess

import "trefoil/zobrist"

// second are the words of the second key, from another seed.
var second = drawWords("trefoil chess, the second key")

// Second returns a key that is independent of Key and tells the same positions apart. It is
// reckoned anew at each call: it serves those who check what a table says, and costs the
// others nothing.
func (p *Position) Second() uint64 { return p.keyOf(second) }

// keyOf reckons a key from what stands where.
func (p *Position) keyOf(w *keyWords) uint64 {
	key := uint64(p.side) * zobrist.Side
	for men := p.Occupied(); men != 0; {
		s := men.Pop()
		key ^= w.men[p.board[s&63]&15][s&63]
	}
	for rooks := p.castle; rooks != 0; {
		key ^= w.castle[rooks.Pop()&63]
	}
	if p.ep != 0 {
		key ^= w.ep[p.ep&7]
	}
	return key
}
