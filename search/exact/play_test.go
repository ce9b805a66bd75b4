package exact

import (
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"trefoil/game/connect4"
	"trefoil/game/gametest"
)

// TestAnalyzeReports: every column that can be played is reported while it is solved, from the point of view of the
// side that plays it, and the last report of each is its result. The limits are for all columns together.
func TestAnalyzeReports(t *testing.T) {
	s := newSolver(t, Options{Hash: 1})
	p := gametest.ConnectFour(t, "32113311376433712155") // column 2, the third, is full
	reports := map[int][]Column{}
	last := -1
	columns := s.Analyze(t.Context(), p, Limits{}, func(c Column) {
		if c.Col < last || c.Full || c.Lower > c.Upper {
			t.Errorf("report %+v after one of column %d", c, last)
		}
		last = c.Col
		reports[c.Col] = append(reports[c.Col], c)
	})
	var nodes uint64
	for col, c := range columns {
		if c.Col != col || c.Full == p.CanPlay(col) {
			t.Errorf("column %d: %+v", col, c)
		}
		for i, r := range reports[col] {
			if !c.Exact || r.Lower > c.Score || r.Upper < c.Score || r.Nodes > c.Nodes || r.Time > c.Time {
				t.Errorf("column %d: report %+v, result %+v", col, r, c)
			}
			if final := i == len(reports[col])-1; final != r.Exact || final && r.Score != c.Score {
				t.Errorf("column %d: report %d is %+v, result %+v", col, i, r, c)
			}
		}
		nodes += c.Nodes
	}
	if len(reports) < 3 || nodes < 3*checkInterval {
		t.Fatalf("%d columns are reported, %d nodes", len(reports), nodes)
	}
	// Of a search that begins with the limits used up only its first nodes are left.
	const limit = 4 * checkInterval
	used, open := uint64(0), 0
	for _, c := range s.Analyze(t.Context(), gametest.ConnectFour(t, "17123225613572"), Limits{Nodes: limit}, nil) {
		used += c.Nodes
		if !c.Full && !c.Exact {
			open++
		}
	}
	if used < limit || used > limit+6*checkInterval || open < 4 {
		t.Errorf("%d nodes with a limit of %d, %d columns left open", used, limit, open)
	}
}

// TestAfter: bounds of a move by the rules alone: it loses at once, it decides, it fills the board.
func TestAfter(t *testing.T) {
	s := newSolver(t, Options{Hash: 1})
	for _, c := range []struct {
		name  string
		moves string
		col   int
		want  [2]int32
	}{
		{"the other side wins with its 4th stone", "12121", 6, [2]int32{-18, -18}},
		{"the same, of the first side", "121232", 6, [2]int32{-18, -18}},
		{"it is prevented", "12121", 0, [2]int32{-17, 17}},
		{"the last stone of a draw", "21643245366375365662727313255517712174414", 3, [2]int32{0, 0}},
	} {
		lower, upper := s.prover.(tabled).after(gametest.ConnectFour(t, c.moves), c.col)
		if got := [2]int32{lower, upper}; got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestAfterKnown: the bounds of each move contain its score, and after a search the table has the score of the best.
func TestAfterKnown(t *testing.T) {
	s := newSolver(t, Options{Hash: 1})
	known := 0
	for _, q := range readProblems(t, positionsFile) {
		if q.p.Ply() < 22 {
			continue
		}
		for round := range 2 {
			best := int32(-64)
			for _, c := range s.Analyze(t.Context(), q.p, Limits{}, nil) {
				if c.Full {
					continue
				}
				if _, over := q.p.Play(c.Col).Over(); over {
					continue
				}
				lower, upper := s.prover.(tabled).after(q.p, c.Col)
				got := [2]int32{lower, upper}
				if int(got[0]) > c.Score || int(got[1]) < c.Score {
					t.Errorf("%s, column %d, round %d: %d, the score is %d", q.moves, c.Col, round, got, c.Score)
				}
				if got[0] == got[1] {
					known++
				}
				best = max(best, got[0])
			}
			if hint := s.Hint(q.p); best > -64 && !q.p.CanPlay(hint) {
				t.Errorf("%s: hint %d", q.moves, hint)
			}
		}
	}
	t.Logf("%d moves are known", known)
	if known < 100 {
		t.Errorf("%d moves are known", known)
	}
}

// TestHint: a winning move; else the best lower bound, then the best upper bound, then the middle; none after the end.
func TestHint(t *testing.T) {
	for name, s := range map[string]*Solver{"best": newSolver(t, Options{Hash: 1}),
		"tutorial": newSolver(t, Options{Solver: Tutorial})} {
		for _, c := range []struct {
			moves string
			want  int
		}{
			{"", 3}, {"444444", 2}, {"121212", 0}, {"1212121", -1}, {"1717172", 6}, {"414243", 3},
		} {
			if c.moves == "1717172" && name == "tutorial" {
				continue // it knows only wins at once
			}
			if got := s.Hint(gametest.ConnectFour(t, c.moves)); got != c.want {
				t.Errorf("%s: %q: column %d, want %d", name, c.moves, got, c.want)
			}
		}
	}
	// By the table alone: the middle is worse than the first column, and the last better still by its upper bound.
	s := newSolver(t, Options{Hash: 1})
	b := s.prover.(*best)
	p := gametest.ConnectFour(t, "")
	store := func(col int, lower, upper int32) {
		n, c := newNode(p), node{}
		n.child(b.board, set(p.Moves())&b.board.Column(col), &c)
		c.setKey(b.board, n.canMirror(b.board))
		b.table.Store(c.tableKey(), pack(-upper, -lower, 1, 0)) // for the other side
	}
	store(3, -4, 5)
	for _, c := range []struct{ col, lower, upper, want int }{
		{2, -4, 4, 3}, {1, -3, 1, 1}, {0, -3, 2, 0}, {2, -3, 2, 2}, {2, -3, 3, 2}, {3, -3, 3, 3}, {3, -3, 2, 2},
	} {
		if store(c.col, int32(c.lower), int32(c.upper)); s.Hint(p) != c.want {
			t.Errorf("%+v: hint %d", c, s.Hint(p))
		}
	}
}

// TestBoardOf: what the search needs of a board, row by row.
func TestBoardOf(t *testing.T) {
	for _, size := range [][3]int{{7, 6, 4}, {5, 5, 4}, {4, 7, 3}, {9, 5, 4}, {11, 5, 4}, {10, 6, 4}, {9, 7, 5}} {
		on := mustBoard(t, size[0], size[1], size[2])
		b := newBoard(on, leastKeyBits+2)
		rows := func(of ...int) (cells uint64) {
			for _, row := range of { // from 1
				cells |= on.Small.Bottom << (row - 1)
			}
			return cells
		}
		want := &board{
			on: on, cells: int32(on.Cells), top: rows(on.Height), first: on.Small.Column(0), heads: rows(on.Height + 1),
			prior: prior(on), workDrop: 2, above: on.Small.All, late: int32(on.Cells - 2),
		}
		if on.Wide {
			want.above &^= rows(1)
		}
		switch on.Height {
		case 5:
			want.uppers, want.lowers, want.strongest = rows(1, 3, 5), rows(2, 4), -2
			want.lowest = []uint64{rows(1), rows(1, 2, 3), rows(1, 2, 3, 4, 5)}
		case 6:
			want.uppers, want.lowers, want.strongest = rows(2, 4, 6), rows(1, 3, 5), -3
			want.lowest = []uint64{rows(1, 2), rows(1, 2, 3, 4), rows(1, 2, 3, 4, 5, 6)}
		case 7:
			want.uppers, want.lowers, want.strongest = rows(1, 3, 5, 7), rows(2, 4, 6), -3
			want.lowest = []uint64{rows(1), rows(1, 2, 3), rows(1, 2, 3, 4, 5), rows(1, 2, 3, 4, 5, 6, 7)}
		}
		if !slices.Equal(b.lowest, want.lowest) {
			t.Errorf("%v: rows up to each upper one %x, want %x", on, b.lowest, want.lowest)
		}
		b.lowest, want.lowest = nil, nil
		if b.on != on || !reflect.DeepEqual(b.Sets, *on.Small) || b.cells != want.cells || b.uppers != want.uppers ||
			b.lowers != want.lowers || b.top != want.top || b.first != want.first || b.heads != want.heads ||
			b.above != want.above || b.late != want.late ||
			b.strongest != want.strongest || b.prior != want.prior || b.workDrop != want.workDrop {
			t.Errorf("%v: %+v\nwant %+v", on, b, want)
		}
		for col := range on.Width {
			for cell := b.Column(col) &^ b.Bottom; cell != 0; cell &= cell - 1 {
				if got := b.columnOf(cell & -cell); got != b.Column(col) {
					t.Errorf("%v: column %d: %x", on, col, got)
				}
			}
		}
	}
}

// TestPrior: before a search each step towards the middle column counts twice as much as one towards the middle row.
func TestPrior(t *testing.T) {
	h := prior(connect4.Standard)
	for cell, steps := range map[int]int32{0: 0, 1: 1, 2: 2, 3: 2, 4: 1, 5: 0, 7: 2, 8: 3, 21: 6, 23: 8, 24: 8,
		26: 6, 35: 2, 37: 4, 42: 0, 44: 2, 47: 0} {
		if h[0][cell] != steps*centreStep || h[1][cell] != steps*centreStep {
			t.Errorf("cell %d: %d and %d, want %d steps", cell, h[0][cell], h[1][cell], steps)
		}
	}
}

// TestHistorySteps: a success counts as many steps as moves have failed before it, a failure one; the farther the value
// is away from where it began, the less.
func TestHistorySteps(t *testing.T) {
	var prior history
	prior[1][3] = 1000
	for _, c := range []struct{ away, steps, want int32 }{
		{0, 1, 64}, {0, -1, -64}, {0, 5, 320}, {0, 0, 0}, {4096, 1, 4096 + 32}, {4096, -1, 4096 - 96}, {4096, 2, 4096 + 64}, {4096, -2, 4096 - 192},
		{-4096, 1, -4096 + 96}, {-4096, -1, -4096 - 32}, {8192, 3, 8192}, {-8192, -3, -8192},
	} {
		h := prior
		h[1][3] += c.away
		if h.add(&prior, 1, 1<<3, c.steps); h[1][3] != 1000+c.want {
			t.Errorf("%d away, %d steps: %d, want %d", c.away, c.steps, h[1][3]-1000, c.want)
		}
	}
	h := prior
	n := node{ply: 7}
	h.update(&prior, &n, []node{{cell: 1 << 1}, {cell: 1 << 2}, {cell: 1 << 3}})
	if h[1][1] != -64 || h[1][2] != -64 || h[1][3] != 1000+128 || h[0] != prior[0] {
		t.Errorf("after a cutoff by the third move: %d", h[1][:4])
	}
	h = prior
	if h.update(&prior, &n, []node{{cell: 1 << 3}}); h != prior {
		t.Error("a cutoff by the first move changes the history")
	}
	h[1][4], h[0][4] = 7, 9
	for _, c := range []struct {
		ply     int32
		threats uint64
		want    int32
	}{{7, 0, 7}, {8, 0, 9}, {7, 5, 7 + 2*winWeight}, {8, 1, 9 + winWeight}} {
		if got := h.moveScore(&node{ply: c.ply}, 1<<4, c.threats); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestPick: the child of the highest score, the first of equal ones, is swapped to the front of the rest.
func TestPick(t *testing.T) {
	for _, c := range []struct {
		orders []int32
		i      int
		want   []int32 // cells, that are the places before
	}{
		{[]int32{5}, 0, []int32{0}},
		{[]int32{1, 5, 3}, 0, []int32{1, 0, 2}},
		{[]int32{1, 3, 5}, 0, []int32{2, 1, 0}},
		{[]int32{9, 3, 5}, 1, []int32{0, 2, 1}},
		{[]int32{9, 3, 3}, 1, []int32{0, 1, 2}},
		{[]int32{1, 9, 9}, 0, []int32{1, 0, 2}},
		{[]int32{9, 5, 3}, 2, []int32{0, 1, 2}},
	} {
		var children []node
		for i, order := range c.orders {
			children = append(children, node{order: order, ply: int32(i)})
		}
		got := pick(children, c.i)
		var places []int32
		for i := range children {
			places = append(places, children[i].ply)
		}
		if got != &children[c.i] || !slices.Equal(places, c.want) {
			t.Errorf("%d from %d on: %d, want %d", c.orders, c.i, places, c.want)
		}
	}
}

// TestTutorialRules: bounds, moves and their order of the tutorial's solver.
func TestTutorialRules(t *testing.T) {
	for _, c := range []struct {
		moves        string
		weak         bool
		lower, upper int
	}{
		{"", false, -21, 21}, {"1", false, -20, 21}, {"12", false, -20, 20}, {"", true, -1, 1}, {"121212", false, 18, 18}, {"121212", true, 1, 1},
	} {
		w := tutorial{weak: c.weak, count: 5, stopped: true}
		lower, upper := w.open(gametest.ConnectFour(t, c.moves), unlimited(t))
		if lower != c.lower || upper != c.upper || w.count != 0 || w.stopped {
			t.Errorf("%+v: %d to %d, %d nodes", c, lower, upper, w.count)
		}
	}
}

// TestNotLosing: the moves after which the other side cannot win at once are those that the rules say, and
// the tutorial's order of them is by the winning cells that each leaves, then from the middle outwards.
func TestNotLosing(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	forced := 0
	for i := range 3000 {
		p := random(r, i%40)
		if !p.Wins().IsZero() {
			continue
		}
		want, cells := uint64(0), []uint64{}
		for _, col := range connect4.Standard.MiddleFirst {
			if !p.CanPlay(col) {
				continue
			}
			if q := p.Play(col); q.Wins().IsZero() {
				cell := set(p.Moves()) & standard.Column(col)
				want |= cell
				cells = append(cells, cell)
			}
		}
		if len(cells) < 2 {
			forced++
		}
		n := newNode(p)
		own := stones{set(p.Mover), set(p.All)}
		if got := new(tutorial).notLosing(own); got != want {
			t.Fatalf("%s\ntutorial: %x, want %x", p, got, want)
		}
		if got := notLosing(set(p.Moves()), n.otherWins); got != want {
			t.Fatalf("%s\n%x, want %x", p, got, want)
		}
		slices.SortStableFunc(cells, func(a, b uint64) int {
			wins := func(cell uint64) int { return bits.OnesCount64(standard.Wins(own.mover|cell, own.all)) }
			return wins(b) - wins(a)
		})
		var order [width]uint64
		if got := order[:tutorialOrder(own, want, &order)]; !slices.Equal(got, cells) {
			t.Fatalf("%s\norder %x, want %x", p, got, cells)
		}
	}
	if forced < 100 {
		t.Errorf("%d positions with at most one move", forced)
	}
}
