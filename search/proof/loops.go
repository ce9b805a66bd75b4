package proof

import (
	"sync/atomic"

	"trefoil/window"
	"trefoil/zobrist"
)

// PathGoal is a Goal whose results may depend on the path (Child.Loop). Such a result holds wherever
// the path is the same, so the table has it under a key of the path (compare the twin entries of
// Kishimoto and Müller 2004). df-pn returns to the same paths again and again, and would search
// below them again each time.
type PathGoal interface {
	Goal
	// PathKey returns a key of the present position and of all earlier positions that a result may depend on;
	// 0 if no result depends on them.
	PathKey() uint64
	// SetRoot makes the present position the root of the search, from which Child.Loop counts.
	SetRoot()
}

// loops tells whether the table may have results that depend on the path.
type loops struct{ stored atomic.Bool }

// pathTo returns the key of the path to a child of the present position.
func (w *worker) pathTo(key uint64) uint64 { return zobrist.Mix(w.path ^ key) }

// recallLoops fills in the children that are solved on this path.
func (w *worker) recallLoops(children []Child) {
	if w.loops == nil || !w.loops.stored.Load() {
		return
	}
	for i := range children {
		c := &children[i]
		if c.Solved() {
			continue
		}
		key := w.pathTo(c.Key)
		if !w.table.MayHold(key) {
			continue
		}
		if e, ok := w.table.Probe(key); ok && e.Solved() {
			fill(c, e)
			c.Loop, c.Plies = e.Plies, 0
		}
	}
}

// storeLoop stores a result that depends on the path. The entry has Loop in place of Plies.
func (w *worker) storeLoop(node *Child) {
	if w.loops == nil {
		return
	}
	e := window.Entry{Phi: node.Phi, Delta: node.Delta, Work: node.Work, Move: node.Hint, Plies: node.Loop}
	if w.hands != nil {
		e = withHand(e, node.Hand)
	}
	w.table.Store(w.path, e)
	if !w.loops.stored.Load() {
		w.loops.stored.Store(true)
	}
}

// maxReturns is how many positions in a row may be left without a search below them. Ordinary searches have up to 20.
const maxReturns = 100

// extend reports whether to search below a position whose numbers reach a threshold before any child is
// searched. As a rule such a position is left at once. But where positions repeat, their numbers can depend
// on each other in a circle, and the search would return to known positions without end. So after
// maxReturns of them in a row the thresholds are raised until a new position is reached (compare the
// threshold control of Kishimoto 2010).
func (w *worker) extend(s *summary) bool {
	if s.phi == 0 || s.delta == 0 {
		return false
	}
	w.returns++
	return w.returns > maxReturns
}
