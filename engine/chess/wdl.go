package chess

import (
	"math"

	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/game/chess/wdl"
	"trefoil/search"
)

// expected returns what turns scores of a position, in centipawns, into permille of wins, draws and losses.
func expected(p *rules.Position) func(centipawns int) search.WDL {
	if eval.Drawn(p) {
		return func(int) search.WDL { return search.WDL{0, 1000, 0} }
	}
	material := wdl.Material(p)
	return func(centipawns int) search.WDL {
		w, _, l := wdl.Fitted.Probabilities(material, float64(centipawns))
		win, loss := int(math.Round(1000*w)), int(math.Round(1000*l))
		return search.WDL{win, 1000 - win - loss, loss}
	}
}
