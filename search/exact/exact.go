// Package exact finds the score of a Connect Four position with perfect play.
//
// Scores are the tutorial's (Pascal Pons, Solving Connect Four): 22 less the stones that
// the winner has on the board when it wins, negative for the side that loses, 0 for a
// draw. They are proved, not guessed: everything in the table was searched to the end or
// follows from a strategy, and the table (package remainder) never takes one key for
// another. So what one search has stored serves all later ones, and all workers.
//
// A solver answers one kind of question: is the score of this position at least t? The
// answer is a bound, at least t or less, and the root asks until its bounds meet.
//
//	Solver ── question ──► team ── the same question ──► worker, worker, …
//	  ▲                                                   │  ▲
//	  └───────────── a bound of the score ◄───────────────┘  └──► remainder.Table
//
// Two provers stand behind Solver, both plain code without a call through an interface
// below the root.
//
// Tutorial is part 11 of the tutorial, node by node. It exists to be compared with.
//
// Best, the default, searches a node in this order (files in brackets):
//
//   - play forced moves, until there is a choice or a decision; decide what turns on a
//     win within the next three stones [node]
//   - bound the score by what a side can get at all, and by strategies that need no
//     search: following and zugzwang [bounds]
//   - look up every child, prefetched, by a key that mirror images share [key, entry]
//   - search the children left, those first that leave most winning cells, then by history
//     [order, search]
//   - share the tree with other workers through the table, and put off what another one
//     is at [team]
//
// A node, in Result and Limits, is one call of the recursive search, as in the tutorial.
// Positions that are decided without such a call are not counted.
package exact

import (
	"context"
	"fmt"
	"time"

	"trefoil/game/connect4"
)

// The two solvers.
const (
	Best     = "best"     // ours, the default
	Tutorial = "tutorial" // part 11 of the tutorial, node by node
)

// DefaultHash is the size of the table in MiB when Options names none.
const DefaultHash = 64

// Options is what New builds from. The zero value is the best solver, strong, one
// thread, DefaultHash.
type Options struct {
	Solver  string // Best or Tutorial; "" = Best
	Weak    bool   // only who wins: scores are 1, 0 and −1
	Threads int    // workers over one table; 0 = 1; Tutorial has one
	Hash    int    // MiB; 0 = DefaultHash; Tutorial has always its own 40

	// Releasing, unless nil, is a solver whose memory counts as free; the caller closes it.
	Releasing *Solver
}

// Result is what is known of a position, for the side to move.
type Result struct {
	Score        int           // if Exact, else the bound nearer to 0, or 0 between them
	Lower, Upper int           // Lower ≤ score ≤ Upper, proved
	Exact        bool          // Lower = Upper
	Nodes        uint64        // calls of the recursive search, of all workers
	Time         time.Duration // on the wall
}

// prover is a solver behind Solver: it answers questions about one position at a time.
type prover interface {
	// open begins with a position of a game that is not over, and returns its bounds.
	open(p connect4.Position, q quota) (lower, upper int)
	// question returns what to ask when lower < upper are the bounds: lower < t ≤ upper.
	question(lower, upper int) (t int)
	// ask returns a bound of the score: at least t and a lower one, or less and an
	// upper one. It is not ok if the quota was spent before.
	ask(t int) (bound int, ok bool)
	// nodes returns how many there were since open.
	nodes() uint64

	clear(context.Context) error
	close() error
	size() uint64
	full() int
}

// Solver owns a table, which serves all positions until it is cleared. One call at a time.
type Solver struct {
	prover prover
	weak   bool
}

// New allocates a solver and its table. The error names what cannot be and the numbers.
func New(o Options) (*Solver, error) {
	if o.Threads == 0 {
		o.Threads = 1
	}
	if o.Hash == 0 {
		o.Hash = DefaultHash
	}
	if o.Threads < 1 || o.Threads > MaxThreads {
		return nil, fmt.Errorf("exact: %d threads: want 1 to %d", o.Threads, MaxThreads)
	}
	var p prover
	var err error
	switch o.Solver {
	case Best, "":
		p, err = newBest(o.Hash, o.Threads, o.Releasing)
	case Tutorial:
		if o.Threads != 1 {
			return nil, fmt.Errorf("exact: %d threads: the tutorial's solver has one", o.Threads)
		}
		p, err = newTutorial(o.Weak)
	default:
		return nil, fmt.Errorf("exact: no solver %q: want %s or %s", o.Solver, Best, Tutorial)
	}
	if err != nil {
		return nil, err
	}
	return &Solver{p, o.Weak}, nil
}

// Solve finds the score of a position. When ctx ends or a limit is met it returns what is
// known by then. report, if not nil, hears of every new bound.
func (s *Solver) Solve(ctx context.Context, p connect4.Position, l Limits, report func(Result)) Result {
	return s.solve(p, newQuota(ctx, l, time.Now()), report)
}

// solve is Solve within a quota.
func (s *Solver) solve(p connect4.Position, q quota, report func(Result)) Result {
	var r Result
	if won, over := p.Over(); over {
		if won {
			r.Lower = (p.Ply()+1)/2 - 22
		}
		r.Upper = r.Lower
		r.settle(s.weak)
		return r
	}
	r.Lower, r.Upper = s.prover.open(p, q)
	r.settle(s.weak)
	for {
		t, open := q.limit.question(p.Ply(), r.Lower, r.Upper, s.prover.question)
		if !open {
			break
		}
		bound, ok := s.prover.ask(t)
		r.Nodes = s.prover.nodes()
		if !ok {
			break
		}
		if bound >= t {
			r.Lower = bound
		} else {
			r.Upper = bound
		}
		r.settle(s.weak)
		if report != nil {
			r.Time = time.Since(q.start)
			report(r)
		}
	}
	r.Time = time.Since(q.start)
	return r
}

// settle fills in what follows from the bounds; weak cuts them to −1 and 1.
func (r *Result) settle(weak bool) {
	if weak {
		r.Lower, r.Upper = max(-1, min(r.Lower, 1)), max(-1, min(r.Upper, 1))
	}
	r.Exact = r.Lower == r.Upper
	r.Score = max(r.Lower, min(r.Upper, 0))
}

// Full returns how many of 1,000 words of the table are in use; −1 for the tutorial's, which
// does not count.
func (s *Solver) Full() int { return s.prover.full() }

// Size returns the bytes of the table.
func (s *Solver) Size() uint64 { return s.prover.size() }

// Clear forgets all positions. If ctx ends first it returns its error and the table is
// partly cleared, which does no harm.
func (s *Solver) Clear(ctx context.Context) error { return s.prover.clear(ctx) }

// Close gives the table back.
func (s *Solver) Close() error { return s.prover.close() }
