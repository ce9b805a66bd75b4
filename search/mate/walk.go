package mate

import (
	"context"
	"errors"
	"time"

	"trefoil/game"
	"trefoil/search/proof"
	"trefoil/window"
)

// walker walks through a proof, first to collect a move for every position of the attacker,
// then to replay these moves.
type walker struct {
	finder   *Finder
	problem  Problem
	opponent bool
	table    *window.Handle
	goal     Goal
	played   []game.Move
	children []proof.Child
	plans    plans
	visits   int
	// reproofNodes limits the search for one position that was replaced in the table.
	reproofNodes uint64
}

// plan is the attacker's move in a position.
type plan struct {
	bound  int // upper limit of the moves to mate
	length int // moves to mate, 0: not known yet
	move   game.Move
	onPath bool // it is on the path of the replay
}

// plans are plans by position, and by its clock where the fifty-move rule could end the game before the mate.
type plans map[planKey]*plan

type planKey struct {
	position uint64 // PositionKey
	clock    int    // 0 also if it does not matter
}

// inTime reports whether a mate within some moves, the last of 2·moves-1 plies, comes by ply 100 of the clock.
func inTime(moves, clock int) bool { return moves <= (101-clock)/2 }

// at returns the plan for a position with a clock, nil if there is none. A plan that is in time is shorter than
// one for this clock alone.
func (all plans) at(position uint64, clock int) *plan {
	if p := all[planKey{position, 0}]; p != nil && inTime(p.bound, clock) {
		return p
	}
	return all[planKey{position, clock}]
}

var (
	errLost  = errors.New("mate: a part of the proof is no longer in the table")
	errRules = errors.New("mate: the line does not end with a mate")
)

// extend returns a context that ends walkTime after ctx, and a function that ends it before.
func extend(ctx context.Context) (extended context.Context, end func()) {
	extended, cancel := context.WithCancel(context.WithoutCancel(ctx))
	leave := context.AfterFunc(ctx, func() { time.AfterFunc(walkTime, cancel) })
	return extended, func() { leave(); cancel() }
}

// walk returns the longest branch of the tree that proves the goal of the problem. Every plan mates sooner
// than the plan that leads to it. Where the length is open, the table may have a longer mate, proved at
// another time; then a shorter one is searched for.
func (w *walker) walk(ctx context.Context, moves int) (line []game.Move, err error) {
	w.table = w.finder.table.Handle()
	w.goal = w.problem.Goal(w.opponent, moves)
	w.plans = plans{}
	if err = w.collect(ctx); err != nil {
		return nil, err
	}
	if _, err = w.replay(ctx); err != nil {
		return nil, err
	}
	return w.line()
}

// collect makes a plan for every position of the attacker that can arise from the present one.
func (w *walker) collect(ctx context.Context) error {
	limit := w.goal.Left()
	if w.goal.Attacking() {
		return w.attack(ctx, limit)
	}
	return w.each(func(proof.Child) error { return w.attack(ctx, limit) })
}

// attack is collect where the attacker is to move and mates within limit moves.
func (w *walker) attack(ctx context.Context, limit int) error {
	if w.visits++; w.visits&0xff == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	g, left := w.goal, w.goal.Left()
	if p := w.plan(); p != nil && p.bound <= limit {
		return nil
	}
	move, bound, err := w.choose(ctx, limit)
	if err != nil {
		return err
	}
	key := planKey{g.PositionKey(), g.Clock()}
	if inTime(bound, key.clock) {
		key.clock = 0
	}
	w.plans[key] = &plan{bound: bound, move: move}
	if left != Endless {
		g.SetLeft(bound)
	}
	if limit = bound - 1; bound == Endless {
		limit = Endless
	}
	w.do(move)
	err = w.each(func(proof.Child) error { return w.attack(ctx, limit) })
	w.undo()
	g.SetLeft(left)
	return err
}

// plan returns the plan for the present position, nil if there is none.
func (w *walker) plan() *plan { return w.plans.at(w.goal.PositionKey(), w.goal.Clock()) }

// choose returns the move of the shortest known mate within limit moves, and its length.
func (w *walker) choose(ctx context.Context, limit int) (game.Move, int, error) {
	g, left := w.goal, w.goal.Left()
	var here proof.Child
	if g.Evaluate(&here); here.Phi == 0 {
		for _, c := range g.Expand(w.children[len(w.children):], w.table) {
			if c.Delta == 0 {
				return c.Move, int(c.Plies)/2 + 1, nil
			}
		}
	}
	defer g.SetLeft(left)
	if w.problem.Moves == Endless {
		g.SetLeft(Endless)
		if m, n := w.known(); m != game.None && n <= limit {
			return m, n, nil
		}
		if limit == Endless {
			return w.reproveOpen(ctx)
		}
	}
	for n := 1; n <= limit; n++ {
		g.SetLeft(n)
		if m, _ := w.known(); m != game.None {
			return m, n, nil
		}
	}
	return w.reprove(ctx, limit)
}

// known returns the mating move that the table has, and within how many moves it mates.
func (w *walker) known() (game.Move, int) {
	if e, ok := w.table.Probe(w.goal.Key()); ok && e.Phi == 0 {
		return w.goal.FromMove16(e.Move), (int(e.Plies) + 1) / 2
	}
	return game.None, 0
}

// reproveOpen searches again for a mate of any length, and returns its length.
func (w *walker) reproveOpen(ctx context.Context) (game.Move, int, error) {
	m, n, err := w.reprove(ctx, Endless)
	if _, length := w.known(); err == nil && length > 0 {
		n = length
	}
	return m, n, err
}

// reprove searches again for a mate within limit moves that was replaced in the table.
func (w *walker) reprove(ctx context.Context, limit int) (game.Move, int, error) {
	goals := 0
	r, err := w.finder.solver.Prove(ctx, func() proof.Goal {
		g := w.goal // of the first thread, as most such proofs take one node
		if goals++; goals > 1 {
			g = w.problem.Goal(w.opponent, limit)
			for _, m := range w.played {
				g.Make(m)
			}
		}
		g.SetLeft(limit)
		g.SetRoot()
		return g
	}, proof.Limits{Nodes: w.reproofNodes})
	w.finder.nodes += r.Nodes
	if err == nil && (r.Result != proof.Proved || r.Move == game.None) {
		err = errLost
	}
	return r.Move, limit, err
}

// each calls do after every legal reply of the defender.
func (w *walker) each(do func(proof.Child) error) error {
	from := len(w.children)
	w.children = w.goal.Expand(w.children, w.table)
	defer func() { w.children = w.children[:from] }()
	for i := from; i < len(w.children); i++ {
		c := w.children[i]
		if c.Delta == 0 {
			return errLost // the defender escapes
		}
		w.do(c.Move)
		err := do(c)
		w.undo()
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) do(m game.Move) {
	w.goal.Make(m)
	w.played = append(w.played, m)
}

func (w *walker) undo() {
	w.goal.Undo()
	w.played = w.played[:len(w.played)-1]
}

// replay plays all plans from the present position by the rules alone, and returns in how many moves
// of the attacker they mate.
func (w *walker) replay(ctx context.Context) (moves int, err error) {
	if w.goal.Attacking() {
		return w.replayAttack(ctx)
	}
	return w.replayDefence(ctx)
}

func (w *walker) replayAttack(ctx context.Context) (int, error) {
	if w.visits++; w.visits&0xff == 0 && ctx.Err() != nil {
		return 0, ctx.Err()
	}
	p := w.plan()
	if p == nil || p.onPath {
		return 0, errRules
	}
	if p.length > 0 {
		return p.length, nil
	}
	p.onPath = true
	w.do(p.move)
	n, err := w.replayDefence(ctx)
	w.undo()
	p.onPath, p.length = false, n+1
	return n + 1, err
}

func (w *walker) replayDefence(ctx context.Context) (most int, err error) {
	if len(w.played) > 0 {
		if w.goal.Mated() {
			return 0, nil
		}
		if w.goal.Drawn() {
			return 0, errRules
		}
	}
	err = w.each(func(proof.Child) error {
		if w.goal.Drawn() || w.goal.Mated() {
			return errRules
		}
		n, err := w.replayAttack(ctx)
		most = max(most, n)
		return err
	})
	return most, err
}

// line returns the longest branch.
func (w *walker) line() (line []game.Move, err error) {
	depth := 0
	defer func() {
		for ; depth > 0; depth-- {
			w.undo()
		}
	}()
	for {
		if !w.goal.Attacking() {
			best, most := game.None, 0
			err := w.each(func(c proof.Child) error {
				if p := w.plan(); p != nil && p.length > most {
					best, most = c.Move, p.length
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			if best == game.None {
				return line, nil
			}
			w.do(best)
			line, depth = append(line, best), depth+1
		}
		p := w.plan()
		if p == nil {
			return nil, errRules
		}
		w.do(p.move)
		line, depth = append(line, p.move), depth+1
	}
}
