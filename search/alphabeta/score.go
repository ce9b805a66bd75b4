package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
	"trefoil/search"
)

// Values are centipawns for the side to move; beyond ±mateLow they are mates,
// and what is missing to ±mate is the distance from the root in plies.
const (
	mate     = 32000
	mateLow  = mate - maxPly - 1
	infinite = mate + 1
	none     = mate + 2 // no value
)

// isMate reports whether v is a mate of either side.
func isMate(v int) bool { return v >= mateLow || v <= -mateLow }

// decided is the least value of an outcome that is as good as a mate: from here on
// values say how a game ends, and none is to be mixed with an evaluation.
const decided = mateLow - 1 - maxPly

// isDecided reports whether v is a mate, or as good as one, of either side.
func isDecided(v int) bool { return v >= decided || v <= -decided }

// clampEval brings an evaluation into the range below the mates.
func clampEval(v int) int { return max(-mateLow+1, min(mateLow-1, v)) }

// outcomeValue is the value of a game that ends ply plies from the root.
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

// toTable turns a mate distance from the root into one from the node, which is
// what the table keeps.
func toTable(v, ply int) int16 {
	switch {
	case v >= mateLow:
		v += ply
	case v <= -mateLow:
		v -= ply
	}
	return int16(v)
}

// fromTable undoes toTable. A mate that would come after the count of
// reversible plies has made it a draw is no longer believed to be one.
func fromTable(v16 int16, ply, reversible int) int {
	v := int(v16)
	switch {
	case v == none:
	case v >= mateLow:
		if mate-v > 100-reversible {
			return mateLow - 1
		}
		return v - ply
	case v <= -mateLow:
		if mate+v > 100-reversible {
			return -mateLow + 1
		}
		return v + ply
	}
	return v
}

// bounds reports whether a table's value of bound b proves that the true value
// is on v's side of limit.
func bounds(b cluster.Bound, v, limit int) bool {
	if v >= limit {
		return b&cluster.Lower != 0
	}
	return b&cluster.Upper != 0
}

// Score is what is reported of a game that has ended so for the side to move.
func Score(o game.Outcome) search.Score { return publicScore(outcomeValue(o, 0)) }

// publicScore is v as the outside reads it.
func publicScore(v int) search.Score {
	switch {
	case v >= mateLow:
		return search.Score{Mate: true, Plies: mate - v}
	case v <= -mateLow:
		return search.Score{Mate: true, Plies: -mate - v}
	}
	return search.Score{Centipawns: v}
}
