package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/tools/internal/selfplay"
)

// The sums of the evaluation of chess.
const (
	sumScore = iota
	sumWhiteDanger
	sumBlackDanger
	sumWinnable
)

// chessSubject is chess.
type chessSubject struct{}

func (chessSubject) name() string   { return "chess" }
func (chessSubject) file() string   { return "game/chess/eval/weights.go" }
func (chessSubject) weights() any   { w := eval.Default(); return &w }
func (chessSubject) blank() any     { return new(eval.Weights) }
func (chessSubject) halfRange() int { return 1 << 16 }

func (chessSubject) split(score int64) (mg, eg int) {
	s := eval.Score(score)
	return s.MG(), s.EG()
}

func (chessSubject) join(mg, eg int) int64 { return int64(eval.S(mg, eg)) }

func (chessSubject) ends() ends {
	return ends{selfplay.ChessEnds, 2400, 40}
}

func (chessSubject) opening(rng *rand.Rand, p plan, i int) (selfplay.Board, error) {
	return selfplay.ChessOpening(rng, p.frc, p.random-i&1)
}

func (chessSubject) limit(weight string) int {
	table := strings.HasSuffix(weight, "]")
	switch field, rest, _ := strings.Cut(weight, "."); {
	case rest == "" && strings.Contains(field, "Mobility"):
		return 16 // pieces of a kind
	case rest == "" && table && !strings.HasPrefix(field, "Material"):
		return 1 // a piece on a square
	case field == "Shelter":
		return 3 // files
	case field == "Structure" && table, field == "Passed" && !strings.Contains(rest, "King"):
		return 16 // pawns, or twice their number
	}
	return 127
}

func (chessSubject) parse(fen string) (any, error) {
	p, err := chess.ParseFEN(fen)
	if err == nil && p.InCheck() {
		err = notQuiet(fen)
	}
	return p, err
}

// notQuiet is why a position in check is refused.
func notQuiet(setup string) error { return fmt.Errorf("%s: a check is not quiet", setup) }

// settle moves what the squares of a kind have in common to its material, so
// that the tables stay readable.
func (chessSubject) settle(weights any) {
	w := weights.(*eval.Weights)
	for kind, squares := range [5]*[64]eval.Score{&w.Pawn, &w.Knight, &w.Bishop, &w.Rook, &w.Queen} {
		low, high := 0, 64
		if kind == 0 {
			low, high = 8, 56 // pawns stand on no other squares
		}
		mg, eg := 0, 0
		for _, s := range squares[low:high] {
			mg += s.MG()
			eg += s.EG()
		}
		n := float64(high - low)
		mean := eval.S(int(math.Round(float64(mg)/n)), int(math.Round(float64(eg)/n)))
		for i := low; i < high; i++ {
			squares[i] -= mean
		}
		w.Material[kind] += mean
	}
}

// chessEvaluator is the evaluation of chess.
type chessEvaluator struct{ eval *eval.Evaluator }

func (chessSubject) evaluator(w any) evaluator {
	return chessEvaluator{eval.NewWith(w.(*eval.Weights), 1)}
}

func (j chessEvaluator) sums(pos any) (p pairs) {
	s := j.eval.Sum(pos.(*chess.Position))
	for i, score := range [sums]eval.Score{s.Score, s.Danger[0], s.Danger[1], s.Winnable} {
		p[i] = [2]int{score.MG(), score.EG()}
	}
	return p
}

func (j chessEvaluator) look(pos any, to *position) (ok bool) {
	p := pos.(*chess.Position)
	sum := j.eval.Sum(p)
	to.phase = sum.Phase
	to.value = j.eval.Evaluate(p) * (1 - 2*p.Side())
	to.mg, to.eg, ok = sum.Shares(p)
	return ok // or else an ending with a value of its own
}

func (chessSubject) combine(p *position, halves *[2][sums]float64) (v float64, d derivative) {
	mg, eg := &halves[0], &halves[1]
	d[0][sumScore], d[1][sumScore] = p.mg, p.eg
	m, e := mg[sumScore], eg[sumScore]
	for k, sign := range [2]float64{-1, 1} {
		if danger := mg[sumWhiteDanger+k]; danger > 0 {
			m += sign * danger * danger / eval.DangerSquare
			d[0][sumWhiteDanger+k] = sign * 2 * danger / eval.DangerSquare * p.mg
		}
		if danger := eg[sumWhiteDanger+k]; danger > 0 {
			e += sign * danger / eval.DangerEndgame
			d[1][sumWhiteDanger+k] = sign / eval.DangerEndgame * p.eg
		}
	}
	switch w := eg[sumWinnable]; {
	case w < -math.Abs(e):
		e, d[1][sumScore], d[1][sumWhiteDanger], d[1][sumBlackDanger] = 0, 0, 0, 0
	case e > 0:
		e += w
		d[1][sumWinnable] = p.eg
	case e < 0:
		e -= w
		d[1][sumWinnable] = -p.eg
	}
	return p.mg*m + p.eg*e, d
}
