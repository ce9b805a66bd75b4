package main

import (
	"context"
	"errors"
	"math/rand/v2"

	"trefoil/game"
	"trefoil/game/ultimate"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// ultimateCollector gathers samples of positions of Ultimate Tic-Tac-Toe, with a random side as the attacker.
type ultimateCollector struct {
	plan
	tables
	rnd      *rand.Rand
	attacker ultimate.Side
	seen     map[uint64]bool
	chosen   []ultimate.Position
}

func newUltimateCollector(p plan, t tables) collects { return &ultimateCollector{plan: p, tables: t} }

// collect implements collects.
func (c *ultimateCollector) collect(ctx context.Context, text string, number int) ([]sample, error) {
	p, err := ultimate.Parse(text)
	if err != nil {
		return nil, err
	}
	c.rnd = rand.New(rand.NewPCG(c.seed, uint64(number)))
	c.attacker = ultimate.Side(c.rnd.IntN(2))
	c.seen, c.chosen = map[uint64]bool{}, c.chosen[:0]
	if err := c.large.Clear(ctx); err != nil {
		return nil, nil
	}
	goal := func() proof.Goal {
		return &ultimateSampler{ultimategoal.New(p, c.attacker), c, []ultimate.Position{p}}
	}
	solver := proof.New(c.large, proof.Options{Threads: 1})
	if a, err := solver.Prove(ctx, goal, proof.Limits{Nodes: c.easy}); err != nil || a.Result != proof.Unknown {
		return nil, err
	}
	if _, err := solver.Prove(ctx, goal, proof.Limits{Nodes: c.nodes}); err != nil {
		return nil, err
	}
	solver = proof.New(c.small, proof.Options{Threads: 1})
	samples := make([]sample, 0, len(c.chosen))
	for _, p := range c.chosen {
		if c.small.Clear(ctx) != nil {
			return nil, nil
		}
		goal := ultimategoal.New(p, c.attacker)
		features, ok := goal.Features()
		if !ok {
			return nil, errors.New("gather: a position without features: " + p.String())
		}
		a, err := solver.Prove(ctx, func() proof.Goal { return ultimategoal.New(p, c.attacker) }, proof.Limits{Nodes: c.each})
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		s := sample{problem: number, attacking: goal.Attacking(), result: a.Result, nodes: a.Nodes}
		for group, f := range features {
			s.features = append(s.features, uint16(group*ultimategoal.GroupSize+int(f)))
		}
		samples = append(samples, s)
	}
	return samples, nil
}

// An ultimateSampler is a goal that passes the positions that a search visits to a collector.
type ultimateSampler struct {
	*ultimategoal.Goal
	to   *ultimateCollector
	path []ultimate.Position
}

func (s *ultimateSampler) Make(m game.Move) {
	s.path = append(s.path, s.after(m))
	s.Goal.Make(m)
}

func (s *ultimateSampler) Undo() {
	s.path = s.path[:len(s.path)-1]
	s.Goal.Undo()
}

func (s *ultimateSampler) after(m game.Move) ultimate.Position {
	return s.path[len(s.path)-1].Play(ultimategoal.Unpack(m))
}

// Expand expands the goal. It chooses a random sample of the positions that are not solved without a search
// (reservoir sampling).
func (s *ultimateSampler) Expand(children []proof.Child, table proof.Prefetcher) []proof.Child {
	from, c := len(children), s.to
	children = s.Goal.Expand(children, table)
	for _, child := range children[from:] {
		if child.Solved() || c.seen[child.Key] {
			continue
		}
		c.seen[child.Key] = true
		if len(c.chosen) < c.most {
			c.chosen = append(c.chosen, s.after(child.Move))
		} else if at := c.rnd.IntN(len(c.seen)); at < c.most {
			c.chosen[at] = s.after(child.Move)
		}
	}
	return children
}
