package proof

import (
	"testing"
	"time"

	"trefoil/game"
)

// TestDecisionMove: the move is the move of the proof that shows the value. Without such a proof it is the
// most-proving move of the goal that is still open.
func TestDecisionMove(t *testing.T) {
	const win, loss = game.Move(1), game.Move(2)
	answer := func(r Result, m game.Move) Answer { return Answer{Result: r, Move: m} }
	for _, c := range []struct {
		name        string
		wins, loses Answer
		want        game.Move
	}{
		{"not searched", Answer{}, Answer{}, game.None},
		{"a win, the other goal not searched", answer(Proved, win), Answer{}, win},
		{"a win, the other goal open", answer(Proved, win), answer(Unknown, loss), win},
		{"no win, the other goal not searched", answer(Disproved, win), Answer{}, win},
		{"a loss", answer(Disproved, win), answer(Proved, loss), loss},
		{"a draw", answer(Disproved, win), answer(Disproved, loss), loss},
		{"no win, the other goal open", answer(Disproved, win), answer(Unknown, loss), loss},
		{"no loss, a win open", answer(Unknown, win), answer(Disproved, loss), win},
		{"no loss, no move for a win", answer(Unknown, game.None), answer(Disproved, loss), loss},
		{"a loss, a win not searched", Answer{}, answer(Proved, loss), loss},
	} {
		d := Decision{Wins: c.wins, Loses: c.loses}
		if got := d.Move(); got != c.want {
			t.Errorf("%s: move %d, not %d", c.name, got, c.want)
		}
	}
}

// TestLimitsLess: the second search of Decide has what the first has left, and does not begin if that is
// nothing. The nodes and the time of a decision are the sums over both searches.
func TestLimitsLess(t *testing.T) {
	for _, c := range []struct {
		limits, want Limits
		ok           bool
	}{
		{Limits{}, Limits{}, true},
		{Limits{Nodes: 101}, Limits{Nodes: 1}, true},
		{Limits{Nodes: 100}, Limits{Nodes: 100}, false},
		{Limits{Nodes: 99}, Limits{Nodes: 99}, false},
		{Limits{Time: time.Second + 1}, Limits{Time: 1}, true},
		{Limits{Time: time.Second}, Limits{Time: time.Second}, false},
		{Limits{Time: time.Second - 1}, Limits{Time: time.Second - 1}, false},
		{Limits{Nodes: 150, Time: time.Minute}, Limits{Nodes: 50, Time: 59 * time.Second}, true},
	} {
		got, ok := c.limits.less(Answer{Nodes: 100, Time: time.Second})
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%v less 100 nodes and a second: %v %v, want %v %v", c.limits, got, ok, c.want, c.ok)
		}
	}
	d := Decision{Wins: Answer{Nodes: 3, Time: 5 * time.Second}, Loses: Answer{Nodes: 4, Time: 2 * time.Second}}
	if d.Nodes() != 7 || d.Time() != 7*time.Second {
		t.Errorf("%d nodes, %v", d.Nodes(), d.Time())
	}
}

// drawnChains returns the goals of both sides in a game of one move in each position, that ends with a draw.
func drawnChains(plies int) (wins, loses func() Goal) {
	first, second := newChain(0, plies), newChain(5000, plies)
	wins = func() Goal { return &tree{children: first.children, path: first.path[:1:1], drawn: true} }
	loses = func() Goal {
		return &tree{children: second.children, path: second.path[:1:1], drawn: true, second: true}
	}
	return wins, loses
}

// TestDecideReports: the reports of the second goal say that it is the second, and count what the first has taken.
func TestDecideReports(t *testing.T) {
	wins, loses := drawnChains(4)
	for _, lossFirst := range []bool{false, true} {
		var last []Progress
		s := newSolver(t, Options{Threads: 1, Interval: time.Hour, Report: func(p Progress) { last = append(last, p) }})
		decide := s.Decide
		if lossFirst {
			decide = s.DecideLossFirst
		}
		d, err := decide(t.Context(), wins, loses, Limits{})
		if err != nil || !d.Known || d.Outcome != game.Draw || len(last) != 2 {
			t.Fatalf("%+v, %v, reports %+v", d, err, last)
		}
		first := d.Wins
		if lossFirst {
			first = d.Loses
		}
		if last[0].Second || !last[1].Second || last[0].Nodes != first.Nodes || last[1].Nodes != d.Nodes() ||
			last[1].Time < first.Time {
			t.Errorf("loss first %v: reports %+v of %+v", lossFirst, last, d)
		}
		if _, err := s.Prove(t.Context(), func() Goal { return newChain(900, 3) }, Limits{}); err != nil ||
			last[2].Second || last[2].Nodes != 4 {
			t.Errorf("%v, reports after the decision %+v", err, last[2:])
		}
	}
}

// TestDecideWithin: without nodes left the second goal is not searched.
func TestDecideWithin(t *testing.T) {
	wins, loses := drawnChains(4)
	for _, c := range []struct {
		nodes  uint64
		result Result
	}{{4, Unknown}, {5, Disproved}} { // the first takes four
		d, err := newSolver(t, Options{Threads: 1}).Decide(t.Context(), wins, loses, Limits{Nodes: c.nodes})
		if err != nil || d.Wins.Nodes != 4 || d.Wins.Result != Disproved || d.Loses.Result != c.result ||
			d.Known != (c.result == Disproved) {
			t.Errorf("%d nodes: %+v, %v", c.nodes, d, err)
		}
	}
}

// TestEvaluated: the outcome that follows from the two answers.
func TestEvaluated(t *testing.T) {
	for _, c := range []struct {
		wins, loses Result
		known       bool
		want        game.Outcome
	}{
		{Proved, Unknown, true, game.Win}, {Disproved, Proved, true, game.Loss}, {Unknown, Proved, true, game.Loss}, {Disproved, Disproved, true, game.Draw},
		{Unknown, Unknown, false, 0}, {Disproved, Unknown, false, 0}, {Unknown, Disproved, false, 0},
	} {
		d := Decision{Wins: Answer{Result: c.wins}, Loses: Answer{Result: c.loses}}.evaluated()
		if d.Known != c.known || d.Outcome != c.want {
			t.Errorf("%v, %v: known %v, outcome %v", c.wins, c.loses, d.Known, d.Outcome)
		}
	}
}

// TestLongLines: a line ends after as many moves as no game has, and where there is no move.
func TestLongLines(t *testing.T) {
	for _, c := range []struct{ plies, want int }{{2, 2}, {longest - 2, longest - 2}, {longest + 20, longest}} {
		wins, loses := drawnChains(c.plies)
		s := newSolver(t, Options{Threads: 1})
		if line, err := s.Line(t.Context(), wins, Limits{}); err != nil || len(line) != c.want {
			t.Errorf("%d plies: a line of %d moves, %v", c.plies, len(line), err)
		}
		d, err := s.Decide(t.Context(), wins, loses, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if line, err := s.MainLine(t.Context(), d, wins, loses, Limits{}); err != nil || len(line) != c.want {
			t.Errorf("%d plies: a main line of %d moves, %v", c.plies, len(line), err)
		}
	}
	over := func() Goal { return newChain(0, 0) }
	if line, err := newSolver(t, Options{Threads: 1}).Line(t.Context(), over, Limits{}); err != nil || len(line) != 0 {
		t.Errorf("line %v after the end, %v", line, err)
	}
}
