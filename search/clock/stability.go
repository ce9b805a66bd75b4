package clock

// An Iteration is the result of a complete iteration of a search.
type Iteration struct {
	Depth   int
	Best    uint32  // the best move
	Value   int     // in centipawns, for the side to move
	Changes int     // of the best move within the iteration
	Effort  float64 // share of the nodes that the best move has taken so far
	Forced  bool    // there is only one move
}

// stableDepth is the least depth at which the stability of the iterations counts.
const stableDepth = 7

// leastFall is how many centipawns a value must be below the average of the iterations before it to count as
// falling.
const leastFall = 40

// unsettledLimit is the percentage of the limit that a move may take whose best move has just changed.
const unsettledLimit = 150

// iterationSum sums up the iterations of a search.
type iterationSum struct {
	best     uint32  // of the last one
	stable   int     // iterations in a row with that move, less one
	changes  float64 // of the best move within iterations; each iteration halves the earlier ones
	previous int     // average as of the iteration before
	average  int     // of the values; each weighs as much as all before it
	begun    bool
	changed  bool // whether the last iteration changed the best move
}

func (s *iterationSum) add(i Iteration) {
	s.changed = s.begun && i.Best != s.best
	if i.Best == s.best {
		s.stable++
	} else {
		s.best, s.stable = i.Best, 0
	}
	s.changes = s.changes/2 + float64(i.Changes)
	if !s.begun {
		s.begun, s.average = true, i.Value
	}
	s.previous = s.average
	s.average = (s.average + i.Value) / 2
}

// The factors of stretch. They were chosen by matches.
const (
	maxRise, maxFall, fallUnit = 25, 60, 80. // centipawns: a fall of fallUnit would double the time

	newBestMove    = 1.3  // if the best move has just changed
	perIteration   = 0.08 // less for each iteration without a change
	leastStability = 0.7

	noEffort    = 2.0 // if the best move has taken no nodes
	perEffort   = 1.4 // less if it has taken all of them
	leastEffort = 0.6

	noChanges  = 0.9
	perChange  = 0.25 // more for each change of the best move
	maxChanges = 1.8
)

// stretch is the factor of the optimum: larger while the value falls or the best move changes,
// smaller once one move stays best and takes nearly all nodes.
func (s *iterationSum) stretch(i Iteration) float64 {
	falling := 1 + float64(max(-maxRise, min(maxFall, s.previous-i.Value)))/fallUnit
	stability := max(leastStability, newBestMove-perIteration*float64(s.stable))
	effort := max(leastEffort, noEffort-perEffort*i.Effort)
	return falling * stability * effort * min(maxChanges, noChanges+perChange*s.changes)
}
