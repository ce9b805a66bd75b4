package shogi

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/engine/registry"
	"trefoil/engine/table"
	"trefoil/internal/container"
	"trefoil/options"
	"trefoil/search"
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
		nodes   uint64 // of the search, 0: any
		depth   int    // of the last report, 0: any
		all     bool   // iterations are reported
	}{
		{options: []string{"NodesLimit=3000"}, nodes: 3000, all: true},
		{options: []string{"NodesLimit=3000"}, limit: 2000, nodes: 2000, all: true},
		{options: []string{"DepthLimit=5"}, depth: 5, all: true},
		{options: []string{"DepthLimit=5", "PvInterval=100000", "OutputFailLHPV=false"}, depth: 5},
	} {
		p := newTestPlayer(t, c.options...)
		if err := p.SetPosition("startpos", nil); err != nil {
			t.Fatal(err)
		}
		depths, last := map[int]bool{}, search.Info{}
		r := p.Search(t.Context(), search.Limits{Nodes: c.limit}, func(i search.Info) {
			if i.Text == "" && i.CurrMove == "" {
				depths[i.Depth], last = true, i
			}
		})
		if c.nodes > 0 && r.Nodes != c.nodes || c.depth > 0 && last.Depth != c.depth || len(depths) > 3 != c.all {
			t.Errorf("%v: %d nodes, depths %v, last %+v", c.options, r.Nodes, depths, last)
		}
	}
}
