package exact

import (
	"trefoil/game/connect4"
	"trefoil/remainder"
)

// worker is one goroutine's search. All its memory is here: a node allocates nothing.
type worker struct {
	table     *remainder.Table
	team      *team
	symmetric bool // keys are those of the smaller mirror image

	count   uint64 // nodes
	told    uint64 // of them, those the team has heard of
	stopped bool   // what search returns is no bound any more
	path    []leg  // from the root to here, as far as others are told
	outrun  *node  // of path, where being stopped ends; nil = nowhere

	children [connect4.Cells][connect4.Width]node // by the parent's ply
	history  history
}

// search returns a bound of the score of n for its mover: a lower one if it is at least
// t, else an upper one. n is resolved, bounded and probed, and that did not tell.
//
// Every child is resolved and bounded before any is probed, so that the table's lines can
// arrive meanwhile, and every child is probed before any is searched: one that is known to
// be good enough saves all the work.
func (w *worker) search(n *node, t int32) int32 {
	if w.count++; w.count%quotaEvery == 0 {
		w.stopped = w.stopped || w.team.mustStop(w) || w.isOutrun()
	}
	if w.stopped {
		return 0
	}
	before := w.count
	children, rest := w.expand(n, t, w.children[n.ply][:])
	if rest < t && len(children) > 0 {
		children, rest = w.probeAll(t, children, rest)
	} else if rest >= t {
		return rest
	}
	for i := 0; i < len(children) && rest < t; i++ {
		c := pick(children, i)
		v := rest
		switch {
		case !w.team.helping:
			v = w.searchChild(c, t)
		case i > 0 && w.putOff(c):
			i--
			continue
		default:
			if bound, ok := w.settled(n, t); ok {
				return bound
			}
			v = w.searchTogether(c, t)
		}
		if w.stopped {
			return 0
		}
		if v >= t {
			w.history.reward(n, children[:i+1])
		}
		rest = max(rest, v)
	}
	if rest >= t {
		n.lower = rest
	} else {
		rest = min(rest, n.upper)
		n.upper = rest
	}
	w.table.Store(n.key, pack(n.lower, n.upper, w.count-before+1))
	return rest
}

// searchChild is search for the parent's mover.
func (w *worker) searchChild(c *node, t int32) int32 {
	if c.same {
		return w.search(c, t)
	}
	return -w.search(c, 1-t)
}

// expand makes the children of n that have to be searched to tell whether its score is at
// least t. rest is the largest bound of the others: a lower one of n's score if at least
// t, and then that is the answer, else an upper one of theirs.
func (w *worker) expand(n *node, t int32, children []node) (open []node, rest int32) {
	rest = -connect4.Cells
	count := 0
	for moves := n.moves; moves != 0; moves &= moves - 1 {
		c := &children[count]
		n.child(moves&-moves, c)
		c.order = w.history.promise(n, c)
		if !c.resolve() {
			c.tell(c.question(t))
		}
		lower, upper := c.bounds()
		switch {
		case lower >= t:
			return nil, lower
		case upper < t:
			rest = max(rest, upper)
		default:
			c.key = c.keyOf(w.symmetric)
			w.table.Prefetch(c.key)
			count++
		}
	}
	return children[:count], rest
}

// probeAll asks the table for all children and keeps those that it leaves open. rest is
// as for expand.
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

// pick brings the best of children[i:] to i.
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

// probe tightens the bounds of c by the table.
func (w *worker) probe(c *node) {
	if v, ok := w.table.Probe(c.key); ok {
		lower, upper := unpack(v)
		c.lower, c.upper = max(c.lower, lower), min(c.upper, upper)
	}
}
