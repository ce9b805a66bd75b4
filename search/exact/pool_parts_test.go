package exact

import (
	"context"
	"iter"
	"testing"
	"time"

	"trefoil/game/gametest"
	"trefoil/remainder"
)

// hooked is a context that calls a function whenever a search asks whether it has ended. It never ends.
type hooked struct {
	context.Context
	hook func()
}

func (h hooked) Err() error {
	h.hook()
	return nil
}

// unlimited is a quota without limits.
func unlimited(t *testing.T) quota { return newQuota(t.Context(), Limits{}, time.Now()) }

// manyWorkers returns a solver's pool on a table of 1 MiB that has grown to its size.
func manyWorkers(t *testing.T, workers int) *pool {
	t.Helper()
	p := &newSolver(t, Options{Threads: workers, Hash: 1}).prover.(*best).pool
	for _, growing := p.table.Room(); growing; _, growing = p.table.Room() {
		p.table.Grow()
	}
	p.begin(unlimited(t))
	return p
}

// inTurns searches like pool.search, with all workers in one goroutine: each searches checkInterval nodes, then the
// next one does. So a search by several workers takes the same nodes every time.
func (p *pool) inTurns(ctx context.Context, root node, t int32) (bound int32) {
	p.root, p.t, p.helping = root, t, true
	p.answered.Store(false)
	p.halt.Store(false)
	var yield func(struct{}) bool // of the worker whose turn it is
	p.quota = newQuota(hooked{ctx, func() { yield(struct{}{}) }}, Limits{}, time.Now())
	var yields []func(struct{}) bool
	var turns []func() (struct{}, bool)
	for _, w := range p.workers {
		next, stop := iter.Pull(func(y func(struct{}) bool) {
			yields = append(yields, y)
			yield = y
			p.work(w)
		})
		defer stop()
		turns = append(turns, next)
	}
	for running := true; running; {
		running = false
		for i, next := range turns {
			if i < len(yields) {
				yield = yields[i]
			}
			_, goesOn := next()
			running = running || goesOn
		}
	}
	p.helping = false
	return p.answer
}

// openNode returns the node of a position that resolve leaves open, with a key.
func openNode(t *testing.T, moves string) *node {
	t.Helper()
	q := gametest.ConnectFour(t, moves)
	n := newNode(q)
	if n.resolve(standard) {
		t.Fatalf("%s is decided", moves)
	}
	n.setKey(standard, false)
	return &n
}

// TestProbeAgain: a worker takes over what another one has found of its node, unless the node has more than 20 stones.
func TestProbeAgain(t *testing.T) {
	w := manyWorkers(t, 1).workers[0]
	n := openNode(t, "44444")
	lowest, highest := n.lower, n.upper
	for _, c := range []struct {
		name         string
		lower, upper int32 // in the table
		ply          int32
		bound        int32
		ok           bool
	}{
		{"a lower bound", 3, highest, 5, 3, true},
		{"a greater lower bound", 4, highest, 20, 4, true},
		{"too low", 2, highest, 5, highest, false},
		{"an upper bound", lowest, 2, 5, 2, true},
		{"too high", lowest, 3, 5, 3, false},
		{"too many stones", 3, highest, 21, 0, false},
	} {
		n := *n
		n.ply = c.ply
		w.table.Store(n.tableKey(), pack(c.lower, c.upper, 1, 0))
		bound, ok := w.probeAgain(&n, 3)
		if ok != c.ok || ok && bound != c.bound {
			t.Errorf("%s: bound %d, %v, want %d, %v", c.name, bound, ok, c.bound, c.ok)
		}
		if c.ply <= 20 && (n.lower != c.lower || n.upper != c.upper) {
			t.Errorf("%s: the node has bounds %d to %d", c.name, n.lower, n.upper)
		}
	}
}

// TestDeferChild: a child that another worker is searching is moved behind its siblings, once.
func TestDeferChild(t *testing.T) {
	const key, other = 5 * busySlots, 7 * busySlots // they share a slot
	for _, c := range []struct {
		name string
		ply  int32
		busy uint64 // 0: no worker searches
		want bool
	}{
		{"searched", 20, key + 1, true},
		{"not searched", 20, 0, false},
		{"another one searched", 20, other + 1, false},
		{"too many stones", 21, key + 1, false},
	} {
		w := manyWorkers(t, 1).workers[0]
		w.pool.busy[0].Store(c.busy)
		child, sibling := node{key: key, ply: c.ply, order: 9 * winWeight}, node{order: -historyLimit * historyStep}
		if got := w.deferChild(&child); got != c.want || child.deferred != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if c.want && (w.deferChild(&child) || child.order >= sibling.order) {
			t.Errorf("%s: deferred twice, or before its siblings", c.name)
		}
		if !c.want && child.order != 9*winWeight {
			t.Errorf("%s: order %d", c.name, child.order)
		}
	}
}

// TestSearchTogether: while a worker searches a child the others see that, and no longer. If another worker has found
// a bound that decides, the child is not searched, or its search ends.
func TestSearchTogether(t *testing.T) {
	for _, c := range []struct {
		name   string
		before uint64 // in the table, before the search and while it runs
		during uint64
		nodes  bool
		bound  int32
	}{
		{"a bound in the table", pack(-2, 2, 1, 0), 0, false, 2},
		{"a bound from another worker", 0, pack(-2, 2, 1, 0), true, 2},
	} {
		p := manyWorkers(t, 2)
		w, child := p.workers[1], *openNode(t, "32113311376433712155")
		busy := &p.busy[child.key%busySlots]
		store := func(value uint64) {
			if value != 0 {
				p.table.Store(child.tableKey(), value)
			}
		}
		asked := 0
		p.quota.ctx = hooked{t.Context(), func() {
			asked++
			if got := busy.Load(); got != child.key+1 || len(w.path) != 1 || w.path[0] != (pathStep{&child, 3}) {
				t.Errorf("%s: marked %d, path %v during the search of %d", c.name, got, w.path, child.key)
			}
			store(c.during)
		}}
		store(c.before)
		w.count = checkInterval - 1
		got := w.searchTogether(&child, 3)
		if got != c.bound || (w.count >= checkInterval) != c.nodes || (asked > 0) != c.nodes || w.stopped ||
			w.superseded != nil {
			t.Errorf("%s: bound %d, %d nodes, asked %d times, stopped %v", c.name, got, w.count, asked, w.stopped)
		}
		if busy.Load() != 0 || len(w.path) != 0 {
			t.Errorf("%s: marked %d, path %v after the search", c.name, busy.Load(), w.path)
		}
	}
}

// TestSearchAlone: children of more than 20 stones are neither marked nor probed again.
func TestSearchAlone(t *testing.T) {
	p := manyWorkers(t, 2)
	w, child := p.workers[1], *openNode(t, "333577726571752337526")
	p.table.Store(child.tableKey(), pack(child.lower, child.upper, 1, 0))
	w.count = checkInterval - 1
	p.quota.ctx = hooked{t.Context(), func() {
		if p.busy[child.key%busySlots].Load() != 0 || len(w.path) != 0 {
			t.Errorf("marked, path %v", w.path)
		}
	}}
	if w.searchTogether(&child, 1); w.count < checkInterval {
		t.Error("not searched")
	}
}

// TestMarkOfAnother: a mark that another worker has put in the same slot meanwhile stays.
func TestMarkOfAnother(t *testing.T) {
	p := manyWorkers(t, 2)
	w, child := p.workers[1], *openNode(t, "44444")
	busy := &p.busy[child.key%busySlots]
	p.quota.ctx = hooked{t.Context(), func() {
		busy.Store(77)
		p.table.Store(child.tableKey(), pack(-2, 2, 1, 0))
	}}
	if w.searchTogether(&child, 3); busy.Load() != 77 {
		t.Errorf("mark %d, want that of the other worker", busy.Load())
	}
}

// TestSuperseded: a worker leaves the highest node of its path that others have decided, and only that far.
func TestSuperseded(t *testing.T) {
	p := manyWorkers(t, 2)
	w := p.workers[1]
	high, low := openNode(t, "44444"), openNode(t, "444443")
	w.path = []pathStep{{high, 3}, {low, -2}}
	if w.isSuperseded() || w.superseded != nil {
		t.Error("superseded by nothing")
	}
	p.table.Store(low.tableKey(), pack(-2, 2, 1, 0))
	if !w.isSuperseded() || w.superseded != low {
		t.Error("the lower node is decided")
	}
	p.table.Store(high.tableKey(), pack(3, 5, 1, 0))
	if !w.isSuperseded() || w.superseded != high {
		t.Error("both nodes are decided")
	}
	// A search below the lower node stops as far as the higher one.
	child := *low
	child.lower, child.upper = -9, 9
	child.key = openNode(t, "4444433").key
	w.count, w.path = checkInterval-1, w.path[:1]
	if w.searchTogether(&child, 2); !w.stopped || w.superseded != high {
		t.Errorf("stopped %v at %v", w.stopped, w.superseded)
	}
}

// TestCrowded: a table that can grow is crowded if the nodes of all searches since it was cleared may fill more than a
// quarter of it. A new position, and the main worker during a search, make room.
func TestCrowded(t *testing.T) {
	p := &newSolver(t, Options{Hash: 1}).prover.(*best).pool
	room, growing := p.table.Room()
	if !growing {
		t.Fatal("the table does not grow")
	}
	for _, c := range []struct {
		before, nodes uint64
		want          bool
	}{{0, 0, false}, {room/4 - 5, 5, false}, {room/4 - 5, 6, true}, {room / 4, 0, false}, {room/4 + 1, 0, true}} {
		p.before = c.before
		p.nodes.Store(c.nodes)
		if got := p.crowded(); got != c.want {
			t.Errorf("%d nodes before and %d now of %d entries: %v", c.before, c.nodes, room, got)
		}
	}
	p.before = room / 4
	p.nodes.Store(1)
	w := p.workers[0]
	w.count, w.reported = 9, 9
	p.begin(unlimited(t))
	if now, _ := p.table.Room(); now <= room || p.before != room/4+1 || p.nodes.Load() != 0 || w.count != 0 ||
		w.reported != 0 {
		t.Errorf("%d entries, %d nodes before, %d now, a worker has %d", now, p.before, p.nodes.Load(), w.count)
	}
	room, _ = p.table.Room()
	p.before, w.count = 0, room/4
	if p.mustStop(w) {
		t.Error("stops")
	}
	if now, _ := p.table.Room(); now != room {
		t.Errorf("%d entries after %d nodes, had %d", now, w.count, room)
	}
	w.count++
	if p.mustStop(w) {
		t.Error("stops")
	}
	if now, _ := p.table.Room(); now <= room {
		t.Errorf("%d entries after %d nodes, had %d", now, w.count, room)
	}
	p.before = 1 << 40
	if p.makeRoom(); p.crowded() {
		t.Error("crowded with all memory in use")
	}
}

// TestClearCounts: a table that is cleared has room for nodes again; one that was not cleared has not.
func TestClearCounts(t *testing.T) {
	s := newSolver(t, Options{Hash: 1})
	p := &s.prover.(*best).pool
	p.before = 5
	p.nodes.Store(6)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	p.table.Store(remainder.Key{Low: 1}, pack(0, 0, 1, 0))
	if err := s.Clear(ended); err == nil || p.before != 5 || p.nodes.Load() != 6 {
		t.Errorf("%v, %d and %d nodes after a clear that was stopped", err, p.before, p.nodes.Load())
	}
	if err := s.Clear(t.Context()); err != nil || p.before != 0 || p.nodes.Load() != 0 {
		t.Errorf("%v, %d and %d nodes after a clear", err, p.before, p.nodes.Load())
	}
}

// TestMustStop: what every worker reports and when it has to stop, and what only the main worker does.
func TestMustStop(t *testing.T) {
	p := manyWorkers(t, 3)
	main, helper := p.workers[0], p.workers[1]
	p.quota.limit.Nodes, p.quota.used = 100, 10
	main.count, helper.count = 50, 39
	if p.mustStop(main) || p.mustStop(helper) || p.nodes.Load() != 89 || p.helping {
		t.Errorf("stops at %d nodes of 90", p.nodes.Load())
	}
	if helper.count++; !p.mustStop(helper) || !p.mustStop(main) || p.nodes.Load() != 90 {
		t.Errorf("goes on at %d nodes of 90", p.nodes.Load())
	}
	ticks := 0
	p.begin(unlimited(t))
	p.quota.report = func() { ticks++ }
	p.halt.Store(false)
	if p.mustStop(helper); ticks != 0 {
		t.Error("a helper reports")
	}
	if p.mustStop(main); ticks != 1 {
		t.Errorf("%d reports of the main worker", ticks)
	}
}

// TestHelp: the main worker starts the helpers after 2,048 nodes of one search, and waits for them at its end.
func TestHelp(t *testing.T) {
	p := manyWorkers(t, 3)
	main := p.workers[0]
	p.root, p.t = *openNode(t, "44444"), 1
	p.started = 100
	for _, c := range []struct {
		name  string
		count uint64
		halt  bool
		want  bool
	}{
		{"too early", 100 + helpAfter - 1, false, false},
		{"at the end", 100 + helpAfter, true, false},
		{"now", 100 + helpAfter, false, true},
	} {
		main.count = c.count
		p.halt.Store(c.halt)
		if p.mustStop(main); p.helping != c.want {
			t.Errorf("%s: helping %v", c.name, p.helping)
		}
	}
	p.dismiss()
	if p.helping || p.halt.Load() || p.nodes.Load() < helpAfter {
		t.Errorf("helping %v, halted %v after the helpers were dismissed", p.helping, p.halt.Load())
	}
	for _, w := range p.workers[1:] {
		if w.count != w.reported {
			t.Errorf("a helper has %d nodes and reported %d", w.count, w.reported)
		}
	}
	// Helpers stay away from a search that has ended, or whose answer is known.
	p.help()
	p.halt.Store(true)
	if p.dismiss(); !p.halt.Load() {
		t.Error("the search goes on after its end")
	}
	p.halt.Store(false)
	p.help()
	p.answered.Store(true)
	if p.dismiss(); !p.halt.Load() {
		t.Error("the search goes on after the answer")
	}
	alone := manyWorkers(t, 1)
	alone.workers[0].count = 10 * helpAfter
	if alone.mustStop(alone.workers[0]); alone.helping {
		t.Error("a single worker has helpers")
	}
	halt := alone.halt.Load()
	if alone.dismiss(); alone.halt.Load() != halt {
		t.Error("dismiss stops a search without helpers")
	}
}

// TestFirstAnswer: a search has the answer of the first worker that has one; a worker that was stopped has
// none.
func TestFirstAnswer(t *testing.T) {
	p := manyWorkers(t, 2)
	root := openNode(t, "353233321777577")
	want, ok := p.search(root, 1)
	if !ok || !p.halt.Load() || p.helping || p.nodes.Load() < p.workers[0].count {
		t.Fatalf("%d, %v, helping %v", want, ok, p.helping)
	}
	w := p.workers[1]
	w.stopped, w.superseded, w.path = true, root, []pathStep{{root, 1}}
	p.answered.Store(false)
	p.answer = 99
	if p.work(w); p.answer != want || !p.answered.Load() || len(w.path) != 0 || w.superseded != nil {
		t.Errorf("answer %d, want %d", p.answer, want)
	}
	p.answer = 99
	if p.work(w); p.answer != 99 {
		t.Errorf("a second answer %d", p.answer)
	}
	p.answered.Store(false)
	w.count = 0
	p.quota.limit.Nodes = 1
	if err := p.table.Clear(context.Background()); err != nil {
		t.Fatal(err)
	}
	if bound, ok := p.search(root, 1); ok {
		t.Errorf("answer %d after one node", bound)
	}
}
