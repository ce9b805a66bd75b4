package alphabeta

import "math"

// The limits of a search.
const (
	maxPly   = 246 // plies below the root that a line may reach
	maxDepth = 128 // iterations
)

// The numbers below were chosen by matches of the engine against itself. Margins
// are in centipawns, depths in plies, shares in units of 1/1024.
const unit = 1024

// Pruning of whole nodes.
const (
	razorDepth  = 4
	razorBase   = 180
	razorFactor = 110 // times depth squared

	reverseDepth  = 9
	reverseFactor = 70 // times depth, one less when improving
	reverseWorse  = 17 // less when the opponent's evaluation is falling

	nullDepth  = 2
	nullMargin = 120
	nullSlope  = 15 // of the margin, times depth
	nullBase   = 4  // reduction
	nullFactor = 341
	nullGain   = 150 // centipawns above beta for another ply, at most 3
	nullVerify = 14  // from here on a null move is verified

	probcutDepth = 5
	probcutBase  = 170
	probcutDrop  = 50 // the margin's discount when improving

	trustDepth   = 5 // up to here only the kind of node expected is cut by the table
	inheritDepth = 3 // above it a node that fails low is as much on a variation as its parent

	hindsightUp   = 3  // plies of reduction that were too many
	hindsightDown = 90 // sum of two evaluations that calls for one ply less
)

// Pruning of moves.
const (
	lateDepth      = 8
	lateBase       = 3
	futilityDepth  = 9
	futilityBase   = 80
	futilityFactor = 85
	noisyDepth     = 7
	noisyBase      = 200
	noisyFactor    = 180
	historyFactor  = -3500 // of history, times depth
	historyPly     = 8000  // of history, for one ply more
	seeQuiet       = -22   // times depth squared
	seeNoisy       = -90   // times depth

	deltaMargin = 140 // of quiescence
	seeQuiesce  = -30
	quietLate   = 3 // captures in quiescence, then only those on the last square
)

// Extensions.
const (
	singularDepth  = 6
	singularFactor = 1024 // margin below the table's value, of depth
	singularPV     = 512  // more where a principal variation was
	doubleMargin   = 12
	tripleMargin   = 80
)

// Reductions of late moves, in units.
const (
	reduceScale        = 21.3
	reduceBase         = 256
	reduceNotImproving = 768
	reducePV           = 512
	reduceTablePV      = 1024
	reduceTableAbove   = 512
	reduceTableDeep    = 512
	reduceCut          = 1536
	reduceNoTable      = 512
	reduceTableNoisy   = 768
	reduceCutoffs      = 768
	reduceTableMove    = 2048
	reduceCorrected    = 10  // times the correction in centipawns
	reduceHistory      = 102 // times history
	reduceNoisyHistory = 85
	deeperMargin       = 30
	shallowerMargin    = 8
)

// Histories.
const (
	rewardFactor  = 150
	rewardMax     = 1700
	penaltyFactor = 170
	penaltyMax    = 1500
	rewardTable   = 512 // share of a reward for a cutoff by the table
	rewardMover   = 512 // … for a move that all replies failed against
	swingFactor   = 6   // of the change of evaluation that a move made
	swingMax      = 900
	rescueFactor  = 40 // of the material that a quiet move rescues
	badNoisy      = 48 // a capture's score over this is how much it may lose

	correctPawn   = 26 // shares
	correctOther  = 26
	correctMoves  = 26
	correctFactor = 170 // of the error, times depth
)

// The aspiration window.
const (
	aspirationDepth = 4
	aspirationDelta = 9
	aspirationSlope = 12000 // the square of the value over this is added
)

// reductions[i] is the square root, in units, of the reduction of depth i and
// move number i: the two are multiplied.
var reductions = func() (t [256]int) {
	for i := 1; i < len(t); i++ {
		t[i] = int(math.Round(reduceScale * math.Log(float64(i))))
	}
	return
}()

// lateMoves is the number of moves that are searched at a depth before the
// quiet rest is skipped.
func lateMoves(depth int, improving bool) int {
	n := lateBase + depth*depth
	if improving {
		return n
	}
	return n / 2
}

// reward is what a history gains from a cutoff at a depth, penalty what the
// moves tried before it lose.
func reward(depth int) int  { return min(rewardFactor*depth-50, rewardMax) }
func penalty(depth int) int { return min(penaltyFactor*depth-50, penaltyMax) }
