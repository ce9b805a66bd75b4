package alphabeta

import (
	"math"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/search"
)

// Values are centipawns for the side to move. From ±mateLow on they are mates; the difference to
// ±mate is the distance from the root in plies.
const (
	mate     = 32000
	mateLow  = mate - maxPly - 1
	infinite = mate + 1
	none     = mate + 2 // no value
)

// isMate reports whether v is a mate of either side.
func isMate(v int) bool { return v >= mateLow || v <= -mateLow }

// decided is the least value of a game that has ended or whose result is known (mate, game.Ahead). From
// here on values are never averaged with evaluations.
const decided = mateLow - 1 - maxPly

// isDecided reports whether v is the value of a game won by either side.
func isDecided(v int) bool { return v >= decided || v <= -decided }

// clampEval clamps an evaluation to the range between the decided values.
func clampEval(v int) int { return max(-decided+1, min(decided-1, v)) }

// outcomeValue is the value of a game that ends ply plies from the root. Draws are even.
func outcomeValue(o game.Outcome, ply int) int {
	switch o {
	case game.Win:
		return mate - ply
	case game.Loss:
		return ply - mate
	case game.Ahead:
		return mateLow - 1 - ply
	case game.Behind:
		return ply - mateLow + 1
	}
	return 0
}

// drawValue is the value of a draw ply plies from the root.
func (w *worker) drawValue(ply int) int {
	if ply&1 == 0 {
		return w.draw
	}
	return -w.draw
}

// outcomeValue is the value of a game that ends ply plies from the root, a draw by Settings.DrawValue.
func (w *worker) outcomeValue(o game.Outcome, ply int) int {
	if o == game.Draw {
		return w.drawValue(ply)
	}
	return outcomeValue(o, ply)
}

// toTable turns the distance of a decided value from the root into one from the node, as the table stores
// it.
func toTable(v, ply int) int16 {
	switch {
	case v >= mateLow:
		v += ply
	case v >= decided:
		v = min(v+ply, mateLow-1)
	case v <= -mateLow:
		v -= ply
	case v <= -decided:
		v = max(v-ply, -mateLow+1)
	}
	return int16(v)
}

// fromTable is the inverse of toTable. The value of a win or loss that comes too late for the fifty-move rule
// is none: the position may be a draw.
func fromTable(v16 int16, ply, rule50 int) int {
	v := int(v16)
	win, left := abs(v), 100-rule50
	switch {
	case v == none || win < decided:
		return v
	case win >= mateLow && mate-win > left || win < mateLow && mateLow-1-win > left:
		return none
	case win >= mateLow:
		win -= ply
	default:
		win = max(win-ply, decided)
	}
	if v < 0 {
		return -win
	}
	return win
}

// bounds reports whether a table value v of bound b proves that the true value is on v's side of
// limit.
func bounds(b cluster.Bound, v, limit int) bool {
	if v >= limit {
		return b&cluster.Lower != 0
	}
	return b&cluster.Upper != 0
}

// Score is the score reported for a game with outcome o for the side to move.
func Score(o game.Outcome) search.Score { return publicScore(outcomeValue(o, 0)) }

// decidedScore less the plies to the decision is the reported score, in centipawns, of a game decided without a mate.
const decidedScore = 20000

// openScore is the largest reported score, in centipawns, of a game that is not decided.
const openScore = decidedScore - maxPly - 1

// score is the reported score of v.
func (s *Settings) score(v int) search.Score {
	if s.Unit == 0 || isDecided(v) {
		return publicScore(v)
	}
	scaled := math.Round(100 * float64(v) / float64(s.Unit))
	return search.Score{Centipawns: max(-openScore, min(openScore, int(scaled)))}
}

// publicScore is the reported score of v without a unit.
func publicScore(v int) search.Score {
	switch {
	case v >= mateLow:
		return search.Score{Mate: true, Plies: mate - v}
	case v <= -mateLow:
		return search.Score{Mate: true, Plies: -mate - v}
	case v >= decided:
		return search.Score{Centipawns: decidedScore - (mateLow - 1 - v)}
	case v <= -decided:
		return search.Score{Centipawns: -decidedScore + (mateLow - 1 + v)}
	}
	return search.Score{Centipawns: max(-openScore, min(openScore, v))}
}
