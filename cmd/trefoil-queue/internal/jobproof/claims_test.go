package jobproof

import (
	"fmt"
	"slices"
	"testing"

	"trefoil/search/proof"
)

// proved returns a tree of a seed that is done, after the results of honest workers.
func proved(t *testing.T, seed int) *simulatedQueue {
	t.Helper()
	q := newSimulatedQueue(t, seed)
	q.calm, q.workers[0].lies = true, false
	for range 100000 {
		if _, done := q.tree.Done(); done {
			return q
		}
		q.step()
	}
	t.Fatal("no value")
	return nil
}

// TestLine: the main line of a proof keeps the value at every move, and defends where that took the most
// work.
func TestLine(t *testing.T) {
	long := 0
	for seed := range 80 {
		tree := proved(t, seed).tree
		value, _ := tree.Done()
		line := tree.Line()
		want := map[string]int{"win": 0, "loss": 1, "draw": 1}[value]
		if line.Goal != tree.problem.Goals[want] {
			t.Fatalf("seed %d: line of %s, and the value is %s", seed, line.Goal, value)
		}
		g := tree.goals[want]().(*toyGoal)
		phi, delta := g.truth()
		for i, move := range line.Moves {
			n := tree.nodes[keyOf(g)]
			most, work := uint64(0), map[string]uint64{}
			for _, c := range g.Expand(nil, none{}) {
				g.Make(c.Move)
				if next := tree.nodes[keyOf(g)]; next != nil && next.solved() && !c.Solved() {
					work[g.Text(c.Move)] = max(next.mostNodes(), next.best.nodes)
					most = max(most, work[g.Text(c.Move)])
				}
				g.Undo()
			}
			if n.phi != 0 && work[move] != most {
				t.Errorf("seed %d: %q at %d took %d of %v", seed, line.Moves, i, work[move], work)
			}
			if err := playOn(g, move); err != nil {
				t.Fatal(err)
			}
			if p, d := g.truth(); p != phi || d != delta {
				t.Errorf("seed %d: %q at %d loses the value", seed, line.Moves, i)
			}
		}
		if over := len(g.graph.moves[g.at()]) == 0; line.Ends != over {
			t.Errorf("seed %d: %q ends: %v, want %v", seed, line.Moves, line.Ends, over)
		}
		if len(line.Moves) > 1 {
			long++
		}
	}
	if tree, _ := newTree(t); tree.Line().Goal != "" || tree.Line().Moves != nil {
		t.Error("a line without a value")
	}
	if long < 10 {
		t.Errorf("%d long lines", long)
	}
}

// playOn makes a move of a toy.
func playOn(g *toyGoal, text string) error {
	for _, c := range g.Expand(nil, none{}) {
		if g.Text(c.Move) == text {
			g.Make(c.Move)
			return nil
		}
	}
	return fmt.Errorf("%q is no move", text)
}

// TestSolution: a solution has each position that it rests on once, and none that the rules decide.
func TestSolution(t *testing.T) {
	for seed := range 40 {
		tree := proved(t, seed).tree
		seen := map[string]bool{}
		for _, leaf := range tree.solution() {
			g := tree.goals[leaf.goal]().(*toyGoal)
			if err := play(g, leaf.moves); err != nil {
				t.Fatal(err)
			}
			id := fmt.Sprint(leaf.goal, g.at(), g.side())
			if seen[id] || len(g.graph.moves[g.at()]) == 0 || len(leaf.solvers()) == 0 {
				t.Errorf("seed %d: %+v", seed, leaf)
			}
			seen[id] = true
		}
	}
}

// TestStats: what the state of a proof counts.
func TestStats(t *testing.T) {
	q := proved(t, 1)
	s := q.tree.Stats()
	solved, nodes := 0, uint64(0)
	for _, n := range q.tree.nodes {
		if n.solved() {
			solved++
		}
	}
	for _, r := range q.log[:q.read] {
		nodes += r.Nodes
	}
	if s.Solved != solved || s.Positions != len(q.tree.nodes) || s.Nodes != nodes || s.Results != q.read ||
		s.Open != 0 || s.Confirmed == 0 || s.Confirmed != len(q.tree.solution()) {
		t.Errorf("%+v: %d solved, %d nodes, %d results", s, solved, nodes, q.read)
	}
	tree, job := newTree(t)
	for range 2 {
		if err := tree.Apply(Result{Job: job, Worker: "w", Phi: 1, Delta: 1}, false); err != nil {
			t.Fatal(err)
		}
	}
	if s := tree.Stats(); s.Goal != tree.problem.Goals[0] || s.Solved != 0 || s.Results != 2 || len(tree.inFlight) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestOutcome: proof and disproof numbers of the goal.
func TestOutcome(t *testing.T) {
	for want, r := range map[proof.Result]Result{
		proof.Proved: {Delta: proof.Infinity}, proof.Disproved: {Phi: proof.Infinity}, proof.Unknown: {Phi: 1, Delta: 1},
	} {
		if got := r.Outcome(); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// position is a position of a toy: its tree, a result that expands it, and those of its moves that the
// rules decide, or do not, with numbers that are true or decide nothing.
type position struct {
	tree        *Tree
	result      Result
	ruled, open []Child
}

// find returns a position that suits a test.
func find(t *testing.T, suits func(ruled, open []Child) bool) (p position) {
	t.Helper()
	for seed := range 100 {
		tree, err := New(toy{}, fmt.Sprint(seed), Options{Nodes: 10})
		if err != nil {
			t.Fatal(err)
		}
		g := tree.goals[0]().(*toyGoal)
		p.tree, p.result = tree, Result{Worker: "w", Phi: 2, Delta: 2, Nodes: 1}
		p.result.Job = Job{Version: tree.version, Goal: tree.problem.Goals[0], Purpose: Search}
		for len(g.graph.moves[g.at()]) > 0 {
			p.ruled, p.open = nil, nil
			children := g.Expand(nil, none{})
			for _, c := range children {
				said := Child{Move: g.Text(c.Move), Phi: 7, Delta: 8, Nodes: 5}
				if c.Solved() {
					said.Phi, said.Delta = sides(c.Phi, c.Delta, !g.Attacking())
					p.ruled = append(p.ruled, said)
					continue
				}
				p.open = append(p.open, said)
			}
			if suits(p.ruled, p.open) {
				return p
			}
			g.Make(children[len(children)-1].Move)
			p.result.Job.Moves += " " + fmt.Sprint(g.at())
		}
	}
	t.Fatal("no such position")
	return p
}

// node returns the node of the position, or of the position after a move.
func (p *position) node(t *testing.T, move string) *node {
	t.Helper()
	g := p.tree.goals[0]()
	if err := play(g, p.result.Job.Moves+" "+move); err != nil {
		t.Fatal(err)
	}
	return p.tree.nodes[keyOf(g)]
}

// says applies a result of a worker.
func (p *position) says(t *testing.T, worker string, phi, delta uint32, children ...Child) {
	t.Helper()
	r := p.result
	r.Worker, r.Phi, r.Delta, r.Children = worker, phi, delta, children
	if err := p.tree.Apply(r, false); err != nil {
		t.Fatal(err)
	}
}

// TestAgainstRules: a worker that contradicts the rules is a liar; one that has not found out what they say
// is none.
func TestAgainstRules(t *testing.T) {
	for _, c := range []struct {
		change func(*Child)
		liar   bool
	}{
		{func(*Child) {}, false},
		{func(c *Child) { c.Phi, c.Delta = 3, 4 }, false},
		{func(c *Child) { c.Phi, c.Delta = c.Delta, c.Phi }, true},
	} {
		p := find(t, func(ruled, _ []Child) bool { return len(ruled) > 0 })
		c.change(&p.ruled[0])
		if p.says(t, "w", 2, 2, p.ruled[0]); (p.tree.Liars() != nil) != c.liar {
			t.Errorf("%+v: %v", p.ruled[0], p.tree.Liars())
		}
	}
}

// TestDropped: the numbers of a liar go with it, those of others stay.
func TestDropped(t *testing.T) {
	p := find(t, func(ruled, open []Child) bool {
		return len(ruled) > 0 && len(open) > 1 && open[0].Move == "44" // whose δ is 3
	})
	p.says(t, "w", 2, 2)
	first, second := p.node(t, p.open[0].Move), p.node(t, p.open[1].Move)
	initial := *first
	if initial.phi != 1 || initial.delta != 3 {
		t.Errorf("φ %d δ %d before any numbers", initial.phi, initial.delta)
	}
	p.says(t, "honest", 2, 3, p.open[1])
	p.says(t, "liar", 2, 4, p.open[0])
	if first.best.worker == nil || first.best.worker.name != "liar" || first.phi+first.delta != 15 {
		t.Errorf("%+v", first.best)
	}
	p.ruled[0].Phi, p.ruled[0].Delta = p.ruled[0].Delta, p.ruled[0].Phi
	p.says(t, "liar", 2, 5, p.ruled[0])
	if first.best.worker != nil || first.phi != initial.phi || first.delta != initial.delta {
		t.Errorf("φ %d δ %d of %+v", first.phi, first.delta, first.best)
	}
	if second.best.worker == nil || second.best.worker.name != "honest" || second.phi+second.delta != 15 {
		t.Errorf("%+v", second.best)
	}
}

// TestDisputes: of two positions about which workers contradict each other the one of the lower key is
// judged first.
func TestDisputes(t *testing.T) {
	p := find(t, func(_, open []Child) bool { return len(open) > 1 })
	p.says(t, "w", 2, 2)
	before := p.result.Job.Moves
	var want []string
	for _, c := range p.open[:2] {
		want = append(want, fmt.Sprintf("%016x-judge-1", p.node(t, c.Move).key))
		p.result.Job.Moves = before + " " + c.Move
		p.says(t, "a", 0, proof.Infinity)
		p.says(t, "b", proof.Infinity, 0)
		p.result.Job.Moves = before
	}
	slices.Sort(want)
	for _, id := range want {
		if job, ok := p.tree.Next(); !ok || job.ID != id {
			t.Errorf("%+v, want %s", job, id)
		}
	}
}

// TestConspiracy: two workers that agree on a lie about a position whose moves the rules decide are found
// out: the coordinator has to judge. One of them alone is a liar at once.
func TestConspiracy(t *testing.T) {
	ruled := func(_, open []Child) bool { return len(open) == 0 }
	p := find(t, ruled)
	p.says(t, "w", 2, 2)
	n := p.node(t, "")
	if !n.derived || !n.confirmed {
		t.Fatalf("%+v", n)
	}
	phi, delta := sides(n.delta, n.phi, n.attacking)
	if p.says(t, "a", phi, delta); n.disputed || !n.confirmed || !slices.Equal(p.tree.Liars(), []string{"a"}) {
		t.Errorf("%+v, %v", n, p.tree.Liars())
	}
	p = find(t, ruled)
	p.says(t, "a", phi, delta)
	p.says(t, "b", phi, delta)
	if n = p.node(t, ""); !n.confirmed {
		t.Errorf("%+v", n)
	}
	p.says(t, "w", 2, 2)
	if !n.disputed || n.confirmed || n.phi != 1 || n.delta != 1 || p.tree.Liars() != nil {
		t.Errorf("%+v", n)
	}
}
