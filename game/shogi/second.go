package shogi

import "trefoil/zobrist"

// second are the words of the second key, from another seed.
var second = drawWords("trefoil shogi, the second key")

// SecondKey returns a key of the position that is independent of Key, for the audit of false hits.
// It is computed from scratch at each call; a search without an audit does not call it.
func (p *Position) SecondKey() uint64 { return p.keyOf(second) }

// keyOf computes a key from scratch.
func (p *Position) keyOf(w *keyWords) uint64 {
	key := w.game
	if p.side == White {
		key ^= zobrist.Side
	}
	for pieces := p.Occupied(); pieces.Any(); {
		var s Square
		s, pieces = pieces.Next()
		key ^= w.pieces[p.board[s&127]&31][s&127]
	}
	for c, hand := range p.hands {
		for k := Pawn; k < King; k++ {
			key ^= w.hand[c][k][hand.Count(k)]
		}
	}
	return key
}
