package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
)

// An Observer stands between a worker and the table: it counts, checks or records the probes and
// stores of the search, and passes them on. Without one the search calls the table directly.
type Observer interface {
	// Probe looks p up, as t.Probe does.
	Probe(t *cluster.Table, p Position, q Query) (cluster.Found, bool)
	// Used is called with the use that the search made of the last entry found.
	Used(u Use)
	// Store stores an entry for p, as t.Store does.
	Store(t *cluster.Table, p Position, e cluster.Entry)
}

// A Query is what a node probes the table for: an entry of at least that depth whose bound decides
// on which side of the window the value is.
type Query struct {
	Depth       int
	Alpha, Beta int
	PV          bool // there is no table cutoff
}

// Use is what a search used of an entry.
type Use struct {
	Cutoff bool // it ended the node
	Move   bool // its move is legal, and tried first
	Eval   bool // its evaluation was taken
}

// used reports to the observer how the entry of n was used.
func (w *worker) used(n *node, cutoff bool) {
	w.observer.Used(Use{
		Cutoff: cutoff,
		Move:   !cutoff && n.table != game.None,
		Eval:   !cutoff && !n.f.inCheck && n.entry.Eval != none,
	})
}

// store stores an entry for the position.
func (w *worker) store(e cluster.Entry) {
	key := w.pos.Key()
	if w.observer != nil && key&w.unobserved == 0 {
		w.observer.Store(w.table, w.pos, e)
		return
	}
	w.table.Store(key, e)
}
