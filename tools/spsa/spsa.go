package main

import (
	"math"
	"math/rand/v2"
)

// The exponents of the gain sequences (Spall, Implementation of the simultaneous perturbation
// algorithm for stochastic optimization, 1998), and the constant A as a share of all pairs.
const (
	alpha     = 0.602
	gamma     = 0.101
	stability = 0.1
)

// A plan is what a tune depends on: two runs of one plan play the same games and end with the same
// values.
type plan struct {
	Game       string  `json:"game"`
	Evaluation string  `json:"evaluation"` // its name
	Nodes      uint64  `json:"nodes"`      // of a move
	Games      int     `json:"games"`      // in all
	Pairs      int     `json:"pairs"`      // of games in an iteration
	Random     int     `json:"random"`     // plies before a game
	Within     int     `json:"within"`     // centipawns, the value of an opening
	Seed       uint64  `json:"seed"`
	C          float64 `json:"c"` // factor of all steps
	R          float64 `json:"r"` // the rate at the end
}

// A tuned parameter.
type tuned struct {
	Name  string  `json:"name"`
	Start int     `json:"start"`
	Min   int     `json:"min"`
	Max   int     `json:"max"`
	Step  float64 `json:"step"` // c at the end, before the factor
	Value float64 `json:"value"`
}

// state is a tune: how far it is, and its values.
type state struct {
	Format     string  `json:"format"`
	Plan       plan    `json:"plan"`
	Done       int     `json:"done"` // games
	Wins       int     `json:"wins"` // of plus
	Draws      int     `json:"draws"`
	Losses     int     `json:"losses"`
	Parameters []tuned `json:"parameters"`
}

// over reports whether all games are played.
func (s *state) over() bool { return s.Done >= s.Plan.Games }

// iterations are the numbers of iterations done and planned.
func (s *state) iterations() (done, all int) {
	batch := 2 * s.Plan.Pairs
	return (s.Done + batch - 1) / batch, (s.Plan.Games + batch - 1) / batch
}

// gains are c, the size of the perturbation in steps, and R = a/c², the rate, of the next iteration.
// The gain sequences count pairs of games, as in fishtest: c = c₁/k^γ and a = a₁/(A+k)^α end
// with c = C and a = R C².
func (s *state) gains() (c, rate float64) {
	n, k := float64(s.Plan.Games/2), float64(s.Done/2+1)
	c = s.Plan.C * math.Pow(n/k, gamma)
	a := s.Plan.R * s.Plan.C * s.Plan.C * math.Pow((stability*n+n)/(stability*n+k), alpha)
	return c, a / (c * c)
}

// perturbation is what the two sides of an iteration play with.
type perturbation struct {
	plus, minus []int
	signs       []int // Δ, ±1
}

// perturb returns the perturbation of the next iteration. It depends on the state only.
//
// A value that is no whole number is rounded at random, up with the probability of its fraction, and
// with the same draw for both sides: so a small step of a small number has its effect in expectation.
func (s *state) perturb() perturbation {
	iteration, _ := s.iterations()
	rng := rand.New(rand.NewPCG(s.Plan.Seed, uint64(iteration)))
	c, _ := s.gains()
	n := len(s.Parameters)
	p := perturbation{make([]int, n), make([]int, n), make([]int, n)}
	for i, t := range s.Parameters {
		p.signs[i] = 2*rng.IntN(2) - 1
		draw := rng.Float64()
		shift := float64(p.signs[i]) * c * t.Step
		at := func(v float64) int { return max(t.Min, min(t.Max, int(math.Floor(v+draw)))) }
		p.plus[i], p.minus[i] = at(t.Value+shift), at(t.Value-shift)
	}
	return p
}

// update ends an iteration in which plus had these results, in half points: it moves every parameter
// by R c Δ times the wins less the losses.
func (s *state) update(p perturbation, halves []int) {
	c, rate := s.gains()
	result := 0
	for _, half := range halves {
		result += half - 1
		switch half {
		case 0:
			s.Losses++
		case 1:
			s.Draws++
		default:
			s.Wins++
		}
	}
	s.Done += len(halves)
	for i := range s.Parameters {
		t := &s.Parameters[i]
		v := t.Value + float64(rate*c*t.Step*float64(p.signs[i]*result))
		t.Value = max(float64(t.Min), min(float64(t.Max), v))
	}
}

// rounded is the value as the search has it.
func (t *tuned) rounded() int { return int(math.Round(t.Value)) }

// moved is the distance from the start in steps.
func (t *tuned) moved() float64 { return (t.Value - float64(t.Start)) / t.Step }
