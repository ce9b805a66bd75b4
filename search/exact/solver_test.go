package exact

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"trefoil/game/connect4"
	"trefoil/game/gametest"
	"trefoil/internal/mem"
)

// scripted is a prover that knows the score.
type scripted struct {
	lower, upper, score int
	asks                int // that it answers, of each position
	asked               []int
	opened              func(connect4.Position, quota) // nil, or called by open
}

func (s *scripted) open(p connect4.Position, q quota) (lower, upper int) {
	if s.opened != nil {
		s.opened(p, q)
	}
	s.asked = nil
	return s.lower, s.upper
}

func (s *scripted) question(_, upper int) int   { return upper }
func (s *scripted) nodes() uint64               { return 10 * uint64(len(s.asked)) }
func (s *scripted) clear(context.Context) error { return nil }
func (s *scripted) close() error                { return nil }
func (s *scripted) size() uint64                { return 0 }
func (s *scripted) full() int                   { return -1 }

func (s *scripted) ask(t int) (bound int, ok bool) {
	if s.asked = append(s.asked, t); len(s.asked) > s.asks {
		return 99, false
	}
	if s.score >= t {
		return s.score, true
	}
	return t - 1, true
}

// TestSolve: questions are asked until the bounds meet, or the prover gives up; each new bound is reported.
func TestSolve(t *testing.T) {
	for _, c := range []struct {
		name    string
		prover  scripted
		weak    bool
		want    Result
		asked   []int
		reports int
	}{
		{"known", scripted{lower: 4, upper: 4}, false, Result{Score: 4, Lower: 4, Upper: 4, Exact: true}, nil, 0},
		{"proved", scripted{lower: -2, upper: 4, score: 2, asks: 9}, false, Result{Score: 2, Lower: 2, Upper: 2, Exact: true, Nodes: 30}, []int{4, 3, 2}, 3},
		{"given up", scripted{lower: -2, upper: 4, score: 2, asks: 1}, false, Result{Score: 0, Lower: -2, Upper: 3, Nodes: 20}, []int{4, 3}, 1},
		{"given up at once", scripted{lower: 2, upper: 4}, false, Result{Score: 2, Lower: 2, Upper: 4, Nodes: 10}, []int{4}, 0},
		{"weak", scripted{lower: -9, upper: 9, score: 5, asks: 9}, true, Result{Score: 1, Lower: 1, Upper: 1, Exact: true, Nodes: 10}, []int{1}, 1},
		{"weak, a loss", scripted{lower: -9, upper: -3}, true, Result{Score: -1, Lower: -1, Upper: -1, Exact: true}, nil, 0},
	} {
		var reports []Result
		s := Solver{&c.prover, c.weak}
		got := s.Solve(t.Context(), gametest.ConnectFour(t, "4"), Limits{}, func(r Result) { reports = append(reports, r) })
		for i, r := range reports {
			if r.Time > got.Time || r.Nodes != 10*uint64(i+1) {
				t.Errorf("%s: report %+v", c.name, r)
			}
		}
		if n := len(reports); n != c.reports || n > 0 && (reports[n-1].Lower != got.Lower ||
			reports[n-1].Upper != got.Upper || reports[n-1].Score != got.Score) {
			t.Errorf("%s: reports %+v", c.name, reports)
		}
		if got.Time <= 0 {
			t.Errorf("%s: time %v", c.name, got.Time)
		}
		if got.Time = 0; got != c.want || !slices.Equal(c.prover.asked, c.asked) {
			t.Errorf("%s: %+v, want %+v, asked %v", c.name, got, c.want, c.prover.asked)
		}
	}
}

// TestSettle: the score is the bound nearer to 0 while it is not known; weak scores are from −1 to 1.
func TestSettle(t *testing.T) {
	for _, c := range []struct {
		lower, upper int
		weak         bool
		want         Result
	}{
		{-3, 5, false, Result{Score: 0, Lower: -3, Upper: 5}},
		{2, 5, false, Result{Score: 2, Lower: 2, Upper: 5}},
		{-5, -2, false, Result{Score: -2, Lower: -5, Upper: -2}},
		{5, 5, false, Result{Score: 5, Lower: 5, Upper: 5, Exact: true}},
		{-3, 5, true, Result{Score: 0, Lower: -1, Upper: 1}},
		{2, 5, true, Result{Score: 1, Lower: 1, Upper: 1, Exact: true}},
		{-5, -2, true, Result{Score: -1, Lower: -1, Upper: -1, Exact: true}},
		{0, 5, true, Result{Score: 0, Lower: 0, Upper: 1}},
		{-5, 0, true, Result{Score: 0, Lower: -1, Upper: 0}},
	} {
		got := Result{Lower: c.lower, Upper: c.upper}
		if got.settle(c.weak); got != c.want {
			t.Errorf("%d to %d, weak %v: %+v, want %+v", c.lower, c.upper, c.weak, got, c.want)
		}
	}
	if got, want := (Result{Score: 2, Lower: 2, Upper: 5, Nodes: 7, Time: 9}).negate(),
		(Result{Score: -2, Lower: -5, Upper: -2, Nodes: 7, Time: 9}); got != want {
		t.Errorf("the other side: %+v, want %+v", got, want)
	}
}

// TestQuestionOfDepth: within Depth plies only wins and losses so early are asked for, each once, the win first.
func TestQuestionOfDepth(t *testing.T) {
	const next, none = 77, -99
	for _, c := range []struct {
		moves        string
		depth        int
		lower, upper int
		want         int
	}{
		// At the start the 4th stone of the mover, in ply 7, wins 18; the 4th stone of the other side, in
		// ply 8, wins as much.
		{"", 6, -18, 18, none},
		{"", 7, -18, 18, 18},
		{"", 7, -18, 17, none},
		{"", 7, -19, 17, -18},
		{"", 8, -18, 18, 18},
		{"", 8, -18, 17, -17},
		{"", 8, -17, 17, none},
		{"", 8, -18, -18, none},
		{"", 8, -17, -18, none},
		{"", 8, 18, 19, next},
		{"", 8, -19, -18, next},
		{"", 9, -18, 18, 17},
		{"", 9, -18, 16, -17},
		{"", 0, -18, 18, next},
		{"", 0, 0, 1, next},
		// After an odd number of stones the other side has one more: its 4th stone comes in ply 6 from here.
		{"1", 6, -18, 18, -17},
		{"1", 5, -18, 18, none},
		{"1", 7, -18, 18, 18},
		{"1", 7, -18, 17, -17},
		// With all plies, or more, every win and loss is asked for.
		{"", 42, -18, 18, 1},
		{"", 1000, -18, 18, 1},
		{"", 42, -18, 0, 0},
		{"", 42, -18, -1, next},
		{"", 42, 1, 18, next},
		{"", 41, -18, 0, -1},
		{"", 39, -18, 0, -2},
		{"", 39, -2, 0, none},
	} {
		p := gametest.ConnectFour(t, c.moves)
		got, ok := Limits{Depth: c.depth}.question(p, c.lower, c.upper, func(lower, upper int) int {
			if lower != c.lower || upper != c.upper {
				t.Errorf("%+v: next is asked with %d to %d", c, lower, upper)
			}
			return next
		})
		if ok != (c.want != none) || ok && got != c.want {
			t.Errorf("%+v: question %d, %v", c, got, ok)
		}
	}
}

// TestQuota: a quota is used up at its number of nodes, at its time, or with the context. The nodes of
// earlier searches count.
func TestQuota(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		limits Limits
		used   uint64
		nodes  uint64
		want   bool
	}{
		{"no limits", t.Context(), Limits{}, 1 << 60, 1 << 60, false},
		{"the context has ended", ended, Limits{}, 0, 0, true},
		{"nodes left", t.Context(), Limits{Nodes: 100}, 40, 59, false},
		{"no nodes left", t.Context(), Limits{Nodes: 100}, 40, 60, true},
		{"more nodes than the limit", t.Context(), Limits{Nodes: 100}, 140, 1, true},
		{"time left", t.Context(), Limits{Time: 2 * time.Hour}, 0, 0, false},
		{"no time left", t.Context(), Limits{Time: time.Hour}, 0, 0, true},
	} {
		q := newQuota(c.ctx, c.limits, time.Now().Add(-time.Hour))
		if q.used = c.used; q.spent(c.nodes) != c.want {
			t.Errorf("%s: used up %v", c.name, !c.want)
		}
	}
	reports := 0
	q := newQuota(t.Context(), Limits{}, time.Now())
	if q.tick(); reports != 0 { // nothing to report to
		t.Error("a report")
	}
	q.report = func() { reports++ }
	q.reported = time.Now().Add(-time.Hour)
	if q.tick(); reports != 1 || time.Since(q.reported) > time.Minute {
		t.Errorf("%d reports after an hour, the last at %v", reports, q.reported)
	}
	q.reported = time.Now().Add(time.Hour)
	if q.tick(); reports != 1 {
		t.Error("a report too early")
	}
}

// TestBestQuestion: a bound far from 0 is halved, then the winner is asked for, then t goes away from 0 in steps that
// double.
func TestBestQuestion(t *testing.T) {
	for _, c := range []struct {
		lower, upper int
		step, want   int
	}{
		{-18, 18, 1, 10}, {-18, 11, 1, 6}, {-18, 10, 1, -9}, {-11, 10, 1, -5}, {-10, 10, 1, 1}, {-10, 1, 1, 1}, {0, 1, 1, 1}, {0, 10, 1, 1},
		{5, 11, 1, 6}, {4, 11, 1, 6}, {-11, -4, 1, -5}, {6, 11, 1, 7}, {1, 18, 1, 10}, {9, 18, 1, 10}, {10, 18, 1, 11}, {10, 18, 4, 14},
		{1, 10, 1, 2}, {1, 10, 2, 3}, {1, 10, 64, 10}, {9, 10, 1, 10},
		{-10, 0, 1, 0}, {-10, 0, 2, -1}, {-10, 0, 64, -9}, {-1, 0, 1, 0}, {-18, -9, 1, -9}, {-18, -10, 1, -10}, {-18, -10, 4, -13}, {-11, -5, 1, -5}, {-11, -6, 1, -6},
	} {
		b := best{step: c.step}
		if got := b.question(c.lower, c.upper); got != c.want {
			t.Errorf("%d to %d, step %d: %d, want %d", c.lower, c.upper, c.step, got, c.want)
		}
	}
	for bounds, step := range map[[2]int]int{{-18, 18}: 3, {-11, 10}: 3, {0, 1}: 3, {1, 10}: 6, {-10, 0}: 6} {
		b := best{step: 3}
		if b.question(bounds[0], bounds[1]); b.step != step {
			t.Errorf("%d: step %d after 3, want %d", bounds, b.step, step)
		}
	}
}

// TestTutorialQuestion: the middle of the bounds, or half of the bound that is farther from 0.
func TestTutorialQuestion(t *testing.T) {
	for _, c := range []struct{ lower, upper, want int }{
		{-21, 21, -9}, {-1, 1, 1}, {0, 1, 1}, {-1, 0, 0}, {-21, 0, -10}, {-20, 4, -9}, {-8, 4, -3}, {0, 21, 11}, {-4, 20, 11}, {-4, 8, 5}, {10, 20, 16},
		{-20, -10, -14}, {-3, 4, 0}, {-4, 3, -1}, {-4, 4, -1}, {5, 6, 6}, {-6, -5, -5},
	} {
		if got := new(tutorial).question(c.lower, c.upper); got != c.want {
			t.Errorf("%d to %d: %d, want %d", c.lower, c.upper, got, c.want)
		}
	}
}

// TestAtMost: one question decides whether the score is at most that, unless the bounds do.
func TestAtMost(t *testing.T) {
	p := gametest.ConnectFour(t, "44")
	for _, c := range []struct {
		name   string
		prover scripted
		score  int
		want   Result
		asked  []int
	}{
		{"it is less", scripted{lower: -5, upper: 5, score: -2, asks: 1}, 1, Result{Lower: -5, Upper: 1, Nodes: 10}, []int{2}},
		{"it is that", scripted{lower: -5, upper: 5, score: 1, asks: 1}, 1, Result{Lower: -5, Upper: 1, Nodes: 10}, []int{2}},
		{"it is more", scripted{lower: -5, upper: 5, score: 2, asks: 1}, 1, Result{Lower: -5, Upper: 5, Nodes: 10}, []int{2}},
		{"no answer", scripted{lower: -5, upper: 200, score: -2}, 150, Result{Lower: -5, Upper: 200, Nodes: 10}, []int{151}},
		{"the lower bound is that", scripted{lower: 1, upper: 5, score: 1, asks: 1}, 1, Result{Lower: 1, Upper: 1, Nodes: 10}, []int{2}},
		{"the lower bound is more", scripted{lower: 2, upper: 5}, 1, Result{Lower: 2, Upper: 5}, nil},
		{"the upper bound is that", scripted{lower: -5, upper: 1}, 1, Result{Lower: -5, Upper: 1}, nil},
		{"the upper bound is one more", scripted{lower: -5, upper: 2, score: 2, asks: 1}, 1, Result{Lower: -5, Upper: 2, Nodes: 10}, []int{2}},
	} {
		s := Solver{&c.prover, false}
		if got := s.atMost(p, c.score, unlimited(t)); got != c.want || !slices.Equal(c.prover.asked, c.asked) {
			t.Errorf("%s: %+v, want %+v, asked %v", c.name, got, c.want, c.prover.asked)
		}
	}
	s := Solver{&scripted{}, false}
	if got := s.atMost(gametest.ConnectFour(t, "1212121"), 0, unlimited(t)); got.Lower != -18 || got.Upper != -18 {
		t.Errorf("a lost game: %+v", got)
	}
}

// TestNodesUsed: the positions that Analyze, Line and Move search have a common quota: each is told the nodes of those
// before it.
func TestNodesUsed(t *testing.T) {
	p := gametest.ConnectFour(t, "4455")
	for name, search := range map[string]func(*Solver){
		"Analyze": func(s *Solver) { s.Analyze(t.Context(), p, Limits{}, nil) },
		"Line":    func(s *Solver) { s.Line(t.Context(), p, Limits{}) },
		"Move":    func(s *Solver) { s.Move(t.Context(), p, 3, Limits{}) },
	} {
		s := &scripted{lower: -4, upper: 4, asks: 9}
		var want uint64
		opened := 0
		s.opened = func(p connect4.Position, q quota) {
			if want += s.nodes(); q.used != want {
				t.Errorf("%s: position %d: %d nodes used, want %d", name, opened, q.used, want)
			}
			opened++
			s.score = 2 - p.Ply()%2*4 // the side that began wins
		}
		if search(&Solver{s, false}); opened < 7 || want < 60 {
			t.Errorf("%s: %d positions, %d nodes", name, opened, want)
		}
	}
}

// TestThreadsOfSolver: the number of workers is what New and SetThreads say, within its bounds, and they take the
// memory that WorkerBytes says.
func TestThreadsOfSolver(t *testing.T) {
	for _, b := range []*connect4.Board{connect4.Standard, mustBoard(t, 4, 4, 4), mustBoard(t, 9, 6, 4)} {
		s := newSolver(t, Options{Board: b, Hash: 1, Threads: 3})
		p := &s.prover.(*best).pool
		if len(p.workers) != 3 {
			t.Errorf("%d workers, want 3", len(p.workers))
		}
		for _, c := range [][2]int{{1, 1}, {4, 4}, {2, 2}, {0, 1}, {-5, 1}, {MaxThreads, MaxThreads},
			{MaxThreads + 1, MaxThreads}} {
			if s.SetThreads(c[0]); len(p.workers) != c[1] {
				t.Errorf("%d workers after SetThreads(%d)", len(p.workers), c[0])
			}
		}
		w := p.workers[MaxThreads-1]
		size := uint64(unsafe.Sizeof(*w))
		for ply := range b.Cells {
			size += uint64(cap(w.children[ply])) * uint64(unsafe.Sizeof(node{}))
		}
		if got := WorkerBytes(b); got != size {
			t.Errorf("%v: a worker takes %d bytes, WorkerBytes says %d", b, size, got)
		}
	}
	tutorial := newSolver(t, Options{Solver: Tutorial})
	if tutorial.SetThreads(5); tutorial.prover.nodes() != 0 {
		t.Error("the tutorial's solver has threads")
	}
}

// TestBytes: Bytes makes a table smaller than Hash says, as far as the board allows; Shape names a board and
// a size that do not go together.
func TestBytes(t *testing.T) {
	large := mustBoard(t, 8, 7, 4)
	for _, c := range []struct {
		board *connect4.Board
		hash  int
		kib   uint64
		most  uint64 // KiB
	}{
		{connect4.Standard, 4, 0, 4096}, {connect4.Standard, 4, 500, 500}, {connect4.Standard, 4, 1, 64}, {connect4.Standard, 1, 5000, 1024},
		{large, 4, 1, 256}, {large, 4, 600, 600},
	} {
		s := newSolver(t, Options{Board: c.board, Hash: c.hash, Memory: mem.Options{Bytes: c.kib << 10}})
		if size := s.Size(); size > c.most<<10 || size < c.most<<10*9/10 {
			t.Errorf("%v, %d MiB, %d KiB: %d bytes, want about %d KiB", c.board, c.hash, c.kib, size, c.most)
		}
		if size := s.Memory().Size; size < s.Size() || s.Full() != 0 {
			t.Errorf("%d bytes of memory, %d permille in use", size, s.Full())
		}
		if err := s.Prefault(t.Context()); err != nil {
			t.Error(err)
		}
		if !strings.HasSuffix(s.String(), "key bits, exact") {
			t.Error(s)
		}
	}
	if least := leastBytes(connect4.Standard); least != 64<<10 {
		t.Errorf("%d bytes for a board of small keys", least)
	}
	if least := leastBytes(large); least != 256<<10 {
		t.Errorf("%d bytes for a board of large keys", least)
	}
	tutorial := newSolver(t, Options{Solver: Tutorial})
	if got, want := tutorial.Memory(), (mem.Usage{Size: tutorial.Size()}); got != want || tutorial.Full() != -1 ||
		tutorial.Prefault(t.Context()) != nil {
		t.Errorf("the tutorial's: %+v, %d permille", got, tutorial.Full())
	}
	if text := tutorial.String(); !strings.HasSuffix(text, " bytes, the tutorial's") {
		t.Error(text)
	}
}
