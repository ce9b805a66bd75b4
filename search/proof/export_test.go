package proof

import (
	"flag"
	"iter"
	"time"
)

// ReportNodes is by how much each thread may exceed a limit of nodes.
const ReportNodes = reportNodes

// ParamFlags defines a flag for each constant of a search.
func ParamFlags() *params {
	p := new(params)
	flag.Uint64Var(&p.epsilon, "epsilon", defaultParams.epsilon, "of the test of hard positions, in 1/16")
	flag.Uint64Var(&p.share, "share", defaultParams.share, "of the test of hard positions, in 1/16")
	flag.Uint64Var(&p.quantum, "quantum", defaultParams.quantum, "of the test of hard positions")
	flag.Uint64Var(&p.minInFlight, "mininflight", defaultParams.minInFlight, "of the test of hard positions")
	flag.Uint64Var(&p.virtualLoss, "virtualloss", defaultParams.virtualLoss, "of the test of hard positions, in 1/16")
	return p
}

// SetParams changes the constants of later searches.
func (s *Solver) SetParams(p *params) { s.params = *p }

// ProveInTurns is Prove with all workers in one goroutine: each expands that many positions, then the next one
// does. So a search by several workers takes the same nodes every time.
func (s *Solver) ProveInTurns(newGoal func() Goal, positions int) Answer {
	var root Child
	newGoal().Evaluate(&root)
	shared := &shared{inFlight: &s.inFlight, parallel: true}
	s.prepare(newGoal, shared)
	turns := make([]func() (struct{}, bool), len(s.workers))
	for i, w := range s.workers {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			w.goal = &takingTurns{Goal: w.goal, positions: positions, yield: yield}
			w.run(root)
		})
		defer stop()
		turns[i] = next
	}
	for running := true; running; {
		running = false
		for _, next := range turns {
			_, goesOn := next()
			running = running || goesOn
		}
	}
	s.update(&root, shared)
	return s.answer(&root, time.Now())
}

// takingTurns is the goal of a worker that yields after a number of positions.
type takingTurns struct {
	Goal
	positions, expanded int
	yield               func(struct{}) bool
}

func (g *takingTurns) Expand(to []Child, table Prefetcher) []Child {
	if g.expanded++; g.expanded%g.positions == 0 {
		g.yield(struct{}{})
	}
	return g.Goal.Expand(to, table)
}
