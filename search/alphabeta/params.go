package alphabeta

import "math"

// The limits of a search.
const (
	maxPly   = 246 // plies below the root that a line may reach
	maxDepth = 128 // iterations
)

// The margins of pruning, in centipawns unless said otherwise. They were chosen
// by matches of the engine against itself.
const (
	razorDepth  = 4
	razorBase   = 180
	razorFactor = 110

	reverseDepth  = 9
	reverseFactor = 70

	nullDepth    = 2
	nullVerify   = 14 // from here on a null move is verified
	probcutDepth = 5
	probcutBase  = 170
	probcutDrop  = 50 // the margin's discount when improving

	singularDepth = 6

	lateDepth      = 8
	futilityDepth  = 9
	futilityBase   = 80
	futilityFactor = 85
	historyFactor  = -3500 // of history a depth
	seeQuiet       = -22   // times depth squared
	seeNoisy       = -90   // times depth

	deltaMargin = 140 // of quiescence
	seeQuiesce  = -30

	aspirationDepth = 4
	aspirationDelta = 9
)

// unit is what one ply of reduction counts as.
const unit = 1024

// reductions[i] is the square root, in units, of the reduction of depth i and
// move number i: the two are multiplied.
var reductions = func() (t [256]int) {
	for i := 1; i < len(t); i++ {
		t[i] = int(math.Round(21.3 * math.Log(float64(i))))
	}
	return
}()

// lateMoves is the number of moves that are searched at a depth before the
// quiet rest is skipped.
func lateMoves(depth int, improving bool) int {
	n := 3 + depth*depth
	if improving {
		return n
	}
	return n / 2
}

// reward is what a history gains from a cutoff at a depth, penalty what the
// moves tried before it lose.
func reward(depth int) int  { return min(150*depth-50, 1700) }
func penalty(depth int) int { return min(170*depth-50, 1500) }
