package jobproof

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"trefoil/search/proof"
)

// FuzzApply: one worker that says what it likes, in whatever order results come, does not decide a proof,
// and no other is accused. A result that is refused changes nothing.
func FuzzApply(f *testing.F) {
	for seed := range uint16(4) {
		tree, err := New(toy{}, fmt.Sprint(seed), Options{Nodes: 10})
		if err != nil {
			f.Fatal(err)
		}
		job, _ := tree.Next()
		w := toyWorker{name: "liar", random: rand.New(rand.NewPCG(1, 1)), solves: 2}
		text, err := json.Marshal(w.run(job))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed, []byte("\x00\x01\x02\x01\x00\x03\x00\x02\x00\x01\x04\x01\x00\x05"), text)
		f.Add(seed, []byte{0, 0, 0, 2, 0, 1, 3, 1, 4, 0, 2, 1, 5, 1, 2, 2, 6}, []byte("{}"))
	}
	f.Fuzz(func(t *testing.T, seed uint16, steps, text []byte) {
		tree, err := New(toy{}, fmt.Sprint(seed), Options{Nodes: 10})
		if err != nil {
			t.Fatal(err)
		}
		c := fuzzed{t: t, tree: tree, graph: newToyGraph(int(seed)), steps: steps}
		honest := rand.New(rand.NewPCG(uint64(seed), 3))
		c.own = &toyWorker{name: "own", random: honest, solves: 1}
		for i := range 2 {
			c.honest = append(c.honest, &toyWorker{name: fmt.Sprint("honest ", i), random: honest, solves: 2})
		}
		var said Result
		if json.Unmarshal(text, &said) == nil {
			said.Worker = "liar"
			c.apply(said, false)
		}
		for len(c.steps) > 0 {
			c.step()
		}
	})
}

// fuzzed is a tree whose workers do what some bytes say.
type fuzzed struct {
	t      *testing.T
	tree   *Tree
	graph  *toyGraph
	own    *toyWorker
	honest []*toyWorker
	given  []Job
	steps  []byte
}

// next returns the next byte, modulo n.
func (c *fuzzed) next(n int) int {
	if len(c.steps) == 0 {
		return 0
	}
	b := c.steps[0]
	c.steps = c.steps[1:]
	return int(b) % n
}

func (c *fuzzed) step() {
	action := c.next(4)
	if job, ok := c.tree.Next(); ok && len(c.given) < 8 {
		c.given = append(c.given, job)
	}
	if len(c.given) == 0 {
		return
	}
	i := c.next(len(c.given))
	job := c.given[i]
	w := c.honest[i%2]
	switch {
	case action == 0:
		c.apply(c.lie(job), false)
		return // the job stays, for others
	case action == 1:
		c.tree.Release(job.ID)
	case job.Purpose == Judge || slices.Contains(job.Not, w.name):
		c.apply(c.own.run(job), true)
	default:
		c.apply(w.run(job), false)
	}
	c.given = slices.Delete(c.given, i, i+1)
}

// lie returns a result of any numbers.
func (c *fuzzed) lie(job Job) Result {
	numbers := func() (phi, delta uint32) {
		numbers := []uint32{0, 1, 5, proof.Infinity - 1, proof.Infinity, 1<<32 - 1}
		return numbers[c.next(len(numbers))], numbers[c.next(len(numbers))]
	}
	r := Result{Job: job, Worker: "liar", Nodes: uint64(c.next(256)) << c.next(64)}
	r.Phi, r.Delta = numbers()
	if r.Outcome() != proof.Unknown {
		return r
	}
	newGoal, err := toy{}.Goal(job.Goal)
	if err != nil {
		c.t.Fatal(err)
	}
	g := newGoal()
	if err := play(g, job.Moves); err != nil {
		c.t.Fatal(err)
	}
	for _, child := range g.Expand(nil, none{}) {
		said := Child{Move: g.Text(child.Move), Nodes: uint64(c.next(256))}
		if said.Phi, said.Delta = numbers(); c.next(3) > 0 {
			r.Children = append(r.Children, said)
		}
	}
	return r
}

// apply passes a result on, and compares with the truth.
func (c *fuzzed) apply(r Result, own bool) {
	before := c.tree.state()
	err := c.tree.Apply(r, own)
	if err != nil && r.Worker != "liar" {
		c.t.Fatal(err)
	}
	if err != nil && !errors.Is(err, ErrLiar) && !maps.Equal(before, c.tree.state()) {
		c.t.Fatalf("refused (%v), and %v became %v", err, before, c.tree.state())
	}
	for _, name := range c.tree.Liars() {
		if name != "liar" {
			c.t.Fatalf("%s is no liar", name)
		}
	}
	if value, ok := c.tree.Done(); ok {
		if want := []string{"loss", "draw", "win"}[c.graph.value(0, 0)+1]; value != want {
			c.t.Fatalf("%s, want %s", value, want)
		}
	}
}
