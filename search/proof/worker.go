package proof

import (
	"trefoil/internal/yield"
	"trefoil/window"
)

// params are the constants of a search.
type params struct {
	epsilon     uint64 // the ε of thresholds, in 1/16
	share       uint64 // of φ that all children but the greatest add to δ, in 1/16, unless the goal is a SumGoal
	quantum     uint64 // work between two visits to the root, if there are other threads
	minInFlight uint64 // positions of less work are not counted as in flight
	virtualLoss uint64 // what each thread below a child adds to its δ, in 1/16
}

var defaultParams = params{epsilon: 6, share: 12, quantum: 1000, minInFlight: 300, virtualLoss: 2}

// reportNodes is how many nodes a worker searches before it adds them to the common count.
const reportNodes = 256

// A worker searches in one goroutine. Its children are the moves of all positions on its path,
// position by position; children[0] is the root.
type worker struct {
	goal     Goal
	table    *window.Handle
	shared   *shared
	params   params
	children []Child
	ply      int
	returns  int // positions left without a search below them since the last new one
	nodes    uint64
	reported uint64 // nodes in the common count
	single   bool   // there are no other threads
	hands    HandGoal
	loops    *loops // nil if the goal has none
	path     uint64 // key of the positions on the path, if there are loops
	lengths  LengthGoal
	sums     SumGoal // nil: DefaultSum
	lookup   lookup
	prober   Prefetcher // for Expand: lookup if the goal compares hands, else the table
}

func (w *worker) reset(g Goal, table *window.Handle, shared *shared, p params) {
	*w = worker{goal: g, table: table, shared: shared, params: p, children: w.children[:0], single: !shared.parallel}
	w.prober = table
	if w.hands, _ = g.(HandGoal); w.hands != nil {
		w.lookup = lookup{Handle: table}
		w.prober = &w.lookup
	}
	w.lengths, _ = g.(LengthGoal)
	w.sums, _ = g.(SumGoal)
	if p, ok := g.(PathGoal); ok {
		if w.path = p.PathKey(); w.path != 0 {
			w.loops = shared.loops
		}
	}
}

// run searches from the root until it is solved or the search is stopped.
func (w *worker) run(root Child) {
	w.children = append(w.children[:0], root)
	quantum := w.params.quantum
	if w.single {
		quantum = 1 << 20
	}
	phi, delta := w.shared.thresholds()
	for !w.shared.stop.Load() {
		at := &w.children[0]
		if e, ok := w.table.Probe(at.Key); ok && (e.Solved() || e.Work > at.Work) {
			fill(at, e)
		}
		if w.shared.ended(&w.children[0]) {
			break
		}
		w.mid(0, phi, delta, quantum)
		w.shared.numbers.Store(uint64(w.children[0].Phi)<<32 | uint64(w.children[0].Delta))
	}
	if w.shared.ended(&w.children[0]) {
		w.shared.stop.Store(true)
	}
	w.countNodes()
}

// countNodes adds to the common count of nodes, and stops all workers at the limit.
func (w *worker) countNodes() {
	yield.Now()
	n := w.shared.nodes.Add(w.nodes - w.reported)
	w.reported = w.nodes
	if w.shared.limit > 0 && n >= w.shared.limit {
		w.shared.stop.Store(true)
	}
}

// fill fills in a child from its table entry.
func fill(c *Child, e window.Entry) {
	c.Phi, c.Delta, c.Work, c.Hint, c.Plies = e.Phi, e.Delta, e.Work, e.Move, e.Plies
	if c.Solved() {
		c.Hand = (c.Phi | c.Delta) &^ Infinity
		c.Phi, c.Delta = c.Phi&Infinity, c.Delta&Infinity
	}
}

// mid is the recursion of df-pn (multiple iterative deepening). It searches the present position of
// w.goal, whose record is w.children[at], until its numbers reach a threshold, the work reaches the
// budget or the search is stopped. It updates the record, stores it, and returns the work, at least 1.
func (w *worker) mid(at int, tPhi, tDelta uint32, budget uint64) uint64 {
	w.nodes++
	if w.nodes-w.reported >= reportNodes {
		w.countNodes()
	}
	first := len(w.children)
	if w.lengths != nil {
		w.setLimit()
	}
	w.table.PrefetchEntries(w.children[at].Key)
	if w.children[at].Work == 0 {
		w.returns = 0
	}
	w.children = w.goal.Expand(w.children, w.prober)
	w.probe(w.children[first:])
	w.recallLoops(w.children[first:])
	chosen := w.hinted(at, first)
	work, before := uint64(1), w.children[at].Work
	parallel := false
	var sum summary
	for {
		if parallel = !w.single && before+work >= w.params.minInFlight; parallel {
			w.refresh(w.children[first:])
			sum = w.summarise(w.children[first:], true)
		} else {
			sum = w.summarise(w.children[first:], false)
		}
		if work >= budget || w.shared.stop.Load() {
			break
		}
		if sum.phi >= tPhi || sum.delta >= tDelta {
			if work > 1 || !w.extend(&sum) {
				break
			}
			tPhi, tDelta = max(tPhi, sum.phi+1), max(tDelta, sum.delta+1)
		}
		if chosen < 0 || chosen != sum.best && !w.stay(&w.children[first+chosen], &sum, tPhi) {
			chosen = sum.best
		}
		work += w.descend(first, chosen, &sum, tPhi, tDelta, budget-work, parallel)
	}
	w.finish(at, first, &sum, work)
	w.children = w.children[:first]
	return work
}

// probe fills in what the table has on the unsolved children. It reads all index bytes first, then all
// entries that these point to, so that the memory latencies overlap. With dominance by hands Expand
// has probed them already.
func (w *worker) probe(children []Child) {
	if len(children) == 1 && children[0].Solved() {
		return
	}
	if w.hands != nil {
		w.solveByHand(children)
		return
	}
	var held [4]uint64 // bits of the children that the table may have
	for i := range children {
		if !children[i].Solved() && w.table.MayHold(children[i].Key) {
			held[i>>6&3] |= 1 << (i & 63)
		}
	}
	if held != [4]uint64{} {
		for i := range children {
			if held[i>>6&3]>>(i&63)&1 != 0 && !children[i].Solved() {
				if e, ok := w.table.Probe(children[i].Key); ok {
					fill(&children[i], e)
				}
			}
		}
	}
}

// refresh takes over from the table what other threads have found out about children of much work.
func (w *worker) refresh(children []Child) {
	for i := range children {
		c := &children[i]
		if c.Solved() || c.Work < w.params.minInFlight && w.shared.inFlight.below(c.Key) == 0 {
			continue
		}
		if e, ok := w.table.Probe(c.Key); ok && (e.Solved() || e.Work > c.Work) {
			fill(c, e)
		}
	}
}

// hinted returns the child that was searched last, -1 if there is none.
func (w *worker) hinted(at, first int) int {
	if w.children[at].Hint == 0 {
		return -1
	}
	m := w.goal.FromMove16(w.children[at].Hint)
	for i := range w.children[first:] {
		if w.children[first+i].Move == m && !w.children[first+i].Solved() {
			return i
		}
	}
	return -1
}

// stay reports whether to go on with the child searched last although another is better: as long as
// its δ is below the threshold that it would get.
func (w *worker) stay(last *Child, sum *summary, tPhi uint32) bool {
	return last.Delta < min(tPhi, w.deltaThreshold(sum.phi)) && !last.Solved()
}

// descend searches child number i.
func (w *worker) descend(first, i int, sum *summary, tPhi, tDelta uint32, budget uint64, parallel bool) uint64 {
	c := &w.children[first+i]
	next := sum.second
	if i != sum.best {
		next = sum.phi
	}
	childPhi := phiThreshold(sum, c.Phi, tDelta)
	childDelta := max(min(tPhi, w.deltaThreshold(next)), c.Delta+1)
	key := c.Key
	if parallel {
		w.shared.inFlight.enter(key)
	}
	path := w.path
	w.goal.Make(c.Move)
	w.ply++
	w.path = w.pathTo(key)
	work := w.mid(first+i, childPhi, childDelta, budget)
	w.path = path
	w.ply--
	w.goal.Undo()
	if parallel {
		w.shared.inFlight.leave(key)
	}
	return work
}

// finish writes the numbers of a position into its record and, unless they depend on the path, into
// the table.
func (w *worker) finish(at, first int, sum *summary, work uint64) {
	node := &w.children[at]
	node.Phi, node.Delta = sum.phi, sum.delta
	node.Work += work
	node.Loop = 0
	if node.Solved() {
		i := witness(w.children[first:])
		if i >= 0 {
			node.Hint = w.goal.Move16(w.children[first+i].Move)
		}
		node.Loop, node.Plies = w.loop(w.children[first:], i), length(w.children[first:], i)
		if w.hands != nil {
			node.Hand = w.hands.SolvingHand(w.children[first:], i, node.Phi == 0)
		}
	} else if sum.best >= 0 {
		node.Hint = w.goal.Move16(w.children[first+sum.best].Move)
	}
	if node.Loop == 0 {
		w.store(node)
	} else {
		w.storeLoop(node)
	}
}

// store writes the record of a position into the table.
func (w *worker) store(node *Child) {
	e := window.Entry{Phi: node.Phi, Delta: node.Delta, Work: node.Work, Move: node.Hint, Plies: node.Plies}
	if w.hands != nil && node.Solved() {
		w.storeHand(node, &e)
		if w.lengths != nil {
			w.storeLimits(node, e)
		}
	}
	w.table.Store(node.Key, e)
}

// length returns within how many plies the game is over in a solved position: by its witness if that wins,
// else by the longest defence.
func length(children []Child, witness int) uint16 {
	if witness >= 0 && children[witness].Delta == 0 {
		return children[witness].Plies + 1
	}
	longest := uint16(0)
	for i := range children {
		longest = max(longest, children[i].Plies)
	}
	return longest + 1
}

// witness returns the child to play in a solved position, -1 if there is none: the fastest move that wins
// on every path, if there is one, else the fastest winning move, else the defence that took the most work.
func witness(children []Child) int {
	best := -1
	for i := range children {
		switch {
		case best < 0:
			best = i
		case children[i].Delta == 0 && (children[best].Delta != 0 || faster(&children[i], &children[best])):
			best = i
		case children[best].Delta != 0 && children[i].Work > children[best].Work:
			best = i
		}
	}
	return best
}

// faster reports whether a winning move is better than another.
func faster(a, b *Child) bool {
	if (a.Loop == 0) != (b.Loop == 0) {
		return a.Loop == 0
	}
	if a.Plies != b.Plies {
		return a.Plies < b.Plies
	}
	return a.Work < b.Work
}

// rootMove fills in the move of a root that is solved without a search.
func (w *worker) rootMove(root *Child) {
	w.children = w.goal.Expand(w.children[:0], w.table)
	if i := witness(w.children); i >= 0 {
		root.Hint = w.goal.Move16(w.children[i].Move)
	}
}

// loop returns the Loop of a solved position: the Loop of its witness if that wins, else the least Loop of
// its children. A result that depends only on the position itself, or on one below it, holds on every path.
func (w *worker) loop(children []Child, witness int) uint16 {
	on := uint16(0)
	if witness >= 0 && children[witness].Delta == 0 {
		on = children[witness].Loop
	} else {
		for i := range children {
			if c := &children[i]; c.Loop != 0 && (on == 0 || c.Loop < on) {
				on = c.Loop
			}
		}
	}
	if int(on) >= w.ply+2 {
		return 0
	}
	return on
}
