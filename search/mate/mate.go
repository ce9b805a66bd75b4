// Package mate finds forced mates by proof search (search/proof), of both sides, and
// announces none that it has not replayed move by move.
//
// # Search
//
// What is proved is always of the kind "this side mates within n of its moves". A proof for
// a small n is found sooner than one for a large n, if there is one, and a search for an n
// that is too small is lost; so several of them, for both sides, are searched in turns over
// one table:
//
//	            n =   3    6   10   20   40 …          a lane for every n and side
//	mover mates       ×    ×    ▓▓▓  ▓▓   ▓            × disproved, given up with all below
//	opponent mates    ×    ▓    ▓    ▓
//
// The next turn goes to the lane that has had the fewest nodes for its promise, and each
// turn of a lane is longer than the last. The promise is the proof number: that of the side
// that mates is, as a rule, smaller by an order of magnitude after some thousand nodes.
//
// Where the length is left open, and only the mover's mate is asked for, there are two lanes:
// n = 3, and one without a limit (Endless), which can also prove that there is no mate at all.
//
// Once a mate in L is found the other lanes are given up, and L-1 and what lies between it
// and the failures is searched, until the shortest mate is known.
//
// # Announcement
//
// The proof is walked through as a whole before it counts: in each position of the side that
// mates one move, after it every legal reply, under the rules of repetition and fifty moves.
// A position has one move wherever it occurs, that of the shortest mate known, so that each
// move brings the mate nearer and nothing can be repeated; where the length is open, any move of
// a mate, as long as nothing is repeated. What the table has lost is proved again. The depth of this tree is the length that is announced, its longest branch the line.
package mate

import (
	"context"
	"math"
	"time"

	"trefoil/game"
	"trefoil/search/proof"
	"trefoil/window"
)

// A Claim says that one side mates within a number of its moves, under all rules of the game.
type Claim interface {
	proof.Goal
	// Identity tells positions apart, whatever the moves left.
	Identity() uint64
	// Left is how many moves the attacker may still make; SetLeft changes it.
	Left() int
	SetLeft(moves int)
	// Begin says that a search begins here, whatever has been played before.
	Begin()
	// Mated reports whether the side to move is mated, Drawn whether the game has ended
	// otherwise, by what has been played from its beginning.
	Mated() bool
	Drawn() bool
}

// Endless is a number of moves that is no limit. A Claim without a limit holds if the attacker
// mates at all; Left stays what it is.
const Endless = math.MaxInt32

// A Problem is a position to be looked at.
type Problem struct {
	// Claim returns the claim that the side to move, or its opponent, mates within so many
	// moves. It is called by several goroutines.
	Claim func(opponent bool, moves int) Claim
	Moves int // the longest mate of interest
	// Alone says that a mate of the opponent is of no interest.
	Alone bool
}

// Limits end a search; the context does too.
type Limits struct {
	Nodes uint64 // 0 is no limit
	// Thorough goes on until it is known which mate is the shortest, and in search of a
	// mate of the opponent when it is clear that the side to move has none. Otherwise both
	// get about as many nodes as there were before.
	Thorough bool
}

// Answer is what a search came to.
type Answer struct {
	Moves    int         // in which one side mates, 0 if no mate was found
	Opponent bool        // it is the opponent who mates
	Over     bool        // he has mated already: Moves is 0
	Shortest bool        // and not in fewer moves
	Line     []game.Move // of exactly that length, with a longest defence
	// Failed is within how many moves the side to move (0) and its opponent (1) are
	// proved not to mate.
	Failed [2]int
	Nodes  uint64
	Time   time.Duration
}

// Progress tells about the claim that is being searched.
type Progress struct {
	Moves      int // the claim is that a side mates within so many
	Opponent   bool
	Phi, Delta uint32
	Nodes      uint64 // of the whole search
	Time       time.Duration
	HashFull   int // permille
}

// A Finder looks for mates, one problem at a time.
type Finder struct {
	table  *window.Table
	solver *proof.Solver
	report func(Progress)
	at     *lane // that is being searched
	nodes  uint64
	began  time.Time
	told   time.Time // when the last progress was reported
}

// New returns a finder on a table, which stays the caller's, with so many workers. report,
// unless nil, is called about every second.
func New(table *window.Table, threads int, report func(Progress)) *Finder {
	f := &Finder{table: table, report: report}
	o := proof.Options{Threads: threads}
	if report != nil {
		o.Report = f.progress
	}
	f.solver = proof.New(table, o)
	return f
}

// lane is the search for a mate of one side within a number of moves.
type lane struct {
	opponent bool
	moves    int
	weight   float64
	spent    uint64
	phi      uint32
	lost     int // how often the walk through its proof has failed
}

// price orders lanes: the least is next.
func (l *lane) price() float64 { return float64(l.spent+first) * float64(l.phi) / l.weight }

const (
	// first is how many nodes the first turn of a lane has at least.
	first = 500
	// unknown stands for the proof number of a lane that has had no turn.
	unknown = 10
	// grace is how long the walk through a proof may last when time is up.
	grace = 10 * time.Millisecond
	// again is how many nodes may be spent on one position that the table has lost; every
	// failure of the walk doubles it.
	again = 1 << 20
	// patience is how often the walk through a proof may fail before more is done.
	patience = 3
	// little is how many nodes are always affordable beside the main question.
	little = 20000
	// brief is how many nodes a mate may cost until it is known to be the shortest, where
	// those of one side are of interest. With 30,000 the lines of 134 problems of shogi are 5 %
	// longer, with 150,000 1 % shorter.
	brief = 100000
)

// steps are the lengths that have a lane, and the shares they get.
var steps = []lane{
	{moves: 3, weight: 1}, {moves: 6, weight: 1}, {moves: 10, weight: 1}, {moves: 20, weight: 1},
	{moves: 40, weight: 0.3}, {moves: 80, weight: 0.1},
}

// lanes returns those of a problem.
func lanes(p *Problem) (all []*lane) {
	moves := p.Moves
	if moves == Endless {
		return []*lane{
			{moves: 3, weight: 1, phi: unknown},
			{moves: Endless, weight: 4, phi: unknown},
		}
	}
	for _, opponent := range []bool{false, true}[:sides(p)] {
		for _, s := range steps {
			if 3*s.moves <= 2*moves {
				all = append(all, &lane{opponent: opponent, moves: s.moves, weight: s.weight, phi: unknown})
			}
		}
		all = append(all, &lane{opponent: opponent, moves: moves, weight: min(1, 16/float64(moves)), phi: unknown})
	}
	return all
}

// Find looks for a mate within p.Moves until one is found and known to be the shortest, none
// exists, or a limit is reached. found, unless nil, is called with every mate that is better
// than those before.
func (f *Finder) Find(ctx context.Context, p Problem, limits Limits, found func(Answer)) (a Answer, err error) {
	f.nodes, f.began = 0, time.Now()
	f.told = f.began
	if p.Claim(true, p.Moves).Mated() {
		return Answer{Opponent: true, Over: true, Shortest: true}, nil
	}
	all := lanes(&p)
	most := limits.Nodes // at any time
	for len(all) > 0 && ctx.Err() == nil && (most == 0 || f.nodes < most) {
		l := cheapest(all)
		f.at = l
		slice := max(first, l.spent)
		if most > 0 {
			slice = min(slice, most-f.nodes)
		}
		r, err := f.solver.Prove(ctx, func() proof.Goal { return p.Claim(l.opponent, l.moves) }, proof.Limits{Nodes: slice})
		if err != nil {
			return a, err
		}
		l.spent += max(r.Nodes, 1)
		l.phi = max(r.Phi, 1)
		f.nodes += r.Nodes
		switch r.Result {
		case proof.Disproved:
			side := index(l.opponent)
			a.Failed[side] = max(a.Failed[side], l.moves)
			if side == 0 && l.moves == p.Moves && a.Moves == 0 && !limits.Thorough {
				most = tighter(most, 2*f.nodes+little)
			}
		case proof.Proved:
			if !f.improve(ctx, p, l, &a) {
				all = f.retry(ctx, l, all, &a)
				continue
			}
			if found != nil {
				found(a)
			}
			if !limits.Thorough {
				most = tighter(limits.Nodes, more(&p, f.nodes))
			}
			all = between(&a, l)
		}
		all = open(all, &a)
	}
	a.Shortest = a.Moves > 0 && a.Failed[index(a.Opponent)] == a.Moves-1
	a.Nodes, a.Time = f.nodes, time.Since(f.began)
	return a, nil
}

// retry returns the lanes to go on with after the walk through the proof of l has failed. If that
// goes on, l is given up, unless it is the one without a limit, which no other stands in for:
// then the table is cleared of whatever misleads.
func (f *Finder) retry(ctx context.Context, l *lane, all []*lane, a *Answer) []*lane {
	l.spent += first
	if l.lost++; l.lost%(patience+1) != 0 {
		return all
	}
	if l.moves == Endless {
		_ = f.table.Clear(ctx) // it fails if the context is done, which ends the search
		return all
	}
	l.moves = 0
	return open(all, a)
}

// more is how many nodes may have been searched when no shorter mate is looked for any more
// than one that was found after so many.
func more(p *Problem, nodes uint64) uint64 {
	if p.Alone {
		return max(nodes, brief)
	}
	return 2*nodes + little
}

// tighter is the smaller of a limit, 0 being none, and a number.
func tighter(limit, n uint64) uint64 {
	if limit == 0 {
		return n
	}
	return min(limit, n)
}

// sides is how many sides have lanes.
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

func cheapest(all []*lane) *lane {
	best := all[0]
	for _, l := range all[1:] {
		if l.price() < best.price() {
			best = l
		}
	}
	return best
}

// improve takes over the mate that l has proved, if the walk through the proof succeeds.
func (f *Finder) improve(ctx context.Context, p Problem, l *lane, a *Answer) bool {
	w := walker{finder: f, problem: p, opponent: l.opponent, most: again << min(l.lost, 32)}
	line, err := w.walk(late(ctx), l.moves)
	if err != nil {
		return false
	}
	a.Line, a.Opponent, a.Moves = line, l.opponent, len(line)
	if !l.opponent {
		a.Moves = (len(line) + 1) / 2
	} else {
		a.Moves = len(line) / 2
	}
	a.Nodes, a.Time = f.nodes, time.Since(f.began)
	return true
}

// between returns the lanes for mates that are shorter than the one found by l.
func between(a *Answer, l *lane) (all []*lane) {
	failed := a.Failed[index(a.Opponent)]
	for _, n := range []int{a.Moves - 1, (failed + a.Moves) / 2} {
		if n > failed && n < a.Moves && (len(all) == 0 || all[0].moves != n) {
			all = append(all, &lane{opponent: l.opponent, moves: n, weight: 1, phi: unknown})
		}
	}
	return all
}

// open returns the lanes that are not disproved.
func open(all []*lane, a *Answer) []*lane {
	kept := all[:0]
	for _, l := range all {
		if l.moves > a.Failed[index(l.opponent)] {
			kept = append(kept, l)
		}
	}
	return kept
}

// progress passes on what the solver reports, which is more than once a second where turns
// are short.
func (f *Finder) progress(p proof.Progress) {
	if time.Since(f.told) < time.Second {
		return
	}
	f.told = time.Now()
	f.report(Progress{
		Moves: f.at.moves, Opponent: f.at.opponent, Phi: p.Phi, Delta: p.Delta,
		Nodes: f.nodes + p.Nodes, Time: time.Since(f.began), HashFull: p.HashFull,
	})
}
