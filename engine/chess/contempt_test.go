package chess

import (
	"context"
	"math"
	"testing"

	"trefoil/options"
	"trefoil/search"
)

// TestContempt: a draw by perpetual check, too little material or tablebases has the value that Contempt says right
// after a change, and wdl stays as without it.
func TestContempt(t *testing.T) {
	p := newTestPlayer(t, "SyzygyPath="+testTables, "UCI_ShowWDL=true")
	for _, fen := range []string{
		"6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1",
		"8/8/8/8/3k4/8/8/R3K3 w - - 99 90",
		"8/4k3/8/8/8/8/4KN2/8 b - - 0 1",
		"8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",
	} {
		var want search.WDL
		for i, contempt := range []string{"0", "100", "-7"} {
			setContempt(t, p, contempt)
			_, last, _ := think(t, p, 2000, fen)
			if i == 0 {
				want = *last.WDL
			}
			draw := math.Round(-100 * float64(p.contempt.Value()) / float64(unit(p.pos)))
			if s := last.Score; s.Mate || s.Centipawns != int(draw) || *last.WDL != want {
				t.Errorf("%s, contempt %s: %+v, wdl %v, want %g and %v", fen, contempt, s, *last.WDL, draw, want)
			}
		}
	}
}

// TestContemptChooses: the engine repeats moves in an even position if a draw is worth more than 0, and only then.
func TestContemptChooses(t *testing.T) {
	p := newTestPlayer(t)
	shuffle := []string{"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"}
	for contempt, repeats := range map[string]bool{"-100": true, "100": false} {
		setContempt(t, p, contempt)
		best, last, _ := think(t, p, 5000, "startpos", shuffle...)
		if (best == "f6g8") != repeats {
			t.Errorf("contempt %s: %s with %+v", contempt, best, last.Score)
		}
	}
}

func setContempt(t *testing.T, p *player, value string) {
	t.Helper()
	if err := p.Options.Set.Set(context.Background(), options.UCI, "Contempt", value); err != nil {
		t.Fatal(err)
	}
}
