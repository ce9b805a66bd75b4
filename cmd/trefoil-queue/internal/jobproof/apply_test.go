package jobproof

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"trefoil/search/proof"
)

// newTree returns a tree of a graph whose root is not decided by the rules, and its first job.
func newTree(t *testing.T) (*Tree, Job) {
	t.Helper()
	tree, err := New(toy{}, "1", Options{})
	if err != nil {
		t.Fatal(err)
	}
	job, ok := tree.Next()
	if !ok || job.Purpose != Search {
		t.Fatal(job, ok)
	}
	return tree, job
}

// Results that cannot be true are refused by name, change nothing, and release their job.
func TestRefusedResults(t *testing.T) {
	good := Result{Worker: "w", Phi: 3, Delta: 4}
	for want, change := range map[string]func(*Result){
		"another version":               func(r *Result) { r.Job.Version = "jobs 0" },
		`unknown goal "Y 1"`:            func(r *Result) { r.Job.Goal = "Y 1" },
		"name of the worker is missing": func(r *Result) { r.Worker = "" },
		"φ 0 and δ 4":                   func(r *Result) { r.Phi = 0 },
		"φ 3 and δ 0":                   func(r *Result) { r.Delta = 0 },
		"φ 3 and δ 1073741824":          func(r *Result) { r.Delta = proof.Infinity },
		`move 1: "900" is not a move`:   func(r *Result) { r.Job.Moves = "900" },
		`unknown move "900"`:            func(r *Result) { r.Children = []Child{{Move: "900", Phi: 1, Delta: 1}} },
		`move "900": φ 0 and δ 0`:       func(r *Result) { r.Children = []Child{{Move: "900"}} },
	} {
		tree, job := newTree(t)
		before := tree.state()
		if given := tree.nodes[keyOf(tree.goals[0]())]; !given.busy {
			t.Fatal("the job is not in flight")
		}
		r := good
		r.Job = job
		change(&r)
		err := tree.Apply(r, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if after := tree.state(); !maps.Equal(before, after) {
			t.Errorf("%s: %v became %v", want, before, after)
		}
		if again, ok := tree.Next(); !ok || again.Moves != job.Moves || again.ID == job.ID {
			t.Errorf("%s: %+v, %v after %+v", want, again, ok, job)
		}
	}
}

// A worker that contradicts another is judged by the coordinator, named, and heard no more.
func TestContradiction(t *testing.T) {
	tree, job := newTree(t)
	goal := tree.goals[0]().(*toyGoal)
	phi, delta := goal.truth()
	if !goal.Attacking() {
		phi, delta = delta, phi
	}
	said := func(worker string, phi, delta uint32) error {
		return tree.Apply(Result{Job: job, Worker: worker, Phi: phi, Delta: delta, Nodes: 10}, false)
	}
	if err := errors.Join(said("liar", delta, phi), said("honest", phi, delta)); err != nil {
		t.Fatal(err)
	}
	if _, done := tree.Done(); done {
		t.Fatal("done though two workers contradict each other")
	}
	judge, ok := tree.Next()
	if !ok || judge.Purpose != Judge {
		t.Fatal(judge, ok)
	}
	if err := tree.Apply(Result{Job: judge, Worker: "coordinator", Phi: phi, Delta: delta}, true); err != nil {
		t.Fatal(err)
	}
	if got := tree.Liars(); !slices.Equal(got, []string{"liar"}) {
		t.Errorf("liars %q", got)
	}
	if err := said("liar", 1, 1); !errors.Is(err, ErrLiar) {
		t.Errorf("%v", err)
	}
	if root := tree.roots[0]; !root.confirmed || len(root.claims) != 2 {
		t.Errorf("%+v", root)
	}
}

// A claim that a second search does not reach is set aside, and the position searched as if it had not been made.
func TestDoubt(t *testing.T) {
	tree, job := newTree(t)
	fast := Result{Job: job, Worker: "fast", Phi: 0, Delta: proof.Infinity, Nodes: 1 << 60}
	if err := tree.Apply(fast, false); err != nil {
		t.Fatal(err)
	}
	confirm, ok := tree.Next()
	if !ok || confirm.Purpose != Confirm || !slices.Equal(confirm.Not, []string{"fast"}) ||
		confirm.Nodes != confirmFactor*mostNodes {
		t.Fatalf("%+v, %v", confirm, ok)
	}
	if err := tree.Apply(Result{Job: confirm, Worker: "slow", Phi: 5, Delta: 5}, false); err != nil {
		t.Fatal(err)
	}
	if next, ok := tree.Next(); tree.roots[0].solved() || !ok || next.Purpose != Search || next.Moves == "" ||
		tree.Liars() != nil {
		t.Errorf("%+v, %v", next, ok)
	}
}
