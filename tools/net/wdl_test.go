package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"trefoil/game/chess/wdl"
)

// The fit finds the model that results were drawn by.
func TestWDLFit(t *testing.T) {
	for _, want := range []wdl.Model{
		{Even: wdl.Polynomial{55}, Spread: wdl.Polynomial{125}},
		{Even: wdl.Polynomial{200}, Spread: wdl.Polynomial{60}},
		{Even: wdl.Polynomial{100, 80}, Spread: wdl.Polynomial{120, -50}},
		{Even: wdl.Polynomial{60, 150, -100}, Spread: wdl.Polynomial{40, 20, 40}},
	} {
		got, err := fit(drawn(want, 100_000), len(want.Even)-1)
		if err != nil {
			t.Fatal(err)
		}
		for _, material := range []int{10, 20, 40, 60, 78} {
			x := wdl.Fraction(material)
			if even, spread := got.Even.At(x)/want.Even.At(x), got.Spread.At(x)/want.Spread.At(x); math.Abs(even-1) > 0.05 || math.Abs(spread-1) > 0.05 {
				t.Errorf("fitted %+v to results by %+v, at %d", got, want, material)
			}
		}
	}
}

// drawn returns n positions with results drawn by a model, ten of each game.
func drawn(m wdl.Model, n int) (all []scored) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		s := scored{material: 4 + rng.IntN(75), score: math.Abs(math.Round(rng.NormFloat64() * 200)), game: i / 10}
		win, draw, _ := m.Probabilities(s.material, s.score)
		switch u := rng.Float64(); {
		case u < win:
			s.half = 2
		case u < win+draw:
			s.half = 1
		}
		all = append(all, s)
	}
	return all
}

// The gradient is that of the loss.
func TestWDLGradient(t *testing.T) {
	positions := drawn(wdl.Model{Even: wdl.Polynomial{100, 80}, Spread: wdl.Polynomial{120, -50}}, 1000)
	at := []float64{90, 50, 110, -30}
	grad := make([]float64, len(at))
	loss(positions, model(at), grad)
	for i := range at {
		const step = 1e-3
		v := at[i]
		at[i] = v + step
		more := loss(positions, model(at), nil)
		at[i] = v - step
		less := loss(positions, model(at), nil)
		at[i] = v
		if want := (more - less) / (2 * step); math.Abs(grad[i]-want) > 1e-7 {
			t.Errorf("coefficient %d: %g, want %g", i, grad[i], want)
		}
	}
}
