package jobproof

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"trefoil/game/certificate"
	"trefoil/search/proof"
	"trefoil/window"
)

// Certified is a game whose results can be shown by its rules alone.
type Certified interface {
	Game
	// Claim returns what is to be shown of a goal that is proved or disproved after some moves, without the
	// moves that show it. A mate is within a number of moves, at most those that the goal has left.
	Claim(goal, moves string, r proof.Result, mate int) (certificate.Proof, error)
	// Show returns a proof of that, with moves of a solver, which searches again for what its table has
	// lost.
	Show(ctx context.Context, s Solver, goal, moves string, r proof.Result) (certificate.Proof, error)
	// Certificate returns a proof of the value of a problem, with moves of a solver where it has moves of
	// positions that Goal.Expand leaves out.
	Certificate(s Solver, p Problem, value string, mate int) (certificate.Proof, error)
}

// Solver is a solver with its table.
type Solver struct {
	*proof.Solver
	Table   *window.Table
	Threads int
}

var errNoCertificates = errors.New("the game has no certificates")

// mostEntries is the most that a result has of a proof, so that it fits into a message of the queue.
const mostEntries = 340 << 10

// certify adds the moves of the proof to a result, if there are not too many.
func (w *Worker) certify(ctx context.Context, g Game, r *Result) error {
	c, ok := g.(Certified)
	if !ok || r.Outcome() == proof.Unknown {
		return nil
	}
	p, err := c.Show(ctx, w.Solver(), r.Job.Goal, r.Job.Moves, r.Outcome())
	if err == nil {
		r.Mate = p.Mate()
		r.Entries, err = p.Entries(ctx, mostEntries)
	}
	if err != nil {
		r.Entries, r.Mate = nil, 0
		return context.Cause(ctx) // without moves the coordinator searches
	}
	r.Certified = true
	return nil
}

// Solver returns the solver of a worker.
func (w *Worker) Solver() Solver { return Solver{w.solver, w.table, w.options.Threads} }

// check checks the moves of a certified result. Then it is as good as a result of the coordinator.
func (t *Tree) check(r *Result) error {
	c, ok := t.game.(Certified)
	if !ok {
		return errNoCertificates
	}
	p, err := c.Claim(r.Job.Goal, r.Job.Moves, r.Outcome(), r.Mate)
	if err == nil {
		err = t.options.Known.Add(context.Background(), p, r.Entries)
	}
	return err
}

// lacksProof reports whether a worker was asked to show the result of the node, and has not.
func (n *node) lacksProof() bool {
	return slices.ContainsFunc(n.claims, func(c claim) bool { return c.confirm && !c.worker.own })
}

// shown reports whether the coordinator knows the result of the node, not only what follows from its
// children.
func (n *node) shown() bool {
	return slices.ContainsFunc(n.claims, func(c claim) bool { return c.worker.own && c.solved() })
}

// Certificate returns a proof of the value, which has to be known (Done). The moves below leaves are those
// that workers have shown; below the others it searches with a solver.
func (t *Tree) Certificate(ctx context.Context, s Solver) (p certificate.Proof, err error) {
	c, ok := t.game.(Certified)
	if !ok {
		return p, errNoCertificates
	}
	value, _ := t.Done()
	w := proofWalk{Tree: t, game: c, solver: s, mates: map[*node]int{}}
	mate := 0
	for i, root := range t.roots {
		if root.proved() || value == t.problem.Values[len(t.roots)] {
			w.goal = t.problem.Goals[i]
			if mate, err = w.walk(ctx, t.goals[i](), root, ""); err != nil {
				return p, err
			}
		}
		if root.proved() {
			break
		}
	}
	if p, err = c.Certificate(s, t.problem, value, mate); err == nil {
		p = p.From(t.options.Known)
	}
	return p, err
}

// proofWalk adds the moves of the solution of a tree to those that are known.
type proofWalk struct {
	*Tree
	game   Certified
	solver Solver
	goal   string
	mates  map[*node]int // within how many moves somebody mates, by node
}

// walk adds the moves of a node and all below it. It returns within how many moves somebody mates there, if
// the game has mates.
func (w *proofWalk) walk(ctx context.Context, g Goal, n *node, moves string) (mate int, err error) {
	if mate, known := w.mates[n]; known {
		return mate, nil
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	result := outcome(sides(n.phi, n.delta, n.attacking))
	switch {
	case n.certified:
		mate = n.mate
	case n.shown() || !n.derived:
		mate, err = w.leaf(ctx, moves, result)
	default:
		mate, err = w.inner(ctx, g, n, moves, result)
	}
	w.mates[n] = mate
	return mate, err
}

// leaf is walk for a position whose moves only a solver knows.
func (w *proofWalk) leaf(ctx context.Context, moves string, result proof.Result) (mate int, err error) {
	p, err := w.game.Show(ctx, w.solver, w.goal, moves, result)
	if err != nil {
		return 0, err
	}
	entries, err := p.Entries(ctx, math.MaxInt)
	if err == nil {
		err = w.options.Known.Add(ctx, p, entries)
	}
	return p.Mate(), err
}

// inner is walk for a position that is solved by its children.
func (w *proofWalk) inner(ctx context.Context, g Goal, n *node, moves string, result proof.Result) (
	mate int, err error) {
	for _, c := range g.Expand(nil, none{}) {
		text := g.Text(c.Move)
		after, below := strings.TrimSpace(moves+" "+text), 0
		if c.Solved() {
			if n.phi == 0 && c.Delta != 0 {
				continue
			}
			below, err = w.leaf(ctx, after, result)
		} else {
			g.Make(c.Move)
			next := w.nodes[keyOf(g)]
			ok := next != nil && next.solved() && next.confirmed && (n.phi != 0 || next.delta == 0)
			if ok {
				below, err = w.walk(ctx, g, next, after)
			}
			g.Undo()
			switch {
			case ok:
			case n.phi == 0:
				continue
			default:
				err = fmt.Errorf("the solution lacks %s after %q", text, moves)
			}
		}
		if err != nil {
			return 0, err
		}
		if n.phi != 0 {
			mate = max(mate, below)
			continue
		}
		p, err := w.game.Claim(w.goal, moves, result, below+1)
		if err == nil {
			err = w.options.Known.Put(p, text)
		}
		return below + 1, err
	}
	if n.phi == 0 {
		err = fmt.Errorf("the solution lacks a move after %q", moves)
	}
	return mate, err
}
