// Package mate finds forced mates of both sides by proof search (search/proof), and replays every
// proof move by move before it announces the mate.
//
// # Search
//
// A goal is always of the kind "this side mates within n of its moves". A proof for a small n, if there is
// one, is found sooner than a proof for a large n, but the nodes spent on an n that is too small are
// wasted. So there is a subsearch for each side and several n, and they take turns over one table:
//
//	            n =   3    6   10   20   40 …          one subsearch for every n and side
//	mover mates       ×    ×    ▓▓▓  ▓▓   ▓            × disproved, and dropped with all below
//	opponent mates    ×    ▓    ▓    ▓
//
// The next turn goes to the subsearch with the least product of nodes and proof number, divided by
// its weight, and each turn of a subsearch is longer than its last. After some thousand nodes the
// proof number of the side that mates is, as a rule, smaller by an order of magnitude.
//
// If the length is known (Problem.OneLength), each side has a subsearch for it and another, with little
// weight, for a longer mate: with more moves to spare a proof can be far easier, and it tells which side
// mates.
//
// If the length is open and only a mate by the side to move is asked for, there are two
// subsearches: n = 3, and one without a limit (Endless), which can also prove that there is no mate
// at all.
//
// Once a mate in L is found, the other subsearches are dropped, and lengths between L and the
// longest that is disproved are searched until the shortest mate is known. In shogi the results of
// one length serve others (proof.LengthGoal), so a shorter mate often takes less than a hundredth of
// the nodes of the first one.
//
// # Announcement
//
// Before a proof counts, the whole proof is replayed: in each position of the side that mates one move,
// then every legal reply, under the rules of repetition and fifty moves. A position has the same move
// wherever it occurs, the first move of the shortest mate known, so each move brings the mate nearer and no
// position is repeated. Only where that mate would come too late for the fifty-move rule it has another move,
// for its clock alone. Positions that were replaced in the table are proved again. The depth of this tree
// is the length that is announced; its longest branch is the line.
package mate

import (
	"context"
	"math"
	"slices"
	"time"

	"trefoil/game"
	"trefoil/search/proof"
	"trefoil/window"
)

// A Goal is that one side mates within a number of its moves, under all rules of the game.
type Goal interface {
	proof.Goal
	// PositionKey returns the key of the position, whatever number of moves is left.
	PositionKey() uint64
	// Clock returns the plies since the last capture or pawn move: with 100 the game is drawn unless it is mate.
	// It is 0 if there is no such rule.
	Clock() int
	// Left returns how many moves the attacker may still make; SetLeft changes it.
	Left() int
	SetLeft(moves int)
	// SetRoot makes the present position the root of the search.
	SetRoot()
	// Mated reports whether the side to move is mated, Drawn whether the game has ended
	// otherwise, considering all that has been played from its beginning.
	Mated() bool
	Drawn() bool
}

// Endless is a number of moves that is no limit. A Goal without a limit is reached if the attacker
// mates at all; its Left does not change.
const Endless = math.MaxInt32

// A Problem is a position to search.
type Problem struct {
	// Goal returns the goal that the side to move, or its opponent, mates within a number of
	// moves. It is called by several goroutines.
	Goal  func(opponent bool, moves int) Goal
	Moves int // the longest mate to search for
	// Alone excludes mates by the opponent.
	Alone bool
	// OneLength searches for a mate within Moves, and for shorter ones only once it is found.
	OneLength bool
	// Longer, if it is more than Moves, is the length up to which OneLength also searches for mates, with few of its
	// nodes. A mate in more than Moves is better than none, but does not end the search.
	Longer int
	// Strategy asks for the moves of the proof, which may take much memory.
	Strategy bool
}

// Limits end a search; the context does, too.
type Limits struct {
	Nodes uint64 // 0 is no limit
	// Thorough continues until the shortest mate is known, and searches for a mate by the opponent once the
	// side to move is proved to have none. Without it either task gets about as many nodes as were searched
	// before.
	Thorough bool
	// First ends the search with the first mate, whatever its length.
	First bool
	// Brief gives every line of FindLines after the first about as many nodes as were searched before it.
	Brief bool
}

// Answer is the result of a search.
type Answer struct {
	Moves    int         // in which one side mates, 0 if no mate was found
	Opponent bool        // the opponent mates
	Over     bool        // the opponent has mated already: Moves is 0
	Shortest bool        // there is no shorter mate
	Line     []game.Move // of exactly that length: a longest defence
	Strategy Strategy    // the moves of the proof, if Problem.Strategy asks for them
	// Failed is within how many moves the side to move (0) and its opponent (1) are
	// proved not to mate.
	Failed [2]int
	Nodes  uint64
	Time   time.Duration
}

// Progress is one report of the subsearch that has its turn.
type Progress struct {
	Moves      int // the goal is that a side mates within this many
	Opponent   bool
	Phi, Delta uint32
	Nodes      uint64 // of the whole search
	Time       time.Duration
	HashFull   int // permille
}

// A Finder searches for mates, one problem at a time.
type Finder struct {
	table    *window.Table
	solver   *proof.Solver
	report   func(Progress)
	current  *subsearch
	nodes    uint64
	began    time.Time
	reported time.Time // of the last progress
}

// New returns a finder on a table, which the caller keeps and closes, with a number of threads.
// report, unless nil, is called about every second.
func New(table *window.Table, threads int, report func(Progress)) *Finder {
	f := &Finder{table: table, report: report}
	o := proof.Options{Threads: threads}
	if report != nil {
		o.Report = f.progress
	}
	f.solver = proof.New(table, o)
	return f
}

// subsearch is the search for a mate by one side within a number of moves.
type subsearch struct {
	opponent bool
	moves    int
	weight   float64
	nodes    uint64
	phi      uint32
	failures int // of the walk through its proof
}

// cost orders subsearches: the subsearch with the least cost is next.
func (s *subsearch) cost() float64 { return float64(s.nodes+firstTurn) * float64(s.phi) / s.weight }

// reproofNodes limits the search for one position that was replaced in the table.
func (s *subsearch) reproofNodes() uint64 { return reproofNodes << min(s.failures, 32) }

const (
	// firstTurn is the least number of nodes of a turn.
	firstTurn = 500
	// unknownPhi stands for the proof number of a subsearch that has had no turn.
	unknownPhi = 10
	// walkTime is how long the walk through a proof may go on after the time is up.
	walkTime = 10 * time.Millisecond
	// reproofNodes limits the search for one position that was replaced in the table; every
	// failure of the walk doubles it.
	reproofNodes = 1 << 20
	// walkRetries is how often the walk through a proof may fail before the subsearch is dropped or
	// the table cleared.
	walkRetries = 3
	// extraNodes may always be spent after the main question is answered.
	extraNodes = 20000
	// shortestNodes may always be spent on the proof that a mate is the shortest, where only mates by the
	// side to move are searched.
	shortestNodes = 100000
)

// steps are the lengths that have a subsearch, and their weights.
var steps = []subsearch{
	{moves: 3, weight: 1}, {moves: 6, weight: 1}, {moves: 10, weight: 1}, {moves: 20, weight: 1},
	{moves: 40, weight: 0.3}, {moves: 80, weight: 0.1},
}

// longerWeight is the weight of the search for a mate in more moves than were asked for.
const longerWeight = 0.05

// subsearches returns the subsearches of a problem.
func subsearches(p *Problem) (all []*subsearch) {
	moves := p.Moves
	if moves == Endless {
		return []*subsearch{
			{moves: 3, weight: 1, phi: unknownPhi},
			{moves: Endless, weight: 4, phi: unknownPhi},
		}
	}
	for _, opponent := range []bool{false, true}[:sides(p)] {
		for _, s := range steps {
			if 3*s.moves <= 2*moves && !p.OneLength {
				all = append(all, &subsearch{opponent: opponent, moves: s.moves, weight: s.weight, phi: unknownPhi})
			}
		}
		all = append(all, &subsearch{opponent: opponent, moves: moves, weight: min(1, 16/float64(moves)), phi: unknownPhi})
		if p.OneLength && p.Longer > moves {
			all = append(all, &subsearch{opponent: opponent, moves: p.Longer, weight: longerWeight, phi: 10 * unknownPhi})
		}
	}
	return all
}

// Find searches for a mate within p.Moves until one is found and known to be the shortest, there is proved
// to be none, or a limit is reached. found, unless nil, is called with every mate that is better than all
// before.
func (f *Finder) Find(ctx context.Context, p Problem, limits Limits, found func(Answer)) (a Answer, err error) {
	f.nodes, f.began = 0, time.Now()
	f.reported = f.began
	if p.Goal(true, p.Moves).Mated() {
		return Answer{Opponent: true, Over: true, Shortest: true}, nil
	}
	all := subsearches(&p)
	limit := limits.Nodes // lowered once there is an answer
	for len(all) > 0 && ctx.Err() == nil && (limit == 0 || f.nodes < limit) {
		s := cheapest(all)
		f.current = s
		turn := max(firstTurn, s.nodes)
		if limit > 0 {
			turn = min(turn, limit-f.nodes)
		}
		r, err := f.solver.Prove(ctx, func() proof.Goal { return p.Goal(s.opponent, s.moves) }, proof.Limits{Nodes: turn})
		if err != nil {
			return a, err
		}
		s.nodes += r.Nodes
		s.phi = max(r.Phi, 1)
		f.nodes += r.Nodes
		switch r.Result {
		case proof.Disproved:
			side := index(s.opponent)
			a.Failed[side] = max(a.Failed[side], s.moves)
			if s.moves >= p.Moves {
				all = slices.DeleteFunc(all, func(other *subsearch) bool { return other.opponent == s.opponent })
			}
			if side == 0 && s.moves >= p.Moves && a.Moves == 0 && !limits.Thorough {
				limit = lower(limit, asManyAgain(f.nodes))
			}
		case proof.Proved:
			if !f.improve(ctx, p, s, &a) {
				all = f.retry(ctx, s, all, &a)
				continue
			}
			if found != nil {
				found(a)
			}
			if a.Moves > p.Moves {
				all = only(all, s.opponent, p.Moves)
				break
			}
			if limits.First {
				return f.finish(a), nil
			}
			if !limits.Thorough {
				limit = lower(limits.Nodes, shortestLimit(&p, f.nodes))
			}
			all = between(&a, s)
		}
		all = open(all, &a)
	}
	return f.finish(a), nil
}

// finish completes the answer at the end of a search.
func (f *Finder) finish(a Answer) Answer {
	a.Shortest = a.Moves > 0 && a.Failed[index(a.Opponent)] == a.Moves-1
	a.Nodes, a.Time = f.nodes, time.Since(f.began)
	return a
}

// retry returns the subsearches to go on with after the walk through the proof of s has failed. After
// repeated failures s is dropped, unless it is the one without a limit, which no other can replace:
// then the table is cleared.
func (f *Finder) retry(ctx context.Context, s *subsearch, all []*subsearch, a *Answer) []*subsearch {
	s.nodes += firstTurn
	if s.failures++; s.failures%(walkRetries+1) != 0 {
		return all
	}
	if s.moves == Endless {
		_ = f.table.Clear(ctx) // it fails if the context is done, which ends the search
		return all
	}
	s.moves = 0
	return open(all, a)
}

// shortestLimit returns the limit of nodes for a search that has found a mate after that many nodes
// and goes on for a shorter one.
func shortestLimit(p *Problem, nodes uint64) uint64 {
	if p.Alone {
		return max(2*nodes, shortestNodes)
	}
	return asManyAgain(nodes)
}

// asManyAgain is a limit of about twice the nodes searched so far.
func asManyAgain(nodes uint64) uint64 { return 2*nodes + extraNodes }

// lower returns the lesser of n and a limit; a limit of 0 is none.
func lower(limit, n uint64) uint64 {
	if limit == 0 {
		return n
	}
	return min(limit, n)
}

// sides returns the number of sides that have subsearches.
func sides(p *Problem) int {
	if p.Alone {
		return 1
	}
	return 2
}

func index(opponent bool) int {
	if opponent {
		return 1
	}
	return 0
}

func cheapest(all []*subsearch) *subsearch {
	best := all[0]
	for _, s := range all[1:] {
		if s.cost() < best.cost() {
			best = s
		}
	}
	return best
}

// improve puts the mate that s has proved into the answer, if the walk through the proof succeeds.
func (f *Finder) improve(ctx context.Context, p Problem, s *subsearch, a *Answer) bool {
	w := walker{finder: f, problem: p, opponent: s.opponent, reproofNodes: s.reproofNodes()}
	extended, end := extend(ctx)
	defer end()
	line, err := w.walk(extended, s.moves)
	if err != nil {
		return false
	}
	a.Line, a.Opponent = line, s.opponent
	if p.Strategy {
		a.Strategy = Strategy{w.plans}
	}
	a.Moves = (len(line) + 1) / 2 // of 2n-1 plies, or 2n if the opponent mates
	a.Nodes, a.Time = f.nodes, time.Since(f.began)
	return true
}

// between returns the subsearches for mates that are shorter than the one found by s.
func between(a *Answer, s *subsearch) (all []*subsearch) {
	failed := a.Failed[index(a.Opponent)]
	for _, n := range []int{a.Moves - 1, (failed + a.Moves) / 2} {
		if n > failed && (len(all) == 0 || all[0].moves != n) {
			all = append(all, &subsearch{opponent: s.opponent, moves: n, weight: 1, phi: unknownPhi})
		}
	}
	return all
}

// only keeps the subsearch for a mate by that side within that number of moves.
func only(all []*subsearch, opponent bool, moves int) []*subsearch {
	return slices.DeleteFunc(all, func(s *subsearch) bool { return s.opponent != opponent || s.moves != moves })
}

// open returns the subsearches that are not disproved.
func open(all []*subsearch, a *Answer) []*subsearch {
	return slices.DeleteFunc(all, func(s *subsearch) bool { return s.moves <= a.Failed[index(s.opponent)] })
}

// progress passes on a report of the solver, at most once a second: the solver reports more often, as
// it is called anew for each turn.
func (f *Finder) progress(p proof.Progress) {
	if time.Since(f.reported) < time.Second {
		return
	}
	f.reported = time.Now()
	f.report(Progress{
		Moves: f.current.moves, Opponent: f.current.opponent, Phi: p.Phi, Delta: p.Delta,
		Nodes: f.nodes + p.Nodes, Time: time.Since(f.began), HashFull: p.HashFull,
	})
}
