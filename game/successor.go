package game

// Infinity is the proof number of what cannot be proved any more. Numbers from 1 to
// Infinity-1 are open, 0 is done.
const Infinity = 1 << 30

// Successor is a move and what is known of the position after it: proof numbers of the
// player to move there, Phi to reach his goal, Delta to see that he cannot. The rules fill
// in what they know at sight, a search what it has found out.
type Successor struct {
	Key        uint64 // of the position after the move; 0: the game is over there
	Work       uint64 // of the search
	Phi, Delta uint32
	Move       Move
	Hint       uint16 // Move16 of the move that a search would look at first there
	// Loop says which position that has occurred before a solved successor depends on: 0 is
	// none, 1 one before the root of the search, n+2 that n plies after the root.
	Loop uint16
	// Plies is within how many plies a solved successor is over, where somebody counts them.
	Plies uint16
	// After says that it is looked at only once the successor before it in the list is solved:
	// it is like that one, and hardly better.
	After bool
	// Class and Stock compare positions that differ only in what the attacker has in stock. Class
	// is the key of all such positions, 0 if there are no others. Stock is what he has; of a
	// solved successor, what is enough for him to reach his goal, or as much as is not enough.
	Stock uint32
	Class uint64
}

// Lose makes s a move after which the opponent has lost, that is a winning one.
func (s *Successor) Lose() { s.Phi, s.Delta = Infinity, 0 }

// Win makes s a move after which the opponent has won.
func (s *Successor) Win() { s.Phi, s.Delta = 0, Infinity }

// Solved reports whether the numbers are final.
func (s *Successor) Solved() bool { return s.Phi == 0 || s.Delta == 0 }

// Prefetcher is told of keys that will be looked up soon.
type Prefetcher interface{ Prefetch(key uint64) }

// Memory is a Prefetcher that fills in what it knows of a successor, and reports whether that
// is anything.
type Memory interface {
	Prefetcher
	Known(*Successor) bool
}
