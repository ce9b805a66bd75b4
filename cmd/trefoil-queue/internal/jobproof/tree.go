package jobproof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"trefoil/game/certificate"
	"trefoil/search/proof"
)

// Options say how a tree gives jobs.
type Options struct {
	Nodes       uint64 // the least budget of a job; 0 is DefaultNodes
	Unconfirmed bool   // results are not confirmed by a second search
	// Known, unless nil, gets the moves that show results. Then nothing else confirms them, whatever
	// Unconfirmed says.
	Known *certificate.Moves
}

// DefaultNodes is the default of Options.Nodes, and mostNodes is the greatest budget, unless Options.Nodes is more. The
// budget grows with the proof, so that short proofs are divided as well, and a long one has jobs of a second or more,
// which hundreds of workers can have from one queue.
const (
	DefaultNodes = 1 << 18
	mostNodes    = 1 << 24
)

// Tree is the coordinator's part of a proof. It belongs to one goroutine.
type Tree struct {
	game     Game
	version  string
	problem  Problem
	options  Options
	goals    []func() Goal
	roots    []*node
	nodes    map[uint64]*node
	inFlight map[string][]*node // the path from the root of each job that was given
	workers  map[workerID]*worker
	changed  []*node // whose numbers have to be computed again
	disputes map[*node]bool
	accused  []*worker // liars whose claims are still to be dropped
	serial   uint64    // of the search for a leaf
	scratch  []proof.Child
	results  int
	searched uint64
}

// worker is what the tree knows of a worker.
type worker struct {
	workerID
	liar bool
}

// workerID tells the coordinator from a worker of its name: a worker may call itself as it likes.
type workerID struct {
	name string
	own  bool // the coordinator
}

// New returns a tree for a position.
func New(g Game, position string, o Options) (*Tree, error) {
	o.Nodes = cmp.Or(o.Nodes, DefaultNodes)
	o.Unconfirmed = o.Unconfirmed && o.Known == nil
	problem, err := g.Problem(position)
	if err != nil {
		return nil, err
	}
	t := &Tree{
		game: g, version: Version(g), problem: problem, options: o,
		nodes: map[uint64]*node{}, inFlight: map[string][]*node{}, workers: map[workerID]*worker{},
		disputes: map[*node]bool{},
	}
	for i, text := range problem.Goals {
		newGoal, err := g.Goal(text)
		if err != nil {
			return nil, err
		}
		goal := newGoal()
		var c proof.Child
		goal.Evaluate(&c)
		root := t.child(goal, i, "", &c, goal.Attacking())
		t.goals, t.roots = append(t.goals, newGoal), append(t.roots, root)
	}
	t.recompute()
	return t, nil
}

// Apply takes over the result of a worker, or one of the coordinator's own, which needs no confirmation and decides
// between workers that contradict each other. One that has arrived before changes nothing. With an error the result is
// ignored, and its job released.
func (t *Tree) Apply(r Result, own bool) error {
	t.Release(r.Job.ID)
	if err := t.take(&r, own); err != nil {
		t.judge()
		return fmt.Errorf("result of %.40q for job %.60q: %w", r.Worker, r.Job.ID, err)
	}
	t.results++
	t.searched += min(r.Nodes, judgeFactor*max(mostNodes, t.options.Nodes))
	t.recompute()
	t.judge()
	return nil
}

// take adds a result to the claims of its position.
func (t *Tree) take(r *Result, own bool) error {
	goal := slices.Index(t.problem.Goals, r.Job.Goal)
	switch {
	case r.Job.Version != t.version:
		return fmt.Errorf("%w: %.80q, expected %q", ErrVersion, r.Job.Version, t.version)
	case goal < 0:
		return fmt.Errorf("unknown goal %.80q", r.Job.Goal)
	case r.Worker == "":
		return fmt.Errorf("the name of the worker is missing")
	}
	w := t.worker(workerID{r.Worker, own})
	if w.liar {
		return ErrLiar
	}
	if err := checkNumbers(r.Phi, r.Delta); err != nil {
		return err
	}
	g := t.goals[goal]()
	if err := play(g, r.Job.Moves); err != nil {
		return err
	}
	certified := r.Certified && r.Outcome() != proof.Unknown && t.options.Known != nil
	if certified {
		if err := t.check(r); err != nil {
			t.accuse(w)
			return fmt.Errorf("%w: it does not show what it says: %w", ErrLiar, err)
		}
		w = t.worker(workerID{r.Worker, true})
	}
	c := claim{worker: w, confirm: r.Job.Purpose != Search, nodes: r.Nodes}
	c.phi, c.delta = sides(r.Phi, r.Delta, g.Attacking())
	var list []listed
	if !c.solved() {
		var err error
		if list, err = childNumbers(g, r.Children); err != nil {
			return err
		}
	}
	n := t.node(g, goal, r.Job.Moves, g.Attacking())
	if certified {
		n.certified, n.mate = true, r.Mate
	}
	if t.claim(n, c) && !c.solved() {
		t.expand(n, g, r.Job.Moves, list, w)
	}
	return nil
}

// childNumbers returns what a worker knows of each move of a position, in the order of Expand.
func childNumbers(g Goal, said []Child) (list []listed, err error) {
	children := g.Expand(nil, none{})
	numbers := make(map[string]*Child, len(said))
	for i := range said {
		if err := checkNumbers(said[i].Phi, said[i].Delta); err != nil {
			return nil, fmt.Errorf("move %.20q: %w", said[i].Move, err)
		}
		numbers[said[i].Move] = &said[i]
	}
	for _, c := range children {
		text := g.Text(c.Move)
		list = append(list, listed{Child: c, text: text, said: numbers[text]})
		delete(numbers, text)
	}
	for text := range numbers {
		return nil, fmt.Errorf("unknown move %.20q", text)
	}
	return list, nil
}

// listed is a move of Expand.
type listed struct {
	proof.Child
	text string
	said *Child // by a worker, nil if it has said nothing
}

// expand gives a node its children, unless it has them, and takes over what a worker has said about these.
// The goal is at its position, after these moves, which may be other moves than the node has.
func (t *Tree) expand(n *node, g Goal, moves string, list []listed, w *worker) {
	first := !n.expanded
	n.expanded = true
	for i := range list {
		c := &list[i]
		next := t.childAfter(g, n, moves, c)
		if first && !slices.ContainsFunc(n.children, func(e edge) bool { return e.node == next }) {
			n.children = append(n.children, edge{node: next, delay: c.Delay})
			next.parents = append(next.parents, n)
		}
		if c.said == nil {
			continue
		}
		said := claim{worker: w, nodes: c.said.Nodes}
		said.phi, said.delta = sides(c.said.Phi, c.said.Delta, next.attacking)
		switch {
		case said.solved():
			t.claim(next, said)
		case !next.rule && next.best.less(&said):
			next.best = said
			t.touch(next)
		}
	}
	t.touch(n)
}

// childAfter returns the node after one more move.
func (t *Tree) childAfter(g Goal, n *node, moves string, c *listed) *node {
	if c.Solved() {
		return t.child(g, n.goal, "", &c.Child, !n.attacking)
	}
	g.Make(c.Move)
	defer g.Undo()
	return t.child(g, n.goal, strings.TrimSpace(moves+" "+c.text), &c.Child, !n.attacking)
}

// child returns the node of the position that a goal is at, a new one if it is decided by the rules.
func (t *Tree) child(g Goal, goal int, moves string, c *proof.Child, attacking bool) *node {
	if c.Solved() {
		return &node{goal: goal, moves: moves, attacking: attacking, rule: true, confirmed: true, phi: c.Phi, delta: c.Delta}
	}
	n := t.node(g, goal, moves, attacking)
	if n.initial == [2]uint32{} {
		n.initial = [2]uint32{c.Phi, c.Delta}
		t.touch(n)
	}
	return n
}

// node returns the node of the position that a goal is at.
func (t *Tree) node(g Goal, goal int, moves string, attacking bool) *node {
	key := keyOf(g)
	n := t.nodes[key]
	if n == nil {
		n = &node{key: key, goal: goal, moves: moves, attacking: attacking, phi: 1, delta: 1, sum: proof.DefaultSum}
		if c, ok := g.(proof.SumGoal); ok {
			n.sum = c.Sum(attacking)
		}
		t.nodes[key] = n
	}
	return n
}

// worker returns what is known of a worker.
func (t *Tree) worker(id workerID) *worker {
	w := t.workers[id]
	if w == nil {
		w = &worker{workerID: id}
		t.workers[id] = w
	}
	return w
}

// Done returns the value of the position, false if it is not known or not confirmed.
func (t *Tree) Done() (value string, ok bool) {
	disproved := 0
	for i, root := range t.roots {
		switch {
		case !root.solved() || !root.confirmed && !t.options.Unconfirmed:
		case root.proved():
			return t.problem.Values[i], true
		default:
			disproved++
		}
	}
	if disproved == len(t.roots) {
		return t.problem.Values[disproved], true
	}
	return "", false
}

// sides returns proof and disproof number of a goal as φ and δ of the player to move, or the other way about.
func sides(phi, delta uint32, attacking bool) (uint32, uint32) {
	if attacking {
		return phi, delta
	}
	return delta, phi
}
