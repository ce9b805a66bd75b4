package csa

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/engine"
	"trefoil/game/gametest"
	"trefoil/game/shogi"
	"trefoil/options"
	"trefoil/search"
)

// read returns what a client reads of a summary.
func read(t *testing.T, text string) *summary {
	t.Helper()
	c := &connection{lines: make(chan string), keepAlive: time.NewTicker(time.Minute)}
	go func() {
		for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
			c.lines <- line
		}
	}()
	s, err := c.readSummary(t.Context(), &usualWaits)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestClocks reads clocks that differ, and plays moves that take less and more than is left.
func TestClocks(t *testing.T) {
	s := read(t, strings.Replace(summaryOf(0, "-", start), "Byoyomi:10\nIncrement:2\n",
		"END Time\nBEGIN Time+\nTime_Unit:1min\nIncrement:3\nEND Time+\nBEGIN Time-\nByoyomi:7\nEND Time-\nBEGIN Time\n", 1))
	black := clock{unit: time.Minute, total: 10 * time.Hour, increment: 3 * time.Minute}
	white := clock{unit: time.Second, total: 10 * time.Minute, byoyomi: 7 * time.Second}
	want := [2]clock{black, white}
	if s.clocks != want {
		t.Errorf("%v, want %v", s.clocks, want)
	}
	g := &game{summary: s, pos: gametest.Shogi(t, shogi.StartSFEN), left: [2]time.Duration{30 * time.Minute, time.Minute}}
	for i, move := range []string{"7g7f", "3c3d", "2g2f", "8c8d"} {
		if err := g.make(move, []time.Duration{5, 20, 29, 41}[i]); err != nil {
			t.Fatal(err)
		}
	}
	if want := [2]time.Duration{3 * time.Minute, 0}; g.left != want {
		t.Errorf("%v are left, want %v", g.left, want)
	}
}

// TestGameOptions: a game sets the options that depend on it, but none that the user has set.
func TestGameOptions(t *testing.T) {
	for n, want := range [][]string{{"256", "77", "true"}, {"256", "77", "false"}} {
		c := client(t, "")
		c.Own = map[string]bool{"networkdelay": true}
		if err := c.Engine.Options().Set(t.Context(), options.USI, "NetworkDelay", "77"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			g := &game{Client: c, summary: read(t, summaryOf(n, "+", start))}
			if err := g.prepare(t.Context()); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, name := range []string{"MaxMovesToDraw", "NetworkDelay", "RoundUpToFullSecond"} {
				got = append(got, c.Engine.Options().Find(options.USI, name).Value())
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			c.Own, want[1] = nil, []string{"200", "10"}[n]
		}
	}
}

// A scripted engine plays moves, and keeps what it is asked. Without moves it searches until it is stopped.
type scripted struct {
	*engine.Engine
	moves     [][2]string // and the answers that it expects
	positions [][]string
	clocks    []search.Clock // of pondering, after the move that was expected
	stopped   int
}

func (e *scripted) SetPosition(_ string, moves []string) error {
	e.positions = append(e.positions, slices.Clone(moves))
	return nil
}

func (e *scripted) Search(ctx context.Context, l search.Limits, _ func(search.Info)) (r search.Result) {
	if l.Ponder {
		select {
		case c := <-l.PonderHit:
			e.clocks = append(e.clocks, c)
		case <-ctx.Done():
			e.stopped++
			return r
		}
	}
	if len(e.moves) == 0 {
		<-ctx.Done()
		e.stopped++
		return r
	}
	r.Best, r.Ponder = e.moves[0][0], e.moves[0][1]
	e.moves = e.moves[1:]
	return r
}

// TestPonder plays two moves: the answer to the first is the one expected, the answer to the second is not.
func TestPonder(t *testing.T) {
	c := client(t, listen(t, func(s *server, _ int) {
		s.expect("LOGIN me test,secret")
		s.send("LOGIN:me OK\n%s", summaryOf(0, "+", start))
		s.expect("AGREE")
		s.send("START:test/0\n")
		s.expect("+7776FU")
		s.send("+7776FU,T9,'* 0\n-3334FU,T5\n")
		s.expect("+2726FU")
		s.send("+2726FU,T1\n-5354FU,T1\n#TIME_UP\n#LOSE\n")
		s.expect("LOGOUT")
	}))
	e := &scripted{Engine: c.Engine.(*engine.Engine), moves: [][2]string{{"7g7f", "3c3d"}, {"2g2f", "8c8d"}}}
	c.Engine, c.Ponder = e, true
	if err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := [][]string{nil, nil, {"7g7f", "3c3d"}, {"7g7f", "3c3d", "2g2f", "8c8d"}, {"7g7f", "3c3d", "2g2f", "5c5d"}}
	if !reflect.DeepEqual(e.positions, want) {
		t.Errorf("positions %q, want %q", e.positions, want)
	}
	if len(e.clocks) != 1 || e.clocks[0].Time != [2]time.Duration{595 * time.Second, 599 * time.Second} || e.stopped != 2 {
		t.Errorf("clocks %v, %d searches stopped", e.clocks, e.stopped)
	}
}

// TestComments has the value for Black, of a mate too, and the moves after ours, at most 19.
func TestComments(t *testing.T) {
	shuffle := strings.Fields(strings.Repeat("2h3h 8b7b 3h2h 7b8b ", 6))
	after := strings.TrimSpace(strings.Repeat(" -8272HI +3828HI -7282HI +2838HI", 6))
	for _, c := range []struct {
		us   shogi.Colour
		info search.Info
		want string
	}{
		{shogi.Black, search.Info{PV: shuffle, Score: search.Score{Centipawns: 12}}, "'* 12 " + after[:19*8-1]},
		{shogi.Black, search.Info{PV: shuffle[:2], Score: search.Score{Mate: true, Plies: 3}}, "'* 30000 -8272HI"},
		{shogi.Black, search.Info{PV: shuffle[:1], Score: search.Score{Mate: true, Plies: -4}}, "'* -30000"},
		{shogi.White, search.Info{PV: []string{"8b7b", "2h3h"}, Score: search.Score{Centipawns: 12}}, "'* -12 +2838HI"},
		{shogi.White, search.Info{PV: []string{"8b7b"}, Score: search.Score{Mate: true}}, "'* 30000"},
		{shogi.Black, search.Info{PV: []string{"7g7f"}}, ""}, // a report of another move
	} {
		g := &game{summary: &summary{us: c.us}, pos: gametest.Shogi(t, shogi.StartSFEN)}
		best := "2h3h"
		if c.us == shogi.White {
			best = "8b7b"
			m, _ := g.pos.ParseMove("7g7f")
			g.pos.Make(m)
		}
		if got := g.commentOn(&found{search.Result{Best: best}, c.info}); got != c.want {
			t.Errorf("%v: %q, want %q", c.info, got, c.want)
		}
	}
}
