// Package exact finds the score of a Connect Four position under perfect play.
//
// Scores are defined as in Pascal Pons' tutorial, Solving Connect Four: 22 minus the number of stones that
// the winner has on the board at the end, negative if the side to move loses, 0 for a draw. They are
// proved: every value in the table was searched to the end of the game or follows from a strategy, and the
// table (package remainder) never returns the value of another key. The entries of one search are therefore
// valid for all later searches and all workers.
//
// The search is a sequence of null-window searches. Each asks: is the score at least t? The answer is a
// lower bound of at least t or an upper bound below t. The root asks until its bounds are equal.
//
//	Solver ─── t ──► pool ─── t ──► worker, worker, …
//	  ▲                               │  ▲
//	  └───── bound of the score ◄─────┘  └──► remainder.Table
//
// Solver has two implementations. Below the root neither calls through an interface.
//
// Tutorial is part 11 of the tutorial, node by node, for comparison.
//
// The search on boards of more than 64 cells is generated from the search on smaller ones (see tools/sets128).
//
// Best, the default, searches a node in this order (files in brackets):
//
//   - play forced moves until there is a choice or the game is decided; decide what depends on
//     a win within the next three stones [node]
//   - bound the score statically, by the lines that a side can still complete and by strategies
//     that need no search: follow-up play and zugzwang [bounds]
//   - probe the table for every child, prefetched, with one key for mirror images [key, entry]
//   - search the remaining children, ordered by the winning cells they leave, then by history
//     [order, search]
//   - share the tree with the other workers through the table, and defer children that another
//     worker is searching [pool]
//
// A node, in Result and Limits, is one call of the recursive search, as in the tutorial.
// Positions that are decided without such a call are not counted.
package exact

import (
	"context"
	"fmt"
	"time"

	"trefoil/game/connect4"
	"trefoil/internal/mem"
)

// The two solvers.
const (
	Best     = "best"     // the default
	Tutorial = "tutorial" // part 11 of the tutorial, node by node
)

// DefaultHash is the size of the table in MiB when Options names none.
const DefaultHash = 64

// Options are the arguments of New. The zero value is the default solver for exact scores, with
// one thread and DefaultHash.
type Options struct {
	Solver  string          // Best or Tutorial; "" = Best
	Weak    bool            // only win, draw or loss: scores are 1, 0 and −1
	Threads int             // workers over one table; 0 = 1; Tutorial has one
	Hash    int             // MiB; 0 = DefaultHash; Tutorial always uses 40
	Board   *connect4.Board // nil = connect4.Standard, the only one of Tutorial

	// Memory says how the table gets its memory. Keys of more than 56 bits need at least 256 KiB.
	Memory mem.Options
}

// Result is the result of a search, from the point of view of the side to move.
type Result struct {
	Score        int           // if Exact; else the bound nearer to 0, or 0 if it is between them
	Lower, Upper int           // Lower ≤ score ≤ Upper, proved
	Exact        bool          // Lower = Upper
	Nodes        uint64        // calls of the recursive search, of all workers
	Time         time.Duration // elapsed
}

// prover is the implementation of a Solver. It searches one position at a time.
type prover interface {
	// open sets the position, whose game is not over, and returns bounds of its score.
	open(p connect4.Position, q quota) (lower, upper int)
	// question returns the next t to ask for, lower < t ≤ upper, given bounds lower < upper.
	question(lower, upper int) (t int)
	// ask returns a lower bound of the score that is at least t, or an upper bound below t. It is
	// not ok if the quota was used up first.
	ask(t int) (bound int, ok bool)
	// nodes returns the number of nodes since open.
	nodes() uint64

	clear(context.Context) error
	close() error
	size() uint64
	full() int
}

// A Solver owns a table, which is used for all positions until it is cleared. It may be used by one
// goroutine at a time. All positions are on its board.
type Solver struct {
	prover prover
	weak   bool
}

// New returns a solver with an empty table, or an error that names the option and the numbers.
func New(o Options) (*Solver, error) {
	if o.Threads == 0 {
		o.Threads = 1
	}
	if o.Board == nil {
		o.Board = connect4.Standard
	}
	if o.Hash == 0 {
		o.Hash = DefaultHash
	}
	if o.Threads < 1 || o.Threads > MaxThreads {
		return nil, fmt.Errorf("%d threads: expected 1 to %d", o.Threads, MaxThreads)
	}
	var p prover
	var err error
	switch o.Solver {
	case Best, "":
		if o.Board.Small == nil {
			p, err = newBest128(o)
		} else {
			p, err = newBest(o)
		}
	case Tutorial:
		if o.Board != connect4.Standard {
			return nil, fmt.Errorf("board %v: the tutorial's solver has %v", o.Board, connect4.Standard)
		}
		if o.Threads != 1 {
			return nil, fmt.Errorf("%d threads: the tutorial's solver has one", o.Threads)
		}
		p, err = newTutorial(o.Weak)
	default:
		return nil, fmt.Errorf("unknown solver %q: expected %s or %s", o.Solver, Best, Tutorial)
	}
	if err != nil {
		return nil, err
	}
	return &Solver{p, o.Weak}, nil
}

// Solve finds the score of a position. When ctx ends or a limit is reached it returns the bounds
// found so far. report, if not nil, is called after every new bound, and every second.
func (s *Solver) Solve(ctx context.Context, p connect4.Position, l Limits, report func(Result)) Result {
	return s.solve(p, newQuota(ctx, l, time.Now()), report)
}

// solve is Solve within a quota.
func (s *Solver) solve(p connect4.Position, q quota, report func(Result)) Result {
	var r Result
	if _, over := p.Over(); over {
		r.Lower = p.FinalScore()
		r.Upper = r.Lower
		r.settle(s.weak)
		return r
	}
	if report != nil {
		q.reported = q.start
		q.report = func() {
			r.Nodes, r.Time = s.prover.nodes(), time.Since(q.start)
			report(r)
		}
	}
	r.Lower, r.Upper = s.prover.open(p, q)
	r.settle(s.weak)
	for {
		t, open := q.limit.question(p, r.Lower, r.Upper, s.prover.question)
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
		if q.report != nil {
			q.report()
		}
	}
	r.Time = time.Since(q.start)
	return r
}

// settle computes the fields that follow from the bounds; weak limits them to −1 and 1.
func (r *Result) settle(weak bool) {
	if weak {
		r.Lower, r.Upper = max(-1, min(r.Lower, 1)), max(-1, min(r.Upper, 1))
	}
	r.Exact = r.Lower == r.Upper
	r.Score = max(r.Lower, min(r.Upper, 0))
}

// Full returns the permille of table entries in use, −1 if unknown, as for Tutorial.
func (s *Solver) Full() int { return s.prover.full() }

// Size returns the size of the table in bytes.
func (s *Solver) Size() uint64 { return s.prover.size() }

// Clear empties the table. If ctx ends first it returns the error of ctx; the table is then partly
// cleared and still valid.
func (s *Solver) Clear(ctx context.Context) error { return s.prover.clear(ctx) }

// Close unmaps the table.
func (s *Solver) Close() error { return s.prover.close() }
