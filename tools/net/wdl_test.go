package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"trefoil/game/chess/wdl"
)

// The fit finds the model that results were drawn by.
func TestWDLFit(t *testing.T) {
	for _, want := range []lengthModel{
		{Model: wdl.Model{Even: wdl.Polynomial{55}, Spread: wdl.Polynomial{125}}},
		{Model: wdl.Model{Even: wdl.Polynomial{200}, Spread: wdl.Polynomial{60}}, evenPower: 0.1, spreadPower: -0.3},
		{Model: wdl.Model{Even: wdl.Polynomial{100, 80}, Spread: wdl.Polynomial{120, -50}}},
		{Model: wdl.Model{Even: wdl.Polynomial{60, 150, -100}, Spread: wdl.Polynomial{40, 20, 40}}, evenPower: -0.1, spreadPower: -0.4},
	} {
		got, err := fit(drawn(want, 12_000*len(want.Even)), len(want.Even)-1)
		if err != nil {
			t.Fatal(err)
		}
		for _, material := range []int{10, 20, 40, 60, 78} {
			x := wdl.Fraction(material)
			if even, spread := got.Even.At(x)/want.Even.At(x),
				got.Spread.At(x)/want.Spread.At(x); math.Abs(even-1) > 0.08 || math.Abs(spread-1) > 0.08 {
				t.Errorf("fitted %+v to results by %+v, at %d", got, want, material)
			}
		}
		if math.Abs(got.evenPower-want.evenPower) > 0.04 || math.Abs(got.spreadPower-want.spreadPower) > 0.04 {
			t.Errorf("fitted %+v to results by %+v", got, want)
		}
	}
}

// drawn returns n positions of games of two lengths, one each, with results drawn by a model.
func drawn(m lengthModel, n int) (games []scoredGame) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		g := scoredGame{length: -2 * float64(rng.IntN(2))}
		s := scored{material: 4 + rng.IntN(75), score: math.Abs(math.Round(rng.NormFloat64() * 200))}
		win, draw, _ := m.at(g.length).Probabilities(s.material, s.score)
		switch u := rng.Float64(); {
		case u < win:
			s.half = 2
		case u < win+draw:
			s.half = 1
		}
		g.positions = []scored{s}
		games = append(games, g)
	}
	return games
}

// The gradient is the gradient of the loss.
func TestWDLGradient(t *testing.T) {
	games := drawn(lengthModel{Model: wdl.Model{Even: wdl.Polynomial{100, 80}, Spread: wdl.Polynomial{120, -50}}}, 1000)
	at := []float64{90, 50, 110, -30, 0.1, -0.2}
	grad := make([]float64, len(at))
	loss(games, model(at), grad)
	for i := range at {
		const step = 1e-4
		v := at[i]
		at[i] = v + step
		more := loss(games, model(at), nil)
		at[i] = v - step
		less := loss(games, model(at), nil)
		at[i] = v
		if want := (more - less) / (2 * step); math.Abs(grad[i]-want) > 1e-6 {
			t.Errorf("parameter %d: %g, want %g", i, grad[i], want)
		}
	}
}

// Games are sorted by the length of their searches.
func TestWDLSortByLength(t *testing.T) {
	var games []scoredGame
	for i := range 25 {
		games = append(games, scoredGame{nodes: []uint64{1000, 4000}[i%2]})
	}
	if err := sortByLength(games); err != nil {
		t.Fatal(err)
	}
	lengths := byLength(games)
	if len(lengths) != 2 || len(lengths[0]) != 12 || len(lengths[1]) != 13 {
		t.Fatalf("%+v", lengths)
	}
	if long, short := lengths[0][11], lengths[1][0]; long.nodes != 4000 || long.length != 0 ||
		math.Abs(short.length+math.Log(4)) > 1e-9 {
		t.Errorf("%+v, %+v", long, short)
	}
	if err := sortByLength(games[:folds-1]); err == nil {
		t.Error("nine games are enough")
	}
}
