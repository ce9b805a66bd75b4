package jobproof

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"trefoil/search/proof"
)

// cluster drives a tree with toy workers as a network might: results come in any order, twice or never.
type toyCluster struct {
	graph   *toyGraph
	tree    *Tree
	own     *toyWorker
	workers []*toyWorker
	given   []Job    // and not answered
	log     []Result // that the tree has taken over
}

func newToyCluster(t *rapid.T, liar bool) *toyCluster {
	seed := rapid.IntRange(1, 1000).Draw(t, "seed")
	tree, err := New(toy{}, fmt.Sprint(seed), Options{Nodes: 10})
	if err != nil {
		t.Fatal(err)
	}
	solves := rapid.IntRange(1, 4).Draw(t, "solves")
	worker := func(name string, n int) *toyWorker {
		return &toyWorker{name: name, solves: solves, random: rand.New(rand.NewPCG(uint64(seed), uint64(n)))}
	}
	c := &toyCluster{graph: newToyGraph(seed), tree: tree, own: worker("own", 0)}
	c.own.solves = 1
	for i := range 4 {
		c.workers = append(c.workers, worker(fmt.Sprint("worker ", i), i+1))
	}
	c.workers[0].lies = liar
	return c
}

// give lets the tree give a job.
func (c *toyCluster) give() bool {
	job, ok := c.tree.Next()
	if ok {
		c.given = append(c.given, job)
	}
	return ok
}

// worker returns one that may do a job, in turn from start.
func (c *toyCluster) worker(job *Job, start int) *toyWorker {
	if job.Purpose == Judge {
		return c.own
	}
	for i := range c.workers {
		if w := c.workers[(start+i)%len(c.workers)]; !slices.Contains(job.Not, w.name) &&
			!slices.Contains(c.tree.Liars(), w.name) {
			return w
		}
	}
	return c.own
}

// answer lets a worker answer job number i.
func (c *toyCluster) answer(t *rapid.T, i, start int) {
	job := c.given[i]
	c.given = slices.Delete(c.given, i, i+1)
	w := c.worker(&job, start)
	r := w.run(job)
	if err := c.apply(c.tree, r); err != nil {
		t.Fatal(err)
	}
	c.log = append(c.log, r)
}

func (c *toyCluster) apply(tree *Tree, r Result) error {
	return tree.Apply(r, r.Worker == c.own.name)
}

// check compares a value that is known with minimax, and the liars with those that lie.
func (c *toyCluster) check(t *rapid.T, tree *Tree) {
	if value, ok := tree.Done(); ok {
		if want := []string{"loss", "draw", "win"}[c.graph.value(0, 0)+1]; value != want {
			t.Fatalf("%s, want %s", value, want)
		}
	}
	for _, name := range tree.Liars() {
		if name != c.workers[0].name || !c.workers[0].lies {
			t.Fatalf("%s is no liar", name)
		}
	}
}

// finish answers all jobs until the value is known.
func (c *toyCluster) finish(t *rapid.T) {
	for step := range 10000 {
		if _, ok := c.tree.Done(); ok {
			return
		}
		for len(c.given) < 3 && c.give() {
		}
		if len(c.given) == 0 {
			t.Fatalf("no job, and no value: %+v", c.tree.Stats())
		}
		c.answer(t, step%len(c.given), step)
		c.check(t, c.tree)
	}
	t.Fatalf("no value: %+v", c.tree.Stats())
}

// state is what the tree knows of each position.
func (t *Tree) state() map[uint64]string {
	all := map[uint64]string{}
	for key, n := range t.nodes {
		all[key] = fmt.Sprint(n.phi, n.delta, n.expanded, n.confirmed, n.disputed, len(n.claims))
	}
	return all
}

// again returns a tree made of the results in another order, with duplicates.
func (c *toyCluster) again(t *rapid.T) *Tree {
	results := append(slices.Clone(c.log),
		rapid.SliceOfN(rapid.SampledFrom(append(c.log, Result{})), 0, 5).Draw(t, "twice")...)
	tree, err := New(toy{}, fmt.Sprint(c.graph.seed), Options{Nodes: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rapid.Permutation(results).Draw(t, "order") {
		if r.Worker == "" {
			continue
		}
		if err := c.apply(tree, r); err != nil && !errors.Is(err, ErrLiar) {
			t.Fatal(err)
		}
		c.check(t, tree)
	}
	return tree
}

func testCluster(t *testing.T, liar bool) {
	rapid.Check(t, func(t *rapid.T) {
		c := newToyCluster(t, liar)
		job := func(t *rapid.T) int {
			if len(c.given) == 0 {
				t.Skip("no job is given")
			}
			return rapid.IntRange(0, len(c.given)-1).Draw(t, "job")
		}
		t.Repeat(map[string]func(*rapid.T){
			"give":   func(*rapid.T) { c.give() },
			"answer": func(t *rapid.T) { c.answer(t, job(t), rapid.IntRange(0, 3).Draw(t, "worker")) },
			"lose": func(t *rapid.T) {
				i := job(t)
				c.tree.Release(c.given[i].ID)
				c.given = slices.Delete(c.given, i, i+1)
			},
			"late": func(t *rapid.T) { // the result of a job that is given up arrives all the same
				i := job(t)
				c.tree.Release(c.given[i].ID)
				c.answer(t, i, 1)
			},
			"twice": func(t *rapid.T) {
				if len(c.log) == 0 {
					t.Skip("no result")
				}
				before := c.tree.state()
				if err := c.apply(c.tree, rapid.SampledFrom(c.log).Draw(t, "result")); err != nil &&
					!errors.Is(err, ErrLiar) {
					t.Fatal(err)
				}
				if after := c.tree.state(); !maps.Equal(before, after) {
					t.Fatalf("%v became %v", before, after)
				}
			},
			"": func(t *rapid.T) { c.check(t, c.tree) },
		})
		c.finish(t)
		for _, id := range slices.Collect(maps.Keys(c.tree.inFlight)) {
			c.tree.Release(id)
		}
		for _, n := range c.tree.nodes {
			if n.below != 0 || n.busy {
				t.Fatalf("%q: %d jobs below, busy %v, and none is given", n.moves, n.below, n.busy)
			}
		}
		again := c.again(t)
		value, done := c.tree.Done()
		if got, ok := again.Done(); !liar && (!done || !ok || got != value) {
			t.Fatalf("made again %q, not %q", got, value)
		}
		if !liar && !maps.Equal(c.tree.state(), again.state()) {
			t.Fatalf("made again %v, not %v", again.state(), c.tree.state())
		}
		c.tree = again
		c.given = nil
		c.finish(t)
	})
}

// Whatever the order of results, with lost and repeated ones, the value is the value of minimax. No worker
// is accused, and the tree is a function of the set of results.
func TestHonestWorkers(t *testing.T) { testCluster(t, false) }

// One worker that lies does not change the value, and no other is accused.
func TestLiar(t *testing.T) { testCluster(t, true) }

// TestDelayed: a move with a delay waits for those before it, until they are solved or have had enough work, which
// a job always is.
func TestDelayed(t *testing.T) {
	open := func(nodes uint64) *node { return &node{phi: 1, delta: 1, best: claim{nodes: nodes}} }
	given := open(0)
	given.expanded = true
	for _, c := range []struct {
		name  string
		delay uint16
		first *node
		want  bool
	}{
		{"solved", proof.UntilSolved, &node{phi: 0, delta: proof.Infinity}, false},
		{"open", proof.UntilSolved, given, true},
		{"too little work", 100, open(99), true},
		{"enough work", 100, open(100), false},
		{"a job", 100, given, false},
	} {
		if got := delayed(edge{delay: c.delay}, []edge{{node: open(0)}, {node: c.first}}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestNameOfCoordinator: no name makes a worker the coordinator, whose word alone is enough.
func TestNameOfCoordinator(t *testing.T) {
	for _, name := range []string{"own", "\x00own"} {
		tree, err := New(toy{}, "1", Options{Nodes: 10})
		if err != nil {
			t.Fatal(err)
		}
		job, ok := tree.Next()
		if !ok {
			t.Fatal("no job")
		}
		open := Result{Job: job, Worker: "own", Phi: 1, Delta: 1, Nodes: 1}
		if err := tree.Apply(open, true); err != nil {
			t.Fatal(err)
		}
		claim := Result{Job: job, Worker: name, Phi: 0, Delta: proof.Infinity, Nodes: 1}
		if err := tree.Apply(claim, false); err != nil {
			t.Fatal(err)
		}
		if value, done := tree.Done(); done {
			t.Errorf("%q: %s by one worker alone", name, value)
		}
	}
}
