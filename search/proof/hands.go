package proof

import "trefoil/window"

// HandGoal is a Goal with dominance by hands: positions that differ only in the attacker's hand are
// compared (see Child). If the attacker reaches the goal with a hand, it does so with every hand that
// dominates it. If it fails with a hand, it fails with every hand that this one dominates. For every board
// the table has the proof pieces and the disproof pieces found last. The table that Expand gets is a
// Prober, and Expand probes every child that it does not solve itself.
type HandGoal interface {
	Goal
	// Dominates reports whether a hand has at least as many pieces of every kind as another.
	Dominates(hand, other uint32) bool
	// SolvingHand returns the proof pieces of the present position if the attacker has reached
	// its goal, else the disproof pieces. won says whether the player to move has won; witness is
	// the child that shows the result, -1 if there are no children.
	SolvingHand(children []Child, witness int, won bool) uint32
}

// Masks that turn a board key into the keys of its two entries.
const (
	proofPieces    = 0x9e3779b97f4a7c14
	disproofPieces = 0xc2b2ae3d27d4eb4e
)

// solveByHand solves the unsolved children that the proof or disproof pieces of their board decide.
func (w *worker) solveByHand(children []Child) {
	attacking := !w.goal.Attacking()
	for i := range children {
		c := &children[i]
		if c.BoardKey == 0 || c.Solved() {
			continue
		}
		e, ok := w.boardEntry(c.BoardKey ^ proofPieces)
		if ok && w.hands.Dominates(c.Hand, handOf(e)) && (e.Phi == 0) == attacking {
			w.solveBy(c, e)
			continue
		}
		if e, ok = w.boardEntry(c.BoardKey ^ disproofPieces); ok && w.hands.Dominates(handOf(e), c.Hand) &&
			(e.Phi == 0) != attacking {
			w.solveBy(c, e)
			continue
		}
		if word := w.lookup.word; word != 0 {
			if e, ok = w.boardEntry(c.BoardKey ^ word ^ proofPieces); ok && w.hands.Dominates(c.Hand, handOf(e)) &&
				int(e.Plies) <= w.lookup.plies {
				w.solveBy(c, e)
			} else if e, ok = w.boardEntry(c.BoardKey ^ word ^ disproofPieces); ok && w.hands.Dominates(handOf(e), c.Hand) {
				w.solveBy(c, e)
			}
		}
	}
}

// boardEntry returns the solved entry of a board.
func (w *worker) boardEntry(key uint64) (window.Entry, bool) {
	if !w.table.MayHold(key) {
		return window.Entry{}, false
	}
	e, ok := w.table.Probe(key)
	return e, ok && e.Solved()
}

// solveBy gives c the result of e, an entry of its board, and stores it under the key of c.
func (w *worker) solveBy(c *Child, e window.Entry) {
	fill(c, e)
	w.table.Store(c.Key, e)
}

// storeHand adds the hand to the entry of a solved position, and stores the entry of its board.
func (w *worker) storeHand(node *Child, e *window.Entry) {
	*e = withHand(*e, node.Hand)
	if node.BoardKey == 0 {
		return
	}
	if (node.Phi == 0) == w.goal.Attacking() {
		w.table.Store(node.BoardKey^proofPieces, *e)
	} else {
		w.table.Store(node.BoardKey^disproofPieces, *e)
	}
}

// withHand returns a solved entry with a hand.
func withHand(e window.Entry, hand uint32) window.Entry {
	if e.Phi == 0 {
		e.Delta |= hand
	} else {
		e.Phi |= hand
	}
	return e
}

// handOf returns the hand of a solved entry. Of φ and δ one is 0 and the other Infinity, so the bits
// below Infinity are free for it.
func handOf(e window.Entry) uint32 { return (e.Phi | e.Delta) &^ Infinity }
