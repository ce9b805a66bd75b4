package proof_test

import (
	"context"
	"testing"

	"trefoil/game/gametest"
	"trefoil/game/ultimate"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// openPosition takes some thousand nodes.
const openPosition = "X;......O@.;X.O.O.X../OX.O...../X.X...XOO/..OX.OX../OX..X..../...O.X.O./..X...OOO/..OX.X.../.O.....XX"

// A search that is limited by the numbers of its goal ends when one of them is reached, whichever side is to move.
func TestThresholds(t *testing.T) {
	p := gametest.Ultimate(t, openPosition)
	for _, attacker := range []ultimate.Side{p.Side(), p.Side().Other()} {
		newGoal := func() proof.Goal { return ultimategoal.New(p, attacker) }
		for _, threads := range []int{1, 2} {
			for _, limits := range []proof.Limits{{Phi: 900}, {Delta: 2500}, {Phi: 900, Delta: 2500},
				{Phi: 1, Delta: 1}} {
				s := proof.New(newtable.Window(t, 1), proof.Options{Threads: threads})
				a, err := s.Prove(context.Background(), newGoal, limits)
				if err != nil {
					t.Fatal(err)
				}
				reached := limits.Phi > 0 && a.Phi >= limits.Phi || limits.Delta > 0 && a.Delta >= limits.Delta
				if a.Result == proof.Unknown && !reached {
					t.Errorf("%+v, %d threads: %+v", limits, threads, a)
				}
				if limits.Phi == 1 && (a.Nodes > 0 || a.Result != proof.Unknown) {
					t.Errorf("%d nodes though the first numbers are enough", a.Nodes)
				}
			}
		}
	}
}

// The children of a position have the numbers of the table, and the position those that follow from them.
func TestChildren(t *testing.T) {
	p := gametest.Ultimate(t, openPosition)
	newGoal := func() proof.Goal { return ultimategoal.New(p, p.Side()) }
	s := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1})
	a, err := s.Prove(context.Background(), newGoal, proof.Limits{Nodes: 2000})
	if err != nil || a.Result != proof.Unknown {
		t.Fatal(a, err)
	}
	children := s.Children(newGoal)
	work := uint64(0)
	for _, c := range children {
		work += c.Work
	}
	if phi, delta := proof.Numbers(children, proof.DefaultSum); phi != a.Phi || delta != a.Delta || work+1 < a.Nodes {
		t.Errorf("φ %d, δ %d, %d nodes below; the search says %+v", phi, delta, work, a)
	}
}

// A cap limits what a child adds to δ, except the greatest.
func TestNumbers(t *testing.T) {
	children := []proof.Child{{Phi: 100, Delta: 7}, {Phi: 80, Delta: 9}}
	for _, c := range []struct{ added, delta uint32 }{{0, 160}, {40, 130}, {1000, 160}} {
		if phi, delta := proof.Numbers(children, proof.Sum{Share: 12, Most: c.added}); phi != 7 || delta != c.delta {
			t.Errorf("at most %d: φ %d, δ %d, want 7 and %d", c.added, phi, delta, c.delta)
		}
	}
}
