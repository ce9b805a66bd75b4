//go:build !tune

package alphabeta

//go:generate go run ../../tools/spsa generate

// The limits of a search; tune: no.
const (
	maxPly   = 246 // plies below the root that a line may reach
	maxDepth = 128 // iterations
)

// The numbers below were chosen by matches of the engine against itself. Margins are in
// centipawns, depths in plies, shares in units of 1/1024. They are in the order in which the
// search uses them.
//
// With the build tag tune they are variables, in params_tune.go, which go generate makes from this file.
// A tuner keeps each between 1 and twice its value; a comment "tune: MIN to MAX" sets other bounds,
// and "tune: no" leaves it as it is. docs/tuning.md describes the tuner.

// unit is the whole of a share; tune: no.
const unit = 1024

// Aspiration window.
const (
	aspirationDepth  = 4
	aspirationDelta  = 12    // tune: 3 to 20
	aspirationSquare = 11447 // the square of the value divided by this widens the window; tune: 4000 to 24000
	aspirationLimit  = 600   // from this width on the window is open
)

// Table cutoff.
const (
	tableCutoffExpectedDepth = 5   // up to this depth the cutoff must agree with the expected node type
	tableCutoffBonus         = 512 // share of the bonus for the table's quiet move, and of the malus for the move before
	tableCutoffRule50        = 90  // no cutoff from here on: the value depends on the path; tune: no
)

// Static evaluation difference as history of the move that led to a node.
const (
	evalHistoryFactor = 8 // times the change of evaluation
	evalHistoryMax    = 900
)

// Hindsight reduction: the evaluation of a node corrects the reduction that led to it.
const (
	hindsightExtend = 3  // plies of reduction after which a good evaluation adds one ply
	hindsightReduce = 90 // sum of the evaluations of both sides above which one ply is taken off
)

// Razoring.
const (
	razorDepth  = 4
	razorBase   = 254
	razorFactor = 117 // times depth squared
)

// Reverse futility pruning.
const (
	reverseFutilityDepth     = 5
	reverseFutilityFactor    = 36 // times depth, one less when improving
	reverseFutilityWorsening = 17 // less when the opponent's evaluation falls
	reverseFutilityReturn    = 3  // of what the evaluation is above beta, one part in this is returned
)

// Null move pruning.
const (
	nullDepth      = 2
	nullMargin     = 80
	nullSlope      = 21  // of the margin, times depth
	nullBase       = 4   // reduction
	nullFactor     = 362 // of the reduction, times depth
	nullEvalFactor = 191 // centipawns above beta for another ply
	nullEvalMax    = 4   // plies by the evaluation
	nullVerify     = 14  // from this depth on a null move is verified
)

// ProbCut.
const (
	probCutDepth     = 5 // tune: 4 to 10
	probCutBase      = 117
	probCutImproving = 63 // less when improving
	probCutReduction = 4  // tune: 2 to 5
)

// Internal iterative reduction.
const iirDepth = 7 // tune: 2 to 8

// Late move pruning.
const (
	latePruningDepth = 8
	latePruningBase  = 3
)

// Futility pruning of captures, history pruning, futility pruning, and SEE pruning.
const (
	captureFutilityDepth   = 7
	captureFutilityBase    = 204
	captureFutilityFactor  = 221 // times depth
	captureFutilityHistory = 87  // of history, for a centipawn
	captureSEE             = -82 // times depth
	captureSEEHistory      = 94  // of history, for a centipawn
	historyPruningFactor   = -4254
	historyPly             = 3813 // of history, for one ply more
	futilityDepth          = 9
	futilityBase           = 48
	futilityFactor         = 113 // times depth
	quietSEE               = -26 // times depth squared
)

// Singular extension, multi-cut and negative extension.
const (
	singularDepth        = 5    // tune: 4 to 10
	singularTableDepth   = 3    // by how much less deep the table's value may be
	singularFactor       = 1109 // margin below the table's value, times depth
	singularTablePV      = 554  // more where a principal variation was, times depth
	singularDoubleMargin = 14
	singularTripleMargin = 96
	negativeExtension    = -2
)

// Late move reduction, in units.
const (
	lmrScale          = 1514 // hundredths; see reductions
	lmrBase           = 722  // tune: -512 to 1024
	lmrNotImproving   = 543
	lmrPV             = 606
	lmrTablePV        = 1049
	lmrTableAbove     = 420
	lmrTableDeep      = 623
	lmrCutNode        = 1824
	lmrNoTableMove    = 568
	lmrTableNoisy     = 643
	lmrCutoffs        = 578
	lmrCutoffCount    = 3 // more cutoffs among the earlier children count as many
	lmrTableMove      = 1458
	lmrCorrection     = 13 // times the correction in centipawns
	lmrHistory        = 97 // times history
	lmrNoisyHistory   = 83
	lmrDeeperMargin   = 27
	lmrShallowMargin  = 11
	lmrNullWindowStep = 3 // reduction, in plies, from which a null window search is one less deep
)

// Between these depths a raised alpha lowers the depth of the moves that follow.
const (
	alphaRaisedMin = 2
	alphaRaisedMax = 12
)

// Histories.
const (
	bonusFactor      = 151
	bonusMax         = 1492
	malusFactor      = 221
	malusMax         = 1074
	bonusOffset      = 50   // less, of both
	bonusFailLow     = 617  // share of the bonus for a move that all replies failed against
	threatFactor     = 45   // of the threat bonus of a quiet move
	captureFactor    = 13   // of a capture's value
	badCaptureFactor = 41   // a good capture may lose its score divided by this
	tablePVDepth     = 3    // above it a node that fails low counts as PV in the table if its parent does
	correctionFactor = 201  // of the error, times depth
	correctionPawn   = 28   // share of the pawn correction history
	correctionOther  = 29   // share of each of the others
	correctionMoves  = 37   // share of the continuation correction history
	correctionMax    = 1024 // of an entry
)

// Quiescence: delta pruning, move count pruning and SEE pruning.
const (
	deltaMargin         = 133
	quiescenceMoveCount = 3 // captures, then only those on the square of the last move
	quiescenceSEE       = -28
)
