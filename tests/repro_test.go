package tests

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	"trefoil/engine"
	"trefoil/engine/bench"
	"trefoil/internal/filetest"
	"trefoil/options"
	"trefoil/search"
)

// TestReproSearch searches twice with the same limit on nodes, with a new game between,
// for 12 limits, with -long 20: both searches report the same lines and counts.
func TestReproSearch(t *testing.T) {
	e := engine.New()
	defer e.Close()
	if err := e.SetPosition("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", nil); err != nil {
		t.Fatal(err)
	}
	run := func(nodes uint64) string {
		e.NewGame()
		trail := ""
		r := e.Search(context.Background(), search.Limits{Nodes: nodes}, func(i search.Info) {
			if i.Text == "" {
				trail += fmt.Sprintln(i.Depth, i.SelDepth, i.Score, i.Nodes, i.PV)
			}
		})
		return trail + fmt.Sprintln(r.Best, r.Ponder, r.Nodes)
	}
	limits := 12
	if *long {
		limits = 20
	}
	for i := range limits {
		nodes := uint64(100 * (i + 1) * (i + 1))
		a, b := run(nodes), run(nodes)
		if a != b {
			t.Errorf("%d nodes\nfirst:\n%s\nsecond:\n%s", nodes, a, b)
		}
	}
}

// TestReproNodesTime: with nodestime a game does not depend on real time, neither on the time of the
// searches nor on the time of the clocks.
func TestReproNodesTime(t *testing.T) {
	e := engine.New()
	defer e.Close()
	if err := e.Options().Set(context.Background(), options.UCI, "nodestime", "20"); err != nil {
		t.Fatal(err)
	}
	play := func(late time.Duration) (trail string) {
		e.NewGame()
		var moves []string
		clock := search.Clock{Given: true, Time: [2]time.Duration{2 * time.Second, 2 * time.Second}}
		for range 12 {
			if err := e.SetPosition("startpos", moves); err != nil {
				t.Fatal(err)
			}
			r := e.Search(context.Background(), search.Limits{Start: time.Now().Add(-late), Clock: clock},
				func(search.Info) {})
			moves = append(moves, r.Best)
			trail += fmt.Sprintln(r.Best, r.Nodes)
			if len(moves) == 2 { // both clocks have begun
				clock.Time = [2]time.Duration{late, late}
			}
		}
		return trail
	}
	if a, b := play(0), play(time.Hour); a != b {
		t.Errorf("first game:\n%s\nsecond:\n%s", a, b)
	}
}

// TestBenchSignature compares the nodes of the benches with bench.txt, whose lines
// are a name, a depth (- if the search has none) and the nodes: the first of each name
// here, all with -long. The benches that take longest are only in -long and in .ci/run; tests of package exact and mate
// have signatures of shorter searches.
func TestBenchSignature(t *testing.T) {
	text := filetest.Read(t, "bench.txt")
	done := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^([\w-]+) (\d+|-) (\d+)$`).FindAllStringSubmatch(string(text), -1) {
		name, depth, nodes := m[1], m[2], m[3]
		if done[name] && !*long {
			continue
		}
		if done[name] = true; (name == "connect4-tutorial" || name == "mate-shogi") && !*long {
			continue
		}
		b, err := engine.Games().FindBench(name)
		if err != nil {
			t.Fatal(err)
		}
		plies, _ := strconv.Atoi(depth) // 0 for none
		last := ""
		if err := bench.Run(context.Background(), b, bench.Options{Limits: search.Limits{Depth: plies}},
			func(line string) { last = line }); err != nil {
			t.Fatal(err)
		}
		f := regexp.MustCompile(`^(\d+) nodes \d+ nps$`).FindStringSubmatch(last)
		if f == nil || f[1] != nodes {
			t.Errorf("bench %s %s ends with %q, bench.txt says %s nodes: where that is meant, run make signature",
				name, depth, last, nodes)
		}
	}
	for _, name := range engine.Games().BenchNames() {
		if !done[name] {
			t.Errorf("bench.txt has no line for %s", name)
		}
	}
}
