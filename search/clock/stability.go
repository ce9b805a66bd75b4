package clock

// An Iteration is what a timer is told of a complete iteration of a search.
type Iteration struct {
	Depth   int
	Best    uint32  // the best move
	Value   int     // in centipawns, for the side to move
	Changes int     // of the best move within the iteration
	Effort  float64 // share of the nodes that the best move has taken so far
	Forced  bool    // there is only one move
}

// stableDepth is the least depth at which the iterations tell whether a position is easy.
const stableDepth = 7

// iterationSum sums up the iterations of a search.
type iterationSum struct {
	best     uint32  // of the last one
	stable   int     // iterations in a row with that move, less one
	changes  float64 // of the best move within iterations, halved by each
	previous int     // average as of the iteration before
	average  int     // of the values, each weighs as much as all before it
	known    bool
}

func (s *iterationSum) add(i Iteration) {
	if i.Best == s.best {
		s.stable++
	} else {
		s.best, s.stable = i.Best, 0
	}
	s.changes = s.changes/2 + float64(i.Changes)
	if !s.known {
		s.known, s.average = true, i.Value
	}
	s.previous = s.average
	s.average = (s.average + i.Value) / 2
}

// stretch is by what the optimum is multiplied: more while the value falls or the best move
// changes, less once one move stays best and takes nearly all nodes. The numbers were chosen
// by matches.
func (s *iterationSum) stretch(i Iteration) float64 {
	falling := 1 + float64(max(-25, min(60, s.previous-i.Value)))/80
	stability := max(0.7, 1.3-0.08*float64(s.stable))
	effort := max(0.6, 2.0-1.4*i.Effort)
	return falling * stability * effort * min(1.8, 0.9+0.25*s.changes)
}
