package jobproof

import (
	"math"
	"slices"

	"trefoil/search/proof"
)

// node is a position of the tree. Its numbers are for the player to move.
type node struct {
	key       uint64
	goal      int
	attacking bool
	moves     string // that lead here from the position of the goal
	parents   []*node
	expanded  bool // it has its children
	children  []edge
	claims    []claim
	best      claim     // the numbers of most nodes that a job of a parent has returned
	initial   [2]uint32 // those of the game; zeros if no parent has listed it
	sum       proof.Sum // of its children

	phi, delta uint32
	rule       bool // it is solved by the rules
	derived    bool // it is solved by its children
	confirmed  bool // it is solved, and no single worker can be wrong about it
	disputed   bool // workers contradict each other
	certified  bool // the moves that show its result are known
	mate       int  // then, within how many moves somebody mates

	tries  int    // jobs given
	below  int    // jobs given and not answered, here and below
	busy   bool   // there is one for this node
	mark   uint64 // Tree.serial when it was found to have no leaf for a job
	queued bool   // it is in Tree.changed
}

// edge is a move.
type edge struct {
	node  *node
	delay uint16 // as proof.Child.Delay
}

// claim is what a worker says of a node, with numbers of the player to move.
type claim struct {
	worker     *worker
	confirm    bool // the answer to a job to confirm or to judge
	phi, delta uint32
	nodes      uint64
}

func solved(phi, delta uint32) bool { return phi == 0 || delta == 0 }

func (c *claim) solved() bool { return solved(c.phi, c.delta) }

func (n *node) solved() bool { return solved(n.phi, n.delta) }

// proved reports whether the goal is proved.
func (n *node) proved() bool { return n.solved() && (n.phi == 0) == n.attacking }

// less orders numbers that are not final: of most nodes is best, and the rest makes the order total.
func (c *claim) less(d *claim) bool {
	if c.nodes != d.nodes {
		return c.nodes < d.nodes
	}
	if c.phi != d.phi {
		return c.phi < d.phi
	}
	return c.delta < d.delta
}

// mostNodes returns the most that one worker has searched to solve the node.
func (n *node) mostNodes() (most uint64) {
	for i := range n.claims {
		if n.claims[i].solved() {
			most = max(most, n.claims[i].nodes)
		}
	}
	return most
}

// work returns how many nodes have been searched below n, as far as a delay depends on it: a job is always enough.
func (n *node) work() uint64 {
	if n.expanded {
		return math.MaxUint64
	}
	return n.best.nodes
}

// solvers returns the names of the workers that say that they have solved the node.
func (n *node) solvers() (names []string) {
	for i := range n.claims {
		if c := &n.claims[i]; c.solved() && !slices.Contains(names, c.worker.name) {
			names = append(names, c.worker.name)
		}
	}
	slices.Sort(names)
	return names
}

// verdict is what the claims of a node come to.
type verdict struct {
	phi, delta     uint32 // Solved or 1, 1
	confirmed, own bool
	disputed       bool
}

// verdict evaluates the claims, whatever their order. The coordinator's own search decides. Else two
// workers that agree confirm each other, unless results have to be shown, and one alone is believed for the
// time being, unless a second search has not come to an end.
func (n *node) verdict(show bool) verdict {
	var winning, losing []*worker
	var ownUnknown bool
	var doubts []*worker
	for i := range n.claims {
		c := &n.claims[i]
		switch {
		case c.worker.own && c.solved():
			return verdict{phi: c.phi, delta: c.delta, confirmed: true, own: true}
		case c.worker.own:
			ownUnknown = true
		case c.phi == 0:
			winning = with(winning, c.worker)
		case c.delta == 0:
			losing = with(losing, c.worker)
		case c.confirm:
			doubts = with(doubts, c.worker)
		}
	}
	unknown := verdict{phi: 1, delta: 1}
	if len(winning) > 0 && len(losing) > 0 {
		unknown.disputed = !ownUnknown
		return unknown
	}
	v, by := verdict{delta: proof.Infinity}, winning
	if len(losing) > 0 {
		v, by = verdict{phi: proof.Infinity}, losing
	}
	switch {
	case len(by) == 0:
		return unknown
	case len(by) > 1 && !show:
		v.confirmed = true
	case ownUnknown || len(with(doubts, by[0])) > 1:
		return unknown
	}
	return v
}

// with returns a set of workers with one more.
func with(set []*worker, w *worker) []*worker {
	if slices.Contains(set, w) {
		return set
	}
	return append(set, w)
}

// claim adds a claim to a node, unless it is there already, which it reports.
func (t *Tree) claim(n *node, c claim) bool {
	if n.rule {
		if c.solved() && (c.phi == 0) != (n.phi == 0) {
			t.accuse(c.worker)
		}
		return false
	}
	if slices.Contains(n.claims, c) {
		return false
	}
	n.claims = append(n.claims, c)
	t.touch(n)
	return true
}

// touch makes recompute compute the numbers of a node.
func (t *Tree) touch(n *node) {
	if !n.queued && !n.rule {
		n.queued = true
		t.changed = append(t.changed, n)
	}
}

// recompute computes the numbers of all nodes that were touched and of those above them.
func (t *Tree) recompute() {
	for len(t.changed) > 0 {
		n := t.changed[0]
		t.changed = t.changed[1:]
		n.queued = false
		if t.compute(n) {
			for _, p := range n.parents {
				t.touch(p)
			}
		}
	}
}

// compute computes the numbers of a node from its claims and children, and reports whether they have changed.
func (t *Tree) compute(n *node) bool {
	phi, delta, confirmed := n.phi, n.delta, n.confirmed
	n.fromBelow(t)
	v := n.verdict(t.options.Known != nil)
	n.disputed = v.disputed
	switch below := n.derived; {
	case !solved(v.phi, v.delta):
	case !below:
		n.phi, n.delta, n.confirmed = v.phi, v.delta, v.confirmed
	case v.phi == n.phi:
		n.confirmed = n.confirmed || v.confirmed
	case n.confirmed && v.confirmed && !v.own: // several workers lie
		n.phi, n.delta, n.confirmed, n.derived, n.disputed = 1, 1, false, false, true
	case v.confirmed:
		n.phi, n.delta, n.confirmed, n.derived = v.phi, v.delta, true, false
	}
	if n.disputed {
		t.disputes[n] = true
	} else {
		delete(t.disputes, n)
	}
	if n.confirmed {
		for i := range n.claims {
			if c := &n.claims[i]; c.solved() && c.phi != n.phi && !c.worker.own {
				t.accuse(c.worker)
			}
		}
	}
	return n.phi != phi || n.delta != delta || n.confirmed != confirmed
}

// fromBelow computes the numbers of a node from its children, or the numbers of a leaf.
func (n *node) fromBelow(t *Tree) {
	n.derived, n.confirmed = false, false
	if !n.expanded {
		n.phi, n.delta = max(n.initial[0], 1), max(n.initial[1], 1)
		if n.best.worker != nil {
			n.phi, n.delta = n.best.phi, n.best.delta
		}
		return
	}
	t.scratch = t.scratch[:0]
	all, win := true, false
	for _, e := range n.children {
		c := e.node
		t.scratch = append(t.scratch, proof.Child{Phi: c.phi, Delta: c.delta, Work: c.work(), Delay: e.delay})
		all = all && c.confirmed
		win = win || c.delta == 0 && c.confirmed
	}
	n.phi, n.delta = proof.Numbers(t.scratch, n.sum)
	n.derived = n.solved()
	n.confirmed = n.phi == 0 && win || n.delta == 0 && all
}
