package mate

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/game/shogi"
	"trefoil/internal/filetest"
	"trefoil/search/proof/shogigoal"
)

// tsumeLines is tsume for FindLines.
func tsumeLines(t testing.TB,
	sfen string) (checks []game.Move, problem func(only []game.Move) Problem, p *shogi.Position) {
	t.Helper()
	_, p = tsume(t, sfen, Endless)
	var l game.List
	p.Checks(&l)
	return l.All(), func(only []game.Move) Problem {
		return Problem{Moves: Endless, Alone: true, Goal: func(opponent bool, moves int) Goal {
			g := shogigoal.New(p, shogigoal.Attacker(p, opponent), moves)
			if only != nil && !opponent {
				g.Only(only)
			}
			return g
		}}
	}, p
}

// firstMoves returns the shortest mates within some moves by each first check, by the plain search.
func firstMoves(p *shogi.Position, checks []game.Move, most int) map[game.Move]int {
	found := map[game.Move]int{}
	for _, m := range checks {
		for n := 1; n <= most && found[m] == 0; n++ {
			p.Make(m)
			var replies game.List
			p.Moves(game.All, &replies)
			all := replies.Len() == 0 || n > 1
			for i := 0; i < replies.Len() && all; i++ {
				p.Make(replies.At(i))
				all = mates(p, n-1)
				p.Undo()
			}
			p.Undo()
			if all {
				found[m] = n
			}
		}
	}
	return found
}

// TestLines: all first moves that mate are found, each with its shortest mate, the shortest first, over one
// table for all positions.
func TestLines(t *testing.T) {
	const most = 3
	rnd := rand.New(rand.NewPCG(11, 12))
	f := finder(t, 2, 1)
	several := 0
	for n := 0; n < 10; {
		sfen := fewPieces(rnd)
		if _, err := shogi.ParseSFEN(sfen); err != nil {
			continue
		}
		checks, problem, p := tsumeLines(t, sfen)
		want := firstMoves(p.Copy(), checks, most)
		if len(want) == 0 {
			continue
		}
		n++
		var reported []Answer
		lines, _, err := f.FindLines(context.Background(), checks, problem, len(checks),
			Limits{Thorough: true, Nodes: 100_000}, func(found []Answer) { reported = found })
		if err != nil {
			t.Fatal(err)
		}
		if len(reported) != len(lines) ||
			!slices.IsSortedFunc(lines, func(a, b Answer) int { return a.Moves - b.Moves }) {
			t.Errorf("%s: %d mates reported, %d found: %+v", sfen, len(reported), len(lines), lines)
		}
		for i, a := range lines {
			line := checkTsume(t, p, &a)
			if m := want[a.Line[0]]; m > 0 && a.Moves != m || m == 0 && a.Moves <= most {
				t.Errorf("%s: number %d mates in %d, not %d: %s", sfen, i+1, a.Moves, m, line)
			}
			delete(want, a.Line[0])
		}
		if len(want) > 0 {
			t.Errorf("%s: not found: %v", sfen, want)
		}
		if len(lines) > 1 {
			several++
		}
	}
	if several < 3 {
		t.Errorf("%d positions have several mates", several)
	}
}

// TestLinesEnd: no more lines than asked for, one of the first search if there is no mate, and of nodes the limit
// for all together.
func TestLinesEnd(t *testing.T) {
	f := finder(t, 1, 1)
	const gold = "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"
	for _, c := range []struct {
		sfen   string
		n      int
		limits Limits
		want   []int
	}{
		{gold, 1, Limits{}, []int{1}},
		{"8k/9/9/9/9/9/9/9/K6R1 b - 1", 3, Limits{}, []int{0}},
		{"4k4/4G4/4P4/9/9/9/9/9/4K4 w rb 2", 3, Limits{}, []int{0}},
		{gold, 9, Limits{Nodes: 1}, []int{1}},
	} {
		checks, problem, _ := tsumeLines(t, c.sfen)
		lines, _, err := f.FindLines(context.Background(), checks, problem, c.n, c.limits, nil)
		var moves []int
		for _, a := range lines {
			moves = append(moves, a.Moves)
		}
		if err != nil || !slices.Equal(moves, c.want) {
			t.Errorf("%s: %d lines in %v, not %v: %v", c.sfen, c.n, moves, c.want, err)
		}
	}
}

// TestLinesNodes: the nodes of a mate are the nodes of all searches up to it, and the last search has what
// is left of the limit. The solver looks at it every 256 nodes.
func TestLinesNodes(t *testing.T) {
	const limit = 5000
	all := inTen(4, 40_002, 50_002)
	var first []game.Move
	for _, place := range all.moves(1) {
		first = append(first, game.Move(place))
	}
	problem := func(only []game.Move) Problem {
		g := *all
		g.first = places(only)
		p := g.problem(1, 12)
		p.Alone = true
		return p
	}
	var until uint64 // nodes of the first mate
	for _, c := range []struct {
		n     int
		nodes func() uint64
		want  int
	}{
		{1, func() uint64 { return limit }, 1},
		{2, func() uint64 { return 0 }, 2},
		{3, func() uint64 { return limit }, 2},
		{3, func() uint64 { return until }, 1},
	} {
		f := finder(t, 4, 1)
		var reported []Answer
		limits := Limits{Nodes: c.nodes(), First: true}
		lines, total, err := f.FindLines(context.Background(), first, problem, c.n, limits,
			func(found []Answer) { reported = append(reported, found[len(found)-1]) })
		if err != nil || len(lines) != c.want || len(reported) != c.want {
			t.Fatalf("%d mates, %+v: %+v, reported %+v, %v", c.n, limits, lines, reported, err)
		}
		nodes := uint64(0)
		for i, a := range lines {
			if r := reported[i]; a.Moves != 10 || r.Moves != 10 || a.Nodes <= nodes || r.Nodes != a.Nodes ||
				a.Nodes > limit/2 {
				t.Errorf("%d mates, %+v, number %d: %+v, reported %+v", c.n, limits, i+1, a, r)
			}
			nodes = a.Nodes
		}
		until = lines[0].Nodes
		if c.n > c.want && limits.Nodes == limit {
			if nodes += f.nodes; nodes < limit || nodes >= limit+256 {
				t.Errorf("%d nodes, limit %d", nodes, limit)
			}
		}
		if total != nodes {
			t.Errorf("%d nodes in all, want %d", total, nodes)
		}
	}
}

// TestLinesBrief: with Brief a line after the first has about as many nodes as were searched before it.
func TestLinesBrief(t *testing.T) {
	all := inTen(4, 40_002, 50_002)
	problem := func(only []game.Move) Problem {
		g := *all
		g.first = places(only)
		p := g.problem(1, 12)
		p.Alone = len(only) == 0
		return p
	}
	var first []game.Move
	for _, place := range all.moves(1) {
		first = append(first, game.Move(place))
	}
	f := finder(t, 4, 1)
	lines, nodes, err := f.FindLines(context.Background(), first, problem, 3, Limits{First: true, Brief: true}, nil)
	if err != nil || len(lines) != 2 {
		t.Fatalf("%+v, %v", lines, err)
	}
	before := lines[1].Nodes
	if most := asManyAgain(before); nodes < most || nodes >= most+256 {
		t.Errorf("%d nodes, want %d", nodes, most)
	}
}

// TestLinesShortest: a line after the first says only what is proved of all first moves. Of the two here one mates in
// three, by a way that the first search does not take; the other mates in four, which takes so long to prove that the
// second search first proves that it does not mate in three.
func TestLinesShortest(t *testing.T) {
	const replies = 300
	moves := map[int][]int{1: {2, 14}, 2: {3}, 3: {4, 16}, 16: {17}, 17: {18}}
	for place := 4; place < 12; place++ { // to a mate in six
		moves[place] = []int{place + 1}
	}
	for reply := range replies { // of 14, each to a mate in four
		from := 101 + 10*reply
		moves[14] = append(moves[14], from)
		for place := from; place < from+5; place++ {
			moves[place] = []int{place + 1}
		}
	}
	all := listed(moves)
	problem := func(only []game.Move) Problem {
		g := *all
		g.first = places(only)
		p := g.problem(1, Endless)
		p.Alone = true
		return p
	}
	f := finder(t, 1, 1)
	first := []game.Move{2, 14}
	lines, _, err := f.FindLines(context.Background(), first, problem, 2, Limits{First: true}, nil)
	if err != nil || len(lines) != 2 || lines[0].Moves != 4 || lines[1].Moves != 6 {
		t.Fatalf("%+v, %v", lines, err)
	}
	for _, a := range lines {
		if a.Shortest || a.Failed[0] >= 3 {
			t.Errorf("%+v", a)
		}
	}
	a, err := f.Find(context.Background(), problem(nil), Limits{Thorough: true}, nil)
	if err != nil || a.Moves != 3 || !a.Shortest {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestSorted: of mates of the same length the one found first is before the other.
func TestSorted(t *testing.T) {
	lines := []Answer{{Moves: 3}, {Moves: 5}}
	for _, c := range []struct {
		moves int
		at    int // its place
	}{{2, 0}, {3, 1}, {4, 1}, {5, 2}, {6, 2}} {
		got := sorted(lines, Answer{Moves: c.moves, Opponent: true})
		if len(got) != 3 || !got[c.at].Opponent || len(lines) != 2 || lines[0].Moves != 3 || lines[1].Moves != 5 {
			t.Errorf("%d moves: %+v from %+v", c.moves, got, lines)
		}
	}
}

// TestFirst: with First the search ends with the first mate, without it goes on for shorter ones.
func TestFirst(t *testing.T) {
	var plies [2]int
	for _, line := range filetest.Lines(t, tsumeFile) {
		sfen, rest, _ := strings.Cut(line, " | ")
		if strings.HasPrefix(rest, "nomate") {
			continue
		}
		for i, limits := range []Limits{{First: true}, {}} {
			prob, p := tsume(t, sfen, Endless)
			found := 0
			a, err := finder(t, 1, 1).Find(context.Background(), prob, limits, func(Answer) { found++ })
			if checkTsume(t, p, &a); err != nil || found == 0 || limits.First && found != 1 {
				t.Errorf("%s: %+v: %d mates, %+v %v", sfen, limits, found, a, err)
			}
			plies[i] += len(a.Line)
		}
	}
	if t.Log(plies); plies[1] >= plies[0] {
		t.Errorf("the first mates take %d plies, the last ones %d", plies[0], plies[1])
	}
}
