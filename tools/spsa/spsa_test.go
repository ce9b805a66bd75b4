package main

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// tuneOf is a tune at its start.
func tuneOf(games, pairs int, parameters ...tuned) *state {
	return &state{
		Format: stateFormat, Parameters: parameters,
		Plan: plan{Game: "chess", Evaluation: "e", Nodes: 1, Games: games, Pairs: pairs, Within: 1, Seed: 1, C: 1, R: 0.002},
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Max(1, math.Abs(b)) }

// TestGains compares the gain sequences with numbers computed by hand: 100 pairs, so A = 10, C = 2 and
// R = 0.01. c = 2 (100/k)^0.101, rate = 0.01 × 4 × (110/(10+k))^0.602 / c².
func TestGains(t *testing.T) {
	s := tuneOf(200, 1)
	s.Plan.C, s.Plan.R = 2, 0.01
	for _, want := range []struct {
		done    int
		c, rate float64
	}{
		{0, 3.1844, 0.015776},
		{60, 2.2511, 0.014298},
		{198, 2, 0.01},
	} {
		s.Done = want.done
		c, rate := s.gains()
		if math.Abs(c-want.c) > 1e-4 || math.Abs(rate-want.rate) > 1e-6 {
			t.Errorf("after %d games c %.4f and rate %.6f, want %.4f and %.6f", want.done, c, rate, want.c, want.rate)
		}
	}
}

// TestUpdate is one step: 3 wins, 1 draw and 2 losses of plus move a parameter by R c Δ step, towards
// plus, and not beyond its bounds.
func TestUpdate(t *testing.T) {
	s := tuneOf(6, 3,
		tuned{"a", 100, 1, 200, 10, 100},
		tuned{"b", 50, 1, 100, 4, 50},
		tuned{"c", 8, 1, 8, 1, 8})
	s.Plan.R = 0.1
	c := math.Pow(3, 0.101) // k = 1 of 3 pairs
	rate := 0.1 * math.Pow(3.3/1.3, 0.602) / (c * c)
	s.update(perturbation{signs: []int{1, -1, 1}}, []int{2, 2, 0, 1, 2, 0})
	for i, want := range []float64{100 + rate*c*10, 50 - rate*c*4, 8} {
		if got := s.Parameters[i].Value; !near(got, want) {
			t.Errorf("%s is %v, want %v", s.Parameters[i].Name, got, want)
		}
	}
	if s.Wins != 3 || s.Draws != 1 || s.Losses != 2 || s.Done != 6 || !s.over() {
		t.Errorf("+%d =%d -%d after %d games", s.Wins, s.Draws, s.Losses, s.Done)
	}
}

// TestPerturb tests both sides: they lie within the bounds, 2 c apart in expectation, and their mean is
// the value.
func TestPerturb(t *testing.T) {
	s := tuneOf(2, 1, tuned{"a", 3, 1, 5, 0.5, 3.3}, tuned{"b", 2, 1, 8, 2, 1.5})
	var sum, apart float64
	ups := 0
	const n = 20000
	for seed := range uint64(n) {
		s.Plan.Seed = seed
		p := s.perturb()
		for i, q := range s.Parameters {
			if min(p.plus[i], p.minus[i]) < q.Min || max(p.plus[i], p.minus[i]) > q.Max {
				t.Fatalf("seed %d: %s is %d and %d", seed, q.Name, p.plus[i], p.minus[i])
			}
		}
		if p.plus[0]-p.minus[0] != p.signs[0] {
			t.Fatalf("seed %d: %d and %d are not 2 c apart", seed, p.plus[0], p.minus[0])
		}
		sum += float64(p.plus[0]+p.minus[0]) / 2
		apart += float64(p.plus[0] - p.minus[0])
		ups += (p.signs[0] + 1) / 2
	}
	if mean := sum / n; math.Abs(mean-3.3) > 0.02 {
		t.Errorf("the mean of both sides is %v, not 3.3", mean)
	}
	if math.Abs(apart/n) > 0.03 || ups < n*48/100 || ups > n*52/100 {
		t.Errorf("plus is above minus in %d of %d", ups, n)
	}
}

// synthetic plays games. Their expected result is the result of players with a quadratic loss, in Elo,
// around the best values.
func synthetic(best []float64, loss float64) func(context.Context, []job) ([]int, error) {
	return func(_ context.Context, jobs []job) (halves []int, err error) {
		for _, j := range jobs {
			elo := 0.0
			for i, b := range best {
				p, m := float64(j.Plus[i])-b, float64(j.Minus[i])-b
				elo += loss * (m*m - p*p)
			}
			rng := rand.New(rand.NewPCG(j.Plan.Seed, uint64(j.Number)))
			half := 1
			if rng.Float64() < 0.7 { // the rest are draws
				half = 0
				if rng.Float64() < 1/(1+math.Pow(10, -elo/400)) {
					half = 2
				}
			}
			halves = append(halves, half)
		}
		return halves, nil
	}
}

func nothing() error { return nil }

// TestConverges tunes three parameters that are off by two to three steps and one that is right.
func TestConverges(t *testing.T) {
	s := tuneOf(40000, 8,
		tuned{"a", 100, 1, 200, 10, 100}, tuned{"b", 80, 1, 200, 10, 80},
		tuned{"c", 60, 1, 200, 10, 60}, tuned{"d", 100, 1, 200, 10, 100})
	s.Plan.R = 0.01
	best := []float64{130, 55, 80, 100}
	// 3 Elo for a step off.
	if err := s.iterate(context.Background(), synthetic(best, 0.03), nothing); err != nil {
		t.Fatal(err)
	}
	for i, q := range s.Parameters {
		if math.Abs(q.Value-best[i]) > 10 {
			t.Errorf("%s went from %d to %.1f; the best is %.0f", q.Name, q.Start, q.Value, best[i])
		}
	}
}
