package proof

import (
	"math"

	"trefoil/game"
)

// Infinity is the proof number of what cannot be proved. Numbers from 1 to Infinity-1 are
// open; 0 is proved.
const Infinity = 1 << 30

// Child is a move and what is known of the position after it. Phi and Delta are from the view of the player
// to move in that position: Phi estimates the search left until it reaches its goal, Delta until it is
// clear that it cannot. The game fills in the initial numbers, the search updates them.
type Child struct {
	Key        uint64 // of the position after the move; 0: the game is over there
	Work       uint64 // nodes searched below it
	Phi, Delta uint32
	Move       game.Move
	Hint       uint16 // the 16 bits of the move to search first in that position
	// Loop is the position whose repetition the result of a solved child depends on (graph-history
	// interaction): 0 for none, 1 for one before the root of the search, n+2 for that n plies after
	// the root.
	Loop uint16
	// Plies is an upper bound on the plies to the end of the game from a solved child, in games
	// that count them.
	Plies uint16
	// Delay excludes the child until the one before it in the list, which is similar and hardly worse, is
	// solved or has that much Work; 0 does not exclude it.
	Delay uint16
	// BoardKey and Hand serve to compare positions that differ only in what the attacker has in
	// hand. BoardKey is the key of all such positions, 0 if there are no others. Hand is the
	// attacker's; for a solved child it is the proof or disproof pieces.
	Hand     uint32
	BoardKey uint64
}

// UntilSolved is a Delay that ends only when the child before is solved.
const UntilSolved = math.MaxUint16

// Lose makes c a move after which the opponent has lost, that is a winning one.
func (c *Child) Lose() { c.Phi, c.Delta = Infinity, 0 }

// Win makes c a move after which the opponent has won.
func (c *Child) Win() { c.Phi, c.Delta = 0, Infinity }

// Solved reports whether the numbers are final.
func (c *Child) Solved() bool { return c.Phi == 0 || c.Delta == 0 }

// Prefetcher loads the entry of a key that will be looked up soon into the cache.
type Prefetcher interface{ Prefetch(key uint64) }

// Prober is a Prefetcher that also fills in a child from its entry in the table, and reports
// whether there is one.
type Prober interface {
	Prefetcher
	Probe(*Child) bool
}
