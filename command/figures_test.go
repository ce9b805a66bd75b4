package command

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"trefoil/engine/analysis"
	"trefoil/internal/batch"
	"trefoil/internal/filetest"
	"trefoil/search"
)

// TestAnalyseLimits: a number of nodes limits each search where nothing else does.
func TestAnalyseLimits(t *testing.T) {
	for _, c := range []struct {
		analyse
		nodes uint64
	}{{analyse{}, 1_000_000}, {analyse{Nodes: 7}, 7}, {analyse{Depth: 3}, 0}, {analyse{Time: 1}, 0}} {
		if got := c.limits().Nodes; got != c.nodes {
			t.Errorf("%+v: %d nodes, want %d", c.analyse, got, c.nodes)
		}
	}
}

// TestCurve: the chart of a game has the expected result of the first side in percent.
func TestCurve(t *testing.T) {
	r := &analysis.Report{Scale: analysis.Scale{Spread: 100}, Positions: []analysis.Position{
		{}, {Score: search.Score{Mate: true, Plies: -2}}, {Score: search.Score{Mate: true}},
	}}
	if c := curve("White", r); !slices.Equal(c.Lines[0].Values, []float64{50, 100, 0}) ||
		!slices.Equal(c.At, []float64{0, 1, 2}) {
		t.Errorf("%+v", c)
	}
}

// TestPerftText: the time of a count is in milliseconds.
func TestPerftText(t *testing.T) {
	c := counted{Depth: 3, Leaves: 8902, Seconds: 2.0004, position: "startpos"}
	if got, want := c.Text(batch.Line{Line: 7}), "7\tstartpos\t3\t8902\t2000"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestReplayTotals: the tables have the hits of the replays, and of the same searches without audits.
func TestReplayTotals(t *testing.T) {
	s := new(replayTotals)
	s.Add(replayed{Design: "trefoil", MiB: 1, Probes: 1000, Hits: 375, PlainHits: 125})
	got := s.Text(batch.Counts{})
	for _, want := range []string{"# 1 replay\n", "37.5", "12.5"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwithout %q", got, want)
		}
	}
}

// TestHashValidate searches all positions of a file, or the first ones.
func TestHashValidate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "positions")
	const fens = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/4p3/8/8/8/8/8/4K3 w - - 0 1\n4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1\n"
	filetest.Write(t, path, fens)
	for args, want := range map[string]string{
		"": "3 positions", "--positions=2": "2 positions", "--positions=4": "3 positions",
	} {
		var out, errs strings.Builder
		line := strings.Fields("hash validate --hash=1 --nodes=500 " + args + " " + path)
		if code := Run(line, nil, &out, &errs); code != 0 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %d, %s%s", args, code, out.String(), errs.String())
		}
	}
}
