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
	aspirationDelta  = 9     // tune: 3 to 20
	aspirationSquare = 12000 // the square of the value divided by this widens the window; tune: 4000 to 24000
	aspirationLimit  = 600   // from this width on the window is open
)

// Table cutoff.
const (
	tableCutoffExpectedDepth = 5   // up to this depth the cutoff must agree with the expected node type
	tableCutoffBonus         = 512 // share of the history bonus for the table's quiet move
	tableCutoffRule50        = 90  // no cutoff from here on: the value depends on the path; tune: no
)

// Static evaluation difference as history of the move that led to a node.
const (
	evalHistoryFactor = 6 // times the change of evaluation
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
	razorBase   = 180
	razorFactor = 110 // times depth squared
)

// Reverse futility pruning.
const (
	reverseFutilityDepth     = 9
	reverseFutilityFactor    = 70 // times depth, one less when improving
	reverseFutilityWorsening = 17 // less when the opponent's evaluation falls
	reverseFutilityReturn    = 3  // of what the evaluation is above beta, one part in this is returned
)

// Null move pruning.
const (
	nullDepth      = 2
	nullMargin     = 120
	nullSlope      = 15  // of the margin, times depth
	nullBase       = 4   // reduction
	nullFactor     = 341 // of the reduction, times depth
	nullEvalFactor = 150 // centipawns above beta for another ply
	nullEvalMax    = 3   // plies by the evaluation
	nullVerify     = 14  // from this depth on a null move is verified
)

// ProbCut.
const (
	probCutDepth     = 5 // tune: 4 to 10
	probCutBase      = 170
	probCutImproving = 50 // less when improving
	probCutReduction = 4  // tune: 2 to 5
)

// Internal iterative reduction.
const iirDepth = 4 // tune: 2 to 8

// Late move pruning.
const (
	latePruningDepth = 8
	latePruningBase  = 3
)

// Futility pruning of captures, history pruning, futility pruning, and SEE pruning.
const (
	captureFutilityDepth   = 7
	captureFutilityBase    = 200
	captureFutilityFactor  = 180 // times depth
	captureFutilityHistory = 80  // of history, for a centipawn
	captureSEE             = -90 // times depth
	captureSEEHistory      = 100 // of history, for a centipawn
	historyPruningFactor   = -3500
	historyPly             = 8000 // of history, for one ply more
	futilityDepth          = 9
	futilityBase           = 80
	futilityFactor         = 85  // times depth
	quietSEE               = -22 // times depth squared
)

// Singular extension, multi-cut and negative extension.
const (
	singularDepth        = 6    // tune: 4 to 10
	singularTableDepth   = 3    // by how much less deep the table's value may be
	singularFactor       = 1024 // margin below the table's value, times depth
	singularTablePV      = 512  // more where a principal variation was, times depth
	singularDoubleMargin = 12
	singularTripleMargin = 80
	negativeExtension    = -2
)

// Late move reduction, in units.
const (
	lmrScale          = 2130 // hundredths; see reductions
	lmrBase           = 256  // tune: -512 to 1024
	lmrNotImproving   = 768
	lmrPV             = 512
	lmrTablePV        = 1024
	lmrTableAbove     = 512
	lmrTableDeep      = 512
	lmrCutNode        = 1536
	lmrNoTableMove    = 512
	lmrTableNoisy     = 768
	lmrCutoffs        = 768
	lmrCutoffCount    = 3 // more cutoffs among the earlier children count as many
	lmrTableMove      = 2048
	lmrCorrection     = 10  // times the correction in centipawns
	lmrHistory        = 102 // times history
	lmrNoisyHistory   = 85
	lmrDeeperMargin   = 30
	lmrShallowMargin  = 8
	lmrNullWindowStep = 3 // reduction, in plies, from which a null window search is one less deep
)

// Between these depths a raised alpha lowers the depth of the moves that follow.
const (
	alphaRaisedMin = 2
	alphaRaisedMax = 12
)

// Histories.
const (
	bonusFactor      = 150
	bonusMax         = 1700
	malusFactor      = 170
	malusMax         = 1500
	bonusOffset      = 50   // less, of both
	bonusFailLow     = 512  // share of the bonus for a move that all replies failed against
	escapeFactor     = 40   // of the escape bonus of a quiet move
	captureFactor    = 16   // of a capture's value
	badCaptureFactor = 48   // a good capture may lose its score divided by this
	tablePVDepth     = 3    // above it a node that fails low counts as PV in the table if its parent does
	correctionFactor = 170  // of the error, times depth
	correctionPawn   = 26   // share of the pawn correction history
	correctionOther  = 26   // share of each of the others
	correctionMoves  = 26   // share of the continuation correction history
	correctionMax    = 1024 // of an entry
)

// Quiescence: delta pruning, move count pruning and SEE pruning.
const (
	deltaMargin         = 140
	quiescenceMoveCount = 3 // captures, then only those on the square of the last move
	quiescenceSEE       = -30
)
