package alphabeta

import (
	"math"

	"trefoil/game"
)

// Position is the part of a game that the search needs from every game. Scores are centipawns for
// the side to move. A position belongs to one worker: nothing here is safe for concurrent use, and
// nothing but Clone and Text may allocate in the long run.
//
// Methods that only some games have are in the optional interfaces below and in TablebaseProber. The search
// looks them up once, and works without those that the position does not implement. Package
// ttanalysis/observe has one more, SecondKeyer.
type Position interface {
	// Key is the Zobrist key of the position; bit 0 is the side to move.
	Key() uint64
	// Side is the side to move: 0 moves first in the initial position.
	Side() int

	// Adjudicate returns the outcome of a position whose game is over by a rule that needs no look at its
	// moves: repetition, a count of moves, too little material, a finished line. A repetition of a position
	// among the last ply positions counts at once; a repetition of an older position counts as the rules of
	// the game say.
	Adjudicate(ply int) (game.Outcome, bool)
	// NoMoves is the outcome of a position without legal moves.
	NoMoves() game.Outcome

	// Moves appends the legal moves of a kind to l: none if the game is over. Neither Move16 nor
	// Piece of a move is 0.
	Moves(kind game.Kind, l *game.List)
	// FromMove16 returns the legal move whose Move16 is m16, if there is one: what the table
	// holds may belong to another position. There is none if the game is over.
	FromMove16(m16 uint16) (game.Move, bool)
	// Make plays the legal move m; Undo takes the last move back.
	Make(m game.Move)
	Undo()

	// Eval is the static evaluation. It is not called in check.
	Eval() int

	// HistoryDimensions are the exclusive upper bounds of the piece codes and of the squares
	// of the game's moves, which index the histories.
	HistoryDimensions() (pieces, squares int)
	// Text writes m in the game's notation.
	Text(m game.Move) string
	// Clone is an independent copy, for another worker.
	Clone() Position
}

// Checker is implemented by games with checks.
type Checker interface {
	// InCheck reports whether the side to move is in check.
	InCheck() bool
	// GivesCheck reports whether the legal move m gives check.
	GivesCheck(m game.Move) bool
}

// QuietChecker is implemented by games in which quiescence searches quiet checks as well. Their
// Moves lists game.Checks.
type QuietChecker interface {
	// QuiescenceCheckDepth is the number of plies for which quiescence searches quiet checks.
	QuiescenceCheckDepth() int
}

// MateFinder is implemented by games that find some mates in one faster than by search.
type MateFinder interface {
	// MateInOne returns a move that mates at once, or None; it may miss some. It is only
	// called right after Eval, and not in check.
	MateInOne() game.Move
}

// NullMover is implemented by games in which passing is nearly always worse than the best move.
type NullMover interface {
	// NullMoveSound reports whether a null move is sound: the side to move is not in
	// check, and zugzwang is unlikely.
	NullMoveSound() bool
	// MakeNull passes; UndoNull takes that back.
	MakeNull()
	UndoNull()
}

// Exchanger is implemented by games with captures.
type Exchanger interface {
	// SEE reports whether the static exchange evaluation of m is at least threshold
	// centipawns.
	SEE(m game.Move, threshold int) bool
	// CaptureValue is the material that m wins at once: the victim's value and the gain of
	// a promotion.
	CaptureValue(m game.Move) int
}

// ThreatScorer is implemented by games whose quiet moves are ordered by threats as well.
type ThreatScorer interface {
	// ThreatBonus writes to bonus[i] the material that the quiet move moves[i] takes out of
	// attack, less the material that it moves into attack, and more for threats of its own.
	ThreatBonus(moves []game.Move, bonus []int32)
}

// Rule50Counter is implemented by games that are drawn after 100 reversible plies.
type Rule50Counter interface {
	// Rule50 is the number of plies since the last irreversible move.
	Rule50() int
}

// RepetitionFinder is implemented by games that see repetitions one ply ahead.
type RepetitionFinder interface {
	// UpcomingRepetition reports whether a move of the side to move is likely to be drawn by
	// repetition, in the sense of Adjudicate(ply+1).
	UpcomingRepetition(ply int) bool
}

// CorrectionKeyer is implemented by games that have correction histories of their own.
type CorrectionKeyer interface {
	// CorrectionKeys fills keys that correction histories are indexed by (pawn structure,
	// material of each side, …), and returns how many, or NoCorrection. The first one also
	// indexes the pawn history.
	CorrectionKeys(keys *[4]uint64) int
}

// NoCorrection says that the static evaluation of a position is known to be right: correction histories
// neither change it nor learn from it.
const NoCorrection = -1

// KeyPredictor is implemented by games that know the key after a move before it is made.
type KeyPredictor interface {
	// KeyAfter is the key after m, or a good guess: it only serves to prefetch.
	KeyAfter(m game.Move) uint64
}

// Parametrized is implemented by games with search parameters of their own.
type Parametrized interface {
	Params() *Params
}

// optional holds the optional interfaces of a position. Looking them up once saves a type
// assertion in every node.
type optional struct {
	checker  Checker
	mates    MateFinder
	null     NullMover
	exchange Exchanger
	threat   ThreatScorer
	rule50   Rule50Counter
	repeats  RepetitionFinder
	corrkeys CorrectionKeyer
	predict  KeyPredictor
	params   *Params

	checkDepth int // QuiescenceCheckDepth, 0 without QuietChecker
}

// optionalOf returns the optional interfaces of p. For an interface that p does not implement, without
// answers.
func optionalOf(p Position) (o optional) {
	o = optional{
		checker: orWithout[Checker](p), mates: orWithout[MateFinder](p), null: orWithout[NullMover](p),
		exchange: orWithout[Exchanger](p), threat: orWithout[ThreatScorer](p), rule50: orWithout[Rule50Counter](p),
		repeats: orWithout[RepetitionFinder](p), corrkeys: orWithout[CorrectionKeyer](p), predict: orWithout[KeyPredictor](p),
		params: Chess,
	}
	if q, ok := p.(QuietChecker); ok {
		o.checkDepth = q.QuiescenceCheckDepth()
	}
	if q, ok := p.(Parametrized); ok {
		o.params = q.Params()
	}
	return o
}

func orWithout[T any](p Position) T {
	if t, ok := p.(T); ok {
		return t
	}
	return any(without{}).(T)
}

// without answers for a game that does not implement an optional interface.
type without struct{}

func (without) InCheck() bool                        { return false }
func (without) GivesCheck(game.Move) bool            { return false }
func (without) MateInOne() game.Move                 { return game.None }
func (without) NullMoveSound() bool                  { return false }
func (without) MakeNull()                            {}
func (without) UndoNull()                            {}
func (without) SEE(_ game.Move, t int) bool          { return t <= 0 } // all exchanges are even
func (without) CaptureValue(game.Move) int           { return 0 }
func (without) ThreatBonus(m []game.Move, b []int32) { clear(b[:len(m)]) }
func (without) Rule50() int                          { return math.MinInt16 } // far below any limit
func (without) UpcomingRepetition(int) bool          { return false }
func (without) CorrectionKeys(k *[4]uint64) int      { k[0] = 0; return 0 }
func (without) KeyAfter(game.Move) uint64            { return 0 }
