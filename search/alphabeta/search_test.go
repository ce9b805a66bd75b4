package alphabeta

import (
	"context"
	"math"
	"slices"
	"testing"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/search"
)

// mateFinder is a board that finds every mate in one.
type mateFinder struct{ board }

func (s mateFinder) Clone() Position { return mateFinder{board{s.Copy()}} }

func (s mateFinder) MateInOne() game.Move {
	var l, replies game.List
	s.Moves(game.All, &l)
	for _, m := range l.All() {
		s.Make(m)
		replies.Reset()
		s.Moves(game.All, &replies)
		mates := s.InCheck() && replies.Len() == 0
		s.Undo()
		if mates {
			return m
		}
	}
	return game.None
}

// Mates are found and have their lines, whether positions find mates in one or not.
func TestMates(t *testing.T) {
	for _, c := range []struct {
		fen   string
		plies int
		best  string // "" = any
	}{
		{"6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1, "d1d8"},
		{"k7/8/1K6/8/8/8/8/7R w - - 0 1", 1, "h1h8"},
		{"k7/8/2K5/8/8/8/8/6QR b - - 0 1", -2, ""},
		{"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1, "f3f7"},
		{"7k/8/8/8/8/1R6/R7/7K w - - 0 1", 3, ""},
		{"8/8/8/8/8/2k5/8/K3q3 w - - 0 1", -4, ""},
		{"4r1k1/5ppp/8/8/8/8/1Q3PPP/6K1 b - - 0 1", 1, "e8e1"},
	} {
		for _, pos := range []Position{parse(t, c.fen), mateFinder{parse(t, c.fen)}} {
			res, infos := run(t, newSearcher(t, 1), pos, search.Limits{Depth: 20}, Settings{})
			last := infos[len(infos)-1]
			if !last.Score.Mate || last.Score.Plies != c.plies {
				t.Errorf("%s: score %+v, want mate in %d plies; pv %v", c.fen, last.Score, c.plies, last.PV)
			}
			if c.best != "" && res.Best != c.best {
				t.Errorf("%s: best %s, want %s", c.fen, res.Best, c.best)
			}
			if last.Score.Mate && len(last.PV) != max(last.Score.Plies, -last.Score.Plies) {
				t.Errorf("%s: mate in %d plies with a line of %d: %v", c.fen, last.Score.Plies, len(last.PV), last.PV)
			}
		}
	}
}

func TestGoMateEnds(t *testing.T) {
	s := newSearcher(t, 1)
	pos := parse(t, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
	res, infos := run(t, s, pos, search.Limits{Mate: 2}, Settings{})
	if last := infos[len(infos)-1]; res.Best != "a1a6" || !last.Score.Mate || last.Score.Plies != 3 {
		t.Errorf("%s, %+v", res.Best, last.Score)
	}
}

func TestNoMoves(t *testing.T) {
	for fen, want := range map[string]search.Score{
		"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1": {},
		"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1": {Mate: true},
	} {
		res, infos := run(t, newSearcher(t, 1), parse(t, fen), search.Limits{Depth: 3}, Settings{})
		if res.Best != "" || len(infos) != 1 || infos[0].Score != want || infos[0].MultiPV != 1 {
			t.Errorf("%s: %+v %+v", fen, res, infos)
		}
	}
}

func TestDraws(t *testing.T) {
	s := newSearcher(t, 1)
	// White would lose but for a perpetual: Qe8+ Kh7 Qh5+ ….
	res, infos := run(t, s, parse(t, "6k1/6p1/8/7Q/8/8/rr3PPP/nn4K1 w - - 0 1"), search.Limits{Depth: 10}, Settings{})
	if last := infos[len(infos)-1]; last.Score.Centipawns < -50 && !last.Score.Mate {
		t.Errorf("perpetual missed: %s %+v %v", res.Best, last.Score, last.PV)
	}
	for _, fen := range []string{"8/8/4k3/8/8/4K3/8/8 w - - 0 1", "8/8/4k3/8/8/3BK3/8/8 w - - 0 1"} {
		_, infos := run(t, s, parse(t, fen), search.Limits{Depth: 5}, Settings{})
		if last := infos[len(infos)-1]; last.Score != (search.Score{}) {
			t.Errorf("%s: %+v", fen, last.Score)
		}
	}
}

// A winning side avoids repeating, a losing side seeks it.
func TestRepetition(t *testing.T) {
	s := newSearcher(t, 1)
	start := "7k/8/8/8/8/8/q7/5RK1 w - - 0 1"
	shuffle := []string{"f1f8", "h8g7", "f8f1", "g7h8", "f1f8", "h8g7", "f8f1"}
	pos := parse(t, start, shuffle...)
	_, infos := run(t, s, pos, search.Limits{Depth: 6, SearchMoves: []string{"g7h8"}}, Settings{})
	if last := infos[len(infos)-1]; last.Score != (search.Score{}) {
		t.Errorf("third occurrence scored %+v", last.Score)
	}
	up := parse(t, "7k/8/8/8/8/8/8/5QK1 w - - 0 1", "f1a1", "h8g8", "a1f1", "g8h8", "f1a1", "h8g8")
	res, infos := run(t, s, up, search.Limits{Depth: 8}, Settings{})
	if last := infos[len(infos)-1]; res.Best == "a1f1" || last.Score.Centipawns < 300 && !last.Score.Mate {
		t.Errorf("a queen up: %s %+v", res.Best, last.Score)
	}
}

func TestSearchMoves(t *testing.T) {
	s := newSearcher(t, 1)
	pos := parse(t, fens[0])
	res, infos := run(t, s, pos, search.Limits{Depth: 6, SearchMoves: []string{"a2a3", "h2h4"}}, Settings{MultiPV: 4})
	if res.Best != "a2a3" && res.Best != "h2h4" {
		t.Errorf("best %s", res.Best)
	}
	for _, i := range infos {
		if i.MultiPV > 2 || !slices.Contains([]string{"a2a3", "h2h4"}, i.PV[0]) {
			t.Errorf("line %d begins with %s", i.MultiPV, i.PV[0])
		}
	}
}

// The value of some of the moves is not stored as the value of the position.
func TestSearchMovesAreNotStored(t *testing.T) {
	s := newSearcher(t, 1)
	pos := parse(t, "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1") // Rd8 mates
	run(t, s, pos, search.Limits{Depth: 8, SearchMoves: []string{"d1d7"}}, Settings{})
	if e, ok := s.table.Probe(pos.Key()); ok && e.Bound != cluster.None {
		t.Errorf("after a search of d1d7 alone the table has %+v", e)
	}
	run(t, s, pos, search.Limits{Depth: 2, SearchMoves: []string{"d1d8"}, Nodes: 100}, Settings{})
	run(t, s, pos, search.Limits{Depth: 2}, Settings{})
	if e, ok := s.table.Probe(pos.Key()); !ok || fromTable(e.Value, 0, 0) != mate-1 {
		t.Errorf("after a search of all moves the table has %+v, %v", e, ok)
	}
}

// TestClosing: the last report is repeated after closing lines, and only then.
func TestClosing(t *testing.T) {
	pos := parse(t, fens[0])
	for _, lines := range [][]string{nil, {"closing"}} {
		s := newSearcher(t, 1)
		_, infos := run(t, s, pos, search.Limits{Depth: 4},
			Settings{MultiPV: 2, Closing: func() []string { return lines }})
		last := 0
		for _, i := range infos {
			if i.Depth == 4 {
				last++
			}
		}
		if want := 2 + 2*len(lines); last != want {
			t.Errorf("%q: %d reports of the last depth, want %d", lines, last, want)
		}
	}
}

func TestMultiPV(t *testing.T) {
	for _, fen := range fens {
		s := newSearcher(t, 1)
		pos := parse(t, fen)
		_, infos := run(t, s, pos, search.Limits{Depth: 7}, Settings{MultiPV: 3})
		var l game.List
		pos.Moves(game.All, &l)
		lines := min(3, l.Len())
		last := infos[len(infos)-lines:]
		seen := map[string]bool{}
		for i, info := range last {
			if info.MultiPV != i+1 || info.Depth != 7 || seen[info.PV[0]] {
				t.Errorf("%s: line %d: %+v", fen, i+1, info)
			}
			seen[info.PV[0]] = true
			if i > 0 && info.Score.Value() > last[i-1].Score.Value() {
				t.Errorf("%s: line %d is better than line %d", fen, i+1, i)
			}
		}
	}
}

// A move that was not searched has no line.
func TestMultiPVStopped(t *testing.T) {
	for nodes := 1; nodes < 20; nodes++ {
		s := newSearcher(t, 1)
		_, infos := run(t, s, parse(t, fens[0]), search.Limits{Nodes: uint64(nodes)}, Settings{MultiPV: 256})
		if len(infos) > nodes {
			t.Errorf("%d lines after a search of %d", len(infos), nodes)
		}
	}
}

func TestLinesAreLegal(t *testing.T) {
	s := newSearcher(t, 1)
	for _, fen := range fens {
		_, infos := run(t, s, parse(t, fen), search.Limits{Depth: 9}, Settings{MultiPV: 2})
		for _, info := range infos {
			if len(info.PV) == 0 {
				t.Errorf("%s: no line at depth %d", fen, info.Depth)
			}
			parse(t, fen, info.PV...) // fails on an illegal move
		}
	}
}

// mated is the index in fens of a position with a mate that ends all iterations.
const mated = 9

// The same request after NewGame gives the same nodes, and a limit of nodes is
// met exactly.
func TestNodes(t *testing.T) {
	s := newSearcher(t, 1)
	for i, fen := range fens {
		limit := uint64(1000 + 1777*i)
		var results []search.Result
		for range 2 {
			s.NewGame()
			if err := s.table.Clear(context.Background()); err != nil {
				t.Fatal(err)
			}
			res, infos := run(t, s, parse(t, fen), search.Limits{Nodes: limit}, Settings{})
			if last := infos[len(infos)-1]; last.Nodes != res.Nodes {
				t.Errorf("%s: reported %d nodes, searched %d", fen, last.Nodes, res.Nodes)
			}
			res.Time = 0
			results = append(results, res)
		}
		if results[0] != results[1] {
			t.Errorf("%s: %+v then %+v", fen, results[0], results[1])
		}
		if results[0].Nodes != limit && i != mated {
			t.Errorf("%s: %d nodes instead of %d", fen, results[0].Nodes, limit)
		}
	}
}

// However a search is stopped, it returns a legal move after a full report.
func TestAlwaysAnswers(t *testing.T) {
	for _, threads := range []int{1, 3} {
		s := newSearcher(t, threads)
		for _, fen := range fens {
			pos := parse(t, fen)
			before := pos.FEN()
			for nodes := uint64(0); nodes < 60; nodes += 1 + nodes/3 {
				ctx, cancel := context.WithCancel(context.Background())
				if nodes == 0 {
					cancel()
				}
				var infos []search.Info
				res := s.Search(ctx, pos, search.Limits{Nodes: nodes}, Settings{},
					func(i search.Info) { infos = append(infos, i) })
				cancel()
				if len(infos) == 0 || len(infos[len(infos)-1].PV) == 0 {
					t.Fatalf("%s: no report at %d nodes", fen, nodes)
				}
				if infos[len(infos)-1].PV[0] != res.Best {
					t.Errorf("%s: line of %s, best %s", fen, infos[len(infos)-1].PV[0], res.Best)
				}
				parse(t, fen, res.Best)
			}
			if pos.FEN() != before {
				t.Fatalf("the root was changed: %s", pos.FEN())
			}
		}
	}
}

// checking is a board whose quiescence begins with quiet checks.
type checking struct{ board }

func (checking) QuiescenceCheckDepth() int { return 1 }

// Quiescence finds a mate by a quiet check if the position is a QuietChecker and plies of checks are
// left, or if it is a MateFinder.
func TestQuietChecks(t *testing.T) {
	mates := parse(t, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
	at := func(pos Position) *worker {
		w := newWorker(pos.HistoryDimensions())
		w.prepare(pos, nil, 0)
		w.table, w.control, w.pollAt, w.rootDepth = newTable(t, 1), new(control), math.MaxUint64, 1
		return w
	}
	if v := at(checking{mates}).quiesce(-infinite, infinite, 0, 0, true); isMate(v) {
		t.Errorf("without checks the value is %d", v)
	}
	w := at(mateFinder{mates})
	if v, line := w.quiesce(-infinite, infinite, 0, 0, true), w.frame(0); v != mate-1 || line.pvLen != 1 ||
		mates.Text(line.pv[0]) != "a1a8" {
		t.Errorf("of a MateFinder the value is %d, want %d, with a line of %d moves", v, mate-1, line.pvLen)
	}
	w = at(checking{mates})
	if v := w.quiesce(-infinite, infinite, 0, w.checkDepth, true); v != mate-1 {
		t.Errorf("with checks the value is %d, want %d", v, mate-1)
	}
}

// The node loop allocates nothing: a search ten times as long allocates
// as much as a short one, but for a few more reports.
func TestAllocations(t *testing.T) {
	s := newSearcher(t, 1)
	pos := parse(t, fens[1])
	measure := func(nodes uint64) float64 { // the least of some: the runtime allocates as well
		least := math.Inf(1)
		for range 5 {
			least = min(least, testing.AllocsPerRun(1, func() {
				s.Search(context.Background(), pos, search.Limits{Nodes: nodes}, Settings{}, nil)
			}))
		}
		return least
	}
	if short, long := measure(10_000), measure(100_000); long > short+3 {
		t.Errorf("%v allocations for 10,000 nodes, %v for 100,000", short, long)
	}
}

// TestUnsearched: a search that ends before it has searched a move plays the move of the table.
func TestUnsearched(t *testing.T) {
	s := newSearcher(t, 1)
	pos := parse(t, "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
	s.Search(t.Context(), pos, search.Limits{Depth: 4}, Settings{}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := s.Search(ctx, pos, search.Limits{}, Settings{}, nil); r.Best != "h5f7" {
		t.Errorf("best move %s, want the mate h5f7", r.Best)
	}
}
