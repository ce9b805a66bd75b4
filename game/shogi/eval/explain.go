package eval

import (
	"fmt"
	"strings"

	"trefoil/game/shogi"
)

var termNames = [termCount]string{
	termPieces: "pieces", termHand: "hands", termNear: "near the enemy", termGuard: "around the king",
	termMobility: "mobility", termKing: "king's place", termTargets: "hanging and pinned",
}

// Explain evaluates p, in which no side is in check, and returns a readable table of the terms.
func (e *Evaluator) Explain(p *shogi.Position) string {
	sum := e.Sum(p)
	var b strings.Builder
	fmt.Fprintf(&b, "%-18s %15s %15s %15s\n", "term (calm, hot)", "Black", "White", "total")
	for i, t := range e.terms {
		fmt.Fprintf(&b, "%-18s %15v %15v %15v\n", termNames[i], t[0], t[1], t[0]-t[1])
	}
	tempo := e.w.Tempo
	if p.Side() == int(shogi.White) {
		tempo = -tempo
	}
	fmt.Fprintf(&b, "%-18s %15s %15s %15v\n", "tempo", "", "", tempo)
	fmt.Fprintf(&b, "%-18s %15s %15s %15v\n", "sum", "", "", sum.Score)
	d := sum.Danger
	fmt.Fprintf(&b, "%-18s %15d %15d, %d %% hot\n", "danger", d[0].Calm(), d[1].Calm(), sum.Heat()*100/Hottest)
	fmt.Fprintf(&b, "%-18s %+15.2f %+15.2f\n", "costs", -float64(cost(d[0]))/100, -float64(cost(d[1]))/100)
	fmt.Fprintf(&b, "value %+.2f for Black\n", float64(sum.Value())/100)
	return b.String()
}
