package shogi

import "trefoil/game"

// A glance is what was seen of a successor that was tried. The table has those that were searched; a
// proof comes back to most positions before it has searched all of their moves, and would look
// at the others again each time.
type glance struct {
	key        uint64 // of a position and the move that led there
	phi, delta uint32
	stock      uint32 // if it is solved
	plies      uint16
}

// glances is how many are kept, a power of two: 2^15 are met a little more often than 2^12, and take longer.
const glances = 1 << 12

// glanceAt returns where the glance of a key is kept.
func (c *Claim) glanceAt(key uint64) *glance {
	if c.glances == nil {
		c.glances = make([]glance, glances)
	}
	return &c.glances[key>>20%glances]
}

// glanced fills in what was seen of a successor lately, and reports whether anything was. What is
// guessed of a position depends on the move that led there.
func (c *Claim) glanced(s *game.Successor) bool {
	key := glanceKey(s)
	g := c.glanceAt(key)
	if g.key != key {
		return false
	}
	s.Phi, s.Delta, s.Plies = g.phi, g.delta, g.plies
	if s.Solved() {
		s.Stock = g.stock
	}
	return true
}

// keep keeps what was seen of a successor.
func (c *Claim) keep(s *game.Successor) {
	key := glanceKey(s)
	*c.glanceAt(key) = glance{key, s.Phi, s.Delta, s.Stock, s.Plies}
}

// glanceKey is the key of a position and the move that led there.
func glanceKey(s *game.Successor) uint64 { return s.Key ^ uint64(s.Move)<<36 }
