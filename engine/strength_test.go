package engine

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// alphaBetaGames returns the names of the games that alpha-beta plays: all have levels, a bench and a speed test.
func alphaBetaGames(t *testing.T) (names []string) {
	for _, g := range Games().Games() {
		if g.AlphaBeta == nil {
			continue
		}
		if len(g.AlphaBeta.Setups) < 2 || len(g.AlphaBeta.Games) == 0 {
			t.Errorf("%s has too few positions for bench or speedtest", g.Name)
		}
		names = append(names, g.Name)
	}
	return names
}

// weakened is an engine that plays a game at a level with fixed errors.
func weakened(t *testing.T, game, level string) *Engine {
	e := started(t)
	set(t, e, "UCI_Variant", game)
	set(t, e, "Skill Level", level)
	set(t, e, "Skill Seed", "7")
	return e
}

// play makes e play against itself and returns the moves.
func play(t *testing.T, e *Engine, plies int) (moves []string) {
	t.Helper()
	for len(moves) < plies {
		setUp(t, e, "startpos", moves...)
		r := e.Search(context.Background(), search.Limits{Depth: 20}, func(search.Info) {})
		if r.Best == "" {
			break
		}
		moves = append(moves, r.Best)
	}
	return moves
}

// The moves of a level are legal, and with a seed they are the same in each game, after a new game and
// with several threads too; a higher level and another seed play another game.
func TestWeakerLevels(t *testing.T) {
	for _, game := range alphaBetaGames(t) {
		e := weakened(t, game, "3")
		first := strings.Join(play(t, e, 20), " ")
		e.NewGame()
		set(t, e, "Threads", "2")
		if again := strings.Join(play(t, e, 20), " "); again != first {
			t.Errorf("%s: %s, then %s", game, first, again)
		}
		for name, value := range map[string]string{"Skill Seed": "8", "Skill Level": "6"} {
			other := weakened(t, game, "3")
			set(t, other, name, value)
			if strings.Join(play(t, other, 20), " ") == first {
				t.Errorf("%s: another %s plays the same game", game, name)
			}
		}
	}
}

// A level is not stronger because the position was analysed before, and full strength not weaker because
// a level was played before.
func TestStrengthsAreIndependent(t *testing.T) {
	const n = 3000
	for _, game := range alphaBetaGames(t) {
		full := started(t)
		set(t, full, "UCI_Variant", game)
		wantFull, _ := nodes(full, n)
		set(t, full, "Skill Level", "4")
		set(t, full, "Skill Seed", "7")
		weak, _ := nodes(full, n)

		e := weakened(t, game, "4")
		wantWeak, _ := nodes(e, n)
		set(t, e, "Skill Level", "20")
		got, _ := nodes(e, n)
		if got.Best != wantFull.Best || got.Nodes != wantFull.Nodes {
			t.Errorf("%s: after a weaker level %s with %d nodes, want %s with %d", game, got.Best, got.Nodes,
				wantFull.Best, wantFull.Nodes)
		}
		if weak.Best != wantWeak.Best || weak.Nodes != wantWeak.Nodes || weak.Nodes == wantFull.Nodes {
			t.Errorf("%s: after full strength %s with %d nodes, want %s with %d", game, weak.Best, weak.Nodes,
				wantWeak.Best, wantWeak.Nodes)
		}
	}
}

// A weaker level uses up a clock that counts nodes as full strength does: the clock of a game is set once.
func TestWeakerLevelsCountNodes(t *testing.T) {
	e := weakened(t, "chess", "19")
	set(t, e, "nodestime", "1")
	set(t, e, "Move Overhead", "0")
	clock := search.Clock{Given: true, Time: [2]time.Duration{20 * time.Second, 20 * time.Second}}
	searched := func() uint64 {
		return e.Search(context.Background(), search.Limits{Clock: clock}, func(search.Info) {}).Nodes
	}
	first, total := searched(), uint64(0)
	for range 200 {
		total += searched()
	}
	if total > 20000 || searched() > first/10 {
		t.Errorf("%d nodes, then %d of 20000 on the clock", first, total)
	}
	e.NewGame()
	set(t, e, "Skill Seed", "7")
	if again := searched(); again != first {
		t.Errorf("a new game: %d nodes, want %d", again, first)
	}
}

// Every level mates in one.
func TestLevelsMate(t *testing.T) {
	for fen, mate := range map[string]string{
		"6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1":                                  "d1d8",
		"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1": "f3f7",
		"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2":      "d8h4",
		"3r2k1/5ppp/8/8/8/8/1q3PPP/3R2K1 w - - 0 1":                          "d1d8",
	} {
		for level := 0; level < 20; level += 6 {
			e := weakened(t, "chess", strconv.Itoa(level))
			setUp(t, e, fen)
			if r, _ := nodes(e, 10000); r.Best != mate {
				t.Errorf("level %d, %s: %s", level, fen, r.Best)
			}
		}
	}
}

// Analysis is not weakened: a weakened search would end before depth 8 and report nothing more.
func TestAnalysisIsNotWeakened(t *testing.T) {
	for _, game := range alphaBetaGames(t) {
		e := weakened(t, game, "0")
		ctx, cancel := context.WithCancel(context.Background())
		r := e.Search(ctx, search.Limits{Infinite: true}, func(i search.Info) {
			if i.Depth >= 8 && i.CurrMove == "" {
				cancel()
			}
		})
		cancel()
		if r.Best == "" {
			t.Errorf("%s: no move", game)
		}
	}
}

// UCI_Elo counts with UCI_LimitStrength only, and then Skill Level does not. They may be set in any order.
func TestLimitStrength(t *testing.T) {
	const n = 30000
	searched := func(settings ...string) uint64 {
		e := started(t)
		set(t, e, "Skill Seed", "7")
		for _, s := range settings {
			name, value, _ := strings.Cut(s, "=")
			set(t, e, name, value)
		}
		r, _ := nodes(e, n)
		return r.Nodes
	}
	full, limited := searched(), searched("UCI_LimitStrength=true", "UCI_Elo=1200")
	if got := searched("UCI_Elo=1200"); got != full {
		t.Errorf("UCI_Elo alone: %d nodes, want %d", got, full)
	}
	if limited >= full/2 {
		t.Errorf("limited: %d nodes of %d", limited, full)
	}
	for _, settings := range [][]string{
		{"UCI_Elo=1200", "UCI_LimitStrength=true"},
		{"UCI_Elo=1200", "UCI_LimitStrength=true", "Skill Level=20"},
		{"Skill Level=0", "UCI_LimitStrength=true", "UCI_Elo=1200"},
	} {
		if got := searched(settings...); got != limited {
			t.Errorf("%v: %d nodes, want %d", settings, got, limited)
		}
	}
	if got := searched("UCI_Elo=1200", "UCI_LimitStrength=true", "UCI_LimitStrength=false"); got != full {
		t.Errorf("no longer limited: %d nodes, want %d", got, full)
	}
}

// Bad values are refused by name, and the old ones stay.
func TestBadStrengths(t *testing.T) {
	e := started(t)
	for _, c := range [][2]string{
		{"Skill Level", "21"}, {"Skill Level", "-1"}, {"Skill Level", "1.5"}, {"Skill Level", ""},
		{"UCI_Elo", "599"}, {"UCI_Elo", "9999"}, {"UCI_Elo", "strong"}, {"UCI_LimitStrength", "2"}, {"Skill Seed", "-1"},
	} {
		err := e.Options().Set(context.Background(), options.UCI, c[0], c[1])
		if err == nil || !strings.Contains(err.Error(), c[0]) || !strings.Contains(err.Error(), "it stays") {
			t.Errorf("%s %q: %v", c[0], c[1], err)
		}
	}
}
