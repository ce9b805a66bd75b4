package chess

import (
	"testing"

	"trefoil/engine/config"
	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/options"
	"trefoil/syzygy"
)

// at returns a position as alpha-beta has it, with the tables of a player.
func at(t *testing.T, p *player, fen, moves string) *position {
	t.Helper()
	pos := gametest.Chess(t, fen, moves)
	at := newPosition(pos, p.evaluators)
	at.tables = p.tablebases.prober()
	return at
}

// TestProbe: positions are looked up directly after a capture or a pawn move, without the right to castle, and from the
// least depth on; in the root all moves are ranked.
func TestProbe(t *testing.T) {
	p := newTestPlayer(t, "SyzygyPath="+testTables, "SyzygyProbeLimit=3", "SyzygyProbeDepth=5")
	for _, c := range []struct {
		fen   string
		depth int
		ok    bool
	}{
		{"8/8/8/3k4/8/8/8/R3K3 w - - 0 1", 5, true},
		{"8/8/8/3k4/8/8/8/R3K3 w - - 0 1", 4, false},
		{"8/8/8/3k4/8/8/8/R3K3 w - - 1 1", 5, false},
		{"8/8/8/3k4/8/8/8/R3K3 w Q - 0 1", 5, false},
		{"r3k3/8/8/8/8/8/8/4K3 b q - 0 1", 5, false},
		{"8/8/8/3k4/8/8/p7/R3K3 w - - 0 1", 5, false},
	} {
		if result, ok := at(t, p, c.fen, "").ProbeTablebase(c.depth); ok != c.ok || ok && result != 2 {
			t.Errorf("%s, depth %d: %d, %v", c.fen, c.depth, result, ok)
		}
	}
	root := at(t, p, "8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "")
	var l game.List
	root.Moves(game.All, &l)
	if ranks, complete := root.RankRoot(l.All()); !complete || len(ranks) != l.Len() {
		t.Errorf("%d ranks of %d moves, %v", len(ranks), l.Len(), complete)
	}
}

// TestCounted: without the rule of fifty moves a win is a win, however late.
func TestCounted(t *testing.T) {
	for wdl, want := range map[syzygy.WDL]syzygy.WDL{syzygy.Win: syzygy.Win, syzygy.CursedWin: syzygy.Win,
		syzygy.Draw: syzygy.Draw, syzygy.BlessedLoss: syzygy.Loss, syzygy.Loss: syzygy.Loss} {
		if got := (&prober{}).counted(wdl); got != want {
			t.Errorf("%v counts as %v without the rule", wdl, got)
		}
		if got := (&prober{rule50: true}).counted(wdl); got != wdl {
			t.Errorf("%v counts as %v by the rule", wdl, got)
		}
	}
	for _, c := range []struct {
		outcome game.Outcome
		plies   int
		rule    bool
		want    game.Outcome
		score   int
	}{
		{game.Ahead, 100, true, game.Ahead, 0}, {game.Ahead, 101, true, game.Draw, 49},
		{game.Behind, 101, true, game.Draw, -49}, {game.Ahead, 500, true, game.Draw, 1},
		{game.Behind, 500, true, game.Draw, -1}, {game.Behind, 500, false, game.Behind, 0},
	} {
		if got, score := (&prober{rule50: c.rule}).outcome(c.outcome, c.plies); got != c.want || score != c.score {
			t.Errorf("%+v: %v, %d", c, got, score)
		}
	}
}

// TestDrawnAtTheRoot: repetitions, and fifty moves unless the last one mates.
func TestDrawnAtTheRoot(t *testing.T) {
	const fen, cycle = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "e1e2 d5d4 e2e1 d4d5 "
	for _, c := range []struct {
		fen, moves      string
		drawn, repeated bool
		withoutRule     bool // drawn all the same
	}{
		{fen, "", false, false, false},
		{fen, "e1e2 d5d4", false, false, false},
		{fen, cycle, false, true, false},
		{fen, cycle + "e1f1", false, true, false},
		{fen, cycle + cycle, true, true, true},
		{"8/8/8/3k4/8/8/8/R3K3 w - - 100 90", "", true, false, false},
		{"3k4/8/8/8/8/8/8/3RK3 b - - 100 90", "", true, false, false},  // in check
		{"R2k4/8/3K4/8/8/8/8/8 b - - 100 90", "", false, false, false}, // mated
	} {
		for _, rule := range []string{"true", "false"} {
			p := at(t, newTestPlayer(t, "SyzygyPath="+testTables, "Syzygy50MoveRule="+rule), c.fen, c.moves)
			drawn := c.drawn && (rule == "true" || c.withoutRule)
			if p.drawn() != drawn || p.repeated() != c.repeated {
				t.Errorf("%s %s, rule %s: drawn %v, repeated %v", c.fen, c.moves, rule, p.drawn(), p.repeated())
			}
		}
	}
}

// TestForget: other tables in place of some empty the hash, the first ones do not.
func TestForget(t *testing.T) {
	p, forgotten := newTestPlayer(t), 0
	p.tablebases.forget = func() error { forgotten++; return nil }
	for _, c := range []struct {
		path string
		want int
	}{{testTables, 0}, {"../chess/" + testTables, 1}, {"<empty>", 2}, {testTables, 2}} {
		if err := p.Options.Set.Set(t.Context(), options.UCI, "SyzygyPath", c.path); err != nil {
			t.Fatal(err)
		}
		if forgotten != c.want {
			t.Errorf("%s: forgotten %d times, want %d", c.path, forgotten, c.want)
		}
	}
}

// TestChess960AtOnce: moves are written as the option says from the time when it is set.
func TestChess960AtOnce(t *testing.T) {
	p := newTestPlayer(t)
	if err := p.SetPosition("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", nil); err != nil {
		t.Fatal(err)
	}
	castles, err := p.pos.ParseMove("e1g1")
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{"true": "e1h1", "false": "e1g1"} {
		if err := p.Options.Set.Set(t.Context(), options.UCI, "UCI_Chess960", value); err != nil {
			t.Fatal(err)
		}
		if got := p.pos.Text(castles); got != want {
			t.Errorf("UCI_Chess960 %s: %s, want %s", value, got, want)
		}
	}
}

// TestElo: the options of strength begin at the highest Elo.
func TestElo(t *testing.T) {
	if s := newStrength(config.New(config.Uses{})); s.elo.Value() != 2690 || s.limit.Value() {
		t.Errorf("%d, %v", s.elo.Value(), s.limit.Value())
	}
}
