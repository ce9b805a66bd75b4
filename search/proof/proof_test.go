package proof_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"trefoil/game/gametest"
	"trefoil/game/ultimate"
	"trefoil/internal/container"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
	"trefoil/window"
)

// hard takes some 10,000 nodes, drawn is drawn.
const (
	hard  = "X;X.....O@.;X.OXO.X../OX.O...../X.X...XOO/..OX.OXO./OX..X..../...O.X.O./..X...OOO/O.OX.X.X./.O.....XX"
	drawn = "O;.O..XX...;X.XX.OO../OOX.O..XO/OXXOX..OO/OXXOX...X/XO.X.OX../.X..X.XX./.XOOO..OX/.XO..OOX./..O.OOX.X"
)

func TestNothingToSearch(t *testing.T) {
	if _, err := proof.New(newtable.Window(t, 1), proof.Options{}).Prove(context.Background(), nil,
		proof.Limits{}); !errors.Is(err, proof.ErrNoGoal) {
		t.Error(err)
	}
}

// A game that is over is settled without a node.
func TestGameIsOver(t *testing.T) {
	s := proof.New(newtable.Window(t, 1), proof.Options{Threads: 2})
	const won = "O;XXX......;XXX....../XXX....../XXX....../........./........./........./........./........./........."
	for side, want := range []proof.Result{proof.Proved, proof.Disproved} {
		r, err := s.Prove(context.Background(), goal(gametest.Ultimate(t, won), ultimate.Side(side)), proof.Limits{})
		if err != nil || r.Result != want || r.Nodes != 0 {
			t.Errorf("%v: %+v, %v, want %v", ultimate.Side(side), r, err, want)
		}
	}
	if got := value(t, s, gametest.Ultimate(t, won)); got != "L" {
		t.Errorf("value %s, want L", got)
	}
}

func TestLimitsAndCancellation(t *testing.T) {
	p := ultimate.Start()
	for _, threads := range []int{1, 2} {
		s := proof.New(newtable.Window(t, 4), proof.Options{Threads: threads})
		r, err := s.Prove(context.Background(), goal(p, ultimate.X), proof.Limits{Nodes: 5000})
		if err != nil || r.Result != proof.Unknown || r.Nodes < 5000 ||
			r.Nodes > 5000+uint64(threads)*proof.ReportNodes {
			t.Errorf("%d threads: %+v, %v", threads, r, err)
		}
		if r, err = s.Prove(context.Background(), goal(p, ultimate.X),
			proof.Limits{Time: 20 * time.Millisecond}); err != nil || r.Result != proof.Unknown {
			t.Errorf("%d threads: %+v, %v", threads, r, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		var expanded atomic.Int64
		goals := func() proof.Goal { return cancelling{ultimategoal.New(p, ultimate.X), &expanded, 2000, cancel} }
		if r, err = s.Prove(ctx, goals, proof.Limits{}); err != nil || r.Result != proof.Unknown ||
			r.Phi == 0 || r.Delta == 0 {
			t.Errorf("%d threads: %+v, %v", threads, r, err)
		}
		if r.Move == 0 {
			t.Errorf("%d threads: no move to go on with", threads)
		}
	}
	// Both searches of a decision share the limits.
	s := proof.New(newtable.Window(t, 4), proof.Options{Threads: 1})
	d, err := s.Decide(context.Background(), goal(gametest.Ultimate(t, drawn), ultimate.O),
		goal(gametest.Ultimate(t, drawn), ultimate.X), proof.Limits{Nodes: 10})
	if err != nil || d.Known || d.Wins.Nodes+d.Loses.Nodes > 10+2*proof.ReportNodes {
		t.Errorf("%+v, %v", d, err)
	}
}

// cancelling is a goal that ends a context when a number of positions has been expanded.
type cancelling struct {
	proof.Goal
	expanded *atomic.Int64
	last     int64
	cancel   func()
}

func (c cancelling) Expand(to []proof.Child, table proof.Prefetcher) []proof.Child {
	if c.expanded.Add(1) == c.last {
		c.cancel()
	}
	return c.Goal.Expand(to, table)
}

// The same search on a clear table takes the same nodes.
func TestOneWorkerRepeatsItself(t *testing.T) {
	tt := newtable.Window(t, 4)
	s, p := proof.New(tt, proof.Options{Threads: 1}), gametest.Ultimate(t, hard)
	_, first := wins(t, s, p, ultimate.X)
	if err := tt.Clear(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, again := wins(t, s, p, ultimate.X); again.Nodes != first.Nodes || again.Move != first.Move {
		t.Errorf("%d nodes, then %d", first.Nodes, again.Nodes)
	}
	// With the table kept, only the root is looked up.
	if _, kept := wins(t, s, p, ultimate.X); kept.Nodes != 0 || kept.Move != first.Move {
		t.Errorf("%d nodes with the proof in the table", kept.Nodes)
	}
}

// A table that grows during the search does not change what is proved, and little of the nodes.
func TestGrowingTable(t *testing.T) {
	solver := proof.New(newtable.Window(t, 4), proof.Options{Threads: 1})
	_, whole := wins(t, solver, gametest.Ultimate(t, hard), ultimate.X)
	for _, threads := range []int{1, 3} {
		tt := newtable.Window(t, 4, window.Growing())
		first := tt.Room()
		s := proof.New(tt, proof.Options{Threads: threads, Interval: time.Millisecond, Report: func(proof.Progress) {}})
		for range 2 {
			won, r := wins(t, s, gametest.Ultimate(t, hard), ultimate.X)
			if !won || threads == 1 && (r.Nodes < whole.Nodes*3/4 || r.Nodes > whole.Nodes*5/4) {
				t.Errorf("won %v, %d nodes, %d in a table of all slots", won, r.Nodes, whole.Nodes)
			}
			if tt.Room() == first {
				t.Errorf("the table has not grown")
			}
			r, err := s.Prove(t.Context(), goal(ultimate.Start(), ultimate.X), proof.Limits{Nodes: 5000})
			if err != nil || r.Result != proof.Unknown || r.Nodes < 5000 ||
				r.Nodes > 5000+uint64(threads)*proof.ReportNodes {
				t.Errorf("%d threads: %+v, %v", threads, r, err)
			}
			if err := tt.Clear(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Entries of one goal are never used for another: all children of a drawn position have the same
// values with a common table as with a table each.
func TestATableServesAnyRoot(t *testing.T) {
	kept := proof.New(newtable.Window(t, 16), proof.Options{Threads: 2})
	p := gametest.Ultimate(t, drawn)
	if got := value(t, kept, p); got != "D" {
		t.Fatalf("value %s, want D", got)
	}
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		fresh := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1})
		if got, want := value(t, kept, q), value(t, fresh, q); got != want {
			t.Errorf("after %s: %s with the table kept, %s with a fresh one", m, got, want)
		}
	}
}

// The main line is legal and changes the value nowhere; of a win it ends with the win, of a draw where neither side
// can win any more.
func TestMainLine(t *testing.T) {
	s := proof.New(newtable.Window(t, 16), proof.Options{Threads: 2})
	r := rand.New(rand.NewPCG(3, 4))
	texts := []string{hard, drawn}
	for range 30 {
		p, _ := late(r, 5000)
		texts = append(texts, p.String())
	}
	values, steps := map[string]int{}, map[string]int{}
	for _, text := range texts {
		p := gametest.Ultimate(t, text)
		wins, loses := goal(p, p.Side()), goal(p, p.Side().Other())
		d, err := s.Decide(context.Background(), wins, loses, proof.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		line, err := s.MainLine(context.Background(), d, wins, loses, proof.Limits{Nodes: 1 << 16})
		if err != nil || len(line) == 0 {
			t.Fatalf("%s: %v, %v", text, line, err)
		}
		want, q := value(t, s, p), p
		values[want]++
		steps[want] += len(line)
		for i, m := range line {
			move, err := q.ParseMove(ultimategoal.New(q, q.Side()).Text(m))
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if want == "D" && settled(q) {
				t.Errorf("%s is a draw, but the line goes on where neither side can win: %v", text, q)
			}
			q = q.Play(move)
			if got := value(t, s, q); got != want && (want == "D" || got != turned(want, i)) {
				t.Fatalf("%s is %s, but after move %d of %v it is %s for the side to move", text, want, i+1, line, got)
			}
		}
		winner, won, over := q.Over()
		if want != "D" && (!over || !won || (winner == p.Side()) != (want == "W")) {
			t.Errorf("%s is %s, but the line of %d moves ends with %v", text, want, len(line), q)
		}
		if want == "D" && !settled(q) {
			t.Errorf("%s is a draw, but the line of %d moves ends where a side may still win: %v", text, len(line), q)
		}
	}
	t.Log(values, steps)
}

// settled reports whether both goals are decided without a search.
func settled(p ultimate.Position) bool {
	var x, o proof.Child
	goal(p, ultimate.X)().Evaluate(&x)
	goal(p, ultimate.O)().Evaluate(&o)
	return x.Solved() && o.Solved()
}

// TestLines: the line of a goal that is disproved ends as soon as the rules say so. Within limits that do
// not suffice there is no line, and of a decision the first move.
func TestLines(t *testing.T) {
	s := proof.New(newtable.Window(t, 4), proof.Options{Threads: 1})
	p := gametest.Ultimate(t, // drawn
		"X;.XO...@.O;X.X..OO.X/OXO.X..X./OOOXXO.XX/OXXXOO.OX/.XXXOO.../X..X..OXX/.X.O.X.../.OOO..OXX/.OOOO.XOO")
	wins, loses := goal(p, p.Side()), goal(p, p.Side().Other())
	for _, newGoal := range []func() proof.Goal{wins, loses} {
		line, err := s.Line(t.Context(), newGoal, proof.Limits{})
		if err != nil || len(line) == 0 {
			t.Fatal(line, err)
		}
		g := newGoal()
		for i, m := range append(line, 0) {
			var here proof.Child
			if g.Evaluate(&here); here.Solved() != (i == len(line)) {
				t.Errorf("after %d moves of %d the goal is solved: %v", i, len(line), here.Solved())
			}
			if i < len(line) {
				g.Make(m)
			}
		}
	}
	d, err := s.Decide(t.Context(), wins, loses, proof.Limits{})
	if err != nil || !d.Known {
		t.Fatal(d, err)
	}
	empty := proof.New(newtable.Window(t, 1), proof.Options{Threads: 1})
	few := proof.Limits{Nodes: 1}
	if line, err := empty.MainLine(t.Context(), d, wins, loses, few); err != nil || len(line) != 1 ||
		line[0] != d.Move() {
		t.Errorf("main line %v, %v, want the move %v", line, err, d.Move())
	}
	if line, err := empty.Line(t.Context(), loses, few); err != nil || len(line) != 0 {
		t.Errorf("line %v of a goal that is not solved, %v", line, err)
	}
}

// turned converts a value of the root to the side to move after move i.
func turned(value string, i int) string {
	if i%2 == 1 {
		return value
	}
	return map[string]string{"W": "L", "L": "W"}[value]
}

func TestReports(t *testing.T) {
	var reports []proof.Progress
	s := proof.New(newtable.Window(t, 4), proof.Options{Threads: 2, Interval: time.Millisecond,
		Report: func(p proof.Progress) { reports = append(reports, p) }})
	_, r := wins(t, s, gametest.Ultimate(t, hard), ultimate.X)
	if len(reports) == 0 {
		t.Fatal("no report")
	}
	last := reports[len(reports)-1]
	if last.Phi != 0 || last.Delta != proof.Infinity || last.Nodes != r.Nodes || last.HashFull == 0 {
		t.Errorf("last report %+v, result %+v", last, r)
	}
}

// A search continues from a table saved half done and finds the right answer; from one saved when
// it was done it answers at once. Both also hold in a smaller table.
func TestSavedSearchGoesOn(t *testing.T) {
	path := t.TempDir() + "/table"
	label := window.Label{Game: "ultimate", Convention: "attacker wins", Seed: ultimategoal.Seed}
	before := newtable.Window(t, 4)
	for _, limit := range []uint64{3000, 0} {
		if _, err := proof.New(before, proof.Options{Threads: 2}).Prove(context.Background(),
			goal(gametest.Ultimate(t, hard), ultimate.X), proof.Limits{Nodes: limit}); err != nil {
			t.Fatal(err)
		}
		if _, err := before.Save(context.Background(), container.Replace(path), label, nil); err != nil {
			t.Fatal(err)
		}
		after := newtable.Window(t, 2)
		if _, err := after.Load(context.Background(), container.File(path), label, nil); err != nil {
			t.Fatal(err)
		}
		won, r := wins(t, proof.New(after, proof.Options{Threads: 1}), gametest.Ultimate(t, hard), ultimate.X)
		if !won || limit == 0 && r.Nodes != 0 {
			t.Errorf("saved after %d nodes: %+v", limit, r)
		}
	}
}

// Whatever moment a table is saved at, with two workers on it, the file loads and the search
// that goes on from it comes to the right answer.
func TestSavedAtAnyMoment(t *testing.T) {
	rounds := 3
	if *long {
		rounds = 100
	}
	path := t.TempDir() + "/table"
	label := window.Label{Game: "ultimate", Convention: ultimategoal.Convention, Seed: ultimategoal.Seed}
	before, after := newtable.Window(t, 8), newtable.Window(t, 4)
	r := rand.New(rand.NewPCG(9, 10))
	midway, moved := 0, 0
	for range rounds {
		p, want, took := middling(t, r)
		if err := before.Clear(context.Background()); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			s := proof.New(before, proof.Options{Threads: 2})
			_, _ = s.Decide(context.Background(), goal(p, p.Side()), goal(p, p.Side().Other()), proof.Limits{})
		}()
		time.Sleep(time.Duration(r.Int64N(int64(took))) / 2)
		_, err := before.Save(context.Background(), container.Replace(path), label, nil)
		select {
		case <-done:
		default:
			midway++
		}
		<-done
		if err != nil {
			t.Fatal(err)
		}
		if _, err := after.Load(context.Background(), container.File(path), label, nil); err != nil {
			t.Fatal(err)
		}
		s := proof.New(after, proof.Options{Threads: 2})
		d, err := s.Decide(context.Background(), goal(p, p.Side()), goal(p, p.Side().Other()), proof.Limits{})
		if err != nil || !d.Known || d.Outcome != want.Outcome {
			t.Errorf("%v: %+v, %v, want %+v", p, d, err, want)
		}
		if d.Nodes() < want.Nodes() {
			moved++
		}
	}
	t.Logf("%d of %d saves were over before the search was, %d saved nodes", midway, rounds, moved)
}

// middling plays at random until a position takes more than a moment to decide.
func middling(t *testing.T, r *rand.Rand) (ultimate.Position, proof.Decision, time.Duration) {
	s := proof.New(newtable.Window(t, 8), proof.Options{Threads: 1})
	for {
		p := ultimate.Start()
		for range 46 {
			if moves := p.Moves(nil); len(moves) > 0 {
				p = p.Play(moves[r.IntN(len(moves))])
			}
		}
		limits := proof.Limits{Nodes: 60000}
		d, err := s.Decide(context.Background(), goal(p, p.Side()), goal(p, p.Side().Other()), limits)
		if err != nil {
			t.Fatal(err)
		}
		if d.Known && d.Nodes() > 10000 {
			return p, d, d.Time()
		}
	}
}
