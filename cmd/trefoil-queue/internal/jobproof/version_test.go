package jobproof

import (
	"slices"
	"testing"

	"trefoil/game"
	"trefoil/search/proof"
)

// changed is a toy whose goals change what the toy says.
type changed struct {
	toy
	convention string
	change     func(children []proof.Child) []proof.Child
	key        uint64 // added to all keys
}

func (c changed) Convention() string { return c.toy.Convention() + c.convention }

func (c changed) Goal(text string) (func() Goal, error) {
	newGoal, err := c.toy.Goal(text)
	return func() Goal { return changedGoal{newGoal(), c} }, err
}

type changedGoal struct {
	Goal
	by changed
}

func (g changedGoal) Key() uint64 { return g.Goal.Key() + g.by.key }

func (g changedGoal) Expand(to []proof.Child, p proof.Prefetcher) []proof.Child {
	return g.by.change(g.Goal.Expand(to, p))
}

// TestVersion: another rule, key or convention makes another version; another order of moves and other
// estimates do not.
func TestVersion(t *testing.T) {
	same := func(children []proof.Child) []proof.Child { return children }
	for name, c := range map[string]struct {
		game  changed
		equal bool
	}{
		"the same":       {changed{change: same}, true},
		"the convention": {changed{change: same, convention: "!"}, false},
		"the keys":       {changed{change: same, key: 1}, false},
		"estimates": {changed{change: func(children []proof.Child) []proof.Child {
			for i := range children {
				if c := &children[i]; !c.Solved() {
					c.Phi, c.Delta, c.Delay = c.Phi+1, c.Delta+2, 3
				}
			}
			return children
		}}, true},
		"the order": {changed{change: func(children []proof.Child) []proof.Child {
			slices.Reverse(children)
			return children
		}}, true},
		"a move less": {changed{change: func(children []proof.Child) []proof.Child {
			return slices.DeleteFunc(children, func(c proof.Child) bool { return c.Move == game.Move(40) })
		}}, false},
		"a result": {changed{change: func(children []proof.Child) []proof.Child {
			for i := range children {
				if c := &children[i]; c.Move == game.Move(50) && c.Solved() {
					c.Phi, c.Delta = c.Delta, c.Phi
				}
			}
			return children
		}}, false},
	} {
		if equal := c.game.Convention() == (toy{}).Convention() && rules(c.game) == rules(toy{}); equal != c.equal {
			t.Errorf("%s: equal %v", name, equal)
		}
	}
	first, again, other := Version(toy{}), Version(toy{}), Version(changed{change: same, convention: "!"})
	if first != again || first == other {
		t.Error(first, again, other)
	}
}
