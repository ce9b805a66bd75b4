package bench_test

import (
	"context"
	"errors"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"trefoil/engine/bench"
	"trefoil/engine/chess"
	"trefoil/engine/config"
	"trefoil/engine/connect4"
	"trefoil/engine/registry"
	"trefoil/engine/shogi"
	"trefoil/engine/ultimate"
	"trefoil/internal/filetest"
	"trefoil/search"
	"trefoil/search/alphabeta"
)

func TestAdvise(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	a, err := bench.Advise(ctx, chess.Game(), 1, search.Limits{MoveTime: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if a.Nodes == 0 || a.Searches < 12 || a.Searches > 18 || a.PerNode[1] < 0.1 || a.PerNode[1] > 1.5 ||
		a.Hash < 1 || a.Hash > a.Need || a.HitRates[0] < 0.05 || !slices.IsSorted(a.HitRates[:]) ||
		a.HitRates[len(a.HitRates)-1] > 0.7 || a.Limit != time.Second || a.Longest != time.Second {
		t.Errorf("%+v", a)
	}
	cancel()
	if _, err := bench.Advise(ctx, shogi.Game(), 1, search.Limits{MoveTime: time.Second}); err == nil {
		t.Error("not stopped")
	}
}

// TestNothingToMeasure: a game without positions for a measurement is refused.
func TestNothingToMeasure(t *testing.T) {
	g := *shogi.Game()
	bare := *g.AlphaBeta
	bare.Setups, bare.Games = bare.Setups[:1], nil
	g.AlphaBeta = &bare
	if _, err := bench.Advise(context.Background(), &g, 1, search.Limits{MoveTime: time.Second}); err == nil {
		t.Error("advice without a search")
	}
	if err := bench.SpeedTest(context.Background(), &bare, bench.SpeedOptions{Threads: 1, MiB: 1}, nil); err == nil {
		t.Error("a speed test without games")
	}
}

// TestStops: every bench ends with its context.
func TestStops(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, g := range []*registry.Game{chess.Game(), shogi.Game(), connect4.Game(), ultimate.Game()} {
		for i := range g.Benches {
			if err := bench.Run(ended, &g.Benches[i], bench.Options{}, func(string) {}); err == nil ||
				!strings.HasPrefix(err.Error(), "stopped at position 1") {
				t.Errorf("%s: %v", g.Benches[i].Name, err)
			}
		}
	}
}

// TestOptions: bench takes the arguments of Stockfish's bench, or a depth alone.
func TestOptions(t *testing.T) {
	file := filetest.New(t, "positions.epd",
		"# two\n8/8/4k3/8/8/3BN3/8/4K3 w - - bm e3g4;\n\n8/8/8/3k4/8/3K4/3P4/8 w - - 0 1\n")
	current := func() (string, error) { return "here", nil }
	for _, c := range []struct {
		args string
		want bench.Options
		err  string
	}{
		{"", bench.Options{}, ""},
		{"7", bench.Options{Limits: search.Limits{Depth: 7}}, ""},
		{"64 4", bench.Options{MiB: 64, Threads: 4}, ""},
		{"64 1 15", bench.Options{MiB: 64, Threads: 1, Limits: search.Limits{Depth: 15}}, ""},
		{"64 1 15 default", bench.Options{MiB: 64, Threads: 1, Limits: search.Limits{Depth: 15}}, ""},
		{"16 2 5000 current movetime", bench.Options{MiB: 16, Threads: 2, Limits: search.Limits{MoveTime: 5 * time.Second}, Setups: []string{"here"}}, ""},
		{"16 1 5000 FILE nodes", bench.Options{MiB: 16, Threads: 1, Limits: search.Limits{Nodes: 5000}, Setups: []string{"8/8/4k3/8/8/3BN3/8/4K3 w - - bm e3g4;", "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1"}}, ""},
		{"0", bench.Options{}, `depth "0" is not a whole number from 1 to 100`},
		{"101", bench.Options{}, "depth"},
		{"0 1", bench.Options{}, "hash"},
		{"33554433 1", bench.Options{}, "hash"},
		{"16 1025", bench.Options{}, "threads"},
		{"16 1 0", bench.Options{}, "depth"},
		{"16 1 5 none.epd", bench.Options{}, "none.epd"},
		{"16 1 -5 default nodes", bench.Options{}, "nodes"},
		{"16 1 5 default hours", bench.Options{}, "hours"},
		{"16 1 5 default depth 6", bench.Options{}, `unexpected argument "6"`},
	} {
		got, err := bench.ParseOptions(context.Background(),
			strings.Fields(strings.ReplaceAll(c.args, "FILE", file)), current, nil)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: %v", c.args, err)
			}
		case err != nil || !reflect.DeepEqual(got, c.want):
			t.Errorf("%q: %+v, %v", c.args, got, err)
		}
	}
}

// TestRun: the options reach the searches, and a bench without a depth takes no limit.
func TestRun(t *testing.T) {
	b := chess.Game().Benches[0]
	o := bench.Options{MiB: 1, Threads: 1, Limits: search.Limits{Nodes: 1000}, Setups: b.Setups[1:3]}
	var lines []string
	if err := bench.Run(context.Background(), &b, o, func(line string) { lines = append(lines, line) }); err != nil {
		t.Fatal(err)
	}
	if len(lines) != 3 || !strings.HasPrefix(lines[2], "2000 nodes ") {
		t.Errorf("%q", lines)
	}
	o.Setups = []string{"no position"}
	if err := bench.Run(context.Background(), &b, o, func(string) {}); err == nil ||
		!strings.HasPrefix(err.Error(), "position 1: ") {
		t.Error(err)
	}
	for _, g := range []*registry.Game{ultimate.Game(), connect4.Game()} {
		if err := bench.Run(context.Background(), &g.Benches[0], o, func(string) {}); err == nil ||
			!strings.Contains(err.Error(), "takes no limit") {
			t.Errorf("%s: %v", g.Name, err)
		}
	}
}

// TestOpens: a bench has a table of 16 MiB and one thread unless the options say otherwise.
func TestOpens(t *testing.T) {
	for want, o := range map[[2]int]bench.Options{{16, 1}: {}, {3, 2}: {MiB: 3, Threads: 2}} {
		var got [2]int
		b := registry.Bench{Open: func(mib uint64, threads int) (registry.BenchSearch, error) {
			got = [2]int{int(mib), threads}
			return nil, errors.New("no memory")
		}}
		if err := bench.Run(t.Context(), &b, o, nil); err == nil || err.Error() != "no memory" || got != want {
			t.Errorf("%+v: %v, opened with %v", o, err, got)
		}
	}
}

// TestSpeedTest: all positions of the games are searched, the earlier ones longer, in about the time given.
func TestSpeedTest(t *testing.T) {
	for _, g := range []*registry.Game{chess.Game(), shogi.Game()} {
		positions := 0
		for _, setups := range g.AlphaBeta.Games {
			positions += len(setups)
		}
		if len(g.AlphaBeta.Games) < 3 || positions < 100 {
			t.Errorf("%s: %d games with %d positions", g.Name, len(g.AlphaBeta.Games), positions)
		}
		var lines []string
		o := bench.SpeedOptions{Threads: 1, MiB: 1, Time: 200 * time.Millisecond}
		if err := bench.SpeedTest(context.Background(), g.AlphaBeta, o,
			func(line string) { lines = append(lines, line) }); err != nil {
			t.Fatal(err)
		}
		if n := len(g.AlphaBeta.Games) + 2; len(lines) != n || strings.HasSuffix(lines[n-2], " 0.0 s") ||
			!regexp.MustCompile(`^\d+ nodes \d+ nps$`).MatchString(lines[n-1]) {
			t.Errorf("%s: %q", g.Name, lines)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := bench.SpeedTest(ended, chess.Game().AlphaBeta, bench.SpeedOptions{Threads: 1, MiB: 1, Time: time.Hour},
		func(string) {}); err == nil {
		t.Error("not stopped")
	}
	for args, want := range map[string]string{"0": "threads", "1025": "threads", "1 0": "hash", "1 1 0": "time",
		"1 1 86401": "time", "1 1 1 1": "unexpected argument \"1\""} {
		if _, err := bench.ParseSpeedOptions(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", args, err)
		}
	}
	processors := min(runtime.NumCPU(), config.MaxThreads)
	for args, want := range map[string]bench.SpeedOptions{
		"":       {Threads: processors, MiB: uint64(128 * processors), Time: 30 * time.Second},
		"3":      {Threads: 3, MiB: 384, Time: 30 * time.Second},
		"1 16 5": {Threads: 1, MiB: 16, Time: 5 * time.Second},
	} {
		if o, err := bench.ParseSpeedOptions(strings.Fields(args)); err != nil || o != want {
			t.Errorf("%q: %+v, %v", args, o, err)
		}
	}
}

// TestSpeedTestEnds: an error, and the end of the context, name the position and its game.
func TestSpeedTestEnds(t *testing.T) {
	const start, last = "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
	for end, want := range map[string]string{"8/8": "game 2, position 2: FEN: ",
		last: "stopped at position 2 of game 2"} {
		ctx, cancel := context.WithCancel(t.Context())
		g := *chess.Game().AlphaBeta
		roots := g.NewRoots
		g.Games = [][]string{{start}, {start, end}}
		g.NewRoots = func() func(string) (alphabeta.Position, error) {
			root := roots()
			return func(setup string) (alphabeta.Position, error) {
				if setup == last {
					cancel()
				}
				return root(setup)
			}
		}
		if err := bench.SpeedTest(ctx, &g, bench.SpeedOptions{Threads: 1, MiB: 1, Time: time.Millisecond},
			func(string) {}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", end, err)
		}
		cancel()
	}
}
