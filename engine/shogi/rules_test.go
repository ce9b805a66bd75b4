package shogi

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	"trefoil/game"
	"trefoil/game/shogi/halfkp/halfkptest"
	"trefoil/internal/container"
	"trefoil/internal/filetest"
	"trefoil/options"
	"trefoil/search"
	"trefoil/search/mate"
)

// nearTry is a position with bare kings: Black wins by the try rule, and by no other.
const nearTry = "9/9/4K4/k8/9/9/9/9/9 b - 1"

// newTestPlayer returns a player with some options.
func newTestPlayer(t *testing.T, settings ...string) *player {
	env := registry.Env{Options: config.New(config.Uses{}), Notices: new(table.Notices), Memory: new(memory.Budget)}
	p := newPlayer(env).(*player)
	t.Cleanup(func() { _ = p.Close() })
	p.SetThreads(1)
	set(t, p, "USI_Hash=1")
	for _, s := range settings {
		set(t, p, s)
	}
	return p
}

// set sets an option, NAME=VALUE.
func set(t *testing.T, p *player, setting string) {
	t.Helper()
	name, value, _ := strings.Cut(setting, "=")
	if err := p.Options.Set.Set(t.Context(), options.USI, name, value); err != nil {
		t.Fatal(err)
	}
}

// think searches nearTry and returns the score.
func think(t *testing.T, p *player) (score search.Score) {
	t.Helper()
	if err := p.SetPosition(nearTry, nil); err != nil {
		t.Fatal(err)
	}
	p.Search(t.Context(), search.Limits{Nodes: 3000}, func(i search.Info) {
		if i.Text == "" && i.CurrMove == "" {
			score = i.Score
		}
	})
	return score
}

// TestChangedRule changes the entering-king rule with a hash that is kept: the next search knows nothing of the wins by
// the rule before.
func TestChangedRule(t *testing.T) {
	p := newTestPlayer(t, "NeverClearHash=true")
	for _, c := range []struct {
		rule string
		wins bool
	}{{"TryRule", true}, {"CSARule27", false}, {"TryRule", true}, {"NoEnteringKing", false}} {
		set(t, p, "EnteringKingRule="+c.rule)
		if score := think(t, p); score.Centipawns > 19000 != c.wins {
			t.Errorf("%s: %+v", c.rule, score)
		}
	}
}

// TestChangedMoves: another MaxMovesToDraw empties the hash before the next search, the same one does not.
func TestChangedMoves(t *testing.T) {
	p := newTestPlayer(t, "NeverClearHash=true", "MaxMovesToDraw=6")
	for _, moves := range []string{"6", "0", "320"} {
		think(t, p)
		set(t, p, "MaxMovesToDraw="+moves)
		p.Search(t.Context(), search.Limits{Nodes: 1, MoveTime: time.Millisecond}, func(search.Info) {})
		p.Look(func(tables registry.Tables) {
			if c, err := tables.Cluster.Census(t.Context()); err != nil || (c.Used <= 20) != (moves != "6") {
				t.Errorf("%s: %d entries, %v", moves, c.Used, err)
			}
		})
	}
}

// TestSavedRule: a saved hash belongs to its entering-king rule.
func TestSavedRule(t *testing.T) {
	const try, points = "EnteringKingRule=TryRule", "EnteringKingRule=CSARule27"
	for _, saved := range []string{try, points} {
		path := filepath.Join(t.TempDir(), "hash")
		p := newTestPlayer(t, saved)
		think(t, p)
		if _, err := p.Save(t.Context(), container.Replace(path), nil); err != nil {
			t.Fatal(err)
		}
		for _, loaded := range []string{try, points} {
			_, err := newTestPlayer(t, loaded).Load(t.Context(), container.File(path), nil)
			if (err == nil) != (saved == loaded) ||
				err != nil && !strings.Contains(err.Error(), "with EnteringKingRule TryRule") {
				t.Errorf("saved with %s, loaded with %s: %v", saved, loaded, err)
			}
		}
	}
}

// TestLimitsAndReports: the options of USI that bound each search, and what is reported of it.
func TestLimitsAndReports(t *testing.T) {
	for _, c := range []struct {
		options []string
		limit   uint64 // of nodes, by `go`
		plies   int    // limit of the depth, by `go`
		nodes   uint64 // of the search, 0: any
		depth   int    // of the last report, 0: any
		all     bool   // iterations are reported
	}{
		{options: []string{"NodesLimit=3000"}, nodes: 3000, all: true},
		{options: []string{"NodesLimit=3000"}, limit: 2000, nodes: 2000, all: true},
		{options: []string{"DepthLimit=5"}, depth: 5, all: true},
		{options: []string{"DepthLimit=5"}, plies: 4, depth: 4, all: true},
		{options: []string{"DepthLimit=4"}, plies: 5, depth: 4, all: true},
		{options: []string{"DepthLimit=5", "PvInterval=100000", "OutputFailLHPV=false"}, depth: 5},
	} {
		p := newTestPlayer(t, c.options...)
		if err := p.SetPosition("startpos", nil); err != nil {
			t.Fatal(err)
		}
		depths, last := map[int]bool{}, search.Info{}
		r := p.Search(t.Context(), search.Limits{Nodes: c.limit, Depth: c.plies}, func(i search.Info) {
			if i.Text == "" && i.CurrMove == "" {
				depths[i.Depth], last = true, i
			}
		})
		if c.nodes > 0 && r.Nodes != c.nodes || c.depth > 0 && last.Depth != c.depth || len(depths) > 3 != c.all {
			t.Errorf("%v: %d nodes, depths %v, last %+v", c.options, r.Nodes, depths, last)
		}
	}
}

// TestResigns: a score at the limit resigns, and a mate counts as 32000.
func TestResigns(t *testing.T) {
	mated, mates := search.Score{Mate: true, Plies: -2}, search.Score{Mate: true, Plies: 3}
	for _, c := range []struct {
		score search.Score
		below int
		want  bool
	}{
		{search.Score{Centipawns: -500}, 500, true},
		{search.Score{Centipawns: -499}, 500, false},
		{search.Score{Centipawns: 900}, 500, false},
		{mated, 32000, true}, {mated, 32001, false}, {mates, 500, false},
	} {
		if got := resigns(c.score, c.below); got != c.want {
			t.Errorf("%+v, %d: %v", c.score, c.below, got)
		}
	}
}

// TestResignsByBestLine: worse lines that are reported after the best one are no reason to resign.
func TestResignsByBestLine(t *testing.T) {
	p := newTestPlayer(t, "ResignValue=400", "MultiPV=200")
	if err := p.SetPosition("4k4/9/9/9/9/9/9/9/4K4 b R 1", nil); err != nil {
		t.Fatal(err)
	}
	var last search.Info
	r := p.Search(t.Context(), search.Limits{Depth: 2}, func(i search.Info) {
		if len(i.PV) > 0 {
			last = i
		}
	})
	if r.Resigns || last.MultiPV < 2 || last.Score.Centipawns > -400 {
		t.Errorf("%+v after %+v", r, last)
	}
}

// TestResignsByBestMove: a weaker level resigns by the value of the best move, not of the one that it plays.
func TestResignsByBestMove(t *testing.T) {
	p := newTestPlayer(t, "Skill_Level=0")
	worse := 0
	for seed := 1; seed <= 24; seed++ {
		set(t, p, fmt.Sprint("Skill_Seed=", seed))
		if err := p.SetPosition("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPP1PPPP/1B5R1/LNSGKGSNL b p 1", nil); err != nil {
			t.Fatal(err)
		}
		var scores []int // of the best move, and of the one that is played
		p.Search(t.Context(), search.Limits{Depth: 1}, func(i search.Info) {
			if len(i.PV) > 0 {
				scores = append(scores, i.Score.Centipawns)
			}
		})
		best, played := scores[0], scores[len(scores)-1]
		if played >= best {
			continue
		}
		worse++
		set(t, p, fmt.Sprint("ResignValue=", -played))
		if r := p.Search(t.Context(), search.Limits{Depth: 1}, func(search.Info) {}); r.Resigns {
			t.Errorf("seed %d resigns at %d, but the best move has %d", seed, played, best)
		}
		set(t, p, "ResignValue=99999")
	}
	if worse == 0 {
		t.Error("only best moves were played")
	}
}

// TestMateLength: the option and the time decide whether a search for mates goes on after the first.
func TestMateLength(t *testing.T) {
	p := newTestPlayer(t)
	for _, c := range []struct {
		option string
		time   time.Duration
		want   mate.Limits
	}{
		{"Short", 0, mate.Limits{Thorough: true}},
		{"Short", time.Second, mate.Limits{}},
		{"Any", 0, mate.Limits{First: true}},
		{"Shortest", time.Second, mate.Limits{Thorough: true}},
	} {
		set(t, p, "MateLength="+c.option)
		if got := p.mateLimits(&search.Limits{MoveTime: c.time}); got != c.want {
			t.Errorf("%s, %v: %+v, want %+v", c.option, c.time, got, c.want)
		}
	}
}

// TestShortestKnown: what is not ruled out are the lengths between the failures and the mate.
func TestShortestKnown(t *testing.T) {
	a := mate.Answer{Line: make([]game.Move, 9)}
	a.Failed[0], a.Failed[1] = 2, 3
	if got := shortestKnown(&a); got != "a mate in 5 to 7 plies is not ruled out" {
		t.Error(got)
	}
	a.Shortest = true
	if got := shortestKnown(&a); got != "mate 9 is the shortest" {
		t.Error(got)
	}
}

// TestEvalDir: the memory of an evaluation file counts until EvalDir is empty, and its values are not scaled.
func TestEvalDir(t *testing.T) {
	folder, budget := t.TempDir(), new(memory.Budget)
	p := newPlayer(registry.Env{Options: config.New(config.Uses{}), Notices: new(table.Notices), Memory: budget}).(*player)
	t.Cleanup(func() { _ = p.Close() })
	filetest.Write(t, filepath.Join(folder, "nn.bin"), halfkptest.KP.File(1, halfkptest.Usual))
	for _, dir := range []string{folder, ""} {
		set(t, p, "EvalDir="+dir)
		err := budget.Fix("BookFile", 1<<62)
		if err == nil || strings.Contains(err.Error(), "EvalDir") != (dir != "") {
			t.Errorf("%q: %v", dir, err)
		}
		if own := p.evaluators.Unit == 0; own != (dir == "") {
			t.Errorf("%q: 100 is reported for %d", dir, p.evaluators.Unit)
		}
	}
}

// TestScaleIn: the least and the greatest FV_SCALE.
func TestScaleIn(t *testing.T) {
	for text, want := range map[string]int{"FV_SCALE 1": 1, "FV_SCALE=128": 128} {
		if got, err := scaleIn(text); got != want || err != nil {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
}

// TestPerftSetup: a setup of perft is a position, or an error.
func TestPerftSetup(t *testing.T) {
	for setup, good := range map[string]bool{"startpos": true, nearTry: true, "9/9": false} {
		if p, err := perftSetup(setup, 1); (p != nil) != good || (err == nil) != good {
			t.Errorf("%s: %v, %v", setup, p, err)
		}
	}
}
