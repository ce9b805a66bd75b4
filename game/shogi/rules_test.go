package shogi

import (
	"strings"
	"testing"

	"trefoil/game"
)

// play makes moves given in the notation of USI.
func play(tb testing.TB, p *Position, moves string) {
	tb.Helper()
	for _, text := range strings.Fields(moves) {
		m, err := p.ParseMove(text)
		if err != nil {
			tb.Fatal(err)
		}
		p.Make(m)
	}
}

func TestRepeats(t *testing.T) {
	const (
		rook  = "4k4/9/9/9/9/9/9/9/R3K4 b - 1"
		pawns = "4k4/9/9/9/9/9/9/7R1/4K4 b Gg2p 1"
		cycle = "5i5h 5a5b 5h5i 5b5a "
		chase = "5a5b 9a9b 5b5a 9b9a "
	)
	for _, c := range []struct {
		name, sfen, moves string
		ply               int
		want              Repetition
	}{
		{"second occurrence before the root", StartSFEN, cycle, 3, RepetitionNone},
		{"second occurrence of the root", StartSFEN, cycle, 4, RepetitionDraw},
		{"third occurrence before the root", StartSFEN, cycle + cycle, 0, RepetitionNone},
		{"fourth occurrence before the root", StartSFEN, cycle + cycle + cycle, 0, RepetitionDraw},
		{"not yet the fourth", StartSFEN, cycle + cycle + "5i5h 5a5b 5h5i", 0, RepetitionNone},
		{"a fourth occurrence later", StartSFEN, cycle + cycle + cycle + "7g7f", 0, RepetitionNone},
		{"the fourth, others between", StartSFEN, cycle + cycle + "2g2f 8c8d " + cycle + cycle + cycle, 0, RepetitionDraw},
		{"chased, second time", rook, "9i9a " + chase, 4, RepetitionWin},
		{"chased from the first position", "R3k4/9/9/9/9/9/9/9/4K4 w - 1", chase, 4, RepetitionWin},
		{"chased, second time before the root", rook, "9i9a " + chase, 3, RepetitionNone},
		{"chased, fourth time", rook, "9i9a " + chase + chase + chase, 0, RepetitionWin},
		{"chasing, second time", rook, "9i9a " + chase + "5a5b", 4, RepetitionLoss},
		{"chasing, fourth time", rook, "9i9a " + chase + chase + chase + "5a5b", 0, RepetitionLoss},
		{"chased, but not always", rook, "9i9a " + chase + chase + "5a5b 9a9c 5b5a 9c9a", 0, RepetitionDraw},
		{"chased lately, not at first", rook, "9i9a " + "5a5b 9a9c 5b5a 9c9a " + chase + chase, 0, RepetitionDraw},
		{"chased lately, not at first, in the tree", rook, "9i9a " + "5a5b 9a9c 5b5a 9c9a " + chase + chase, 4, RepetitionWin},
		{"less in hand", pawns, "5i5h P*2d 2h2d 5a5b 2d2h 5b4a 5h5i 4a5a 5i5h", 8, RepetitionInferior},
		{"more in hand", pawns, "5i5h P*2d 2h2d 5a5b 2d2h 5b4a 5h5i 4a5a", 8, RepetitionSuperior},
		{"more in hand than before the root", pawns, "5i5h P*2d 2h2d 5a5b 2d2h 5b4a 5h5i 4a5a", 7, RepetitionNone},
	} {
		p := parse(t, c.sfen)
		play(t, p, c.moves)
		if got := p.Repeats(c.ply); got != c.want {
			t.Errorf("%s: %d, want %d, in\n%v", c.name, got, c.want, p)
		}
		outcome, over := p.Adjudicate(c.ply)
		want, end := map[Repetition]game.Outcome{
			RepetitionDraw: game.Draw, RepetitionWin: game.Ahead, RepetitionSuperior: game.Ahead, RepetitionLoss: game.Behind, RepetitionInferior: game.Behind,
		}[c.want]
		if over != end || outcome != want {
			t.Errorf("%s: outcome %d, %v, in\n%v", c.name, outcome, over, p)
		}
	}
}

// TestRepeatsOverNull: positions before a null move do not count as repeated.
func TestRepeatsOverNull(t *testing.T) {
	p := parse(t, StartSFEN)
	play(t, p, "5i5h 5a5b 5h5i")
	p.MakeNull()
	play(t, p, "5i5h 5b5a 5h5i")
	if got := p.Repeats(9); got != RepetitionNone {
		t.Errorf("%d, in\n%v", got, p)
	}
}

func TestDeclaration(t *testing.T) {
	const (
		black = "+P+P+P1K1+P+P+P/+R1+B1G1S1L/9/9/9/9/9/9/5k3 b "
		white = "5K3/9/9/9/9/9/9/l1s1g1+b1+r/+p+p+p1k1+p+p+p w "
	)
	for _, c := range []struct {
		sfen string
		rule EnteringKingRule
		want bool
	}{
		{black + "9P 1", Points27, true},
		{black + "8P 1", Points27, false},
		{black + "R4P 1", Points27, true},
		{black + "9p 1", Points27, false},
		{white + "8p 1", Points27, true},
		{white + "7p 1", Points27, false},
		{white + "8p 1", Points27Handicap, true}, // 21 points and 9 pawns' worth lack of 54, in the hand of nobody
		{black + "12P 1", Points24, true},
		{black + "11P 1", Points24, false},
		{white + "12p 1", Points24, true},
		{white + "11p 1", Points24, false},
		{black + "12P 1", Try, false},
		{black + "12P 1", NoEntering, false},
		{"+P+P+P1Kr+P+P+P/+R1+B1G1S1L/9/9/9/9/9/9/5k3 b 9P 1", Points27, false},         // in check
		{"+P+P+P3+P+P+P/+R1+B1G1S1L/9/4K4/9/9/9/9/5k3 b 9P 1", Points27, false},         // the king outside
		{"+P+P2K1+P+P+P/+R1+B1G1S1L/9/9/9/9/9/9/5k3 b 10P 1", Points27, true},           // ten pieces
		{"+P+P2K1+P+P+P/+R1+B1G1S2/9/9/9/9/9/9/5k3 b 11P 1", Points27, false},           // nine
		{"+P+P+P3+P+P+P/+R1+B1G1S1L/9/9/9/9/9/9/5k3 b 9P 1", Points27, false},           // no king
		{"+P+P+P1K1+P+P+P/+R1+B1G1S1L/9/9/9/9/9/9/5k3 w 9P 1", Points27, false},         // not to move
		{"+P+P+P1K1+P+P+P/2+B1G1S1L/9/4+R4/9/9/9/9/5k3 b 4PR 1", Points27, false},       // a rook outside
		{"+P+P+P1K1+P+P+P/+R1+B1G1S1L/9/PPPPPPPPP/9/9/9/9/5k3 b 3P 1", Points27, false}, // pawns outside
		// Handicaps count for White alone: here none, then a rook and two lances, seven points.
		{white + "RB3G3S4N3L4P8p 1", Points27Handicap, true},
		{white + "RB3G3S4N3L5P7p 1", Points27Handicap, false},
		{white + "B3G3S4NL11Pp 1", Points27Handicap, true},
		{white + "B3G3S4NL12P 1", Points27Handicap, false},
		{white + "B3G3S4NL7P5p 1", Points24Handicap, true},
		{white + "B3G3S4NL8P4p 1", Points24Handicap, false},
		{black + "8P 1", Points27Handicap, false},
		{black + "9P 1", Points27Handicap, true},
	} {
		p := parse(t, c.sfen)
		p.SetEnteringKingRule(c.rule)
		if got := p.Declares(); got != c.want || p.EnteringKingRule() != c.rule {
			t.Errorf("rule %d: %v, want %v, in\n%v", c.rule, got, c.want, p)
		}
		if outcome, over := p.Adjudicate(0); over != c.want || over && outcome != game.Ahead {
			t.Errorf("rule %d: outcome %d, %v, in\n%v", c.rule, outcome, over, p)
		}
	}
}

func TestTry(t *testing.T) {
	for _, c := range []struct {
		sfen, move string
		rule       EnteringKingRule
		lost       bool
	}{
		{"9/4K4/9/k8/9/9/9/9/9 b - 1", "5b5a", Try, true},
		{"9/4K4/9/k8/9/9/9/9/9 b - 1", "5b4a", Try, false},
		{"9/4K4/9/k8/9/9/9/9/9 b - 1", "5b5a", Points27, false},
		{"9/9/9/K8/9/9/9/4k4/9 w - 1", "5h5i", Try, true},
		{"9/9/9/K8/9/9/9/4k4/9 w - 1", "5h6i", Try, false},
	} {
		p := parse(t, c.sfen)
		p.SetEnteringKingRule(c.rule)
		play(t, p, c.move)
		if outcome, over := p.Adjudicate(1); over != c.lost || over && outcome != game.Behind {
			t.Errorf("%s: outcome %d, %v, in\n%v", c.move, outcome, over, p)
		}
	}
}

// TestMaxMoves: a game may be drawn by the number of its moves, unless the last one
// mates.
func TestMaxMoves(t *testing.T) {
	p := parse(t, StartSFEN)
	p.SetMaxMoves(4)
	for i, m := range strings.Fields("7g7f 3c3d 2g2f 8c8d 2f2e") {
		if _, over := p.Adjudicate(i); over != (i >= 4) {
			t.Errorf("after %d moves: over is %v", i, over)
		}
		play(t, p, m)
	}
	p = parse(t, "4K4/PPPPPPPPP/1G1G1G1G1/9/9/9/9/9/4k4 b 2R2B4S2N4L2N9P 2")
	for moves, want := range map[int]game.Outcome{1: game.Draw, 2: game.Ahead} {
		p.SetMaxMoves(moves)
		if outcome, _ := p.Adjudicate(1); outcome != want {
			t.Errorf("a declaration after 1 of %d moves: %d, want %d", moves, outcome, want)
		}
	}
	p = parse(t, "4k4/9/4P4/9/9/9/9/9/4K4 b G 7")
	p.SetMaxMoves(7)
	play(t, p, "G*5b")
	if outcome, over := p.Adjudicate(1); over || p.NoMoves() != game.Loss {
		t.Errorf("a mate by the last move: %d, %v", outcome, over)
	}
}

// TestLongGame: no game is too long.
func TestLongGame(t *testing.T) {
	p := parse(t, StartSFEN)
	for range 2500 {
		play(t, p, "5i5h 5a5b 5h5i 5b5a")
	}
	if p.Ply() != 10000 || p.Repeats(0) != RepetitionDraw {
		t.Errorf("ply %d, repetition %d", p.Ply(), p.Repeats(0))
	}
	sound(t, p)
	for range 10000 {
		p.Undo()
	}
	if p.SFEN() != StartSFEN {
		t.Error(p)
	}
}

// TestCopy: a copy is independent.
func TestCopy(t *testing.T) {
	p := parse(t, StartSFEN)
	play(t, p, "5i5h 5a5b")
	q := p.Copy()
	play(t, q, "5h5i 5b5a 5i5h 5a5b")
	if p.Repeats(9) != RepetitionNone || q.Repeats(4) != RepetitionDraw {
		t.Error("a copy shares its history")
	}
	q.Undo()
	q.Undo()
	play(t, p, "7g7f")
	if sound(t, p); p.Key() == q.Key() {
		t.Error("a copy shares its board")
	}
}
