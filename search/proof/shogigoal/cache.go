package shogigoal

import (
	"trefoil/search/proof"
)

// A leaf has the findings about a child that making its move on the board has given. The table has the
// positions that were searched. A search returns to most positions before it has searched all moves there,
// and would evaluate the others again each time.
type leaf struct {
	key        uint64 // of a position and the move that led there
	phi, delta uint32
	hand       uint32 // if it is solved
	plies      uint16
}

// leaves is the size of the leaf cache, a power of two: 2^15 are hit a little more often than 2^12,
// and take longer.
const leaves = 1 << 12

// leafAt returns the entry of a key.
func (g *Goal) leafAt(key uint64) *leaf {
	if g.leaves == nil {
		g.leaves = make([]leaf, leaves)
	}
	return &g.leaves[key>>20%leaves]
}

// cached fills in what the leaf cache has on a child, and reports whether it has anything.
func (g *Goal) cached(s *proof.Child) bool {
	key := leafKey(s)
	l := g.leafAt(key)
	if l.key != key {
		return false
	}
	s.Phi, s.Delta, s.Plies = l.phi, l.delta, l.plies
	if s.Solved() {
		s.Hand = l.hand
	}
	return true
}

// cache stores a child in the leaf cache.
func (g *Goal) cache(s *proof.Child) {
	key := leafKey(s)
	*g.leafAt(key) = leaf{key, s.Phi, s.Delta, s.Hand, s.Plies}
}

// leafKey returns the key of a position and the move that led there, on which the initial proof
// numbers depend too.
func leafKey(s *proof.Child) uint64 { return s.Key ^ uint64(s.Move)<<36 }
