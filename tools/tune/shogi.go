package main

import (
	"math/rand/v2"
	"strings"

	"trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/tools/internal/selfplay"
)

// sumDanger is the first of the two sums of danger, that to Black's king.
const sumDanger = 1

// shogiSubject is shogi.
type shogiSubject struct{}

func (shogiSubject) name() string   { return "shogi" }
func (shogiSubject) file() string   { return "game/shogi/eval/weights.go" }
func (shogiSubject) weights() any   { w := eval.Default(); return &w }
func (shogiSubject) blank() any     { return new(eval.Weights) }
func (shogiSubject) halfRange() int { return 1 << 31 }
func (shogiSubject) settle(any)     {}

func (shogiSubject) split(score int64) (calm, hot int) {
	s := eval.Score(score)
	return s.Calm(), s.Hot()
}

func (shogiSubject) join(calm, hot int) int64 { return int64(eval.S(calm, hot)) }

func (shogiSubject) ends() ends {
	return ends{selfplay.ShogiEnds, 2500, 60}
}

func (shogiSubject) opening(rng *rand.Rand, p plan, i int) (selfplay.Board, error) {
	return selfplay.ShogiOpening(rng, p.random-i&1)
}

func (shogiSubject) limit(weight string) int {
	switch field, _, _ := strings.Cut(weight, "."); {
	case strings.HasPrefix(field, "King["):
		return 1
	case strings.HasPrefix(weight, "Near."), strings.HasPrefix(weight, "Guard."):
		return 18 // pieces in a cell
	}
	return 127
}

func (shogiSubject) parse(sfen string) (any, error) {
	p, err := shogi.ParseSFEN(sfen)
	if err == nil && p.InCheck() {
		err = notQuiet(sfen)
	}
	return p, err
}

// shogiEvaluator is the evaluation of shogi.
type shogiEvaluator struct{ eval *eval.Evaluator }

func (shogiSubject) evaluator(w any) evaluator {
	return shogiEvaluator{eval.NewWith(w.(*eval.Weights))}
}

func (j shogiEvaluator) sums(pos any) (p pairs) {
	s := j.eval.Sum(pos.(*shogi.Position))
	for i, score := range [...]eval.Score{s.Score, s.Danger[0], s.Danger[1]} {
		p[i] = [2]int{score.Calm(), score.Hot()}
	}
	return p
}

// look: the phase is how hot the position is by the weights in play, of 24.
func (j shogiEvaluator) look(pos any, to *position) bool {
	sum := j.eval.Sum(pos.(*shogi.Position))
	to.phase = 24 * sum.Heat() / eval.Hottest
	to.value = sum.Value()
	return true
}

func (shogiSubject) combine(_ *position, halves *[2][sums]float64) (v float64, d derivative) {
	calm, hot := &halves[0], &halves[1]
	heat := min(max(hot[sumDanger], 0)+max(hot[sumDanger+1], 0), eval.Hottest) / eval.Hottest
	v = calm[0]*(1-heat) + hot[0]*heat
	d[0][0], d[1][0] = 1-heat, heat
	for k, sign := range [2]float64{-1, 1} {
		if hot[sumDanger+k] > 0 && heat < 1 {
			d[1][sumDanger+k] = (hot[0] - calm[0]) / eval.Hottest
		}
		danger := max(calm[sumDanger+k], 0)
		if cost := danger * danger / eval.DangerSquare; cost < eval.MaxDanger {
			v += sign * cost
			d[0][sumDanger+k] = sign * 2 * danger / eval.DangerSquare
		} else {
			v += sign * eval.MaxDanger
		}
	}
	return v, d
}
