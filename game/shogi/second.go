package shogi

import "trefoil/zobrist"

// second are the words of the second key, from another seed.
var second = drawWords("trefoil shogi, the second key")

// Second returns a key that is independent of Key and tells the same positions apart. It is
// reckoned anew at each call: it serves those who check what a table says, and costs the
// others nothing.
func (p *Position) Second() uint64 { return p.keyOf(second) }

// keyOf reckons a key from what stands where and is in hand.
func (p *Position) keyOf(w *keyWords) uint64 {
	key := w.game
	if p.side == White {
		key ^= zobrist.Side
	}
	for men := p.Occupied(); men.Any(); {
		var s Square
		s, men = men.Next()
		key ^= w.men[p.board[s&127]&31][s&127]
	}
	for c, hand := range p.hands {
		for k := Pawn; k < King; k++ {
			key ^= w.hand[c][k][hand.Count(k)]
		}
	}
	return key
}
