package chess

import (
	"math"

	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/search"
)

// The curve of expected results: the likeliest for 46,229 scores of 600 games that the
// engine played against itself at 20,000 nodes a move (tools/net wdl; longer searches draw more).
const (
	evenScore = 147 // centipawns that win every other game
	spread    = 88  // centipawns; the larger, the flatter the curve
)

// expected returns what turns scores of a position into permille of wins, draws and losses: both win and
// loss are logistic curves of the score.
func expected(p *rules.Position) func(search.Score) search.WDL {
	drawn := eval.Drawn(p)
	return func(s search.Score) search.WDL {
		switch {
		case s.Mate:
			return ofMate(s)
		case drawn:
			return search.WDL{0, 1000, 0}
		}
		curve := func(v float64) int { return int(math.Round(1000 / (1 + math.Exp((evenScore-v)/spread)))) }
		win, loss := curve(float64(s.Centipawns)), curve(float64(-s.Centipawns))
		return search.WDL{win, 1000 - win - loss, loss}
	}
}

// ofMate is the expected result of a mate.
func ofMate(s search.Score) search.WDL {
	if s.Plies > 0 {
		return search.WDL{1000, 0, 0}
	}
	return search.WDL{0, 0, 1000}
}
