package chess

import (
	"math"

	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/game/chess/nnue"
	"trefoil/game/chess/wdl"
	"trefoil/search"
)

// unit returns the value that is reported as 100 centipawns: as in Stockfish, with it every other game is won from a
// position with p's material.
func unit(p *rules.Position) int {
	return int(math.Round(wdl.Fitted.EvenAt(wdl.Material(p)) * scale(p)))
}

// scale is the material scaling, which the model leaves out.
func scale(p *rules.Position) float64 { return float64(nnue.Scale(p)) / nnue.ScaleUnit }

// expected returns what turns values of a position into permille of wins, draws and losses.
func expected(p *rules.Position) func(value int) search.WDL {
	if eval.Drawn(p) {
		return func(int) search.WDL { return search.WDL{0, 1000, 0} }
	}
	material, scale := wdl.Material(p), scale(p)
	return func(value int) search.WDL {
		w, _, l := wdl.Fitted.Probabilities(material, float64(value)/scale)
		win, loss := int(math.Round(1000*w)), int(math.Round(1000*l))
		return search.WDL{win, 1000 - win - loss, loss}
	}
}
