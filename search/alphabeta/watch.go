package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
)

// A Watch follows what one worker does with the table: it counts, checks or records it.
// Every Probe and Store of the search goes through it, and it decides what comes of them.
// It belongs to one worker. A search without one asks the table itself.
type Watch interface {
	// Probe looks up p, as t.Probe does.
	Probe(t *cluster.Table, p Position, q Question) (cluster.Entry, bool)
	// Used tells what the last entry found was good for.
	Used(u Use)
	// Store stores what is known of p, as t.Store does.
	Store(t *cluster.Table, p Position, e cluster.Entry)
}

// A Question is what a node asks the table: an entry of that depth or more whose value
// settles on which side of the window the position is.
type Question struct {
	Depth       int
	Alpha, Beta int
	PV          bool // the node does not end by the table
}

// Use is what an entry was good for.
type Use struct {
	Cutoff bool // it ended the node
	Move   bool // its move is legal, and tried first
	Eval   bool // its evaluation was taken
}

// used tells the watch what the entry of n was good for.
func (w *worker) used(n *node, cutoff bool) {
	w.watch.Used(Use{
		Cutoff: cutoff,
		Move:   !cutoff && n.table != game.None,
		Eval:   !cutoff && !n.f.inCheck && n.entry.Eval != none,
	})
}

// store stores what is known of the position.
func (w *worker) store(e cluster.Entry) {
	if w.watch != nil {
		w.watch.Store(w.table, w.pos, e)
		return
	}
	w.table.Store(w.pos.Key(), e)
}
