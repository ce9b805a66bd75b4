package wdl

import (
	"math"
	"testing"

	"trefoil/game/chess"
)

func TestMaterial(t *testing.T) {
	for fen, want := range map[string]int{
		chess.StartFEN:                             FullMaterial,
		"4k3/8/8/8/8/8/8/4K3 w - - 0 1":            0,
		"r3k3/1p6/2n5/8/8/5B2/6Q1/4K3 w - - 0 1":   21,
		"QQQQQQQk/QQQQQQQ1/8/8/8/8/8/K7 b - - 0 1": 126,
	} {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
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
