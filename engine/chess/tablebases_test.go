package chess

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	"trefoil/game"
	"trefoil/game/gametest"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
	"trefoil/options"
	"trefoil/search"
)

const testTables = "../../syzygy/testdata"

// newTestPlayer returns a player with some options.
func newTestPlayer(t *testing.T, settings ...string) *player {
	t.Helper()
	o := config.New(config.Uses{})
	p := newPlayer(registry.Env{Options: o, Notices: new(table.Notices), Memory: new(memory.Budget)}).(*player)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := p.tablebases.open(t.Context(), ""); err != nil {
			t.Error(err)
		}
	})
	for _, s := range append([]string{"Hash=1"}, settings...) {
		name, value, _ := strings.Cut(s, "=")
		if err := o.Set.Set(context.Background(), options.UCI, name, value); err != nil {
			t.Fatal(err)
		}
	}
	p.SetThreads(o.Threads.Value())
	return p
}

// think searches a position and returns the move, the last report and all lines of text.
func think(t *testing.T, p *player, nodes uint64, fen string,
	moves ...string) (best string, last search.Info, text string) {
	t.Helper()
	if err := p.SetPosition(fen, moves); err != nil {
		t.Fatal(fen, err)
	}
	r := p.Search(context.Background(), search.Limits{Nodes: nodes}, func(i search.Info) {
		if i.Text != "" {
			text += i.Text + "\n"
		} else if i.CurrMove == "" && i.MultiPV <= 1 {
			last = i
		}
	})
	return r.Best, last, text
}

// TestWinsAreFinished plays wins of the tables with few nodes against a random opponent, from positions with little
// left of the fifty moves and after repetitions: each ends in mate, not in a draw.
func TestWinsAreFinished(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	p := newTestPlayer(t, "SyzygyPath="+testTables, "UCI_ShowWDL=true")
	for _, test := range []struct{ fen, moves string }{
		{"8/8/8/3k4/8/8/8/R3K3 w - - 0 1", ""},
		{"8/8/8/3k4/8/8/8/R3K3 w - - 60 90", ""}, // a mate in 14
		{"8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "e1e2 d5d4 e2e1 d4d5 e1e2 d5d4"},
		{"8/8/8/3k4/8/8/4Q3/4K3 w - - 70 90", ""},
		{"8/8/4k3/8/4K3/8/4P3/8 w - - 0 1", ""},
		{"4k3/8/4K3/4P3/8/8/8/8 w - - 96 99", ""},
	} {
		moves := strings.Fields(test.moves)
		for {
			pos := gametest.Chess(t, test.fen, moves...)
			var l game.List
			if pos.Moves(game.All, &l); l.Len() == 0 {
				if !pos.InCheck() {
					t.Errorf("%s: stalemate after %v", test.fen, moves)
				}
				break
			}
			if _, over := pos.Adjudicate(0); over || len(moves) > 300 {
				t.Errorf("%s: a draw after %v", test.fen, moves)
				break
			}
			if pos.Side() == 1 {
				moves = append(moves, pos.Text(l.At(rng.IntN(l.Len()))))
				continue
			}
			best, last, _ := think(t, p, 300, test.fen, moves...)
			if !last.Score.Mate && last.Score.Centipawns != 20000 || *last.WDL != (search.WDL{1000, 0, 0}) {
				t.Fatalf("%s %v: %+v", test.fen, moves, last)
			}
			moves = append(moves, best)
		}
	}
}

// TestResultsOfTables checks scores, wdl and tbhits of roots in the tables and of one just outside.
func TestResultsOfTables(t *testing.T) {
	p := newTestPlayer(t, "SyzygyPath="+testTables, "UCI_ShowWDL=true")
	for _, test := range []struct {
		name, fen, option string
		low, high         int
		wdl               search.WDL
	}{
		{"lost", "8/8/8/8/3k4/8/8/R3K3 b - - 0 1", "", -20000, -20000, search.WDL{0, 0, 1000}},
		{"drawn", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "", 0, 0, search.WDL{0, 1000, 0}},
		{"too late", "8/8/8/8/3k4/8/8/R3K3 w - - 90 90", "", 1, 50, search.WDL{0, 1000, 0}},
		{"too late for the loser", "8/8/8/8/3k4/8/8/R3K3 b - - 90 90", "", -50, -1, search.WDL{0, 1000, 0}},
		{"without the rule", "8/8/8/8/3k4/8/8/R3K3 w - - 90 90", "Syzygy50MoveRule=false", 20000, 20000, search.WDL{1000, 0, 0}},
		{"switched off", "8/8/8/8/3k4/8/8/R3K3 w - - 0 1", "SyzygyProbeLimit=0", 100, 19999, search.WDL{}},
		{"a capture away", "8/8/8/4k3/8/8/p7/R3K3 w - - 0 1", "SyzygyProbeLimit=7", 19900, 19999, search.WDL{1000, 0, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if name, value, ok := strings.Cut(test.option, "="); ok {
				if err := p.Options.Set.Set(context.Background(), options.UCI, name, value); err != nil {
					t.Fatal(err)
				}
			}
			p.NewGame(false)
			_, last, _ := think(t, p, 400, test.fen)
			if cp := last.Score.Centipawns; last.Score.Mate || cp < test.low || cp > test.high {
				t.Errorf("score %+v, want %d to %d", last.Score, test.low, test.high)
			}
			if test.wdl != (search.WDL{}) && *last.WDL != test.wdl {
				t.Errorf("wdl %v, want %v", *last.WDL, test.wdl)
			}
			if off := test.option == "SyzygyProbeLimit=0"; off != (last.TableHits == 0) {
				t.Errorf("tbhits %d", last.TableHits)
			}
		})
	}
}

// TestWithoutDTZ plays a position that has only a WDL table: the move keeps the win.
func TestWithoutDTZ(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"KRvK.rtbw", "KQvK.rtbw", "KPvK.rtbw", "KBvK.rtbw", "KNvK.rtbw"} {
		data := filetest.Read(t, filepath.Join(testTables, name))
		filetest.Write(t, filepath.Join(folder, name), data)
	}
	p := newTestPlayer(t, "SyzygyPath="+folder)
	fen := "8/8/4k3/8/4K3/8/4P3/8 w - - 0 1" // not every move keeps the win
	best, last, _ := think(t, p, 500, fen)
	if last.Score.Centipawns < 19900 {
		t.Errorf("%+v", last)
	}
	_, after, _ := think(t, p, 500, fen, best)
	if after.Score.Centipawns > -19900 {
		t.Errorf("after %s: %+v", best, after)
	}
}

// TestDamagedTable searches with a damaged table: it is named once, and the search goes on.
func TestDamagedTable(t *testing.T) {
	folder := t.TempDir()
	filetest.Write(t, filepath.Join(folder, "KRvK.rtbw"), make([]byte, 1040))
	p := newTestPlayer(t, "SyzygyPath="+folder, "Threads=4")
	for i, want := range []int{1, 0} {
		best, _, text := think(t, p, 3000, "8/8/8/8/3k4/8/8/R3K3 w - - 0 1")
		if best == "" || strings.Count(text, "KRvK.rtbw: ") != want {
			t.Errorf("search %d: %q, %s", i+1, best, text)
		}
	}
}

// TestTablesAndThreads probes from several threads, with other tables in between.
func TestTablesAndThreads(t *testing.T) {
	p := newTestPlayer(t, "Threads=4")
	for range 3 {
		if err := p.tablebases.open(t.Context(), testTables); err != nil {
			t.Fatal(err)
		}
		_, last, _ := think(t, p, 20000, "8/5p2/8/3k4/8/8/1P1K4/8 w - - 0 1")
		if last.TableHits == 0 {
			t.Error("no tbhits")
		}
	}
}

// TestChangedTables changes what tables are used and how they count between searches: the next search knows
// nothing of those before.
func TestChangedTables(t *testing.T) {
	const fen = "8/8/4k3/8/8/4K3/3PP3/8 w - - 0 1"
	set := func(p *player, option, value string) {
		t.Helper()
		if err := p.Options.Set.Set(context.Background(), options.UCI, option, value); err != nil {
			t.Fatal(err)
		}
	}
	result := func(p *player) (search.Score, uint64) {
		_, last, _ := think(t, p, 10000, fen)
		return last.Score, last.TableHits
	}
	same := func(name string, p, fresh *player) {
		t.Helper()
		score, hits := result(p)
		if wantScore, wantHits := result(fresh); score != wantScore || hits != wantHits {
			t.Errorf("%s: %+v, %d hits; in a new process %+v, %d hits", name, score, hits, wantScore, wantHits)
		}
	}
	p := newTestPlayer(t, "SyzygyPath="+testTables)
	if _, hits := result(p); hits == 0 {
		t.Error("no hits of the tables")
	}
	set(p, "Syzygy50MoveRule", "false")
	same("without the rule of fifty moves", p, newTestPlayer(t, "SyzygyPath="+testTables, "Syzygy50MoveRule=false"))
	set(p, "SyzygyPath", "<empty>")
	same("without tables", p, newTestPlayer(t))
}

// TestSavedWithTables: a saved hash belongs to the rule of fifty moves by which the tables counted, and not
// to the tables.
func TestSavedWithTables(t *testing.T) {
	const fen = "8/8/4k3/8/8/4K3/3PP3/8 w - - 0 1"
	tables, without := "SyzygyPath="+testTables, "Syzygy50MoveRule=false"
	for _, c := range []struct {
		saved, loaded []string
		refused       bool
	}{
		{[]string{tables}, nil, false},
		{nil, []string{tables}, false},
		{[]string{tables}, []string{tables}, false},
		{[]string{without}, []string{tables}, false}, // no tables, so nothing was counted
		{[]string{tables, without}, []string{without, tables}, false},
		{[]string{tables, without}, []string{tables}, true},
		{[]string{tables, without}, []string{without}, true},
		{[]string{tables}, []string{tables, without}, true},
		{nil, []string{tables, without}, true},
	} {
		path := filepath.Join(t.TempDir(), "hash")
		p := newTestPlayer(t, c.saved...)
		think(t, p, 1000, fen)
		if _, err := p.Save(t.Context(), container.Replace(path), nil); err != nil {
			t.Fatal(err)
		}
		_, err := newTestPlayer(t, c.loaded...).Load(t.Context(), container.File(path), nil)
		if refused := err != nil && strings.Contains(err.Error(),
			"with Syzygy50MoveRule false"); refused != c.refused || err != nil && !refused {
			t.Errorf("saved with %q, loaded with %q: %v", c.saved, c.loaded, err)
		}
	}
}

// TestSavedWithContempt: a saved hash belongs to the contempt of its values.
func TestSavedWithContempt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hash")
	p := newTestPlayer(t, "Contempt=50")
	think(t, p, 1000, "8/8/4k3/8/8/4K3/3PP3/8 w - - 0 1")
	if _, err := p.Save(t.Context(), container.Replace(path), nil); err != nil {
		t.Fatal(err)
	}
	for contempt, refused := range map[string]bool{"0": true, "-50": true, "50": false} {
		_, err := newTestPlayer(t, "Contempt="+contempt).Load(t.Context(), container.File(path), nil)
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "with Contempt 50") {
			t.Errorf("loaded with Contempt %s: %v", contempt, err)
		}
	}
}

// TestSharedWithTables: a shared hash belongs to the rule of fifty moves too, in whatever order the options are set.
func TestSharedWithTables(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("processes share tables on Linux and macOS only")
	}
	const tables, others, without, with = "SyzygyPath=" + testTables, "SyzygyPath=../chess/" + testTables,
		"Syzygy50MoveRule=false", "Syzygy50MoveRule=true"
	for i, c := range []struct {
		set    []string
		counts bool // the rule, when all is set
	}{
		{[]string{tables, without}, false},
		{[]string{without, tables}, false},
		{[]string{tables, without, others}, false},
		{[]string{without, tables, "SyzygyPath=<empty>"}, true},
		{[]string{without, tables, with}, true},
	} {
		name := fmt.Sprintf("test-tables-%d-%016x", i, rand.Uint64())
		t.Cleanup(func() { _, _ = cluster.RemoveShared(name) })
		share := func(settings ...string) (*player, error) {
			p := newTestPlayer(t, settings...)
			p.Options.HashShared.OnWait(p.Share)
			return p, p.Options.Set.Set(t.Context(), options.UCI, "Hash Shared", name)
		}
		p, err := share()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.set {
			option, value, _ := strings.Cut(s, "=")
			if err := p.Options.Set.Set(t.Context(), options.UCI, option, value); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := share(tables); (err == nil) != c.counts {
			t.Errorf("%q, and a process in which the rule counts: %v", c.set, err)
		}
		if _, err := share(tables, without); (err == nil) == c.counts {
			t.Errorf("%q, and a process without the rule: %v", c.set, err)
		}
		if c.counts { // while others share it, the rule cannot change
			if err := p.Options.Set.Set(t.Context(), options.UCI, "Syzygy50MoveRule", "false"); err == nil {
				err = p.Options.Set.Set(t.Context(), options.UCI, "SyzygyPath", testTables)
				if err == nil || p.tablebases.rules() != "" {
					t.Errorf("%q, then without the rule: %v", c.set, err)
				}
			}
		}
	}
}
