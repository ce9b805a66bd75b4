// Package proof solves goals of the kind "the attacker wins from here", the roots of AND/OR trees, by
// depth-first proof-number search (df-pn, Nagai 2002) on a window.Table, with any number of threads.
//
// # Proof numbers
//
// Every position has two numbers for the player to move: φ, an estimate of what is left to search
// until it reaches its goal, and δ, of what is left until it is clear that it cannot. The attacker's
// goal is the goal that is searched, the defender's is that the attacker fails. 0 is proved, Infinity
// is disproved. A move leads to a position of the other player, so over the moves c of a position n
//
//	φ(n) = min δ(c)    δ(n) = max φ(c) + 3/4 of the sum of the others
//
// The sum of all φ, which is the usual δ, counts what lies below several moves several times; down
// the tree δ grows far beyond the real work and hides easy proofs. The maximum alone (weak
// proof-number search) does not distinguish few moves from many. On 18 hard positions of Ultimate
// Tic-Tac-Toe 3/4 takes 0.84 of the nodes of the sum. A game may have other shares, and cap what a
// move adds (SumGoal).
//
// The search descends to the most-proving child, the child with the least δ, with thresholds: it stays
// below the child until the child's φ or δ reaches them, that is, until n exceeds its own thresholds or
// another child is better by a factor of 1+ε (Pawlewicz, Lew 2007). It stays with the child searched last
// as long as that is below its threshold. New positions begin with the initial numbers of their game
// (df-pn+, Nagai 2002).
//
// # Threads
//
// All threads search from the root over one table, in quanta of work. They share the table and
// counts of threads in flight: a thread counts itself at the positions on its path, and a position
// with threads below it counts as worse by their number (virtual loss; virtual proof numbers, Kaneko
// 2010), so threads part where it costs least. There is no tree besides the table, and no queue of
// work.
//
// # Keys
//
// A key stands for a position and a goal. It includes the attacker, what counts as success and, if
// the number of moves is limited, how many are left. So a table serves any root. A result that
// depends on the path to a position because of a repetition (graph-history interaction, GHI) is
// stored under a key of the whole path if the game has one (PathGoal), else not at all.
package proof

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"trefoil/game"
	"trefoil/window"
)

// Goal is a position with a goal of the attacker; Make and Undo move on from it. It belongs to one
// goroutine. Its methods should not allocate: the search calls them at every node.
type Goal interface {
	// Key returns the key of position and goal.
	Key() uint64
	// Attacking reports whether the attacker is to move.
	Attacking() bool
	// Evaluate fills in the Key of the position and the numbers that are known without a search.
	Evaluate(*Child)
	// Expand appends the moves of a position that Evaluate does not solve, with keys and initial numbers. It
	// may leave out moves that do not change the result: all but one winning move, and losing moves if others
	// do not lose. If it appends none, the player to move has lost. It passes keys of unsolved children to
	// table as soon as it has them, so that memory latency overlaps with its work.
	Expand(to []Child, table Prefetcher) []Child
	// Make plays a move of Expand; Undo takes the last one back.
	Make(game.Move)
	Undo()
	// Move16 returns the 16 bits of a move for the table, the same in all positions of the key;
	// FromMove16 returns the move with these bits, or None.
	Move16(game.Move) uint16
	FromMove16(uint16) game.Move
}

// Result is what is known of a goal.
type Result int8

// The results.
const (
	Unknown Result = iota
	Proved
	Disproved
)

func (r Result) String() string { return [...]string{"unknown", "proved", "disproved"}[r] }

// Progress is one report of a running search. Phi and Delta are the proof and disproof number
// of the goal, whichever side is to move.
type Progress struct {
	Phi, Delta uint32
	Second     bool   // it is of the second search of Decide
	Last       bool   // the search for this goal is over
	Nodes      uint64 // of both searches together
	Time       time.Duration
	HashFull   int // permille
}

// Limits end a search; zero fields do not limit. The context does, too.
type Limits struct {
	Nodes uint64
	Time  time.Duration
	// Phi and Delta end it when the proof or the disproof number of the goal is no longer less.
	Phi, Delta uint32
}

// Options say how to search.
type Options struct {
	Threads int // at least 1; 0 is one for every processor
	// Report, unless nil, is called every Interval and at the end, by one goroutine at a time.
	Report   func(Progress)
	Interval time.Duration // 0 is a second
}

// Answer is the result of a search.
type Answer struct {
	Result     Result
	Phi, Delta uint32 // of the goal
	Move       game.Move
	Nodes      uint64 // positions expanded
	Time       time.Duration
	Idle       time.Duration // of all threads together
	Table      window.Counters
}

// A Solver solves goals on one table, one at a time.
type Solver struct {
	table    *window.Table
	options  Options
	workers  []*worker
	inFlight inFlight
	loops    loops
	params   params
	first    *Answer          // of the first search, while Decide is at the second
	quiet    bool             // nothing is reported
	now      func() time.Time // when a worker has ended
}

// New returns a solver on a table, which the caller keeps and closes.
func New(table *window.Table, options Options) *Solver {
	if options.Threads <= 0 {
		options.Threads = runtime.GOMAXPROCS(0)
	}
	if options.Interval <= 0 {
		options.Interval = time.Second
	}
	return &Solver{table: table, options: options, params: defaultParams, now: time.Now}
}

// ErrNoGoal is what Prove returns if newGoal is nil.
var ErrNoGoal = errors.New("proof: no goal to search")

// Prove searches the goals that newGoal returns, one for every thread and all for the same position. It
// ends when the goal is proved or disproved; or when a limit is reached or the context is done, with
// Unknown.
func (s *Solver) Prove(ctx context.Context, newGoal func() Goal, limits Limits) (Answer, error) {
	if newGoal == nil {
		return Answer{}, ErrNoGoal
	}
	began := time.Now()
	shared := &shared{limit: limits.Nodes, inFlight: &s.inFlight, loops: &s.loops, parallel: s.options.Threads > 1}
	s.prepare(newGoal, shared)
	shared.setThresholds(limits, s.workers[0].goal.Attacking())
	var root Child
	var idle time.Duration
	s.workers[0].goal.Evaluate(&root)
	if root.Solved() {
		s.workers[0].rootMove(&root)
	} else {
		stopClock := shared.stopWhenDone(ctx, limits.Time)
		stopReports := s.report(shared, began)
		idle = s.search(ctx, &root, shared, limits, began)
		stopClock()
		stopReports(&root)
	}
	a := s.answer(&root, began)
	a.Idle = idle
	return a, nil
}

// prepare makes one worker for each thread ready.
func (s *Solver) prepare(newGoal func() Goal, shared *shared) {
	for len(s.workers) < s.options.Threads {
		s.workers = append(s.workers, new(worker))
	}
	for _, w := range s.workers {
		w.reset(newGoal(), s.table.Handle(), shared, s.params)
	}
}

// search lets the workers search until the root is solved or they are stopped. Between their runs a
// growing table grows. It returns how long workers were idle.
func (s *Solver) search(ctx context.Context, root *Child, shared *shared, limits Limits,
	began time.Time) (idle time.Duration) {
	ended := func() bool {
		return shared.ended(root) || ctx.Err() != nil || limits.Time > 0 && time.Since(began) >= limits.Time ||
			limits.Nodes > 0 && shared.nodes.Load() >= limits.Nodes
	}
	for room := s.table.Room(); room > 0 && !ended(); room = s.table.Room() {
		shared.limit = shared.nodes.Load() + room/8
		if limits.Nodes > 0 {
			shared.limit = min(shared.limit, limits.Nodes)
		}
		idle += s.run(root, shared)
		if ended() {
			return idle
		}
		s.table.Grow()
		shared.stop.Store(false)
	}
	if shared.limit = limits.Nodes; ended() {
		return idle
	}
	return idle + s.run(root, shared)
}

// run lets all workers search until a worker has ended the search, or they are stopped. It returns how long
// workers were idle.
func (s *Solver) run(root *Child, shared *shared) time.Duration {
	var group sync.WaitGroup
	ends := make([]time.Time, len(s.workers))
	for i, w := range s.workers {
		start := *root
		group.Go(func() {
			w.run(start)
			ends[i] = s.now()
		})
	}
	group.Wait()
	s.update(root, shared)
	return idle(ends)
}

// update sets root to the root of a worker that has solved it, else of a worker that has reached a
// threshold, else of the worker with the most work.
func (s *Solver) update(root *Child, shared *shared) {
	for _, w := range s.workers {
		got := w.children[0]
		if got.Solved() || !root.Solved() && shared.ended(&got) || !shared.ended(root) && got.Work > root.Work {
			*root = got
		}
	}
}

// idle returns how long before the last worker the others had ended, summed over them.
func idle(ends []time.Time) (sum time.Duration) {
	last := slices.MaxFunc(ends, time.Time.Compare)
	for _, e := range ends {
		sum += last.Sub(e)
	}
	return sum
}

func (s *Solver) answer(root *Child, began time.Time) Answer {
	a := Answer{Phi: root.Phi, Delta: root.Delta, Time: time.Since(began)}
	g := s.workers[0].goal
	if !g.Attacking() {
		a.Phi, a.Delta = a.Delta, a.Phi
	}
	switch {
	case a.Phi == 0:
		a.Result = Proved
	case a.Delta == 0:
		a.Result = Disproved
	}
	a.Move = g.FromMove16(root.Hint)
	for _, w := range s.workers {
		a.Nodes += w.nodes
		a.Table.Add(w.table.Counters)
	}
	return a
}

// shared is what all workers of one search read and write.
type shared struct {
	stop     atomic.Bool
	nodes    atomic.Uint64 // counted by workers every reportNodes
	limit    uint64        // of nodes, 0 = none
	numbers  atomic.Uint64 // φ and δ of the root as last computed
	inFlight *inFlight
	loops    *loops
	parallel bool
	phi      uint32 // of the root, for the player to move, at which the search ends; 0 = none
	delta    uint32 // likewise
}

// setThresholds sets the numbers that end the search from the numbers in the limits, which are for the
// attacker.
func (s *shared) setThresholds(limits Limits, attacking bool) {
	if s.phi, s.delta = limits.Phi, limits.Delta; !attacking {
		s.phi, s.delta = s.delta, s.phi
	}
}

// thresholds returns the numbers of the root that end the search.
func (s *shared) thresholds() (phi, delta uint32) {
	// 0 wraps round to the greatest number
	return min(s.phi-1, Infinity-1) + 1, min(s.delta-1, Infinity-1) + 1
}

// ended reports whether the root is solved or has reached a threshold.
func (s *shared) ended(root *Child) bool {
	phi, delta := s.thresholds()
	return root.Solved() || root.Phi >= phi || root.Delta >= delta
}

// stopWhenDone stops the search when the context is done or the time is up. The function that it
// returns must be called after the search.
func (s *shared) stopWhenDone(ctx context.Context, limit time.Duration) func() {
	end := context.AfterFunc(ctx, func() { s.stop.Store(true) })
	if limit <= 0 {
		return func() { end() }
	}
	timer := time.AfterFunc(limit, func() { s.stop.Store(true) })
	return func() { end(); timer.Stop() }
}

// report calls Report every Interval until the function it returns is called, and then once
// more with the answer.
func (s *Solver) report(shared *shared, began time.Time) func(root *Child) {
	if s.options.Report == nil || s.quiet {
		return func(*Child) {}
	}
	attacking := s.workers[0].goal.Attacking()
	send := func(phi, delta uint32, last bool) {
		p := Progress{
			Phi: phi, Delta: delta, Last: last, Nodes: shared.nodes.Load(), Time: time.Since(began), HashFull: s.table.Full(),
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
					send(uint32(numbers>>32), uint32(numbers), false)
				}
			case <-done:
				return
			}
		}
	}()
	return func(root *Child) {
		close(done)
		<-ended
		send(root.Phi, root.Delta, true)
	}
}
