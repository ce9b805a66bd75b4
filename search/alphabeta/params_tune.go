// Code generated from params.go by tools/spsa; DO NOT EDIT.

//go:build tune

package alphabeta

// The limits of a search; tune: no.
const (
	maxPly   = 246 // plies below the root that a line may reach
	maxDepth = 128 // iterations
)

// The numbers below were chosen by matches of the engine against itself. Margins are in
// centipawns, depths in plies, shares in units of 1/1024. They are in the order in which the
// search uses them.
//
// With the build tag tune they are variables (params_tune.go, which go generate makes of this file).
// A tuner keeps each between 1 and twice its value; a comment "tune: MIN to MAX" sets other bounds,
// and "tune: no" leaves it as it is. docs/tuning.md describes the tuner.

// unit is the whole of a share; tune: no.
const unit = 1024

// Aspiration window.
var (
	aspirationDepth  = 4
	aspirationDelta  = 9     // tune: 3 to 20
	aspirationSquare = 12000 // the square of the value divided by this widens the window; tune: 4000 to 24000
	aspirationLimit  = 600   // from this width on the window is open
)

// Table cutoff.
var (
	tableCutoffExpectedDepth = 5   // up to this depth the cutoff must agree with the expected node type
	tableCutoffBonus         = 512 // share of the history bonus for the table's quiet move
	tableCutoffRule50        = 90  // no cutoff from here on: the value depends on the path; tune: no
)

// Static evaluation difference as history of the move that led to a node.
var (
	evalHistoryFactor = 6 // times the change of evaluation
	evalHistoryMax    = 900
)

// Hindsight reduction: the evaluation of a node corrects the reduction that led to it.
var (
	hindsightExtend = 3  // plies of reduction after which a good evaluation adds one ply
	hindsightReduce = 90 // sum of the evaluations of both sides above which one ply is taken off
)

// Razoring.
var (
	razorDepth  = 4
	razorBase   = 180
	razorFactor = 110 // times depth squared
)

// Reverse futility pruning.
var (
	reverseFutilityDepth     = 9
	reverseFutilityFactor    = 70 // times depth, one less when improving
	reverseFutilityWorsening = 17 // less when the opponent's evaluation falls
	reverseFutilityReturn    = 3  // of what the evaluation is above beta, one part in this is returned
)

// Null move pruning.
var (
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
var (
	probCutDepth     = 5 // tune: 4 to 10
	probCutBase      = 170
	probCutImproving = 50 // less when improving
	probCutReduction = 4  // tune: 2 to 5
)

// Internal iterative reduction.
var iirDepth = 4 // tune: 2 to 8

// Late move pruning.
var (
	latePruningDepth = 8
	latePruningBase  = 3
)

// Futility pruning of captures, history pruning, futility pruning, and SEE pruning.
var (
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
var (
	singularDepth        = 6    // tune: 4 to 10
	singularTableDepth   = 3    // by how much less deep the table's value may be
	singularFactor       = 1024 // margin below the table's value, times depth
	singularTablePV      = 512  // more where a principal variation was, times depth
	singularDoubleMargin = 12
	singularTripleMargin = 80
	negativeExtension    = -2
)

// Late move reduction, in units.
var (
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
var (
	alphaRaisedMin = 2
	alphaRaisedMax = 12
)

// Histories.
var (
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
var (
	deltaMargin         = 140
	quiescenceMoveCount = 3 // captures, then only those on the square of the last move
	quiescenceSEE       = -30
)

func init() {
	parameters = []Parameter{
		{"aspirationDepth", 1, 8, &aspirationDepth},
		{"aspirationDelta", 3, 20, &aspirationDelta},
		{"aspirationSquare", 4000, 24000, &aspirationSquare},
		{"aspirationLimit", 1, 1200, &aspirationLimit},
		{"tableCutoffExpectedDepth", 1, 10, &tableCutoffExpectedDepth},
		{"tableCutoffBonus", 1, 1024, &tableCutoffBonus},
		{"evalHistoryFactor", 1, 12, &evalHistoryFactor},
		{"evalHistoryMax", 1, 1800, &evalHistoryMax},
		{"hindsightExtend", 1, 6, &hindsightExtend},
		{"hindsightReduce", 1, 180, &hindsightReduce},
		{"razorDepth", 1, 8, &razorDepth},
		{"razorBase", 1, 360, &razorBase},
		{"razorFactor", 1, 220, &razorFactor},
		{"reverseFutilityDepth", 1, 18, &reverseFutilityDepth},
		{"reverseFutilityFactor", 1, 140, &reverseFutilityFactor},
		{"reverseFutilityWorsening", 1, 34, &reverseFutilityWorsening},
		{"reverseFutilityReturn", 1, 6, &reverseFutilityReturn},
		{"nullDepth", 1, 4, &nullDepth},
		{"nullMargin", 1, 240, &nullMargin},
		{"nullSlope", 1, 30, &nullSlope},
		{"nullBase", 1, 8, &nullBase},
		{"nullFactor", 1, 682, &nullFactor},
		{"nullEvalFactor", 1, 300, &nullEvalFactor},
		{"nullEvalMax", 1, 6, &nullEvalMax},
		{"nullVerify", 1, 28, &nullVerify},
		{"probCutDepth", 4, 10, &probCutDepth},
		{"probCutBase", 1, 340, &probCutBase},
		{"probCutImproving", 1, 100, &probCutImproving},
		{"probCutReduction", 2, 5, &probCutReduction},
		{"iirDepth", 2, 8, &iirDepth},
		{"latePruningDepth", 1, 16, &latePruningDepth},
		{"latePruningBase", 1, 6, &latePruningBase},
		{"captureFutilityDepth", 1, 14, &captureFutilityDepth},
		{"captureFutilityBase", 1, 400, &captureFutilityBase},
		{"captureFutilityFactor", 1, 360, &captureFutilityFactor},
		{"captureFutilityHistory", 1, 160, &captureFutilityHistory},
		{"captureSEE", -180, -1, &captureSEE},
		{"captureSEEHistory", 1, 200, &captureSEEHistory},
		{"historyPruningFactor", -7000, -1, &historyPruningFactor},
		{"historyPly", 1, 16000, &historyPly},
		{"futilityDepth", 1, 18, &futilityDepth},
		{"futilityBase", 1, 160, &futilityBase},
		{"futilityFactor", 1, 170, &futilityFactor},
		{"quietSEE", -44, -1, &quietSEE},
		{"singularDepth", 4, 10, &singularDepth},
		{"singularTableDepth", 1, 6, &singularTableDepth},
		{"singularFactor", 1, 2048, &singularFactor},
		{"singularTablePV", 1, 1024, &singularTablePV},
		{"singularDoubleMargin", 1, 24, &singularDoubleMargin},
		{"singularTripleMargin", 1, 160, &singularTripleMargin},
		{"negativeExtension", -4, -1, &negativeExtension},
		{"lmrScale", 1, 4260, &lmrScale},
		{"lmrBase", -512, 1024, &lmrBase},
		{"lmrNotImproving", 1, 1536, &lmrNotImproving},
		{"lmrPV", 1, 1024, &lmrPV},
		{"lmrTablePV", 1, 2048, &lmrTablePV},
		{"lmrTableAbove", 1, 1024, &lmrTableAbove},
		{"lmrTableDeep", 1, 1024, &lmrTableDeep},
		{"lmrCutNode", 1, 3072, &lmrCutNode},
		{"lmrNoTableMove", 1, 1024, &lmrNoTableMove},
		{"lmrTableNoisy", 1, 1536, &lmrTableNoisy},
		{"lmrCutoffs", 1, 1536, &lmrCutoffs},
		{"lmrCutoffCount", 1, 6, &lmrCutoffCount},
		{"lmrTableMove", 1, 4096, &lmrTableMove},
		{"lmrCorrection", 1, 20, &lmrCorrection},
		{"lmrHistory", 1, 204, &lmrHistory},
		{"lmrNoisyHistory", 1, 170, &lmrNoisyHistory},
		{"lmrDeeperMargin", 1, 60, &lmrDeeperMargin},
		{"lmrShallowMargin", 1, 16, &lmrShallowMargin},
		{"lmrNullWindowStep", 1, 6, &lmrNullWindowStep},
		{"alphaRaisedMin", 1, 4, &alphaRaisedMin},
		{"alphaRaisedMax", 1, 24, &alphaRaisedMax},
		{"bonusFactor", 1, 300, &bonusFactor},
		{"bonusMax", 1, 3400, &bonusMax},
		{"malusFactor", 1, 340, &malusFactor},
		{"malusMax", 1, 3000, &malusMax},
		{"bonusOffset", 1, 100, &bonusOffset},
		{"bonusFailLow", 1, 1024, &bonusFailLow},
		{"escapeFactor", 1, 80, &escapeFactor},
		{"captureFactor", 1, 32, &captureFactor},
		{"badCaptureFactor", 1, 96, &badCaptureFactor},
		{"tablePVDepth", 1, 6, &tablePVDepth},
		{"correctionFactor", 1, 340, &correctionFactor},
		{"correctionPawn", 1, 52, &correctionPawn},
		{"correctionOther", 1, 52, &correctionOther},
		{"correctionMoves", 1, 52, &correctionMoves},
		{"correctionMax", 1, 2048, &correctionMax},
		{"deltaMargin", 1, 280, &deltaMargin},
		{"quiescenceMoveCount", 1, 6, &quiescenceMoveCount},
		{"quiescenceSEE", -60, -1, &quiescenceSEE},
	}
}
