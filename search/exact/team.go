package exact

import (
	"sync"
	"sync/atomic"
)

// team is what the workers of a solver share besides the table.
//
// All of them search the same root with the same question, and the first answer counts.
// They help each other through the table, and keep out of each other's way: a child that
// another worker is searching is put off until the others are done (simplified ABDADA:
// Jean-Christophe Weill 1996, Tom Kerrigan). One who is still below a node that another
// has settled leaves it.
type team struct {
	workers []*worker // the first one leads
	quota   quota
	nodes   atomic.Uint64 // since begin, as far as the workers have told

	root     node
	t        int32
	started  uint64 // the leader's count when it was asked
	helping  bool   // all workers are at it; changes only when the leader is alone
	helpers  sync.WaitGroup
	halt     atomic.Bool // there is an answer, or no more quota
	answered atomic.Bool
	answer   int32 // once answered and the helpers have returned

	busy [busySlots]atomic.Uint64 // keys + 1 of children that are being searched
}

const (
	busySlots = 1 << 10
	busyPly   = 20      // nodes with more stones are too small to be worth a look
	helpAfter = 1 << 11 // nodes of the leader before the others are woken
)

// begin prepares for questions about one position.
func (m *team) begin(q quota) {
	m.quota = q
	m.nodes.Store(0)
	for _, w := range m.workers {
		w.count, w.told = 0, 0
	}
}

// search returns a bound of the root's score as worker.search does. It is not ok if the
// quota was spent before.
func (m *team) search(root *node, t int32) (bound int32, ok bool) {
	m.root, m.t, m.started = *root, t, m.workers[0].count
	m.answered.Store(false)
	m.halt.Store(false)
	m.work(m.workers[0])
	m.halt.Store(true)
	m.helpers.Wait()
	m.helping = false
	return m.answer, m.answered.Load()
}

// work searches for the answer, unless another worker has it first.
func (m *team) work(w *worker) {
	root := m.root
	w.stopped, w.outrun, w.path = false, nil, w.path[:0]
	w.history = prior
	v := w.search(&root, m.t)
	if !w.stopped && m.answered.CompareAndSwap(false, true) {
		m.answer = v
		m.halt.Store(true)
	}
	m.tell(w)
}

// tell adds a worker's new nodes to those of the team.
func (m *team) tell(w *worker) uint64 {
	n := m.nodes.Add(w.count - w.told)
	w.told = w.count
	return n
}

// mustStop is asked by every worker from time to time. The leader's question also wakes
// the helpers, once there is enough work.
func (m *team) mustStop(w *worker) bool {
	if m.quota.spent(m.tell(w)) {
		m.halt.Store(true)
	}
	if w == m.workers[0] && !m.helping && len(m.workers) > 1 && w.count-m.started >= helpAfter {
		m.helping = true
		for _, h := range m.workers[1:] {
			m.helpers.Go(func() { m.work(h) })
		}
	}
	return m.halt.Load()
}

// settled asks the table whether another worker has answered n's question meanwhile.
func (w *worker) settled(n *node, t int32) (bound int32, ok bool) {
	if n.ply > busyPly {
		return 0, false
	}
	w.probe(n)
	if n.lower >= t {
		return n.lower, true
	}
	return n.upper, n.upper < t
}

// searchTogether is searchChild while others search the same tree: the table may have
// learnt more of c since it was probed, and others should know who is at it.
func (w *worker) searchTogether(c *node, t int32) int32 {
	if c.ply > busyPly {
		return w.searchChild(c, t)
	}
	w.probe(c)
	if bound, ok := c.told(t); ok {
		return bound
	}
	slot := &w.team.busy[c.key%busySlots]
	slot.Store(c.key + 1)
	w.path = append(w.path, leg{c, t})
	v := w.searchChild(c, t)
	w.path = w.path[:len(w.path)-1]
	slot.CompareAndSwap(c.key+1, 0)
	if w.stopped && w.outrun == c {
		w.stopped, w.outrun = false, nil
		v, _ = c.told(t)
	}
	return v
}

// leg is a child that a worker is below, and the question of its parent that it is
// searched for.
type leg struct {
	child *node
	t     int32
}

// isOutrun looks whether another worker has meanwhile settled a child that this one is
// below. The highest such child is where this worker goes on.
func (w *worker) isOutrun() bool {
	for _, l := range w.path {
		w.probe(l.child)
		if _, ok := l.child.told(l.t); ok {
			w.outrun = l.child
			return true
		}
	}
	return false
}

// putOff tells that another worker is searching c, once for every child.
func (w *worker) putOff(c *node) bool {
	if c.ply > busyPly || c.deferred || w.team.busy[c.key%busySlots].Load() != c.key+1 {
		return false
	}
	c.deferred = true
	c.order -= 1 << 30
	return true
}
