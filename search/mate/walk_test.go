package mate

import (
	"context"
	"errors"
	"slices"
	"testing"

	"trefoil/game"
	"trefoil/internal/tabletest"
	"trefoil/search/proof"
	"trefoil/window"
)

// known is an entry of the table: at a place, with some moves left, a move of the side of the odd places mates within
// a number of moves.
type known struct{ place, left, move, moves int }

func (k known) store(h *window.Handle) {
	h.Store(graphKey(k.place, k.left, 1),
		window.Entry{Delta: proof.Infinity, Work: 1, Move: uint16(k.move), Plies: uint16(2*k.moves - 1)})
}

// places are the moves of a line of a graph.
func places(line []game.Move) (list []int) {
	for _, m := range line {
		list = append(list, int(m))
	}
	return list
}

// TestWalk: the line of a proof by the side of the odd places, which mates from place 1 or, as the opponent, from 2.
func TestWalk(t *testing.T) {
	inTwo := map[int][]int{1: {2}, 2: {3}, 3: {4}}
	for _, c := range []struct {
		name     string
		game     *graph
		from     int
		moves    int
		table    []known
		line     []int
		err      error
		reproved []root // what is proved again
	}{
		{name: "mate in one", game: listed(map[int][]int{1: {6, 2}, 6: {7}, 7: {8}}), from: 1, moves: 1, line: []int{2}},
		{name: "from the table", game: listed(inTwo), from: 1, moves: Endless, table: []known{{1, Endless, 2, 2}}, line: []int{2, 3, 4}},
		{name: "within the moves", game: listed(inTwo), from: 1, moves: 2, table: []known{{1, 2, 2, 2}}, line: []int{2, 3, 4}},
		{name: "within fewer moves", game: listed(inTwo), from: 1, moves: 9, table: []known{{1, 3, 2, 2}}, line: []int{2, 3, 4}},
		{name: "not in the table", game: listed(inTwo), from: 1, moves: Endless, line: []int{2, 3, 4}, reproved: []root{{1, Endless}}},
		{name: "not in the table within the moves", game: listed(inTwo), from: 1, moves: 2, line: []int{2, 3, 4}, reproved: []root{{1, 2}}},
		{name: "no mate within the moves", game: listed(inTwo), from: 1, moves: 1, err: errLost, reproved: []root{{1, 1}}},
		{name: "an entry for too few moves", game: listed(inTwo), from: 1, moves: 9, table: []known{{1, 1, 2, 1}}, err: errLost},
		{name: "the opponent mates", game: listed(inTwo), from: 2, moves: 1, line: []int{3, 4}},
		{
			name: "a defender that escapes", from: 1, moves: Endless, err: errLost,
			game:  &graph{moves: listed(map[int][]int{1: {2}, 2: {3, 5}, 3: {4}, 5: {6}}).moves, drawn: []int{5}},
			table: []known{{1, Endless, 2, 2}},
		},
		{
			name: "the longest defence first", from: 1, moves: Endless,
			game:  listed(map[int][]int{1: {2}, 2: {5, 3}, 3: {4}, 5: {6}, 6: {7}, 7: {8}}),
			table: []known{{1, Endless, 2, 3}, {5, Endless, 6, 2}}, line: []int{2, 5, 6, 7, 8},
		},
		{
			name: "the longest defence last", from: 1, moves: Endless,
			game:  listed(map[int][]int{1: {2}, 2: {3, 5}, 3: {4}, 5: {6}, 6: {7}, 7: {8}}),
			table: []known{{1, Endless, 2, 3}, {5, Endless, 6, 2}}, line: []int{2, 5, 6, 7, 8},
		},
		{
			// The plans of 1 and 3 are of different proofs and go round. The second plan of 1 has to mate within
			// three moves, those left by the plan of 3 that mates within four.
			name: "a repetition", from: 1, moves: Endless,
			game:  listed(map[int][]int{1: {2, 6}, 2: {3}, 3: {4}, 4: {1}, 6: {7}, 7: {8}}),
			table: []known{{1, Endless, 2, 5}, {3, Endless, 4, 4}}, line: []int{6, 7, 8}, reproved: []root{{1, 3}},
		},
		{
			// After the plan of 1 three moves are left at 3, too few for the mate that the table has.
			name: "a repetition, and no plan is short enough", from: 1, moves: Endless,
			game:  listed(map[int][]int{1: {2, 6}, 2: {3}, 3: {4}, 4: {1}, 6: {7}, 7: {8}}),
			table: []known{{1, Endless, 2, 4}, {3, Endless, 4, 4}}, line: []int{6, 7, 8}, reproved: []root{{3, 3}},
		},
		{name: "drawn by the attacker", game: unseen(inTwo, 2, 0), from: 1, moves: 2, table: []known{{1, 2, 2, 2}}, err: errRules},
		{name: "drawn by the defender", game: unseen(inTwo, 3, 0), from: 1, moves: 2, table: []known{{1, 2, 2, 2}}, err: errRules},
		{name: "mated by the defender", game: unseen(inTwo, 0, 3), from: 1, moves: 2, table: []known{{1, 2, 2, 2}}, err: errRules},
		{name: "mated before the end", game: unseen(inTwo, 0, 2), from: 1, moves: 2, table: []known{{1, 2, 2, 2}}, line: []int{2}},
		{
			// The mate in two from 9 is in time at once, but not after 3 and 4.
			name: "a mate that comes too late by a longer way", from: 2, moves: Endless, err: errRules,
			game: &graph{clock: 95, moves: listed(map[int][]int{2: {9, 3}, 3: {4}, 4: {9}, 9: {10, 20}, 10: {11}, 11: {12},
				20: {21}, 21: {22}, 22: {23}, 23: {24}}).moves},
			table: []known{{9, Endless, 10, 2}, {3, Endless, 4, 4}},
		},
		{name: "drawn at the root", game: unseen(inTwo, 2, 0), from: 2, moves: 1, line: []int{3, 4}},
	} {
		f := finder(t, 1, 1)
		h := f.table.Handle()
		for _, k := range c.table {
			k.store(h)
		}
		w := walker{finder: f, problem: c.game.problem(c.from, c.moves), opponent: c.from == 2, reproofNodes: 1000}
		line, err := w.walk(context.Background(), c.moves)
		if !slices.Equal(places(line), c.line) || !errors.Is(err, c.err) {
			t.Errorf("%s: %v %v, not %v %v", c.name, line, err, c.line, c.err)
		}
		if !slices.Equal(c.game.roots, c.reproved) || (f.nodes > 0) != (len(c.reproved) > 0) {
			t.Errorf("%s: %v are proved again with %d nodes, not %v", c.name, c.game.roots, f.nodes, c.reproved)
		}
		for i, place := range append([]int{c.from}, c.line...) {
			if p := w.plans.at(uint64(place), 0); err == nil && place&1 == 1 && (p == nil || p.length != (len(line)-i+1)/2) {
				t.Errorf("%s: plan %+v at %d in %v", c.name, p, place, line)
			}
		}
	}
}

// unseen is a game that ends by the rules in a draw or with a mate, 0 being none, and the search does not know.
func unseen(moves map[int][]int, draw, mate int) *graph {
	g := listed(moves)
	g.unseenDraws, g.unseenMates = []int{draw}, []int{mate}
	return g
}

// chain is a game with one move in each place, and a mate in a number of moves from place 1.
func chain(moves int) *graph {
	return &graph{moves: func(place int) []int {
		if place == 2*moves {
			return nil
		}
		return []int{place + 1}
	}}
}

// TestLongWalk: a walk goes on to the end of a long mate, unless its context ends, which it notices within
// 256 positions whether it collects plans or replays them.
func TestLongWalk(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, moves := range []int{150, 300} {
		f := finder(t, 1, 1)
		h := f.table.Handle()
		for n := range moves {
			known{2*n + 1, Endless, 2*n + 2, moves - n}.store(h)
		}
		for _, ctx := range []context.Context{context.Background(), ended} {
			w := walker{finder: f, problem: chain(moves).problem(1, Endless), reproofNodes: 1000}
			line, err := w.walk(ctx, Endless)
			if err != ctx.Err() || err == nil && len(line) != 2*moves-1 || err != nil && w.visits > 256 {
				t.Errorf("mate in %d: %v and %d plies after %d visits, context %v", moves, err, len(line),
					w.visits, ctx.Err())
			}
		}
	}
}

// TestTranspositions: what follows a position is walked through once, however many lines lead to it.
func TestTranspositions(t *testing.T) {
	const moves = 12 // and 2^11 lines
	g := &graph{moves: func(place int) []int {
		switch {
		case place&1 == 1:
			return []int{place&^3 + 2}
		case place < 4*moves-2:
			return []int{place + 3, place + 5}
		}
		return nil
	}}
	for _, limit := range []int{moves, Endless} {
		f := finder(t, 1, 1)
		h := f.table.Handle()
		for place := 1; place < 4*moves; place += 2 {
			mate := moves - place/4
			known{place, mate, place&^3 + 2, mate}.store(h)
			known{place, Endless, place&^3 + 2, mate}.store(h)
		}
		w := walker{finder: f, problem: g.problem(1, limit), reproofNodes: 1000}
		line, err := w.walk(context.Background(), limit)
		if err != nil || len(line) != 2*moves-1 || f.nodes > 0 || w.visits > 8*moves {
			t.Errorf("within %d: %v after %d plies, %d visits and %d nodes", limit, err, len(line), w.visits, f.nodes)
		}
	}
}

// TestReproof: all threads search from where the walk is, within the moves that are left there, and the
// walk goes on from there. Where there is no mate within these moves, or it is not found within the limit
// of nodes, the proof is lost.
func TestReproof(t *testing.T) {
	for _, threads := range []int{1, 2, 3} {
		for _, limit := range []int{2, 5, Endless} {
			g := listed(map[int][]int{1: {2}, 2: {3}, 3: {4}, 4: {5}, 5: {6}})
			f := finder(t, 1, threads)
			w := walker{finder: f, problem: g.problem(1, Endless), table: f.table.Handle(), reproofNodes: 1000}
			w.goal = w.problem.Goal(false, Endless)
			w.do(2)
			w.do(3)
			if m, n, err := w.reprove(context.Background(), limit); m != 4 || n != limit || err != nil {
				t.Errorf("%d threads, within %d: %v %d %v", threads, limit, m, n, err)
			}
			if len(g.goals) != threads || len(g.roots) != threads {
				t.Errorf("%d threads, within %d: %d goals with %d roots", threads, limit, len(g.goals), len(g.roots))
			}
			for _, goal := range g.goals {
				if goal.left != limit || !slices.Equal(goal.path, []int{1, 2, 3}) {
					t.Errorf("%d threads, within %d: a goal within %d after %v", threads, limit, goal.left, goal.path)
				}
			}
			for _, r := range g.roots {
				if r != (root{3, limit}) {
					t.Errorf("%d threads, within %d: searched from %v", threads, limit, r)
				}
			}
			if _, _, err := w.reprove(context.Background(), 1); err != errLost {
				t.Errorf("%d threads, within 1: %v", threads, err)
			}
		}
	}
	w := walker{finder: finder(t, 1, 1), problem: chain(300).problem(1, Endless), reproofNodes: 256}
	if _, err := w.walk(context.Background(), Endless); err != errLost {
		t.Errorf("mate in 300, %d nodes: %v", w.finder.nodes, err)
	}
}

// TestExtend: an extended context ends after the one that it extends, and has its values.
func TestExtend(t *testing.T) {
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, 1))
	defer cancel()
	extended, end := extend(ctx)
	defer end()
	if extended.Err() != nil || extended.Value(key{}) != 1 {
		t.Errorf("%v, value %v", extended.Err(), extended.Value(key{}))
	}
	cancel()
	<-extended.Done()
}

// TestContextIsLeft: the walk through a proof leaves nothing behind in a context that outlives the search.
func TestContextIsLeft(t *testing.T) {
	ctx := &tabletest.Waiting{Context: t.Context()}
	p, _ := problem(t, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1)
	a, err := finder(t, 1, 1).Find(ctx, p, Limits{}, nil)
	if err != nil || a.Moves != 1 || ctx.Functions != 0 {
		t.Errorf("%+v, %v: %d functions wait for the end of the context", a, err, ctx.Functions)
	}
}
