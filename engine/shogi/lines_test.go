package shogi

import (
	"slices"
	"strings"
	"testing"

	"trefoil/game/gametest"
	rules "trefoil/game/shogi"
	"trefoil/search"
)

// TestWithRepetition: a line ends where a position repeats, with the word for what that means.
func TestWithRepetition(t *testing.T) {
	for _, c := range []struct{ sfen, line, want string }{
		{rules.StartSFEN, "5i5h 5a5b 5h5i 5b5a 7g7f", "5i5h 5a5b 5h5i 5b5a rep_draw"},
		{rules.StartSFEN, "5i5h 5a5b 5h5i 7a7b", "5i5h 5a5b 5h5i 7a7b"},
		{"8k/9/9/9/9/9/9/9/K6R1 b - 1", "2i1i 1a2a 1i2i 2a1a 2i1i 1a2a", "2i1i 1a2a 1i2i 2a1a rep_lose"},
		{"8k/9/9/9/9/9/9/9/K7R w - 1", "1a2a 1i2i 2a1a 2i1i 1a2a", "1a2a 1i2i 2a1a 2i1i rep_win"},
	} {
		pos := gametest.Shogi(t, c.sfen)
		p := &player{pos: pos}
		if got := strings.Join(p.withRepetition(strings.Fields(c.line)), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.line, got, c.want)
		}
	}
}

// TestAfter: a report of a position becomes one of the position after the move that its line begins with.
func TestAfter(t *testing.T) {
	for _, c := range []struct {
		line  string
		score search.Score
		bound search.Bound
		want  search.Score
		after search.Bound
	}{
		{"7g7f 3c3d", search.Score{Centipawns: 40}, search.Exact, search.Score{Centipawns: -40}, search.Exact},
		{"7g7f 3c3d", search.Score{Centipawns: -4}, search.Lower, search.Score{Centipawns: 4}, search.Upper},
		{"7g7f 3c3d", search.Score{Mate: true, Plies: 5}, search.Upper, search.Score{Mate: true, Plies: -4}, search.Lower},
		{"7g7f 3c3d", search.Score{Mate: true, Plies: -2}, search.Exact, search.Score{Mate: true, Plies: 1}, search.Exact},
	} {
		i := search.Info{PV: strings.Fields(c.line), Score: c.score, Bound: c.bound, Depth: 2, SelDepth: 1, MultiPV: 3}
		if !after(&i, "7g7f") || i.Score != c.want || i.Bound != c.after || i.Depth != 1 || i.SelDepth != 1 ||
			i.MultiPV != 1 || !slices.Equal(i.PV, []string{"3c3d"}) {
			t.Errorf("%+v: %+v", c, i)
		}
	}
	for _, line := range []string{"7g7f", "2g2f 3c3d", "7g7f rep_draw", ""} {
		if i := (search.Info{PV: strings.Fields(line)}); after(&i, "7g7f") {
			t.Errorf("%q: %+v", line, i)
		}
	}
}
