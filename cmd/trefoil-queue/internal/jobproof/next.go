package jobproof

import (
	"fmt"
	"slices"

	"trefoil/search/proof"
)

const (
	// budgetPart is the budget of a job, in parts of all nodes searched before: one thousand workers have about half as
	// many nodes in flight as the proof has taken.
	budgetPart = 2048
	// leastPart is the part of its budget that a job searches in any case.
	leastPart = 16
	// confirmFactor and judgeFactor are the budgets of second and third searches, in parts of the first one's nodes.
	confirmFactor = 4
	judgeFactor   = 16
	// virtualLoss is what each job below a position adds to its δ at most, in 1/16.
	virtualLoss = 16
	// epsilon is the ε of thresholds, in 1/16, as in package proof.
	epsilon = 6
)

// limits are numbers of the player to move at which a search ends.
type limits struct{ phi, delta uint64 }

// Next returns a job, false if there is none before another result. Every job that is given counts as a
// loss below the positions on the way to it, so that jobs should be drawn when they are wanted, and not all
// that there are. Jobs to judge and to confirm come first, so that a liar is found early. What only the
// coordinator may do is for the caller to see: a job with Purpose Judge, or to Confirm where Job.Not has
// all workers that there are.
func (t *Tree) Next() (Job, bool) {
	if n := t.dispute(); n != nil {
		return t.give(Judge, []*node{n}, limits{}), true
	}
	for _, root := range t.roots {
		if !root.solved() {
			t.serial++
			path, at := t.leaf(root, nil, limits{proof.Infinity, proof.Infinity})
			if path == nil {
				return Job{}, false
			}
			return t.give(Search, path, at), true
		}
		if path := t.unconfirmed(root); path != nil && !t.options.Unconfirmed {
			return t.give(t.confirmation(path[len(path)-1]), path, limits{}), true
		}
		if root.proved() {
			break
		}
	}
	return Job{}, false
}

// confirmation is the purpose of the second search of a node. What a worker was to show and has not, the
// coordinator searches.
func (t *Tree) confirmation(n *node) Purpose {
	if t.options.Known != nil && n.lacksProof() {
		return Judge
	}
	return Confirm
}

// give makes a job of the last node of a path.
func (t *Tree) give(purpose Purpose, path []*node, at limits) Job {
	n := path[len(path)-1]
	n.tries++
	job := Job{
		ID: fmt.Sprintf("%016x-%s-%d", n.key, purpose, n.tries), Version: t.version, Game: t.game.Name(),
		Goal: t.problem.Goals[n.goal], Moves: n.moves, Purpose: purpose,
	}
	budget := within(t.searched/budgetPart, t.options.Nodes)
	switch purpose {
	case Search:
		job.Nodes, job.Least = budget, max(budget/leastPart, 1)
		job.Phi, job.Delta = sides(uint32(at.phi), uint32(at.delta), n.attacking)
	case Confirm:
		job.Nodes = confirmFactor * within(n.mostNodes(), budget)
		if job.Certify = t.options.Known != nil; !job.Certify {
			job.Not = n.solvers()
		}
	case Judge:
		job.Nodes = judgeFactor * within(n.mostNodes(), budget)
	}
	for _, n := range path {
		n.below++
	}
	n.busy = true
	t.inFlight[job.ID] = path
	return job
}

// within returns a number of nodes, at least this many, or else at most mostNodes: workers may say that they have
// searched any number.
func within(nodes, least uint64) uint64 { return max(least, min(nodes, mostNodes)) }

// Release takes a job back that will have no result. A job that is not given is ignored.
func (t *Tree) Release(id string) {
	path, ok := t.inFlight[id]
	if !ok {
		return
	}
	delete(t.inFlight, id)
	for _, n := range path {
		n.below--
	}
	path[len(path)-1].busy = false
}

// leaf returns the path from n to the most-proving leaf that has no job, nil if there is none, and the numbers at which
// another leaf becomes the most-proving one, by the thresholds of df-pn. n has the limits at.
func (t *Tree) leaf(n *node, path []*node, at limits) ([]*node, limits) {
	path = append(path, n)
	if !n.expanded {
		if n.busy || n.disputed {
			return nil, at
		}
		return path, at
	}
	for {
		best, second := t.best(n)
		if best == nil {
			n.mark = t.serial
			return nil, at
		}
		if found, at := t.leaf(best, path, below(n, best, second, at)); found != nil {
			return found, at
		}
		best.mark = t.serial
	}
}

// best returns the child of the least virtual δ, of those that may have a leaf, nil if there is none, and that δ of
// the second best.
func (t *Tree) best(n *node) (best *node, second uint64) {
	least, second := uint64(proof.Infinity), uint64(proof.Infinity)
	for i, e := range n.children {
		if e.node.solved() || e.node.mark == t.serial || e.delay > 0 && delayed(e, n.children[:i]) {
			continue
		}
		if delta := virtual(n, e.node); best == nil || delta < least {
			best, least, second = e.node, delta, least
		} else {
			second = min(second, delta)
		}
	}
	return best, second
}

// virtual returns δ of a child of n with a virtual loss for every job below it. The loss is greater the
// more φ of n exceeds δ: a player who fails has all moves refuted, so that no job among them is for
// nothing, where of the moves of one who wins only one is wanted.
func virtual(n, child *node) uint64 {
	delta, phi := uint64(child.delta), uint64(n.phi)
	loss := virtualLoss * phi / (phi + uint64(n.delta))
	return delta + (delta*loss/16+1)*uint64(child.below)
}

// below returns the limits of a child of a node with the limits at: where the node reaches its own, or the second best
// child becomes better by a factor of 1+ε.
func below(n, child *node, second uint64, at limits) limits {
	phi, delta := uint64(child.phi), uint64(child.delta)
	others := uint64(n.delta) - min(uint64(n.delta), phi)
	return limits{
		phi:   min(max(at.delta-min(others, at.delta), raised(phi)), proof.Infinity),
		delta: min(max(min(at.phi, raised(second)), raised(delta)), proof.Infinity),
	}
}

// raised returns a number that is greater by a factor of 1+ε.
func raised(n uint64) uint64 { return n + n*epsilon/16 + 1 }

// delayed reports whether a move with a delay has to wait for a move before it.
func delayed(e edge, before []edge) bool {
	for _, b := range slices.Backward(before) {
		if !b.node.solved() && (e.delay == proof.UntilSolved || b.node.work() < uint64(e.delay)) {
			return true
		}
		if b.delay == 0 {
			return false
		}
	}
	return false
}
