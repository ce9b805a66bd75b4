package proof

import (
	"trefoil/game"
	"trefoil/window"
)

// Stocks is a Game in which positions are compared that differ only in what the attacker has
// in stock (see game.Successor): if he reaches his goal, then also with more, and if not, then
// neither with less. The table keeps the last verdict of either kind on every class. Its Expand
// is given a game.Memory, and asks it about every successor that is not solved at sight.
type Stocks interface {
	Game
	// Covers reports whether a stock is at least another.
	Covers(stock, other uint32) bool
	// Suffices returns the stock that is enough in the present position, or as much as is
	// not enough: it is solved, the player to move has reached his goal or not, by the
	// solved successors or by that of them that is named alone.
	Suffices(kids []game.Successor, witness int, reached bool) uint32
}

// memory is what a table knows of successors.
type memory struct{ *window.Handle }

// Known is that of game.Memory.
func (m memory) Known(s *game.Successor) bool {
	e, ok := m.Probe(s.Key)
	if ok {
		fill(s, e)
	}
	return ok
}

// proved and failed are what the key of a class is changed by.
const (
	proved = 0x9e3779b97f4a7c14
	failed = 0xc2b2ae3d27d4eb4e
)

// compare settles those of the unsolved successors of the present position by whose class
// they are settled.
func (w *worker) compare(kids []game.Successor) {
	attacking := !w.game.Attacking()
	for i := range kids {
		k := &kids[i]
		if k.Class == 0 || k.Solved() {
			continue
		}
		e, ok := w.ofClass(k.Class ^ proved)
		if ok && w.stocks.Covers(k.Stock, stockOf(e)) && (e.Phi == 0) == attacking {
			w.settleBy(k, e)
			continue
		}
		if e, ok = w.ofClass(k.Class ^ failed); ok && w.stocks.Covers(stockOf(e), k.Stock) && (e.Phi == 0) != attacking {
			w.settleBy(k, e)
		}
	}
}

// ofClass returns the entry of a class.
func (w *worker) ofClass(key uint64) (window.Entry, bool) {
	if !w.table.MayHold(key) {
		return window.Entry{}, false
	}
	e, ok := w.table.Probe(key)
	return e, ok && e.Solved()
}

// settleBy takes over the verdict on the class of k, and stores it as that on k.
func (w *worker) settleBy(k *game.Successor, e window.Entry) {
	fill(k, e)
	w.table.Store(k.Key, e)
}

// storeClass makes e the entry of a solved position and stores that of its class.
func (w *worker) storeClass(node *game.Successor, e *window.Entry) {
	if e.Phi == 0 {
		e.Delta |= node.Stock
	} else {
		e.Phi |= node.Stock
	}
	if node.Class == 0 {
		return
	}
	if (node.Phi == 0) == w.game.Attacking() {
		w.table.Store(node.Class^proved, *e)
	} else {
		w.table.Store(node.Class^failed, *e)
	}
}

// stockOf returns the stock of a solved entry.
func stockOf(e window.Entry) uint32 { return (e.Phi | e.Delta) &^ Infinity }
