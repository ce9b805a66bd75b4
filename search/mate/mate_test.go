package mate

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/gametest"
	"trefoil/internal/newtable"
	"trefoil/search/proof"
	"trefoil/search/proof/chessgoal"
)

// problem is a position of chess, given as a FEN and moves.
func problem(t testing.TB, fen string, moves int) (Problem, *chess.Position) {
	t.Helper()
	fen, played, _ := strings.Cut(fen, " moves ")
	p := gametest.Chess(t, fen, played)
	return Problem{Moves: moves, Goal: func(opponent bool, moves int) Goal {
		return chessgoal.New(p, chessgoal.Attacker(p, opponent), moves)
	}}, p
}

func finder(t testing.TB, mib uint64, threads int) *Finder {
	t.Helper()
	return New(newtable.Window(t, mib), threads, nil)
}

// signed is the length of a mate, negative if the side to move is mated.
func (a *Answer) signed() int {
	if a.Opponent {
		return -a.Moves
	}
	return a.Moves
}

// checkLine plays the line of an answer: it has the length announced and ends with a mate.
func checkLine(t *testing.T, p *chess.Position, a *Answer) string {
	t.Helper()
	p = p.Copy()
	var texts []string
	for _, m := range a.Line {
		if len(texts) > 0 && chessgoal.New(p, 0, 0).Drawn() {
			t.Errorf("drawn after %v", texts)
		}
		texts = append(texts, p.Text(m))
		if _, ok := p.FromMove16(m.Move16()); !ok {
			t.Fatalf("illegal %s in %v", p.Text(m), texts)
		}
		p.Make(m)
	}
	if a.Moves == 0 {
		return ""
	}
	plies := 2 * a.Moves
	if !a.Opponent {
		plies--
	}
	if len(a.Line) != plies || !p.Mated() {
		t.Errorf("mate %d with %d plies, mated: %v: %v", a.signed(), len(a.Line), p.Mated(), texts)
	}
	return strings.Join(texts, " ")
}

// positions have a shortest mate of a known length, negative if the side to move is mated;
// 0: there is none within most moves.
var positions = []struct {
	name, fen   string
	most, moves int
	first       string // the only first move, "" if it does not matter
}{
	{"back rank", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 5, 1, "a1a8"},
	{"two rooks", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 5, 2, ""},
	{"is mated", "7k/8/5K2/8/8/8/8/6R1 b - - 0 1", 5, -3, "h8h7"},
	{"smothered", "r5rk/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", 5, 1, ""},
	{"a queen would be stalemate", "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 3, 2, "f7f8r"},
	{"a knight mates", "6br/5P1k/5K1p/8/8/8/8/8 w - - 0 1", 3, 1, "f7f8n"},
	{"en passant mates", "3rkr2/5p2/8/2NpP3/8/8/8/4R1K1 w - d6 0 2", 3, 1, "e5d6"},
	{"castling mates", "4R3/8/8/8/6p1/5kp1/8/4K2R w K - 0 1", 3, 1, "e1g1"},
	{"no right to castle", "4R3/8/8/8/6p1/5kp1/8/4K2R w - - 0 1", 3, 3, ""},
	{"Chess960 castling mates", "4R3/8/8/8/6p1/5kp1/8/3K2R1 w G - 0 1", 3, 1, "d1g1"},
	{"stalemate is no mate", "7k/8/5KQ1/8/8/8/8/8 b - - 0 1", 5, 0, ""},
	{"mate with the last of fifty moves", "7k/8/8/8/8/8/R7/1R4K1 w - - 97 90", 8, 2, ""},
	{"mate after the last of fifty moves", "7k/8/8/8/8/8/R7/1R4K1 w - - 98 90", 8, 0, ""},
	{"a pawn's move resets the count", "7k/R7/8/8/8/8/4P3/1R4K1 w - - 99 90", 8, 1, ""},
	{"neither side can mate", "7k/8/5K2/8/8/8/8/6B1 w - - 0 1", 250, 0, ""},
	{"perpetual check against a mate in one", "6k1/5pp1/8/7Q/8/8/rr6/7K w - - 0 1", 5, 0, ""},
	{"king and rook", "8/8/8/8/4k3/8/R7/4K3 w - - 75 90", 20, 13, ""},
	{"king and rook, too late", "8/8/8/8/4k3/8/R7/4K3 w - - 76 90", 250, 0, ""},
	{"king and rook, to be mated", "8/8/8/8/4k3/8/R7/4K3 b - - 0 1", 20, -14, ""},
	{"the wrong bishop", "k7/8/K7/P7/8/8/8/4B3 w - - 0 1", 5, 0, ""},
}

func TestShortest(t *testing.T) {
	for _, threads := range []int{1, 2} {
		f := finder(t, 8, threads)
		for _, c := range positions {
			prob, p := problem(t, c.fen, c.most)
			a, err := f.Find(context.Background(), prob, Limits{Thorough: true, Nodes: 1e6}, nil)
			if err != nil {
				t.Fatal(err)
			}
			line := checkLine(t, p, &a)
			if a.signed() != c.moves || c.moves != 0 && !a.Shortest ||
				c.first != "" && !strings.HasPrefix(line, c.first) {
				t.Errorf("%s: mate %d, not %d, shortest %v: %s", c.name, a.signed(), c.moves, a.Shortest, line)
			}
			if c.moves == 0 && a.Failed != [2]int{c.most, c.most} {
				t.Errorf("%s: no mate, but proved only within %v of %d moves", c.name, a.Failed, c.most)
			}
		}
	}
}

// A position that has occurred twice is not entered a third time by either mate.
func TestHistory(t *testing.T) {
	f := finder(t, 8, 1)
	const start = "7k/1R6/8/8/8/8/R7/6K1 b - - 0 1 moves h8g8 b7b1 g8h8 "
	for _, c := range []struct {
		name, moves string
		first       string // of the mate in two, "" if there is none
	}{
		{"b1b7 was played once before", "", "b1b7"},
		{"and twice", "b1b7 h8g8 b7b1 g8h8", "a2a7"},
		{"and a2a7 too", "b1b7 h8g8 b7b1 g8h8 a2a7 h8g8 a7a2 g8h8 a2a7 h8g8 a7a2 g8h8", ""},
	} {
		prob, p := problem(t, start+c.moves, 2)
		a, err := f.Find(context.Background(), prob, Limits{Thorough: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		line := checkLine(t, p, &a)
		switch {
		case c.first == "" && a.Failed[0] != 2:
			t.Errorf("%s: %+v", c.name, a)
		case c.first != "" && a.signed() != 2 ||
			c.name != "b1b7 was played once before" && !strings.HasPrefix(line, c.first):
			t.Errorf("%s: mate %d: %s", c.name, a.signed(), line)
		}
	}
	// A longer mate avoids both repeated positions.
	prob, p := problem(t, start+"b1b7 h8g8 b7b1 g8h8 a2a7 h8g8 a7a2 g8h8 a2a7 h8g8 a7a2 g8h8", 4)
	a, err := f.Find(context.Background(), prob, Limits{Thorough: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if line := checkLine(t, p, &a); a.signed() != 3 || !a.Shortest {
		t.Errorf("mate %d, shortest %v: %s", a.signed(), a.Shortest, line)
	}
}

// TestRepeatedRoot: that the position has occurred before does not make it a draw now. Its shortest mate is
// found, or the shortest mate of the opponent.
func TestRepeatedRoot(t *testing.T) {
	const (
		start, again           = "7k/8/6K1/8/8/8/8/R7 b - - 0 1 moves ", "h8g8 a1b1 g8h8 b1a1 "
		tsumeStart, tsumeAgain = "7k1/9/7G1/9/9/9/9/9/K8 b G 1 moves ", "9i8i 2a1a 8i9i 1a2a "
	)
	for times := 1; times <= 2; times++ {
		prob, _ := problem(t, start+strings.Repeat(again, times-1), 3)
		a, err := finder(t, 1, 1).Find(context.Background(), prob, Limits{Thorough: true}, nil)
		if err != nil || a.signed() != -1 {
			t.Errorf("chess, occurrence %d: mate %d, %v", times, a.signed(), err)
		}
	}
	for times := 1; times <= 4; times++ {
		prob, _ := tsume(t, tsumeStart+strings.Repeat(tsumeAgain, times-1), Endless)
		a, err := finder(t, 1, 1).Find(context.Background(), prob, Limits{Thorough: true}, nil)
		if want := 1 - times/4; err != nil || a.signed() != want { // the fourth ends the game
			t.Errorf("shogi, occurrence %d: mate %d, not %d, %v", times, a.signed(), want, err)
		}
	}
}

// TestCount is about a position in which an engine announced mates that would come after the fifty-move
// rule has ended the game (Stockfish#2370: Black moves, 76 plies have passed). All pawns of Black are
// blocked, so unless White promotes or captures Black has to capture something with one of its next twelve
// moves. One such line is below; from its twelfth move on, at a count of 98, the mate is forced in 8. From
// the beginning there is none of either side within 3.
func TestCount(t *testing.T) {
	const start = "8/1p2KP2/1p4q1/1Pp5/2P5/N1Pp1k2/3P4/1N6 b - - 76 40"
	const to = " moves g6g5 e7e8 g5e5 e8d7 e5f6 d7e8 f6e6 e8f8 f3e4 f8g7 e6e7 g7g8 e7g5 g8h7 g5f6 h7g8 f6g6 g8f8 e4e5 f8e7 g6e6 e7d8"
	f := finder(t, 16, 1)
	prob, _ := problem(t, start, 3)
	a, err := f.Find(context.Background(), prob, Limits{Thorough: true}, nil)
	if err != nil || a.Failed != [2]int{3, 3} {
		t.Errorf("%+v %v", a, err)
	}
	prob, p := problem(t, start+to, 8)
	if n := p.Rule50(); n != 98 {
		t.Fatalf("count %d", n)
	}
	if a, err = f.Find(context.Background(), prob, Limits{Nodes: 200000}, nil); err != nil {
		t.Fatal(err)
	}
	if line := checkLine(t, p, &a); a.signed() != 8 || !strings.HasPrefix(line, "e6f7 d8c8") {
		t.Errorf("mate %d: %s", a.signed(), line)
	}
}

// The first move is restricted; later moves are not.
func TestOnly(t *testing.T) {
	f := finder(t, 8, 1)
	prob, p := problem(t, "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 4)
	all := prob.Goal
	m := gametest.Move(t, p, "g1f1")
	for _, restricted := range []bool{true, false, true} { // over one table
		prob.Goal = func(opponent bool, moves int) Goal {
			c := all(opponent, moves).(*chessgoal.Goal)
			if restricted {
				c.Only([]game.Move{m})
			}
			return c
		}
		a, err := f.Find(context.Background(), prob, Limits{Thorough: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		line := checkLine(t, p, &a)
		if want := map[bool]int{true: 4, false: 2}[restricted]; a.signed() != want ||
			restricted && !strings.HasPrefix(line, "g1f1") {
			t.Errorf("only g1f1 %v: mate %d, not %d: %s", restricted, a.signed(), want, line)
		}
	}
}

// A search that is stopped returns soon and reports only what is proved.
func TestStop(t *testing.T) {
	f := finder(t, 8, 2)
	prob, _ := problem(t, "r1bqkb1r/2p1np2/p1n1p2p/1p1p2p1/3PP3/2P2N1P/PPBN1PP1/R1BQ1RK1 w kq - 0 11", 250)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a, err := f.Find(ctx, prob, Limits{}, nil)
	if err != nil || a.Moves != 0 || a.Shortest {
		t.Errorf("%+v %v", a, err)
	}
	if a, err = f.Find(context.Background(), prob, Limits{Nodes: 5000}, nil); err != nil || a.Moves != 0 ||
		a.Nodes > 20000 {
		t.Errorf("%+v %v", a, err)
	}
}

// TestProgress: reports are of the subsearch that has its turn and of all nodes, and come at most once a second, the
// first after a second.
func TestProgress(t *testing.T) { synctest.Test(t, testProgress) } // time stands still while the search runs

func testProgress(t *testing.T) {
	var got []Progress
	f := finder(t, 1, 1)
	f = New(f.table, 1, func(p Progress) { got = append(got, p) })
	prob, _ := problem(t, "r1b2rk1/ppq2ppp/2n1p3/3pP1N1/3P4/3B4/PP3PPP/R2Q1RK1 w - - 0 13", 10)
	plain := prob.Goal
	waited := 0 // turns that begin more than a second after the last report
	prob.Goal = func(opponent bool, moves int) Goal {
		if waited++; waited == 1 && !f.reported.Equal(f.began) {
			t.Errorf("began at %v, counted from %v", f.began, f.reported)
		}
		f.reported = time.Now().Add(-2 * time.Second)
		return plain(opponent, moves)
	}
	a, err := f.Find(context.Background(), prob, Limits{Nodes: 3000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got); n == 0 || n > waited || got[n-1].Nodes != a.Nodes {
		t.Errorf("after %d nodes: %+v", a.Nodes, got)
	}
	got = nil
	f.reported = time.Now().Add(-2 * time.Second)
	for range 3 {
		f.progress(proof.Progress{Phi: 4, Delta: 5, Nodes: 6, HashFull: 7})
	}
	if len(got) != 1 || got[0].Moves < 1 || got[0].Moves > 10 || got[0].Nodes != a.Nodes+6 || got[0].Phi != 4 ||
		got[0].Delta != 5 || got[0].HashFull != 7 {
		t.Errorf("after %d nodes: %+v", a.Nodes, got)
	}
}

// The table keeps nothing that is wrong in another search: every position is asked after all
// others, with the sides changed, over one table of the smallest size.
func TestOneTable(t *testing.T) {
	f := finder(t, 1, 2)
	for range 2 {
		for _, c := range positions {
			prob, p := problem(t, c.fen, c.most)
			a, err := f.Find(context.Background(), prob, Limits{Thorough: true, Nodes: 1e6}, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkLine(t, p, &a)
			if a.signed() != c.moves {
				t.Errorf("%s: mate %d, not %d", c.name, a.signed(), c.moves)
			}
		}
	}
}
