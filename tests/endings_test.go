package tests

import (
	"context"
	"testing"

	"trefoil/engine"
	"trefoil/options"
	"trefoil/search"
)

// endingNodes is the limit of a search here.
const endingNodes = 30_000

// TestDrawnEndings searches drawn endings in which one side is ahead: the score is near 0.
func TestDrawnEndings(t *testing.T) {
	for _, evalFile := range []string{"", "none"} {
		e := endingEngine(t, evalFile)
		for _, c := range []struct{ name, fen string }{
			{"two knights", "8/8/4k3/8/8/3NN3/4K3/8 w - - 0 1"},
			{"two knights, king in the corner", "k7/8/1K6/8/8/3NN3/8/8 w - - 0 1"},
			{"bishop", "8/8/4k3/8/8/3B4/4K3/8 w - - 0 1"},
			{"knight", "8/8/4k3/8/8/3N4/4K3/8 w - - 0 1"},
			{"rook against bishop", "8/8/3k4/3b4/8/3K4/4R3/8 w - - 0 1"},
			{"rook against knight", "8/8/3k4/3n4/8/3K4/4R3/8 w - - 0 1"},
			{"rook against knight, kings apart", "8/8/2k5/3n4/8/8/3K4/7R w - - 0 1"},
			{"two bishops against bishop", "8/8/3kb3/8/8/3K4/3BB3/8 w - - 0 1"},
			{"wrong bishop", "k7/8/8/P7/8/4B3/4K3/8 w - - 0 1"},
			{"wrong bishop, king near the corner", "8/2k5/8/P7/8/4B3/4K3/8 w - - 0 1"},
			{"wrong bishop, h-file", "6k1/8/8/7P/8/3B1K2/8/8 w - - 0 1"},
			{"wrong bishop, doubled pawns", "k7/8/8/P7/P7/4B3/4K3/8 w - - 0 1"},
			{"rook pawns", "7k/8/7K/7P/7P/8/8/8 w - - 0 1"},
			{"closed wall", "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1"},
			{"closed wall with a pawn more", "4k3/8/1p1p1p1p/1P1P1P1P/1P6/8/8/4K3 w - - 0 1"},
			{"closed wall on all files", "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1"},
		} {
			if err := e.SetPosition(c.fen, nil); err != nil {
				t.Fatal(err)
			}
			e.NewGame()
			var last search.Info
			e.Search(context.Background(), search.Limits{Nodes: endingNodes}, func(i search.Info) {
				if i.Text == "" && len(i.PV) > 0 && i.Bound == search.Exact {
					last = i
				}
			})
			if last.Score.Mate || last.Score.Centipawns < -30 || last.Score.Centipawns > 30 {
				t.Errorf("EvalFile %q: %s: %+v at depth %d", evalFile, c.name, last.Score, last.Depth)
			}
		}
	}
}

// endingEngine returns an engine with an evaluation of chess.
func endingEngine(t *testing.T, evalFile string) *engine.Engine {
	e := engine.New()
	t.Cleanup(func() { e.Close() })
	for option, value := range map[string]string{"Hash": "16", "EvalFile": evalFile} {
		if err := e.Options().Set(context.Background(), options.UCI, option, value); err != nil {
			t.Fatal(err)
		}
	}
	return e
}
