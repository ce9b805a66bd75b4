package chess

import (
	"context"
	"testing"

	rules "trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/search"
)

// The opponent expects the same results, mirrored; and more is expected of a better score. What is reported as 100
// centipawns wins every other game.
func TestExpected(t *testing.T) {
	for _, fen := range []string{
		rules.StartFEN,
		"QQQQQQQk/QQQQQQQ1/8/8/8/8/8/K7 b - - 0 1", // more material than the model knows
		"r4rk1/5ppp/8/8/8/8/5PPP/R4RK1 w - - 0 1",
		"8/4k3/8/8/8/4P3/4K3/8 w - - 0 1",
		"8/4k3/8/8/8/8/4K3/8 w - - 0 1",
	} {
		pos := gametest.Chess(t, fen)
		of := expected(pos)
		least := 0
		for v := -20000; v <= 20000; v++ {
			w, o := of(v), of(-v)
			if w[0]+w[1]+w[2] != 1000 || w[0] < 0 || w[1] < 0 || w[2] < 0 || w[0] != o[2] {
				t.Fatalf("%s, %d: %v, mirrored %v", fen, v, w, o)
			}
			points := 2*w[0] + w[1]
			if points < least {
				t.Fatalf("%s, %d: %v, less than for %d", fen, v, w, v-1)
			}
			least = points
		}
		if w := of(unit(pos))[0]; of(0) != (search.WDL{0, 1000, 0}) && (w < 495 || w > 505) {
			t.Errorf("%s: %d permille wins at %d", fen, w, unit(pos))
		}
	}
}

// TestCertainResults searches positions whose results are certain, and some beside them.
func TestCertainResults(t *testing.T) {
	win, draw, loss := search.WDL{1000, 0, 0}, search.WDL{0, 1000, 0}, search.WDL{0, 0, 1000}
	open := search.WDL{} // none of these
	shuffle := []string{"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"}
	for _, c := range []struct {
		name, fen string
		moves     []string
		limits    search.Limits
		want      search.WDL
	}{
		{"a mate", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", nil, search.Limits{Depth: 4}, win},
		{"a mate by go mate", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", nil, search.Limits{Mate: 2}, win},
		{"a mate with two knights", "7k/5K2/8/4N1N1/8/8/8/8 w - - 0 1", nil, search.Limits{Depth: 4}, win},
		{"mated", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", nil, search.Limits{Depth: 4}, loss},
		{"stalemated", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", nil, search.Limits{Depth: 4}, draw},
		{"a move that stalemates", "7k/5P2/6K1/8/8/8/8/8 w - - 0 1", nil, search.Limits{Depth: 4, SearchMoves: []string{"f7f8b"}}, draw},
		{"two kings", "8/4k3/8/8/8/8/4K3/8 w - - 0 1", nil, search.Limits{Depth: 4}, draw},
		{"two knights", "8/4k3/8/8/8/8/4KNN1/8 w - - 0 1", nil, search.Limits{Depth: 4}, draw},
		{"the last piece can be taken", "8/8/8/8/8/8/2q5/1K4k1 w - - 0 1", nil, search.Limits{Depth: 4}, draw},
		{"a closed position", "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1", nil, search.Limits{Depth: 6}, draw},
		{"a third occurrence", "startpos", shuffle, search.Limits{Depth: 4}, draw},
		{"a move to a third occurrence", "startpos", shuffle[:7], search.Limits{Depth: 4, SearchMoves: []string{"f6g8"}}, draw},
		{"a second occurrence", "startpos", shuffle[:4], search.Limits{Depth: 4}, open},
		{"fifty moves", "8/8/8/8/3k4/8/8/R3K3 w - - 100 90", nil, search.Limits{Depth: 4}, draw},
		{"the last of fifty moves", "8/8/8/8/3k4/8/8/R3K3 w - - 99 90", nil, search.Limits{Depth: 4}, draw},
		{"king and pawn, drawn", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", nil, search.Limits{Depth: 4}, draw},
		{"a pawn more", "4k3/4p3/8/8/8/3PP3/8/4K3 w - - 0 1", nil, search.Limits{Depth: 4}, open},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newTestPlayer(t, "UCI_ShowWDL=true")
			if err := p.SetPosition(c.fen, c.moves); err != nil {
				t.Fatal(err)
			}
			var last search.Info
			p.Search(context.Background(), c.limits, func(i search.Info) {
				if i.WDL != nil {
					last = i
				}
			})
			if last.WDL == nil {
				t.Fatal("no expected result")
			}
			got := *last.WDL
			if got != win && got != draw && got != loss {
				got = open
			}
			if got != c.want {
				t.Errorf("score %+v, wdl %v, want %v", last.Score, *last.WDL, c.want)
			}
		})
	}
}
