package proof

import "trefoil/window"

// LengthGoal is a Goal that may have a limit on the plies within which the attacker has to reach it.
// A result for one limit holds for others too: a proof for every longer limit and without one, a
// failure for every shorter limit. So the table has two more entries of a position: the shortest
// proof, which is the entry of the goal without a limit, and the longest limit that fails.
type LengthGoal interface {
	Goal
	// Limit returns the plies within which the attacker has to reach its goal, and the words by which
	// the keys of the present position and of its children differ from those without a limit.
	// Without a limit all are 0.
	Limit() (plies int, word, childWord uint64)
}

// failures, XORed with the key of a position without a limit, gives the key of the longest limit that
// fails.
const failures = 0xd6e8feb86659fd93

// lookup makes a table a Prober. With a limit it also uses the results for other limits.
type lookup struct {
	*window.Handle
	attacking bool   // the attacker moves in the children
	plies     int    // the limit of the children
	word      uint64 // by which their keys differ from those without a limit; 0: no limit
}

// setLimit prepares the lookup for the children of the present position.
func (w *worker) setLimit() {
	plies, _, word := w.lengths.Limit()
	w.lookup.attacking, w.lookup.plies, w.lookup.word = !w.goal.Attacking(), plies-1, word
}

// Probe is Prober.Probe.
func (l *lookup) Probe(c *Child) bool {
	var any window.Entry
	known := false
	if l.word != 0 {
		if any, known = l.Handle.Probe(c.Key ^ l.word); known && l.decides(any) {
			fill(c, any)
			return true
		}
		if e, ok := l.Handle.Probe(c.Key ^ l.word ^ failures); ok && int(e.Plies) >= l.plies {
			fill(c, e)
			return true
		}
	}
	if e, ok := l.Handle.Probe(c.Key); ok {
		fill(c, e)
		return true
	}
	if known && !any.Solved() && l.plies > 2 {
		fill(c, any)
		c.Work = 0
		return true
	}
	return false
}

// decides reports whether an entry without a limit solves a child with one.
func (l *lookup) decides(e window.Entry) bool {
	return e.Solved() && ((e.Phi == 0) != l.attacking || int(e.Plies) <= l.plies)
}

// storeLimits stores the result of a position that is solved with a limit for other limits as well.
func (w *worker) storeLimits(node *Child, e window.Entry) {
	plies, word, _ := w.lengths.Limit()
	if word == 0 {
		return
	}
	key, board := node.Key^word, node.BoardKey^word
	if (node.Phi == 0) == w.goal.Attacking() {
		w.storeShorter(key, e)
		if node.BoardKey != 0 {
			w.storeShorter(board^proofPieces, e)
		}
		return
	}
	e.Plies = uint16(plies)
	if old, ok := w.table.Probe(key ^ failures); !ok || old.Plies < e.Plies {
		w.table.Store(key^failures, e)
	}
}

// storeShorter stores a proof unless the table has one that is not longer.
func (w *worker) storeShorter(key uint64, e window.Entry) {
	if old, ok := w.table.Probe(key); !ok || !old.Solved() || old.Plies > e.Plies {
		w.table.Store(key, e)
	}
}
