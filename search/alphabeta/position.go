package alphabeta

import "trefoil/game"

// Position is what the search needs to know of a game. The rules implement it;
// the search never asks which game it is. Scores are centipawns for the side to
// move. A position belongs to one worker: nothing here is safe for concurrent
// use, and none of it may allocate but Clone and Text.
type Position interface {
	// Key is the Zobrist key of the position; bit 0 is the side to move.
	Key() uint64
	// KeyAfter is the key after m, or a good guess of it: it is only used to
	// prefetch.
	KeyAfter(m game.Move) uint64
	// Side is the side to move: 0 moves first in the initial position.
	Side() int

	// InCheck reports whether the side to move is in check.
	InCheck() bool
	// GivesCheck reports whether the legal move m gives check.
	GivesCheck(m game.Move) bool
	// Adjudicate tells how the position is scored by a rule that needs no look at
	// its moves (repetition, move-count rules, too little material, a
	// declaration). A position that repeats one of the ply last ones counts at
	// its first repetition, older ones as the rules of the game say.
	Adjudicate(ply int) (game.Outcome, bool)
	// NoMoves is how the position is scored if it has no legal move.
	NoMoves() game.Outcome
	// Rule50 is the number of plies since the last irreversible move, and
	// 100 is where a draw by that count begins.
	Rule50() int
	// NullMoveSound reports whether a null move is sound: no zugzwang to fear.
	NullMoveSound() bool

	// Moves appends the legal moves of a kind to l.
	Moves(kind game.Kind, l *game.List)
	// FromMove16 returns the legal move whose Move16 is s, if there is one: what a
	// table keeps may belong to another position.
	FromMove16(s uint16) (game.Move, bool)
	// QuiescenceCheckDepth is for how many plies quiescence also tries quiet moves that
	// give check.
	QuiescenceCheckDepth() int
	// Make plays the legal move m; Undo takes the last one back.
	Make(m game.Move)
	Undo()
	// MakeNull passes; UndoNull takes the pass back.
	MakeNull()
	UndoNull()

	// Eval is the static evaluation; it is only called when not in check.
	Eval() int
	// MateInOne returns a move that mates at once, or None: it may miss some. It is only
	// called right after Eval, when not in check.
	MateInOne() game.Move
	// SEE reports whether the static exchange evaluation of m is at least
	// threshold centipawns.
	SEE(m game.Move, threshold int) bool
	// CaptureValue is the material that m wins at once: the victim's value and the
	// gain of a promotion.
	CaptureValue(m game.Move) int
	// EscapeBonus writes to gains[i] the material that the quiet move moves[i] takes
	// out of the reach of enemies of less worth, less what it puts there. It
	// orders moves: zeros will do where that is dear to know.
	EscapeBonus(moves []game.Move, gains []int32)
	// CorrectionKeys fills keys that correction histories are indexed by (pawn
	// structure, material of each side, …), and returns how many.
	CorrectionKeys(keys *[4]uint64) int

	// HistoryDimensions is the size of the game's history tables: piece codes are below
	// pieces, squares below squares.
	HistoryDimensions() (pieces, squares int)
	// Text writes m in the game's notation.
	Text(m game.Move) string
	// Clone is an independent copy, for another worker.
	Clone() Position
}
