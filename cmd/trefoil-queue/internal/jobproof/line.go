package jobproof

import (
	"context"
	"strings"

	"trefoil/search/proof"
)

// Line is the main line of a solved problem.
type Line struct {
	Goal  string
	Moves []string // from the position of the goal
	Ends  bool     // with the last move the rules decide
}

// Line returns the main line of a problem whose value is known, as far as the tree has it: winning moves of
// the side that reaches its goal, and of the other side the defences that took the most work. If there are
// several goals, it is the line of the goal solved last.
func (t *Tree) Line() (line Line) {
	at := -1
	for i, root := range t.roots {
		if !root.solved() {
			break
		}
		if at = i; root.proved() {
			break
		}
	}
	if at < 0 {
		return line
	}
	line.Goal = t.problem.Goals[at]
	g, n := t.goals[at](), t.roots[at]
	for n != nil && n.derived {
		move, next, ok := t.lineMove(g, n)
		if !ok {
			break
		}
		line.Moves = append(line.Moves, g.Text(move.Move))
		if line.Ends = next == nil; next != nil {
			g.Make(move.Move)
		}
		n = next
	}
	return line
}

// lineMove returns the move of the main line at a node, and the node after it, nil if the rules decide that.
func (t *Tree) lineMove(g Goal, n *node) (best proof.Child, to *node, ok bool) {
	var most uint64
	for _, c := range g.Expand(nil, none{}) {
		var next *node
		delta, work := c.Delta, uint64(0)
		if !c.Solved() {
			g.Make(c.Move)
			next = t.nodes[keyOf(g)]
			g.Undo()
			if next == nil || !next.solved() {
				continue
			}
			delta, work = next.delta, max(next.mostNodes(), next.best.nodes)
		}
		switch {
		case n.phi == 0 && delta != 0:
		case n.phi == 0:
			return c, next, true
		case !ok || work > most:
			best, to, most, ok = c, next, work, true
		}
	}
	return best, to, ok
}

// Continue returns a main line with the moves that follow in the table of the worker, as far as they are
// found within some nodes for each position.
func (w *Worker) Continue(ctx context.Context, game Game, line Line, nodes uint64) ([]string, error) {
	if line.Ends {
		return line.Moves, nil
	}
	newGoal, err := goalAt(game, line.Goal, strings.Join(line.Moves, " "))
	if err != nil {
		return line.Moves, err
	}
	moves, err := w.solver.Line(ctx, newGoal, proof.Limits{Nodes: nodes})
	g := newGoal().(Goal)
	for i, m := range moves {
		line.Moves = append(line.Moves, g.Text(m))
		if i < len(moves)-1 {
			g.Make(m)
		}
	}
	return line.Moves, err
}
