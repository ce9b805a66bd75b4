// Package clock is the time management of all searches. It answers three questions:
//
//   - How much time does a move get? Params.Budget derives three times from the clock: an
//     optimum, which the stability of the search multiplies; a limit, which a move exceeds only
//     while its value falls or when its best move has just changed; and a maximum, which no
//     move exceeds.
//   - May a search by iterative deepening end now? A Timer compares the time used with the
//     optimum, which it stretches while the best move or the value is unstable, and ends the
//     search at the limit or the maximum.
//   - When must a search end that has no iterations? Params.Context returns a context with
//     that deadline.
//
// All of them use the one formula in Params.Budget. The differences between the searches are in Params,
// which AlphaBeta, Solver and Checkmate return.
package clock

import (
	"time"

	"trefoil/search"
)

// DefaultMoveOverhead is the default of the option Move Overhead: enough for a GUI on the same
// machine.
const DefaultMoveOverhead = 10 * time.Millisecond

// Settings are the options of the engine that concern time.
type Settings struct {
	// MoveOverhead is the time that every move loses between the clock and the engine.
	MoveOverhead time.Duration
	// WorstOverhead is the most that a single move may lose. A move in byoyomi leaves that much
	// unused, but at most half of what it has.
	WorstOverhead time.Duration
	// MinimumThinking is the least time for a move on a clock, as far as the maximum allows.
	MinimumThinking time.Duration
	// FullSeconds says that the clock counts full seconds only: a move uses the second that it
	// has begun to its end, less MoveOverhead.
	FullSeconds bool
	// SlowMover is the time for an ordinary move on a clock in percent of the usual; 0 counts as
	// 100.
	SlowMover int
	// Uneven says that on a clock with increments and without time controls the stability of the search
	// decides how long a move takes, and its limit only seldom.
	Uneven bool
	// NodesPerMS, unless 0, makes a search by iterative deepening count nodes instead of time:
	// a millisecond of its limits is that number of nodes.
	NodesPerMS int
}

// Params is what a budget depends on besides the clock.
type Params struct {
	Settings
	Side int // to move, the index into search.Clock: 0 or 1

	// ExpectedMoves is how many moves of this side share the time on the clock, unless fewer
	// are left to the next time control; at least 1.
	ExpectedMoves int
	// ShareOfClock and ShareOfGains are the percentages of the time on the clock and of the increments
	// to come that these moves share, where no time control follows.
	ShareOfClock, ShareOfGains int
	// Stretch is the maximum in units of the limit, to which the whole byoyomi is added. 1 is for a search
	// without iterations, whose limit and maximum are its optimum.
	Stretch int
	// Reserve is the time between the end of the search and the answer.
	Reserve time.Duration
	// KeptBack limits what MoveOverhead and Reserve take from a fixed time for a move: to one
	// part in KeptBack.
	KeptBack int
}

const (
	// alphaBetaMoves does not fall as the game goes on: the optimum is a share of what is left,
	// so the budgets shrink slowly and never reach 0.
	alphaBetaMoves = 45
	// alphaBetaStretch lets a search whose value falls take the time of several moves.
	alphaBetaStretch = 4
	// With these shares the optimum is above the limit: a search whose best move is stable ends sooner,
	// others at the limit.
	alphaBetaShareOfClock = 200
	alphaBetaShareOfGains = 100
	// The same if Settings.Uneven: few optima are above the limit, which is larger.
	unevenStretch = 2
	unevenShare   = 130 // of both
	// usualKeptBack keeps a short fixed time from being lost to the overhead.
	usualKeptBack = 20
)

// AlphaBeta returns the parameters of a search by iterative deepening.
func AlphaBeta(side int, s Settings) Params {
	return Params{
		Settings: s, Side: side, ExpectedMoves: alphaBetaMoves, Stretch: alphaBetaStretch, KeptBack: usualKeptBack,
		ShareOfClock: alphaBetaShareOfClock, ShareOfGains: alphaBetaShareOfGains,
	}
}

const (
	// solverMoves is the percentage of the moves left that share the time on a solver's clock: the
	// early moves are the hard ones, later ones are answered from the table.
	solverMoves = 40
	// Games that end early leave time unused, so the first moves get more than equal shares. The
	// increments that are not shared stay on the clock as a reserve.
	solverShareOfClock = 125
	solverShareOfGains = 75
)

// UnknownLength is the number of moves left to pass to Solver for a game of unknown length
// (chess).
const UnknownLength = 90

// Solver returns the parameters of a search that runs until it has an exact answer. movesLeft
// is how many moves this side may still have to make. A solver has no iterations after which
// it could end early, so its maximum is its optimum.
func Solver(side, movesLeft int, s Settings) Params {
	moves := max(movesLeft*solverMoves/100, 1)
	return Params{
		Settings: s, Side: side, ExpectedMoves: moves, Stretch: 1, KeptBack: usualKeptBack,
		ShareOfClock: solverShareOfClock, ShareOfGains: solverShareOfGains,
	}
}

// checkmateReserve is how long a search for mates takes to end all its threads and to write
// its answer.
const checkmateReserve = 20 * time.Millisecond

// Checkmate returns the parameters of `go mate` of USI, whose limit is a fixed time. An answer
// that comes later counts as none, so up to half of the time is kept back.
func Checkmate(side int, s Settings) Params {
	return Params{Settings: s, Side: side, ExpectedMoves: 1, Stretch: 1, Reserve: checkmateReserve, KeptBack: 2}
}

// Budget is the time for one move.
type Budget struct {
	Optimum time.Duration // for a move of average stability, as far as the limit permits
	Limit   time.Duration // no ordinary move takes longer
	Maximum time.Duration // no move takes longer
}

// The least budgets: a search needs some time to find any move.
const (
	leastOptimum = time.Millisecond / 2
	leastMaximum = time.Millisecond
)

// Budget returns the budget by the limits when the clock shows c, and false if there is no time
// limit. A fixed time for the move overrides the clock.
func (p Params) Budget(l *search.Limits, c search.Clock) (Budget, bool) {
	switch {
	case l.MoveTime > 0:
		d := max(l.MoveTime-min(p.MoveOverhead+p.Reserve, l.MoveTime/time.Duration(p.KeptBack)), leastOptimum)
		return Budget{d, d, d}, true
	case c.Given:
		return p.byClock(c), true
	}
	return Budget{}, false
}

// One move takes at most this percentage of the time on the clock. The rest is reserved for stalls
// of the machine.
const (
	maxSuddenDeath = 50
	maxOfPeriod    = 75 // there is more time after the next control
)

// The limit of an ordinary move: a percentage of the clock or, shortly before a time control,
// of an equal share of it.
const (
	limitOfClock       = 4
	limitOfUnevenClock = 16 // if Settings.Uneven
	limitOfShare       = 140
)

// spareMoves are added to the moves to the next time control, as a reserve that is not lost there.
const spareMoves = 2

const (
	// byoyomiOptimum is the percentage of a byoyomi in the optimum while there is time on the
	// clock.
	byoyomiOptimum = 80
	// byoyomiAlone is the optimum in units of the maximum when only the byoyomi is left. The part of the
	// byoyomi that a move does not use is lost, so a stable search does not end early.
	byoyomiAlone = 4
)

// byClock divides the time on the clock, and what the later moves will add to it, by the moves that
// share it.
func (p Params) byClock(c search.Clock) Budget {
	left := max(c.Time[p.Side]-p.MoveOverhead, 0)
	gain := c.Inc[p.Side] - p.MoveOverhead // by each later move
	byoyomi := max(c.Byoyomi-p.MoveOverhead, 0)
	moves, most, ofLimit, stretch := p.ExpectedMoves, maxSuddenDeath, limitOfClock, p.Stretch
	ofClock, ofGains := p.ShareOfClock, p.ShareOfGains
	switch {
	case c.MovesToGo > 0:
		moves, most, ofClock, ofGains = min(moves, c.MovesToGo+spareMoves), maxOfPeriod, 100, 100
	case p.Uneven && p.Stretch > 1 && c.Inc[p.Side] > 0:
		ofLimit, stretch = limitOfUnevenClock, unevenStretch
		ofClock, ofGains = unevenShare, unevenShare
	}
	total := percent(left, ofClock) + percent(time.Duration(moves-1)*gain, ofGains)
	// A quarter of a clock that is too short for the overhead of all moves is shared all the same.
	total = max(total, left/4)
	available := percent(left, most)
	optimum := min(p.slowed(total/time.Duration(moves)), available)
	limit, maximum := optimum+byoyomi, optimum+byoyomi
	if stretch > 1 {
		limit = max(percent(left, ofLimit), percent(left, limitOfShare)/time.Duration(moves)) + counted(gain, left)
		limit = min(p.slowed(limit), available)
		maximum = min(limit*time.Duration(stretch), available) + byoyomi
		limit += counted(byoyomi, left)
	}
	if c.Byoyomi > 0 {
		optimum += percent(byoyomi, byoyomiOptimum)
		if left == 0 {
			optimum = byoyomiAlone * maximum
		}
		all := max(c.Time[p.Side], 0) + c.Byoyomi
		maximum = min(maximum, max(all-p.WorstOverhead, all/2))
	}
	maximum = max(maximum-p.Reserve, leastMaximum)
	limit = max(limit-p.Reserve, leastMaximum)
	return Budget{max(optimum-p.Reserve, leastOptimum), min(limit, maximum), maximum}
}

// slowed applies SlowMover.
func (p Params) slowed(d time.Duration) time.Duration {
	if p.SlowMover > 0 {
		d = percent(d, p.SlowMover)
	}
	return d
}

// counted returns how much of an increment or a byoyomi counts for the limit of a move: nothing if it is at
// most 1 % of the time left on the clock, the whole gain from 2 % on.
func counted(gain, left time.Duration) time.Duration {
	return max(min(gain, 2*(gain-percent(left, 1))), 0)
}

// percent returns n percent of d, rounded down.
func percent(d time.Duration, n int) time.Duration {
	return d/100*time.Duration(n) + d%100*time.Duration(n)/100
}
