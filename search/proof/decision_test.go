package proof

import (
	"testing"
	"time"

	"trefoil/game"
)

// TestDecisionMove: the move is that of the proof that shows the value, else the most-proving one of the goal that is
// still open.
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

// TestLimitsLess: the second search of Decide has what the first has left, and does not begin if that is nothing. The
// nodes and the time of a decision are those of both.
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
