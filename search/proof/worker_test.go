package proof

import (
	"testing"

	"trefoil/game"
	"trefoil/internal/newtable"
	"trefoil/window"
)

// tree is a game as a table: the moves of each position, by its key. Move n is the nth of them.
type tree struct {
	children map[uint64][]Child
	path     []uint64
	second   bool                // the attacker moves second
	drawn    bool                // a position without moves fails the attacker
	expand   func(path []uint64) // nil, or called by Expand
}

// newTree returns a tree whose first position has the key 1.
func newTree(children map[uint64][]Child) *tree { return &tree{children: children, path: []uint64{1}} }

// newChain returns a tree of one move in each position, that many plies long. The player that cannot move has lost.
// Chains of different roots share no position.
func newChain(root, plies int) *tree {
	moves := map[uint64][]Child{}
	for n := root; n < root+plies; n++ {
		moves[key(n)] = []Child{{Key: key(n + 1), Phi: 1, Delta: 1}}
	}
	return &tree{children: moves, path: []uint64{key(root)}}
}

func (g *tree) Key() uint64                   { return g.path[len(g.path)-1] }
func (g *tree) Attacking() bool               { return (len(g.path)%2 == 1) != g.second }
func (g *tree) Undo()                         { g.path = g.path[:len(g.path)-1] }
func (g *tree) Move16(m game.Move) uint16     { return uint16(m) }
func (g *tree) FromMove16(m uint16) game.Move { return game.Move(m) }
func (g *tree) Make(m game.Move)              { g.path = append(g.path, g.children[g.Key()][m-1].Key) }

func (g *tree) Evaluate(c *Child) {
	c.Key, c.Phi, c.Delta = g.Key(), 1, 1
	g.end(c, g.Attacking())
}

// end solves c, in which the attacker is to move or not, if it ends a drawn game.
func (g *tree) end(c *Child, attacking bool) {
	switch {
	case !g.drawn || len(g.children[c.Key]) > 0:
	case attacking:
		c.Lose()
	default:
		c.Win()
	}
}

func (g *tree) Expand(to []Child, _ Prefetcher) []Child {
	if g.expand != nil {
		g.expand(g.path)
	}
	for i, c := range g.children[g.Key()] {
		c.Move = game.Move(i + 1)
		g.end(&c, !g.Attacking())
		to = append(to, c)
	}
	return to
}

// newWorker returns a worker on an empty table of 1 MiB, as one of several if parallel.
func newWorker(t *testing.T, g Goal, parallel bool) *worker {
	t.Helper()
	table := newtable.Window(t, 1)
	w := new(worker)
	w.reset(g, table.Handle(), &shared{inFlight: new(inFlight), parallel: parallel}, defaultParams)
	return w
}

// key returns keys that differ in all their parts.
func key(n int) uint64 { return (uint64(n) + 1) * 0x9e3779b97f4a7c15 }

// TestWitness: the move to play in a solved position, and the plies to its end.
func TestWitness(t *testing.T) {
	solved := func(c Child, plies uint16, work uint64) Child { c.Plies, c.Work = plies, work; return c }
	repeats := func(c Child) Child { c.Loop = 1; return c }
	for _, c := range []struct {
		name     string
		children []Child
		witness  int
		length   uint16
	}{
		{"no moves", nil, -1, 1},
		{"one win", []Child{solved(won(), 8, 9), solved(lost(), 4, 1)}, 1, 5},
		{"an open move before the win", []Child{open(1, 2), solved(lost(), 4, 1)}, 1, 5},
		{"a win before others", []Child{solved(lost(), 4, 1), solved(won(), 8, 9)}, 0, 5},
		{"the faster win, last", []Child{solved(lost(), 4, 1), solved(lost(), 2, 9)}, 1, 3},
		{"the faster win, first", []Child{solved(lost(), 2, 9), solved(lost(), 4, 1)}, 0, 3},
		{"of equal wins that of less work", []Child{solved(lost(), 4, 3), solved(lost(), 4, 2), solved(lost(), 4, 2)}, 1, 5},
		{"the win that does not depend on a repetition, first", []Child{solved(lost(), 4, 9), repeats(solved(lost(), 2, 1))}, 0, 5},
		{"the win that does not depend on a repetition, last", []Child{repeats(solved(lost(), 2, 1)), solved(lost(), 4, 9)}, 1, 5},
		{"all lose: that of the most work", []Child{solved(won(), 3, 5), solved(won(), 1, 7), solved(won(), 7, 7)}, 1, 8},
		{"all lose, the first has the most work", []Child{solved(won(), 3, 8), solved(won(), 7, 7)}, 0, 8},
	} {
		if got := witness(c.children); got != c.witness {
			t.Errorf("%s: move %d, want %d", c.name, got, c.witness)
		}
		if got := length(c.children, c.witness); got != c.length {
			t.Errorf("%s: %d plies, want %d", c.name, got, c.length)
		}
	}
}

// TestLoop: a result depends on a repetition if the winning move does, or one of the defences where all lose, and
// then on the position nearest to the root. One of the position itself, or below it, does not count.
func TestLoop(t *testing.T) {
	by := func(c Child, loop uint16) Child { c.Loop = loop; return c }
	worked := func(c Child, work uint64) Child { c.Work = work; return c }
	for _, c := range []struct {
		name     string
		children []Child
		want     uint16
	}{
		{"no moves", nil, 0},
		{"no repetition", []Child{won(), won()}, 0},
		{"a defence depends on one", []Child{won(), by(won(), 3), won()}, 3},
		{"two depend, the first on the earlier", []Child{by(won(), 2), by(won(), 4)}, 2},
		{"two depend, the last on the earlier", []Child{by(won(), 4), by(won(), 2)}, 2},
		{"one before the root", []Child{by(won(), 4), by(won(), 1)}, 1},
		{"the position itself", []Child{by(won(), 5)}, 0},
		{"the position before it", []Child{by(won(), 4)}, 4},
		{"a position below", []Child{by(won(), 6)}, 0},
		{"the win does not depend", []Child{by(won(), 2), lost()}, 0},
		{"the win depends", []Child{by(won(), 2), by(lost(), 4)}, 4},
		{"the first win counts", []Child{by(lost(), 4), by(lost(), 2)}, 4},
		{"the win of less work counts", []Child{by(worked(lost(), 9), 4), by(worked(lost(), 8), 2)}, 2},
		{"one of the wins does not depend", []Child{by(lost(), 2), worked(lost(), 9), by(lost(), 4)}, 0},
	} {
		w := worker{ply: 3}
		if got := w.loop(c.children, witness(c.children)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestFill: a child takes over an entry; only of a solved one the numbers hold a hand.
func TestFill(t *testing.T) {
	for _, c := range []struct {
		entry window.Entry
		want  Child
	}{
		{window.Entry{Phi: 5, Delta: 6, Work: 7, Move: 8, Plies: 9}, Child{Phi: 5, Delta: 6, Work: 7, Hint: 8, Plies: 9, Hand: 44}},
		{window.Entry{Phi: 0, Delta: Infinity | 12}, Child{Delta: Infinity, Hand: 12}},
		{window.Entry{Phi: Infinity | 13, Delta: 0}, Child{Phi: Infinity, Hand: 13}},
		{window.Entry{Phi: Infinity, Delta: 0}, Child{Phi: Infinity}},
	} {
		got := Child{Phi: 1, Delta: 1, Work: 1, Hint: 1, Plies: 1, Hand: 44}
		if fill(&got, c.entry); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.entry, got, c.want)
		}
		if solved := c.entry.Phi == 0 || c.entry.Delta == 0; solved && handOf(c.entry) != c.want.Hand {
			t.Errorf("%+v: hand %d", c.entry, handOf(c.entry))
		}
	}
}

// TestProbe: every open child gets what the table has of it, however many there are, and a solved one keeps its result.
func TestProbe(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 130, 256} {
		w := newWorker(t, newTree(nil), false)
		children := make([]Child, n)
		for i := range children {
			children[i] = Child{Key: key(i), Phi: 1, Delta: 1}
			if i%3 != 2 {
				w.table.Store(key(i), window.Entry{Phi: uint32(i + 2), Delta: 3, Work: 1})
			}
			if i%5 == 0 && n > 1 {
				children[i].Win()
			}
		}
		w.probe(children)
		for i, c := range children {
			want := open(uint32(i+2), 3)
			switch {
			case i%5 == 0 && n > 1:
				want = won()
			case i%3 == 2:
				want = open(1, 1)
			}
			if c.Phi != want.Phi || c.Delta != want.Delta {
				t.Errorf("child %d of %d: φ %d, δ %d, want %d and %d", i, n, c.Phi, c.Delta, want.Phi, want.Delta)
			}
		}
	}
}

// TestRefresh: a worker takes over what others know better of a child that is large or that a thread is below.
func TestRefresh(t *testing.T) {
	const small, large = 299, 300 // work
	more := window.Entry{Phi: 7, Delta: 8, Work: 1000}
	for _, c := range []struct {
		name    string
		child   Child
		threads int
		entry   window.Entry
		taken   bool
	}{
		{"large", Child{Phi: 1, Delta: 1, Work: large}, 0, more, true},
		{"small", Child{Phi: 1, Delta: 1, Work: small}, 0, more, false},
		{"small, with a thread below it", Child{Phi: 1, Delta: 1, Work: small}, 1, more, true},
		{"as much work", Child{Phi: 1, Delta: 1, Work: 1000}, 0, more, false},
		{"less work", Child{Phi: 1, Delta: 1, Work: 2000}, 0, more, false},
		{"less work, but solved", Child{Phi: 1, Delta: 1, Work: 2000}, 0, window.Entry{Phi: 0, Delta: Infinity, Work: 5}, true},
		{"solved before", Child{Phi: Infinity, Delta: 0, Work: large}, 1, window.Entry{Phi: 0, Delta: Infinity, Work: 1000}, false},
	} {
		w := newWorker(t, newTree(nil), true)
		child := c.child
		child.Key = key(3)
		w.table.Store(child.Key, c.entry)
		for range c.threads {
			w.shared.inFlight.enter(child.Key)
		}
		children := []Child{child}
		w.refresh(children)
		if taken := children[0].Phi == c.entry.Phi; taken != c.taken {
			t.Errorf("%s: %+v", c.name, children[0])
		}
	}
}

// TestHinted: the child of the hint, if there is one and it is open.
func TestHinted(t *testing.T) {
	for _, c := range []struct {
		hint uint16
		want int
	}{{0, -1}, {1, 0}, {2, -1}, {3, 2}, {4, -1}} {
		w := worker{goal: newTree(nil), children: []Child{{Hint: 9}, {Hint: c.hint, Move: 4},
			{Move: 1, Phi: 1, Delta: 1}, {Move: 2}, {Move: 3, Phi: 1, Delta: 1}}}
		if got := w.hinted(1, 2); got != c.want {
			t.Errorf("hint %d: child %d, want %d", c.hint, got, c.want)
		}
	}
}

// TestCountNodes: a worker reports what it has not reported, and stops all at the limit of nodes, not before.
func TestCountNodes(t *testing.T) {
	for _, c := range []struct {
		limit uint64
		stops bool
	}{{0, false}, {16, false}, {15, true}, {14, true}} {
		w := worker{shared: &shared{limit: c.limit}, nodes: 10, reported: 3}
		w.shared.nodes.Store(5)
		w.countNodes()
		w.nodes += 3
		w.countNodes()
		if got := w.shared.nodes.Load(); got != 15 || w.reported != 13 || w.shared.stop.Load() != c.stops {
			t.Errorf("limit %d: %d nodes, %d reported, stopped %v", c.limit, got, w.reported, w.shared.stop.Load())
		}
	}
}

// TestPathInFlight: of several workers each is counted below the positions on its path whose parents took enough
// work, not below others, and below none when it is done. A single one is never counted.
func TestPathInFlight(t *testing.T) {
	const depth = 5
	for _, c := range []struct {
		parallel bool
		least    uint64    // work of a position in flight
		work     [2]uint64 // of the root, and of all others before the search
		want     [depth]int32
	}{
		{false, 1, [2]uint64{500, 500}, [depth]int32{}},
		{true, 300, [2]uint64{299, 0}, [depth]int32{1}},
		{true, 300, [2]uint64{298, 298}, [depth]int32{}},
		{true, 300, [2]uint64{298, 299}, [depth]int32{0, 1, 1, 1, 1}},
		{true, 1, [2]uint64{0, 0}, [depth]int32{1, 1, 1, 1, 1}},
	} {
		g := newChain(0, depth)
		w := newWorker(t, g, c.parallel)
		w.params.minInFlight = c.least
		for n := range depth {
			w.table.Store(key(n+1), window.Entry{Phi: 1, Delta: 1, Work: c.work[1]})
		}
		var got [depth]int32
		g.expand = func(path []uint64) {
			if len(path) <= depth {
				return
			}
			for n := range depth {
				got[n] = w.shared.inFlight.below(key(n + 1))
			}
		}
		w.run(Child{Key: key(0), Phi: 1, Delta: 1, Work: c.work[0]})
		if got != c.want {
			t.Errorf("%+v: in flight %v", c, got)
		}
		if w.children[0].Phi != Infinity && w.children[0].Phi != 0 {
			t.Errorf("%+v: root %+v", c, w.children[0])
		}
		for n := range depth {
			if w.shared.inFlight.below(key(n+1)) != 0 {
				t.Errorf("%+v: a thread is below ply %d after the search", c, n+1)
			}
		}
	}
}

// TestDescend: a child is searched until its δ exceeds the δ of the next best by ε or reaches the threshold
// of the position, but always until it grows. With threads below the others a child may be chosen that is
// worse than the next best.
func TestDescend(t *testing.T) {
	// Child n of the first position has one move, with φ n; so its δ is n. The reply to that ends the game.
	const root, child, reply = 1, 100, 1000
	moves := map[uint64][]Child{}
	for n := uint64(1); n < 20; n++ {
		moves[root] = append(moves[root], Child{Key: child + n, Phi: 1, Delta: uint32(n)})
		moves[child+n] = []Child{{Key: reply + n, Phi: uint32(n), Delta: 1}}
	}
	for _, c := range []struct {
		delta, second, tPhi uint32
		want                uint64 // work: 1 if the child exceeds its thresholds at once
	}{
		{9, 9, Infinity, 2}, {9, 9, 12, 2}, {9, 9, 9, 2}, {9, 9, 5, 2}, {9, 2, 12, 2}, {1, 1, 1, 2},
	} {
		w := newWorker(t, newTree(moves), false)
		w.children = append([]Child{{Key: root}}, moves[root]...)
		for i := range w.children[1:] {
			w.children[1+i].Move = game.Move(i + 1)
		}
		best := int(c.delta) - 1
		got := w.descend(1, best, &summary{phi: c.delta, delta: 1, second: c.second, best: best}, c.tPhi,
			Infinity, 1000, false)
		if got != c.want || w.ply != 0 || w.goal.Key() != root {
			t.Errorf("%+v: work %d, want %d, ends at ply %d", c, got, c.want, w.ply)
		}
	}
}

// TestExtend: a known position whose numbers are at the thresholds is left at once; after maxReturns of these in a
// row one is searched all the same, down to a new position, and then they are left at once again.
func TestExtend(t *testing.T) {
	w := newWorker(t, newChain(1, 5), false)
	visit := func() uint64 {
		w.children = append(w.children[:0], Child{Key: key(1), Phi: 1, Delta: 1, Work: 1})
		return w.mid(0, 1, 1, 100)
	}
	for n := range maxReturns {
		if work := visit(); work != 1 {
			t.Fatalf("visit %d: work %d", n, work)
		}
	}
	if work := visit(); work < 2 {
		t.Fatalf("work %d after %d visits in a row", work, maxReturns)
	}
	if work := visit(); work != 1 {
		t.Fatalf("work %d after a new position", work)
	}
}
