// Package proof settles claims of the kind "the attacker reaches his goal from here" by
// depth-first proof-number search (df-pn, Nagai 2002) on a window table, with as many
// workers as wanted.
//
// # Numbers
//
// Every position has two numbers, those of the player to move: φ, an estimate of how much is
// to be shown until he reaches his goal, and δ, until it is clear that he cannot. The
// attacker's goal is the claim, the defender's that the claim fails. 0 is done, Infinity is
// hopeless. A move leads to a position of the other player, so
//
//	φ(n) = min δ(c)    δ(n) = max φ(c) + 3/4 of the sum of the others    over the moves c of n
//
// The sum of all, which is the usual δ, counts what lies below several moves several times,
// and where that goes on down the tree δ grows beyond all measure and hides an easy proof;
// the greatest alone (weak proof-number search) makes no difference between few moves and
// many. On 18 hard positions of Ultimate Tic-Tac-Toe 3/4 takes 0.84 of the nodes of the sum.
//
// The search goes down to the child of least δ, with thresholds: it stays below the child
// until its φ or δ reaches them, that is until n exceeds its own or another child is better by
// a factor of 1+ε (Pawlewicz, Lew 2007). It stays with the child it worked on last as long as
// that is below its threshold.
//
// # Workers
//
// All workers search from the root, over one table, in portions of work. What they have in
// common is the table and a board of flights: on the way down a worker enters which
// positions it is in, and a position in which others are counts as that much worse, so that
// workers part where it costs least (virtual proof numbers, Kaneko 2010). No tree is kept
// anywhere and nobody hands out work, so there is nobody to wait for.
//
// # What is claimed
//
// A key stands for a claim, not for a position: who attacks, what counts as success and, if
// the number of moves is limited, how many are left, are part of it. So a table holds under
// any root. A verdict that depends on the way to a position (a repetition) is never stored.
package proof

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"trefoil/game"
	"trefoil/window"
)

// Infinity is the number of what cannot be reached any more.
const Infinity = game.Infinity

// Game is a claim about a position that can be played on. It belongs to one worker, and none
// of it may allocate to speak of.
type Game interface {
	// Key is the key of the claim.
	Key() uint64
	// Attacking reports whether the attacker is to move.
	Attacking() bool
	// Sight fills in the Key of the position and the numbers that are known without playing.
	Sight(*game.Successor)
	// Expand appends the moves of a position that is not solved at sight, with keys and the
	// numbers that are known at sight. It may leave out moves that need not be looked at:
	// all but one that wins, and those that lose if others do not. With no move to append
	// the player to move has lost. Keys that are not solved it tells near as soon as it
	// knows them, so that waiting for memory goes on beside its work.
	Expand(to []game.Successor, near game.Prefetcher) []game.Successor
	// Make plays a move of Expand; Undo takes the last one back.
	Make(game.Move)
	Undo()
	// Short is what a table keeps of a move, and means the same in all positions of the
	// key; Widen is the move of a Short, or None.
	Short(game.Move) uint16
	Widen(uint16) game.Move
}

// Verdict is what became of a claim.
type Verdict int8

// The verdicts.
const (
	Unknown Verdict = iota
	Proved
	Disproved
)

func (v Verdict) String() string { return [...]string{"unknown", "proved", "disproved"}[v] }

// Progress is one report of a running search. Phi and Delta are proof and disproof number
// of the claim, whoever is to move.
type Progress struct {
	Phi, Delta uint32
	Move       game.Move // what the side to move would play
	Second     bool      // it is the second claim of a Decide
	Last       bool      // the search for this claim is over
	Nodes      uint64    // of both claims together
	Time       time.Duration
	HashFull   int // permille
}

// Limits end a search that is not done; zero fields do not limit. The context does too.
type Limits struct {
	Nodes uint64
	Time  time.Duration
}

// Options are how a search is done.
type Options struct {
	Threads int // workers, at least 1; 0 is one for every processor
	// Report, unless nil, is called every Interval and at the end, by one goroutine at a time.
	Report   func(Progress)
	Interval time.Duration // 0 is a second
}

// Result is what a search found out.
type Result struct {
	Verdict    Verdict
	Phi, Delta uint32 // of the claim
	Move       game.Move
	Nodes      uint64 // positions expanded
	Time       time.Duration
	Idle       time.Duration // of all workers together
	Table      window.Counters
}

// A Solver settles claims on one table, one at a time.
type Solver struct {
	table   *window.Table
	options Options
	workers []*worker
	flights flights
	tuning  tuning
	first   *Result // of the first claim, while Decide is at the second
	quiet   bool    // nothing is reported
}

// New returns a solver on a table, which stays the caller's.
func New(table *window.Table, options Options) *Solver {
	if options.Threads <= 0 {
		options.Threads = runtime.GOMAXPROCS(0)
	}
	if options.Interval <= 0 {
		options.Interval = time.Second
	}
	return &Solver{table: table, options: options, tuning: defaults}
}

// ErrNoGame is what Prove returns for a factory of no games.
var ErrNoGame = errors.New("proof: no game to search")

// Prove settles the claim of the games that the factory returns, one for every worker, all
// of the same position. It ends when the claim is settled, a limit is reached or the context
// is done, in the last two cases with Unknown.
func (s *Solver) Prove(ctx context.Context, factory func() Game, limits Limits) (Result, error) {
	if factory == nil {
		return Result{}, ErrNoGame
	}
	began := time.Now()
	shared := &shared{limit: limits.Nodes, flights: &s.flights, parallel: s.options.Threads > 1}
	s.grow(factory, shared)
	var root game.Successor
	var idle time.Duration
	s.workers[0].game.Sight(&root)
	if root.Solved() {
		s.workers[0].answer(&root)
	} else {
		stopClock := shared.watch(ctx, limits.Time)
		stopReports := s.report(shared, began)
		idle = s.run(&root)
		stopClock()
		stopReports(&root)
	}
	r := s.result(&root, began)
	r.Idle = idle
	return r, nil
}

// grow makes workers ready, as many as there are threads.
func (s *Solver) grow(factory func() Game, shared *shared) {
	for len(s.workers) < s.options.Threads {
		s.workers = append(s.workers, new(worker))
	}
	for _, w := range s.workers {
		w.reset(factory(), s.table.Handle(), shared, s.tuning)
	}
}

// run lets all workers search until one of them has settled the root, or they are stopped.
// It returns how long workers were idle.
func (s *Solver) run(root *game.Successor) time.Duration {
	var group sync.WaitGroup
	ends := make([]time.Time, len(s.workers))
	for i, w := range s.workers {
		start := *root
		group.Go(func() {
			w.run(start)
			ends[i] = time.Now()
		})
	}
	group.Wait()
	for _, w := range s.workers {
		if got := w.kids[0]; got.Solved() || !root.Solved() && got.Work > root.Work {
			*root = got
		}
	}
	return idle(ends)
}

func (s *Solver) result(root *game.Successor, began time.Time) Result {
	r := Result{Phi: root.Phi, Delta: root.Delta, Time: time.Since(began)}
	g := s.workers[0].game
	if !g.Attacking() {
		r.Phi, r.Delta = r.Delta, r.Phi
	}
	switch {
	case r.Phi == 0:
		r.Verdict = Proved
	case r.Delta == 0:
		r.Verdict = Disproved
	}
	r.Move = g.Widen(root.Hint)
	for _, w := range s.workers {
		r.Nodes += w.nodes
		r.Table.Add(w.table.Counters)
	}
	return r
}

// shared is what all workers of one search look at.
type shared struct {
	stop     atomic.Bool
	spent    atomic.Uint64 // nodes reported by workers
	limit    uint64        // of nodes, 0 = none
	numbers  atomic.Uint64 // φ and δ of the root as last seen
	move     atomic.Uint32 // likewise
	flights  *flights
	parallel bool
}

// watch stops the search when the context is done or the time is over. The function it
// returns ends the watch.
func (s *shared) watch(ctx context.Context, limit time.Duration) func() {
	end := context.AfterFunc(ctx, func() { s.stop.Store(true) })
	if limit <= 0 {
		return func() { end() }
	}
	timer := time.AfterFunc(limit, func() { s.stop.Store(true) })
	return func() { end(); timer.Stop() }
}

// report calls Report every Interval until the function it returns is called, and then once
// more with what the search came to.
func (s *Solver) report(shared *shared, began time.Time) func(root *game.Successor) {
	if s.options.Report == nil || s.quiet {
		return func(*game.Successor) {}
	}
	attacking := s.workers[0].game.Attacking()
	tell := func(phi, delta uint32, move game.Move, last bool) {
		p := Progress{
			Phi: phi, Delta: delta, Move: move, Last: last, Nodes: shared.spent.Load(), Time: time.Since(began), HashFull: s.table.Full(),
		}
		if !attacking {
			p.Phi, p.Delta = p.Delta, p.Phi
		}
		if p.Second = s.first != nil; p.Second {
			p.Nodes, p.Time = p.Nodes+s.first.Nodes, p.Time+s.first.Time
		}
		s.options.Report(p)
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(s.options.Interval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if numbers := shared.numbers.Load(); numbers != 0 {
					tell(uint32(numbers>>32), uint32(numbers), game.Move(shared.move.Load()), false)
				}
			case <-done:
				return
			}
		}
	}()
	return func(root *game.Successor) {
		close(done)
		<-ended
		tell(root.Phi, root.Delta, s.workers[0].game.Widen(root.Hint), true)
	}
}
