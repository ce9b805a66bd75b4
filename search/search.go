// Package search has the types that all searches share: the limits (Limits, Clock), the reports of a
// running search (Info) and its answer (Result).
package search

import (
	"math"
	"time"
)

// Clock is the time left to both players, indexed by side to move (0 moves
// first). A zero Clock means no clock was given.
type Clock struct {
	Time      [2]time.Duration // left on the clock; may be negative as sent
	Inc       [2]time.Duration // added after each move
	Byoyomi   time.Duration    // per move once Time is used up (USI)
	MovesToGo int              // moves to the next time control, 0 = sudden death
	Given     bool             // at least one clock field was sent
}

// Limits are the limits of a `go` command. Zero fields do not limit.
type Limits struct {
	Start       time.Time // when the command was read
	Clock       Clock
	MoveTime    time.Duration
	Depth       int
	Nodes       uint64
	SoftNodes   uint64   // no iteration begins after that many
	Mate        int      // search for a mate in that many moves of the side to move, or AnyMate
	Checks      bool     // with checks only; the answer is Result.Checkmate
	Infinite    bool     // until the context ends
	SearchMoves []string // only these root moves; empty = all
	Declare     bool     // answer by a declaration if the side to move may declare a win
	NoBook      bool     // search positions of an opening book too
	Ponder      bool     // the clock starts at PonderHit
	// PonderHit delivers at most one Clock, which runs from that moment on. A zero Clock stands for the clock
	// of the Limits.
	PonderHit <-chan Clock
}

// Repeatable reports whether the search is limited by depth, nodes or a mate and not by time, so
// that it must give the same result every time.
func (l *Limits) Repeatable() bool {
	return (l.Depth > 0 || l.Nodes > 0 || l.Mate > 0) && !l.Infinite && !l.Ponder && l.MoveTime == 0 && !l.Clock.Given
}

// AnyMate is a mate of any length.
const AnyMate = math.MaxInt32

// Score is a value for the side to move: centipawns, or a mate in plies.
type Score struct {
	Centipawns int
	Mate       bool // Plies counts, Centipawns does not
	Plies      int  // to the mate: positive = mates, zero or negative = is mated
}

// Value returns a score as a number; a mate is beyond all other scores.
func (s Score) Value() int {
	const mate = 32000
	switch {
	case !s.Mate:
		return s.Centipawns
	case s.Plies > 0:
		return mate - s.Plies
	}
	return -mate - s.Plies
}

// Bound says how a score relates to the true value.
type Bound uint8

// The bounds of a reported score.
const (
	Exact Bound = iota
	Lower
	Upper
)

// WDL is the expected result: win, draw and loss in permille.
type WDL [3]int

// Info is one report of a running search.
type Info struct {
	Depth, SelDepth int
	MultiPV         int // 1 is the best line
	Score           Score
	Bound           Bound
	WDL             *WDL // nil: not reported
	Nodes           uint64
	TableHits       uint64 // positions found in tablebases; 0 is not reported
	Time            time.Duration
	HashFull        int      // permille, -1 = no table
	PV              []string // in the game's own notation
	CurrMove        string   // set alone with CurrMoveNumber
	CurrMoveNumber  int
	Text            string // set alone: a line of text for the user
	Proof           *Proof // of a move that proof search has not decided; nil: none
}

// Proof is how far proof search is with a goal.
type Proof struct {
	Wins       bool   // the goal is that the side to move wins, else that it loses
	Phi, Delta uint32 // proof number and disproof number
}

// Result is the answer to one search.
type Result struct {
	Best   string // "" = the position has no legal move
	Ponder string // "" = none
	Nodes  uint64
	Time   time.Duration
	// Resigns and Declares are answers of protocols that have them, instead of Best: the game
	// is lost, or won by declaration. A declaration has no Best, and needs Limits.Declare.
	Resigns, Declares bool
	// NoPosition says that there was no position to search.
	NoPosition bool
	Checkmate  *Checkmate // set alone: the answer if Limits.Checks
}

// Checkmate is the result of a search for a mate by checks, of any length.
type Checkmate struct {
	Line []string // one line to the forced mate
	None bool     // there is none
}
