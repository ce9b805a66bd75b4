package eval

import (
	"fmt"
	"strings"

	"trefoil/game/chess"
)

// Row is a term of an explained evaluation, for White and Black, each from its own side. A term that
// cannot be split by sides has only its difference, in Total.
type Row struct {
	Name  string
	Sides [2]Score
	Split bool
	Total Score // White less Black
}

// Explanation is an evaluation taken apart.
type Explanation struct {
	Rows  []Row
	Phase int    // 24 = all pieces, 0 = none
	Scale [2]int // of the middlegame and the endgame, of 64
	Value int    // what Evaluate returns, from White's side
	Known bool   // an ending known as a whole: the rows do not make up the value
}

var termNames = [termCount]string{
	termPawns: "pawns", termPassed: "passed pawns", termKing: "king and shelter", termPlace: "piece squares",
	termMobility: "mobility", termPieces: "pieces", termThreats: "threats", termSpace: "space",
}

// Explain evaluates p, in which no side is in check, and lists the terms.
func (e *Evaluator) Explain(p *chess.Position) Explanation {
	s := e.Sum(p)
	x := Explanation{Phase: s.Phase, Value: e.Evaluate(p)}
	if p.Side() == int(chess.Black) {
		x.Value = -x.Value
	}
	_, x.Known = ending(p)
	material, terms := Row{Name: "material", Split: true}, e.terms
	for c := chess.White; c <= chess.Black; c++ {
		for k := chess.Pawn; k <= chess.Queen; k++ {
			value := e.w.Material[k].times(p.Pieces(c, k).Count())
			material.Sides[c] += value
			if k == chess.Pawn {
				terms[termPawns][c] -= value
			} else {
				terms[termPlace][c] -= value
			}
		}
	}
	x.Rows = append(x.Rows, material)
	for i, sides := range terms {
		x.Rows = append(x.Rows, Row{Name: termNames[i], Sides: sides, Split: true})
	}
	x.Rows = append(x.Rows, dangerRow(&s), Row{Name: "tempo", Total: e.w.Tempo * Score(1-2*p.Side())})
	var sum Score
	for i := range x.Rows {
		if r := &x.Rows[i]; r.Split {
			r.Total = r.Sides[0] - r.Sides[1]
		}
		sum += x.Rows[i].Total
	}
	mg, eg := s.taper()
	x.Scale[0], x.Scale[1] = scales(p, eg)
	x.Rows = append(x.Rows, Row{Name: "winnable", Total: S(mg, eg) - sum})
	return x
}

// dangerRow is the danger of both kings in centipawns.
func dangerRow(s *Sum) Row {
	r := Row{Name: "king danger", Split: true}
	for c := range r.Sides {
		one := Sum{}
		one.Danger[c] = s.Danger[c]
		mg, eg := one.taper()
		if c == 1 {
			mg, eg = -mg, -eg
		}
		r.Sides[c] = S(mg, eg)
	}
	return r
}

// String is the explanation as a readable table.
func (x Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-17s %15s %15s %15s\n", "term (mg, eg)", "White", "Black", "total")
	var sum Score
	for _, r := range x.Rows {
		sum += r.Total
		white, black := "", ""
		if r.Split {
			white, black = r.Sides[0].String(), r.Sides[1].String()
		}
		fmt.Fprintf(&b, "%-17s %15s %15s %15s\n", r.Name, white, black, r.Total)
	}
	fmt.Fprintf(&b, "%-17s %15s %15s %15s\n", "sum", "", "", sum)
	fmt.Fprintf(&b, "phase %d/%d", x.Phase, fullPhase)
	if x.Scale[0] != fullScale {
		fmt.Fprintf(&b, ", middlegame scale %d/%d", x.Scale[0], fullScale)
	}
	fmt.Fprintf(&b, ", endgame scale %d/%d\n", x.Scale[1], fullScale)
	if x.Known {
		b.WriteString("a known ending, valued as a whole\n")
	}
	fmt.Fprintf(&b, "value %+.2f for White\n", float64(x.Value)/100)
	return b.String()
}

// String is s as two numbers of pawns.
func (s Score) String() string {
	return fmt.Sprintf("%+.2f %+.2f", float64(s.MG())/100, float64(s.EG())/100)
}
