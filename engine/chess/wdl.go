package chess

import (
	"math"

	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/game/chess/wdl"
	"trefoil/search"
)

// expected returns what turns scores of a position into permille of wins, draws and losses.
func expected(p *rules.Position) func(search.Score) search.WDL {
	material, drawn := wdl.Material(p), eval.Drawn(p)
	return func(s search.Score) search.WDL {
		switch {
		case s.Mate:
			return ofMate(s)
		case drawn:
			return search.WDL{0, 1000, 0}
		}
		w, _, l := wdl.Fitted.Probabilities(material, float64(s.Centipawns))
		win, loss := int(math.Round(1000*w)), int(math.Round(1000*l))
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
