package mate

import (
	"context"
	"errors"
	"time"

	"trefoil/game"
	"trefoil/search/proof"
	"trefoil/window"
)

// walker walks through a proof: first to collect a move for every position of the attacker,
// then to replay them.
type walker struct {
	finder   *Finder
	problem  Problem
	opponent bool
	table    *window.Handle
	claim    Claim
	played   []game.Move
	kids     []proof.Child
	plans    map[uint64]*plan
	visits   int
	most     uint64 // nodes for one position that the table has lost
	loose    bool   // a plan need not be shorter than the one that leads to it
}

// plan is what the attacker does in a position.
type plan struct {
	bound  int // he mates within so many moves
	length int // in so many, 0: not known yet
	move   game.Move
	busy   bool
}

var (
	errLost  = errors.New("mate: the table has lost a part of the proof")
	errRules = errors.New("mate: the line does not end with a mate")
)

// late returns a context that ends somewhat later.
func late(ctx context.Context) context.Context {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return late
}

// walk returns the longest branch of the tree that proves the claim of the problem. Where the
// length is open it takes every mate that the table has as it is: what was proved at another time
// may be longer than the position before promised, and to prove it anew within that takes a
// fifth of the time of some problems. Should plans go round in a circle then, they are made
// once more, each shorter than the one before.
func (w *walker) walk(ctx context.Context, moves int) (line []game.Move, err error) {
	w.table = w.finder.table.Handle()
	w.claim = w.problem.Claim(w.opponent, moves)
	if w.loose = moves == Endless; w.loose {
		if line, err = w.attempt(ctx); !errors.Is(err, errRules) {
			return line, err
		}
		w.loose = false
	}
	return w.attempt(ctx)
}

// attempt is walk in one of both ways.
func (w *walker) attempt(ctx context.Context) (line []game.Move, err error) {
	w.plans = map[uint64]*plan{}
	if err = w.collect(ctx); err != nil {
		return nil, err
	}
	if _, err = w.replay(ctx); err != nil {
		return nil, err
	}
	return w.line()
}

// collect sees to it that every position that can arise from here has a plan.
func (w *walker) collect(ctx context.Context) error {
	most := w.claim.Left()
	if w.claim.Attacking() {
		return w.attack(ctx, most)
	}
	return w.each(func(proof.Child) error { return w.attack(ctx, most) })
}

// attack is collect where the attacker is to move, who mates within so many moves.
func (w *walker) attack(ctx context.Context, most int) error {
	if w.visits++; w.visits&0xff == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	c, id, left := w.claim, w.claim.Identity(), w.claim.Left()
	if p, ok := w.plans[id]; ok && (w.loose || p.bound <= most) {
		return nil
	}
	move, bound, err := w.choose(ctx, most)
	if err != nil {
		return err
	}
	w.plans[id] = &plan{bound: bound, move: move}
	if left != Endless {
		c.SetLeft(bound)
	}
	w.do(move)
	err = w.each(func(proof.Child) error { return w.attack(ctx, bound-1) })
	w.undo()
	c.SetLeft(left)
	return err
}

// choose returns a move that mates within as few moves as is known, at most so many.
func (w *walker) choose(ctx context.Context, most int) (game.Move, int, error) {
	c, left := w.claim, w.claim.Left()
	var sight proof.Child
	if c.Evaluate(&sight); sight.Phi == 0 {
		for _, k := range c.Expand(w.kids[len(w.kids):], w.table) {
			if k.Delta == 0 {
				return k.Move, 1, nil
			}
		}
	}
	defer c.SetLeft(left)
	if left == Endless {
		if m, plies := w.known(); m != game.None && (w.loose || (plies+1)/2 <= most) {
			return m, (plies + 1) / 2, nil
		}
		if w.loose || most == Endless {
			return w.again(ctx, Endless)
		}
	}
	for n := 1; n <= most; n++ {
		c.SetLeft(n)
		if m, _ := w.known(); m != game.None {
			return m, n, nil
		}
	}
	return w.again(ctx, most)
}

// known returns the move that the table has for a mate, and within how many plies it mates.
func (w *walker) known() (game.Move, int) {
	if e, ok := w.table.Probe(w.claim.Key()); ok && e.Phi == 0 {
		return w.claim.FromMove16(e.Move), int(e.Plies)
	}
	return game.None, 0
}

// again proves a mate within so many moves that the table has lost.
func (w *walker) again(ctx context.Context, most int) (game.Move, int, error) {
	played := append([]game.Move(nil), w.played...)
	lent := !w.loose // the walker's own claim serves too, and most such proofs take one node
	r, err := w.finder.solver.Prove(ctx, func() proof.Goal {
		if !lent {
			lent = true
			w.claim.Begin()
			return w.claim
		}
		g := w.problem.Claim(w.opponent, most)
		for _, m := range played {
			g.Make(m)
		}
		g.SetLeft(most)
		g.Begin()
		return g
	}, proof.Limits{Nodes: w.most})
	w.finder.nodes += r.Nodes
	if err == nil && (r.Result != proof.Proved || r.Move == game.None) {
		err = errLost
	}
	return r.Move, most, err
}

// each calls do after every legal reply of the defender.
func (w *walker) each(do func(proof.Child) error) error {
	from := len(w.kids)
	w.kids = w.claim.Expand(w.kids, w.table)
	defer func() { w.kids = w.kids[:from] }()
	for i := from; i < len(w.kids); i++ {
		k := w.kids[i]
		if k.Delta == 0 {
			return errLost // he escapes
		}
		w.do(k.Move)
		err := do(k)
		w.undo()
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) do(m game.Move) {
	w.claim.Make(m)
	w.played = append(w.played, m)
}

func (w *walker) undo() {
	w.claim.Undo()
	w.played = w.played[:len(w.played)-1]
}

// replay plays all plans from here by the rules alone and returns in how many moves of the
// attacker they mate.
func (w *walker) replay(ctx context.Context) (moves int, err error) {
	if w.claim.Attacking() {
		return w.replayAttack(ctx)
	}
	return w.replayDefence(ctx)
}

func (w *walker) replayAttack(ctx context.Context) (int, error) {
	if w.visits++; w.visits&0xff == 0 && ctx.Err() != nil {
		return 0, ctx.Err()
	}
	p := w.plans[w.claim.Identity()]
	if p == nil || p.busy {
		return 0, errRules
	}
	if p.length > 0 {
		return p.length, nil
	}
	p.busy = true
	w.do(p.move)
	n, err := w.replayDefence(ctx)
	w.undo()
	p.busy, p.length = false, n+1
	return n + 1, err
}

func (w *walker) replayDefence(ctx context.Context) (most int, err error) {
	if len(w.played) > 0 {
		if w.claim.Mated() {
			return 0, nil
		}
		if w.claim.Drawn() {
			return 0, errRules
		}
	}
	err = w.each(func(proof.Child) error {
		if w.claim.Drawn() || w.claim.Mated() {
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
		if !w.claim.Attacking() {
			best, most := game.None, 0
			err := w.each(func(k proof.Child) error {
				if p := w.plans[w.claim.Identity()]; p != nil && p.length > most {
					best, most = k.Move, p.length
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
		p := w.plans[w.claim.Identity()]
		if p == nil {
			return nil, errRules
		}
		w.do(p.move)
		line, depth = append(line, p.move), depth+1
	}
}
