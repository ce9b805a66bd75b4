package exact

import (
	"context"
	"sync"
	"sync/atomic"

	"trefoil/remainder"
)

// pool is what the workers of a solver share besides the table.
//
// All workers search the same root with the same null window, and the first result counts. They
// share results through the table, and a child that another worker is searching is deferred until
// the others are done (simplified ABDADA: Jean-Christophe Weill 1996, Tom Kerrigan). A worker
// leaves a subtree whose root another worker has finished: it is superseded.
type pool struct {
	table   *remainder.Table
	workers []*worker // the first is the main worker
	quota   quota
	nodes   atomic.Uint64 // since begin, as reported by the workers
	before  uint64        // nodes before begin, since the table was cleared

	root     node
	t        int32
	started  uint64 // the main worker's count at the start of the search
	helping  bool   // all workers are searching; changes only while the main worker is alone
	helpers  sync.WaitGroup
	halt     atomic.Bool // there is a result, or the quota is used up
	answered atomic.Bool
	answer   int32 // once answered and the helpers have returned

	busy [busySlots]atomic.Uint64 // words of the keys, + 1, of children that are being searched
}

const (
	busySlots = 1 << 10
	busyPly   = 20      // subtrees below nodes with more stones are too small to share
	helpAfter = 1 << 11 // nodes of the main worker before the helpers start
)

// begin resets the pool for a new position.
func (p *pool) begin(q quota) {
	p.quota = q
	p.before += p.nodes.Load()
	p.nodes.Store(0)
	p.makeRoom()
	for _, w := range p.workers {
		w.count, w.reported = 0, 0
	}
}

// clear empties the table.
func (p *pool) clear(ctx context.Context) error {
	err := p.table.Clear(ctx)
	if err == nil {
		p.before = 0
		p.nodes.Store(0)
	}
	return err
}

// crowded reports whether the table can grow and may be more than a quarter full: a node stores at
// most one entry.
func (p *pool) crowded() bool {
	room, growing := p.table.Room()
	return growing && p.before+p.nodes.Load() > room/4
}

// makeRoom grows the table while it is crowded. No worker may be searching.
func (p *pool) makeRoom() {
	for p.crowded() {
		p.table.Grow()
	}
}

// search returns a bound of the root's score as worker.search does. It is not ok if the quota was
// used up first.
func (p *pool) search(root *node, t int32) (bound int32, ok bool) {
	p.root, p.t, p.started = *root, t, p.workers[0].count
	p.answered.Store(false)
	p.halt.Store(false)
	p.work(p.workers[0])
	p.halt.Store(true)
	p.helpers.Wait()
	p.helping = false
	return p.answer, p.answered.Load()
}

// work searches the root with one worker; the first result of all workers is the answer.
func (p *pool) work(w *worker) {
	root := p.root
	w.stopped, w.superseded, w.path = false, nil, w.path[:0]
	w.history = w.board.prior
	v := w.search(&root, p.t)
	if !w.stopped && p.answered.CompareAndSwap(false, true) {
		p.answer = v
		p.halt.Store(true)
	}
	p.report(w)
}

// report adds the nodes of a worker since its last report, and returns the pool's total.
func (p *pool) report(w *worker) uint64 {
	n := p.nodes.Add(w.count - w.reported)
	w.reported = w.count
	return n
}

// mustStop reports whether a worker has to stop; every worker calls it at intervals. The call of
// the main worker also makes room in the table, and starts the helpers once the search is large
// enough.
func (p *pool) mustStop(w *worker) bool {
	if p.quota.spent(p.report(w)) {
		p.halt.Store(true)
	}
	if w == p.workers[0] {
		p.quota.tick()
		if p.crowded() {
			p.dismiss()
			p.makeRoom()
		}
		if !p.helping && len(p.workers) > 1 && w.count-p.started >= helpAfter && !p.halt.Load() {
			p.help()
		}
	}
	return p.halt.Load()
}

// help starts the helpers.
func (p *pool) help() {
	p.helping = true
	for _, h := range p.workers[1:] {
		p.helpers.Go(func() { p.work(h) })
	}
}

// dismiss stops the helpers, if they are searching, and waits for them.
func (p *pool) dismiss() {
	if !p.helping {
		return
	}
	halted := p.halt.Swap(true)
	p.helpers.Wait()
	p.helping = false
	p.halt.Store(halted || p.answered.Load() || p.quota.spent(p.nodes.Load()))
}

// probeAgain probes the table for a bound of n that another worker may have stored, and reports whether
// it decides n.
func (w *worker) probeAgain(n *node, t int32) (bound int32, ok bool) {
	if n.ply > busyPly {
		return 0, false
	}
	w.probe(n)
	if n.lower >= t {
		return n.lower, true
	}
	return n.upper, n.upper < t
}

// searchTogether is searchChild while other workers search the same tree: it probes the table again
// and marks c as being searched.
func (w *worker) searchTogether(c *node, t int32) int32 {
	if c.ply > busyPly {
		return w.searchChild(c, t)
	}
	w.probe(c)
	if bound, ok := c.cutoff(t); ok {
		return bound
	}
	slot := &w.pool.busy[c.word()%busySlots]
	slot.Store(c.word() + 1)
	w.path = append(w.path, pathStep{c, t})
	v := w.searchChild(c, t)
	w.path = w.path[:len(w.path)-1]
	slot.CompareAndSwap(c.word()+1, 0)
	if w.stopped && w.superseded == c {
		w.stopped, w.superseded = false, nil
		v, _ = c.cutoff(t)
	}
	return v
}

// pathStep is a node between the root and the worker's current node, with the t of its parent.
type pathStep struct {
	child *node
	t     int32
}

// isSuperseded reports whether another worker has finished a node on this worker's path. The worker
// then continues at the highest such node.
func (w *worker) isSuperseded() bool {
	for _, l := range w.path {
		w.probe(l.child)
		if _, ok := l.child.cutoff(l.t); ok {
			w.superseded = l.child
			return true
		}
	}
	return false
}

// deferChild reports whether another worker is searching c, and if so moves c behind its siblings.
// A child is deferred only once.
func (w *worker) deferChild(c *node) bool {
	if c.ply > busyPly || c.deferred || w.pool.busy[c.word()%busySlots].Load() != c.word()+1 {
		return false
	}
	c.deferred = true
	c.order -= 1 << 30
	return true
}
