package eval

import (
	"fmt"
	"strings"

	"trefoil/game/shogi"
)

var termNames = [termCount]string{
	termMaterial: "material", termHand: "hands", termPlace: "piece squares", termMobility: "mobility", termCastle: "castle",
}

// Explain evaluates p, in which nobody is in check, and says why: a table for people.
func (e *Evaluator) Explain(p *shogi.Position) string {
	score, danger := e.sum(p)
	var b strings.Builder
	fmt.Fprintf(&b, "%-17s %15s %15s %15s\n", "term (calm, hot)", "Black", "White", "total")
	for i, t := range e.terms {
		fmt.Fprintf(&b, "%-17s %15v %15v %15v\n", termNames[i], t[0], t[1], t[0]-t[1])
	}
	tempo := e.w.Tempo
	if p.Side() == int(shogi.White) {
		tempo = -tempo
	}
	fmt.Fprintf(&b, "%-17s %15s %15s %15v\n", "tempo", "", "", tempo)
	fmt.Fprintf(&b, "%-17s %15s %15s %15v\n", "sum", "", "", score)
	heat := min(danger[0]+danger[1], hottest)
	fmt.Fprintf(&b, "%-17s %15d %15d, %d %% hot\n", "danger", danger[0], danger[1], heat*100/hottest)
	fmt.Fprintf(&b, "%-17s %+15.2f %+15.2f\n", "costs", -float64(cost(danger[0]))/100, -float64(cost(danger[1]))/100)
	fmt.Fprintf(&b, "value %+.2f for Black\n", float64(taper(score, danger))/100)
	return b.String()
}
