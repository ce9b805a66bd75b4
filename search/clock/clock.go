// Package clock is the time management of all searches. It answers three questions:
//
//   - How much time does a move get? Params.Budget divides what the clock shows into an
//     optimum, which an ordinary move takes, and a maximum, which no move exceeds.
//   - May a search by iterative deepening end now? A Timer compares the time used with the
//     optimum, which it stretches while the best move or the score is unstable.
//   - When must a search end that has no iterations? Params.Context returns a context with
//     that deadline.
//
// All of them use the one formula in Params.Budget. What differs between the searches is in
// Params: AlphaBeta, Solver and Checkmate return them.
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
	// MoveOverhead is lost on every move between the clock and the engine.
	MoveOverhead time.Duration
	// WorstOverhead is what a single move may lose. A move by byoyomi leaves that much
	// unused, but at most half of what it has.
	WorstOverhead time.Duration
	// MinimumThinking is the least time for a move by the clock, as far as the maximum
	// allows.
	MinimumThinking time.Duration
	// FullSeconds says that the clock counts full seconds only: the second that a move has
	// begun is used to its end, less MoveOverhead.
	FullSeconds bool
	// SlowMover is the optimum by the clock in percent of the usual one; 0 counts as 100.
	SlowMover int
	// NodesPerMS, unless 0, makes a search by iterative deepening count nodes instead of time:
	// a millisecond of its limits is that number of nodes.
	NodesPerMS int
}

// Params are what a budget depends on besides the clock.
type Params struct {
	Settings
	Side int // to move, the index into search.Clock: 0 or 1

	// ExpectedMoves is how many moves of this side share the time on the clock, unless fewer
	// are left to the next time control; at least 1.
	ExpectedMoves int
	// Stretch is the maximum in units of the optimum, at least 1.
	Stretch int
	// Reserve is the time between the end of the search and the answer.
	Reserve time.Duration
	// KeptBack limits what a fixed time for a move loses to MoveOverhead and Reserve: to one
	// part in KeptBack.
	KeptBack int
}

const (
	// alphaBetaMoves does not fall as the game goes on: the optimum is a share of what is left,
	// so the budgets shrink slowly and never reach 0.
	alphaBetaMoves = 45
	// alphaBetaStretch lets an unstable position take the time of several moves.
	alphaBetaStretch = 5
	// usualKeptBack keeps a short fixed time from being lost to the overhead.
	usualKeptBack = 20
)

// AlphaBeta returns the parameters of a search by iterative deepening.
func AlphaBeta(side int, s Settings) Params {
	return Params{Settings: s, Side: side, ExpectedMoves: alphaBetaMoves, Stretch: alphaBetaStretch, KeptBack: usualKeptBack}
}

// Of the moves left, this percentage shares the time on a solver's clock: the early moves are
// the hard ones, later ones are answered from the table.
const solverMoves = 40

// UnknownLength is the number of moves left that Solver is given for a game of no known
// length (chess).
const UnknownLength = 90

// Solver returns the parameters of a search that runs until it has an exact answer. movesLeft
// is how many moves this side may still have to make. A solver has no iterations
// after which it could end early, so its maximum is its optimum.
func Solver(side, movesLeft int, s Settings) Params {
	moves := max(movesLeft*solverMoves/100, 1)
	return Params{Settings: s, Side: side, ExpectedMoves: moves, Stretch: 1, KeptBack: usualKeptBack}
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
	Optimum time.Duration // an ordinary move ends near it
	Maximum time.Duration // no move takes longer
}

// The least budgets: a search needs some time to find any move.
const (
	leastOptimum = time.Millisecond / 2
	leastMaximum = time.Millisecond
)

// Budget returns the budget by the limits when the clock shows c, and false if there is no time
// limit. A fixed time for the move comes before the clock.
func (p Params) Budget(l *search.Limits, c search.Clock) (Budget, bool) {
	switch {
	case l.MoveTime > 0:
		d := max(l.MoveTime-min(p.MoveOverhead+p.Reserve, l.MoveTime/time.Duration(p.KeptBack)), leastOptimum)
		return Budget{d, d}, true
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

// Where no time control follows, these percentages of the clock and of the increments are shared.
// Games that end early leave their time unused, so the first moves have more than equal shares. The
// increments that are not shared keep a reserve on the clock: without them the moves, which take longer
// than the optimum on average, would use it up.
const (
	suddenDeathClock = 125
	suddenDeathGain  = 75
)

// spareMoves are added to the moves to the next time control, as a reserve that is not lost there.
const spareMoves = 2

const (
	// byoyomiOptimum is the percentage of a byoyomi in the optimum while there is time on the
	// clock.
	byoyomiOptimum = 80
	// byoyomiAlone is the optimum in units of the maximum when only the byoyomi is left. What
	// a move does not use of it is lost, so no stable score ends the search early.
	byoyomiAlone = 4
)

// byClock divides the time on the clock, and what the later moves will add to it, by the moves that
// share it.
func (p Params) byClock(c search.Clock) Budget {
	left := max(c.Time[p.Side]-p.MoveOverhead, 0)
	gain := c.Inc[p.Side] - p.MoveOverhead // of a later move
	moves, total, most := p.ExpectedMoves, percent(left, suddenDeathClock), maxSuddenDeath
	if c.MovesToGo > 0 {
		moves, total, most = min(moves, c.MovesToGo+spareMoves), left, maxOfPeriod
	} else {
		gain = percent(gain, suddenDeathGain)
	}
	// A quarter of a clock that is too short for the overhead of all moves is shared all the same.
	total = max(total+time.Duration(moves-1)*gain, left/4)
	optimum := total / time.Duration(moves)
	if p.SlowMover > 0 {
		optimum = percent(optimum, p.SlowMover)
	}
	limit := percent(left, most)
	optimum = min(optimum, limit)
	maximum := min(optimum*time.Duration(p.Stretch), limit)
	if c.Byoyomi > 0 {
		each := max(c.Byoyomi-p.MoveOverhead, 0)
		optimum += percent(each, byoyomiOptimum)
		maximum += each
		if left == 0 {
			optimum = byoyomiAlone * maximum
		}
		all := max(c.Time[p.Side], 0) + c.Byoyomi
		maximum = min(maximum, max(all-p.WorstOverhead, all/2))
	}
	return Budget{max(optimum-p.Reserve, leastOptimum), max(maximum-p.Reserve, leastMaximum)}
}

// percent returns n percent of d, rounded down.
func percent(d time.Duration, n int) time.Duration {
	return d/100*time.Duration(n) + d%100*time.Duration(n)/100
}
