package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"trefoil/game/chess"
	"trefoil/search/proof"
	"trefoil/search/proof/chessgoal"
)

// chessCollector gathers samples of the ends of games of chess. The side that mated is the attacker, and is
// to mate within about as many moves as it took.
type chessCollector struct {
	plan
	tables
	rnd    *rand.Rand
	seen   map[uint64]bool
	chosen [lengths][]chessCandidate // by moves left
	met    [lengths]int
}

// lengths are the numbers of moves left that have samples of their own, the last one with all that are more.
const lengths = 8

// A chessCandidate is a position to be searched for a sample.
type chessCandidate struct {
	p        *chess.Position
	left     int
	features []uint16
}

func newChessCollector(p plan, t tables) collects { return &chessCollector{plan: p, tables: t} }

// parseEnd reads a line of `match ends`: a position and the plies to the mate.
func parseEnd(text string) (p *chess.Position, plies int, err error) {
	fen, digits, _ := strings.Cut(text, ";")
	if p, err = chess.ParseFEN(fen); err != nil {
		return nil, 0, err
	}
	if plies, err = strconv.Atoi(digits); err != nil || plies < 1 {
		return nil, 0, fmt.Errorf("%q are no plies to a mate", digits)
	}
	return p, plies, nil
}

// collect implements collects.
func (c *chessCollector) collect(ctx context.Context, text string, number int) ([]sample, error) {
	p, plies, err := parseEnd(text)
	if err != nil {
		return nil, err
	}
	c.rnd = rand.New(rand.NewPCG(c.seed, uint64(number)))
	c.seen = map[uint64]bool{}
	for i := range c.chosen {
		c.chosen[i], c.met[i] = c.chosen[i][:0], 0
	}
	attacker, moves := chessgoal.Attacker(p, plies%2 == 0), max((plies+1)/2-1+c.rnd.IntN(4), 2)
	if err := c.large.Clear(ctx); err != nil {
		return nil, nil
	}
	goal := func() proof.Goal { return &chessSampler{chessgoal.New(p, attacker, moves), c} }
	solver := proof.New(c.large, proof.Options{Threads: 1})
	if a, err := solver.Prove(ctx, goal, proof.Limits{Nodes: c.easy}); err != nil || a.Result != proof.Unknown {
		return nil, err
	}
	if _, err := solver.Prove(ctx, goal, proof.Limits{Nodes: c.nodes}); err != nil {
		return nil, err
	}
	solver = proof.New(c.small, proof.Options{Threads: 1})
	var samples []sample
	for _, s := range slices.Concat(c.chosen[:]...) {
		if c.small.Clear(ctx) != nil {
			return nil, nil
		}
		a, err := solver.Prove(ctx, func() proof.Goal { return chessgoal.New(s.p, attacker, s.left) },
			proof.Limits{Nodes: c.each})
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		samples = append(samples, sample{problem: number, attacking: chess.Colour(s.p.Side()) == attacker, result: a.Result,
			nodes: a.Nodes, features: s.features})
	}
	return samples, nil
}

// A chessSampler is a goal that passes the positions that a search visits to a collector.
type chessSampler struct {
	*chessgoal.Goal
	to *chessCollector
}

// Expand expands the goal. It passes on the positions that are not solved without a search.
func (s *chessSampler) Expand(children []proof.Child, table proof.Prefetcher) []proof.Child {
	from, c := len(children), s.to
	children = s.Goal.Expand(children, table)
	for i := from; i < len(children); i++ {
		child := &children[i]
		if child.Solved() || c.seen[child.Key] {
			continue
		}
		c.seen[child.Key] = true
		s.Make(child.Move)
		c.meet(s.Goal)
		s.Undo()
	}
	return children
}

// meet chooses a random sample for each number of moves left (reservoir sampling).
func (c *chessCollector) meet(g *chessgoal.Goal) {
	i := min(g.Left(), lengths) - 1
	c.met[i]++
	at := len(c.chosen[i])
	if at < c.most/lengths {
		c.chosen[i] = append(c.chosen[i], chessCandidate{})
	} else if at = c.rnd.IntN(c.met[i]); at >= c.most/lengths {
		return
	}
	c.chosen[i][at] = chessCandidate{g.Position().Copy(), g.Left(), g.Features()}
}
