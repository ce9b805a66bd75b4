package wdl

import (
	"math"
	"testing"

	"trefoil/game/chess"
	"trefoil/game/gametest"
)

func TestMaterial(t *testing.T) {
	for fen, want := range map[string]int{
		chess.StartFEN:                             FullMaterial,
		"4k3/8/8/8/8/8/8/4K3 w - - 0 1":            0,
		"r3k3/1p6/2n5/8/8/5B2/6Q1/4K3 w - - 0 1":   21,
		"QQQQQQQk/QQQQQQQ1/8/8/8/8/8/K7 b - - 0 1": 126,
	} {
		p := gametest.Chess(t, fen)
		if got := Material(p); got != want {
			t.Errorf("%s: %d, want %d", fen, got, want)
		}
	}
}

// The fitted curves are probabilities, the same for both sides, and rise with the score. With less material
// fewer games are won at an equal score.
func TestFitted(t *testing.T) {
	for material := 0; material <= 130; material++ {
		last := 0.0
		for score := -3000.0; score <= 3000; score += 10 {
			win, draw, loss := Fitted.Probabilities(material, score)
			back, _, forth := Fitted.Probabilities(material, -score)
			if win < last || draw < 0 || loss < 0 || back != loss || forth != win || math.Abs(win+draw+loss-1) > 1e-9 {
				t.Fatalf("material %d, score %g: %g, %g, %g", material, score, win, draw, loss)
			}
			last = win
		}
		if more, _, _ := Fitted.Probabilities(material+1, 0); material > LeastMaterial && material < FullMaterial {
			if win, _, _ := Fitted.Probabilities(material, 0); win >= more {
				t.Errorf("material %d: %g wins at a score of 0, with more material %g", material, win, more)
			}
		}
	}
}

func TestFraction(t *testing.T) {
	for material, want := range map[int]float64{0: 8.0 / 78, 8: 8.0 / 78, 9: 9.0 / 78,
		77: 77.0 / 78, 78: 1, 79: 1, 126: 1} {
		if got := Fraction(material); got != want {
			t.Errorf("material %d: %g, want %g", material, got, want)
		}
	}
}

func TestPolynomial(t *testing.T) {
	for _, test := range []struct {
		p    Polynomial
		want float64
	}{{nil, 0}, {Polynomial{7}, 7}, {Polynomial{1, 2, 3}, 1 + 2*5 + 3*25}} {
		if got := test.p.At(5); got != test.want {
			t.Errorf("%v at 5: %g, want %g", test.p, got, test.want)
		}
	}
}
