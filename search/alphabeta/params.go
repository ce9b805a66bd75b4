package alphabeta

// The limits of a search.
const (
	maxPly   = 246 // plies below the root that a line may reach
	maxDepth = 128 // iterations
)

// unit is the whole of a share.
const unit = 1024

// tableCutoffRule50 is the number of reversible plies from which the table ends no node: its values depend on the path.
const tableCutoffRule50 = 90

// Params are the numbers of the search of a game, in the order in which the search uses them. Margins
// are in centipawns, depths in plies, shares in units of 1/1024. They were chosen by matches of the engine
// against itself (docs/tuning.md).
type Params struct {
	// Aspiration window.
	aspirationDepth  int
	aspirationDelta  int `tune:"3 to 20"`
	aspirationSquare int `tune:"4000 to 24000"` // the square of the value divided by this widens the window
	aspirationLimit  int // from this width on the window is open

	// Table cutoff.
	tableCutoffExpectedDepth int // up to this depth the cutoff must agree with the expected node type
	tableCutoffBonus         int // share of the bonus for the table's quiet move, and of the malus for the move before

	// Static evaluation difference as history of the move that led to a node.
	evalHistoryFactor int // times the change of evaluation
	evalHistoryMax    int

	// Hindsight reduction: the evaluation of a node corrects the reduction that led to it.
	hindsightExtend int // plies of reduction after which a good evaluation adds one ply
	hindsightReduce int // sum of the evaluations of both sides above which one ply is taken off

	// Razoring.
	razorDepth  int
	razorBase   int
	razorFactor int // times depth squared

	// Reverse futility pruning.
	reverseFutilityDepth     int
	reverseFutilityFactor    int // times depth, one less when improving
	reverseFutilityWorsening int // less when the opponent's evaluation falls
	reverseFutilityReturn    int // of what the evaluation is above beta, one part in this is returned

	// Null move pruning.
	nullDepth      int
	nullMargin     int
	nullSlope      int // of the margin, times depth
	nullBase       int // reduction
	nullFactor     int // of the reduction, times depth
	nullEvalFactor int // centipawns above beta for another ply
	nullEvalMax    int // plies by the evaluation
	nullVerify     int // from this depth on a null move is verified

	// ProbCut.
	probCutDepth     int `tune:"4 to 10"`
	probCutBase      int
	probCutImproving int // less when improving
	probCutReduction int `tune:"2 to 5"`

	// Internal iterative reduction.
	iirDepth int `tune:"2 to 8"`

	// Late move pruning.
	latePruningDepth int
	latePruningBase  int

	// Futility pruning of captures, history pruning, futility pruning, and SEE pruning.
	captureFutilityDepth   int
	captureFutilityBase    int
	captureFutilityFactor  int // times depth
	captureFutilityHistory int // of history, for a centipawn
	captureSEE             int // times depth
	captureSEEHistory      int // of history, for a centipawn
	historyPruningFactor   int
	historyPly             int // of history, for one ply more
	futilityDepth          int
	futilityBase           int
	futilityFactor         int // times depth
	quietSEE               int // times depth squared

	// Singular extension, multi-cut and negative extension.
	singularDepth        int `tune:"4 to 10"`
	singularTableDepth   int // by how much less deep the table's value may be
	singularFactor       int // margin below the table's value, times depth
	singularTablePV      int // more where a principal variation was, times depth
	singularDoubleMargin int
	singularTripleMargin int
	negativeExtension    int

	// Late move reduction, in units.
	lmrScale          int // hundredths; see reductionFactors
	lmrBase           int `tune:"-512 to 1024"`
	lmrNotImproving   int
	lmrPV             int
	lmrTablePV        int
	lmrTableAbove     int
	lmrTableDeep      int
	lmrCutNode        int
	lmrNoTableMove    int
	lmrTableNoisy     int
	lmrCutoffs        int
	lmrCutoffCount    int // more cutoffs among the earlier children count as many
	lmrTableMove      int
	lmrCorrection     int // times the correction in centipawns
	lmrHistory        int // times history
	lmrNoisyHistory   int
	lmrDeeperMargin   int
	lmrShallowMargin  int
	lmrNullWindowStep int // reduction, in plies, from which a null window search is one less deep

	// Between these depths a raised alpha lowers the depth of the moves that follow.
	alphaRaisedMin int
	alphaRaisedMax int

	// Histories.
	bonusFactor      int
	bonusMax         int
	malusFactor      int
	malusMax         int
	bonusOffset      int // less, of both
	bonusFailLow     int // share of the bonus for a move that all replies failed against
	threatFactor     int // of the threat bonus of a quiet move
	captureFactor    int // of a capture's value
	badCaptureFactor int // a good capture may lose its score divided by this
	tablePVDepth     int // above it a node that fails low counts as PV in the table if its parent does
	correctionFactor int // of the error, times depth
	correctionPawn   int // share of the pawn correction history
	correctionOther  int // share of each of the others
	correctionMoves  int // share of the continuation correction history
	correctionMax    int // of an entry

	// Quiescence: delta pruning, move count pruning and SEE pruning.
	deltaMargin         int
	quiescenceMoveCount int // captures, then only those on the square of the last move
	quiescenceSEE       int
}
