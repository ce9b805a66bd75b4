package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"trefoil/search"
)

// TestDrawValues: where all moves lead to a draw, the score is the option of the side to move but for rounding, also
// right after the option was changed.
func TestDrawValues(t *testing.T) {
	e := shogiEngine(t)
	set(t, e, "MaxMovesToDraw", "3")
	check := func(moves []string, want int) {
		t.Helper()
		setUp(t, e, "startpos", moves...)
		_, last := deep(e, 4)
		if s := last.Score; s.Mate || s.Centipawns < want-1 || s.Centipawns > want+1 {
			t.Errorf("after %v: %+v, want %d", moves, s, want)
		}
	}
	check(nil, -2)
	set(t, e, "DrawValueWhite", "30")
	check(nil, -2)
	check([]string{"7g7f"}, 30)
	check([]string{"7g7f", "3c3d"}, -2)
	set(t, e, "DrawValueBlack", "-150")
	check(nil, -150)
	check([]string{"7g7f"}, 30)
	set(t, e, "Skill Level", "1")
	check([]string{"7g7f", "3c3d"}, -150)
}

// TestConsiderationMode: the lines of an analysis are continued, and there are as many as without PvInterval.
func TestConsiderationMode(t *testing.T) {
	e := shogiEngine(t)
	set(t, e, "PvInterval", "100000")
	lines := func() (all []string) {
		e.NewGame()
		e.Search(context.Background(), search.Limits{Depth: 12}, func(i search.Info) {
			if i.Text == "" && i.CurrMove == "" {
				all = append(all, strings.Join(i.PV, " "))
			}
		})
		return all
	}
	if n := len(lines()); n > 2 {
		t.Errorf("%d lines with PvInterval", n)
	}
	set(t, e, "PvInterval", "0")
	plain := lines()
	set(t, e, "PvInterval", "100000")
	set(t, e, "ConsiderationMode", "true")
	long := lines()
	if len(long) != len(plain) {
		t.Fatalf("%d lines, without the option %d", len(long), len(plain))
	}
	longer := 0
	for i := range long {
		if !strings.HasPrefix(long[i], plain[i]) {
			t.Errorf("%s, without the option %s", long[i], plain[i])
		}
		if len(long[i]) > len(plain[i]) {
			longer++
		}
	}
	if longer == 0 {
		t.Errorf("no line is continued: %q", long)
	}
}

// TestStochasticPonder: what is reported and answered is about the position itself, while it is pondered, after
// the ponderhit, and after a stop.
func TestStochasticPonder(t *testing.T) {
	e := shogiEngine(t)
	set(t, e, "Stochastic_Ponder", "true")
	for _, c := range []struct {
		setup string
		moves []string
		lines bool // there are some before the ponderhit or the stop
	}{
		{"startpos", []string{"7g7f", "1c1d"}, false}, {"startpos", nil, true},
		{"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pgsn 1", []string{"2e2f", "7f7e"}, false},
		{"8k/9/9/9/9/9/9/9/4K2R1 w - 1", []string{"1a1b"}, true}, // the only move
		{"n7k/9/6S2/9/4B4/9/9/9/4K3R w - 1", []string{"1a2a"}, true},
	} {
		for _, hits := range []bool{true, false} {
			setUp(t, e, c.setup, c.moves...)
			before := board(e)
			hit := make(chan search.Clock, 1)
			ctx, cancel := context.WithCancel(context.Background())
			if !c.lines && hits {
				hit <- search.Clock{}
			} else if !c.lines {
				cancel()
			}
			var lines [][]string
			r := e.Search(ctx, search.Limits{Ponder: true, PonderHit: hit, Depth: 5}, func(i search.Info) {
				if len(i.PV) == 0 {
					return
				}
				if lines = append(lines, i.PV); !hits {
					cancel()
				} else if len(lines) == 1 && c.lines {
					hit <- search.Clock{}
				}
			})
			cancel()
			if n := len(lines); n > 0 && r.Best != lines[n-1][0] {
				t.Errorf("%v: %s is played after the line %v", c.moves, r.Best, lines[n-1])
			}
			lines = append(lines, []string{r.Best})
			if board(e) != before || len(lines) == 1 && c.lines {
				t.Errorf("%v, %d lines, %s", c.moves, len(lines), board(e))
			}
			for _, line := range lines {
				if err := e.SetPosition(c.setup, slices.Concat(c.moves, line)); err != nil {
					t.Errorf("%v after %v: %v", line, c.moves, err)
				}
			}
		}
	}
}
