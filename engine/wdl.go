package engine

import (
	"math"

	"trefoil/search"
)

// expected turns a score into permille of wins, draws and losses: each of win and
// loss is a logistic curve of the score, half at evenScore and as steep as
// spread says.
func expected(s search.Score) search.WDL {
	if s.Mate {
		if s.Plies > 0 {
			return search.WDL{1000, 0, 0}
		}
		return search.WDL{0, 0, 1000}
	}
	const evenScore, spread = 180, 75
	curve := func(v float64) int { return int(math.Round(1000 / (1 + math.Exp((evenScore-v)/spread)))) }
	win, loss := curve(float64(s.Centipawns)), curve(float64(-s.Centipawns))
	return search.WDL{win, 1000 - win - loss, loss}
}
