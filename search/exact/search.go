package exact

import "trefoil/remainder"

// worker is one goroutine's search. All its memory is here: a node allocates nothing.
type worker struct {
	board     *board
	table     *remainder.Table
	pool      *pool
	symmetric bool // mirror images share a key

	count      uint64     // nodes
	reported   uint64     // of them, reported to the pool
	stopped    bool       // the result of search is not valid
	path       []pathStep // shared nodes from the root to the current one
	superseded *node      // on the path: the search is stopped up to this node; nil = all of it

	children [lastBit + 1][]node // by the parent's ply
	history  history
}

// search returns a bound of the score of n for its mover: a lower bound if it is at least t, else an
// upper bound. n is resolved, bounded and probed, and its bounds do not decide.
//
// All children are resolved and bounded before any is probed, which gives the prefetches time, and
// all are probed before any is searched: a table hit that is good enough saves the search
// (enhanced transposition cutoff).
func (w *worker) search(n *node, t int32) int32 {
	if w.count++; w.count%checkInterval == 0 {
		w.stopped = w.stopped || w.pool.mustStop(w) || w.isSuperseded()
	}
	if w.stopped {
		return 0
	}
	b, before := w.board, w.count
	children, rest := w.expand(n, t, w.children[n.ply&lastBit]) // the mask drops the bounds check
	if rest < t && len(children) > 0 {
		children, rest = w.probeAll(t, children, rest)
	} else if rest >= t {
		return rest
	}
	for i := 0; i < len(children) && rest < t; i++ {
		c := pick(children, i)
		v := rest
		switch {
		case !w.pool.helping:
			v = w.searchChild(c, t)
		case i > 0 && w.deferChild(c):
			i--
			continue
		default:
			if bound, ok := w.probeAgain(n, t); ok {
				return bound
			}
			v = w.searchTogether(c, t)
		}
		if w.stopped {
			return 0
		}
		if v >= t {
			w.history.update(&b.prior, n, children[:i+1])
		}
		rest = max(rest, v)
	}
	if rest >= t {
		n.lower = rest
	} else {
		rest = min(rest, n.upper)
		n.upper = rest
	}
	w.table.Store(n.tableKey(), pack(n.lower, n.upper, w.count-before+1, b.workDrop))
	return rest
}

// searchChild is search for the parent's mover.
func (w *worker) searchChild(c *node, t int32) int32 {
	if c.sameMover {
		return w.search(c, t)
	}
	return -w.search(c, 1-t)
}

// expand generates the children of n that have to be searched to decide whether its score is at
// least t. rest is the largest bound of the others. If it is at least t it is a lower bound of n's
// score and the result, else an upper bound of their scores.
func (w *worker) expand(n *node, t int32, children []node) (open []node, rest int32) {
	b := w.board
	rest = -b.cells
	count := 0
	for moves := n.moves; moves != 0; moves &= moves - 1 {
		c := &children[count]
		n.child(b, moves&-moves, c)
		threats := c.otherWins &^ (c.moverWins << 1) // before resolve changes them; see moveScore, which is only an order
		if !c.resolve(b) {
			c.tighten(b, c.question(t))
		}
		lower, upper := c.bounds()
		switch {
		case lower >= t:
			return nil, lower
		case upper < t:
			rest = max(rest, upper)
		default:
			c.order = w.history.moveScore(n, c.cell, threats)
			c.setKey(b, w.symmetric)
			w.table.Prefetch(c.prefetchKey())
			count++
		}
	}
	return children[:count], rest
}

// probeAll probes the table for all children and returns the children that it does not decide. rest is as
// in expand.
func (w *worker) probeAll(t int32, children []node, rest int32) (open []node, all int32) {
	count := 0
	for i := range children {
		c := &children[i]
		w.probe(c)
		lower, upper := c.bounds()
		switch {
		case lower >= t:
			return nil, lower
		case upper < t:
			rest = max(rest, upper)
		default:
			if count != i {
				children[count] = *c
			}
			count++
		}
	}
	return children[:count], rest
}

// pick swaps the child of the highest move-ordering score among children[i:] to i.
func pick(children []node, i int) *node {
	best := i
	for j := i + 1; j < len(children); j++ {
		if children[j].order > children[best].order {
			best = j
		}
	}
	if best != i {
		children[i], children[best] = children[best], children[i]
	}
	return &children[i]
}

// probe tightens the bounds of c by its table entry.
func (w *worker) probe(c *node) {
	if v, ok := w.table.Probe(c.tableKey()); ok {
		lower, upper := unpack(v)
		c.lower, c.upper = max(c.lower, lower), min(c.upper, upper)
	}
}
