package chess

import (
	"strings"
	"testing"

	"trefoil/game"
)

// play makes moves given in the notation of UCI.
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

func TestAdjudicate(t *testing.T) {
	const cycle, again = "g1f3 g8f6 f3g1 f6g8 ", "g1f3 g8f6 f3g1 f6g8 "
	for _, c := range []struct {
		name, fen, moves string
		ply              int
		drawn            bool
	}{
		{"second occurrence before the root", StartFEN, cycle, 3, false},
		{"second occurrence of the root", StartFEN, cycle, 4, true},
		{"third occurrence before the root", StartFEN, cycle + again, 0, true},
		{"not yet the third", StartFEN, cycle + "g1f3 g8f6 f3g1", 0, false},
		{"other rights", "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "e1e2 e8e7 e2e1 e7e8", 9, false},
		{"other rights, once more", "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8", 4, true},
		{"en passant was possible", "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1", "e2e4 g8f6 g1f3 f6g8 f3g1", 9, false},
		{"en passant was illegal", "4k1n1/8/8/8/1q1p4/8/3KP3/6N1 w - - 0 1", "d2d3 b4b5 d3d2 b5b4", 9, true},
		{"99 half-moves", "4k3/8/8/8/8/8/8/4K2R w - - 98 80", "h1h2", 0, false},
		{"100 half-moves", "4k3/8/8/8/8/8/8/4K2R w - - 99 80", "h1h2", 0, true},
		{"65,536 half-moves", StartFEN, strings.Repeat(cycle, 1<<14), 0, true},
		{"mate at 100 half-moves", "6k1/5ppp/8/8/8/8/8/4K2R w - - 99 80", "h1h2", 0, true},
		{"mate at 100 half-moves", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", "a1a8", 0, false},
		{"check at 100 half-moves", "6k1/5pp1/8/8/8/8/8/R3K3 w - - 99 80", "a1a8", 0, true},
		{"kings", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", 0, true},
		{"knight", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "", 0, true},
		{"bishop", "4kb2/8/8/8/8/8/8/4K3 w - - 0 1", "", 0, true},
		{"bishop in the corner", "4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "", 0, true},
		{"two knights", "4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", "", 0, false},
		{"knight against bishop", "4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", "", 0, false},
		{"bishops on one colour", "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", "", 0, true},
		{"bishops on both colours", "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "", 0, false},
		{"pawn", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", 0, false},
		{"rook", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "", 0, false},
	} {
		p := parse(t, c.fen)
		play(t, p, c.moves)
		outcome, drawn := p.Adjudicate(c.ply)
		if drawn != c.drawn || outcome != game.Draw {
			t.Errorf("%s: drawn %v, want %v, in\n%v", c.name, drawn, c.drawn, p)
		}
	}
}

// TestNullRepetition: positions before a null move do not count as repeated.
func TestNullRepetition(t *testing.T) {
	p := parse(t, StartFEN)
	play(t, p, "g1f3 g8f6")
	p.MakeNull()
	play(t, p, "f6g8 f3g1")
	p.MakeNull()
	if _, drawn := p.Adjudicate(9); drawn {
		t.Error("a repetition across a pass")
	}
}

func TestNoMoves(t *testing.T) {
	var l game.List
	for fen, want := range map[string]game.Outcome{
		"R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1": game.Loss,
		"7k/5Q2/8/8/8/8/8/4K3 b - - 0 1":    game.Draw,
	} {
		p := parse(t, fen)
		l.Reset()
		p.Moves(game.All, &l)
		if got := p.NoMoves(); l.Len() != 0 || got != want {
			t.Errorf("%s: %d moves, outcome %v, want %v", fen, l.Len(), got, want)
		}
	}
}

func TestCanPass(t *testing.T) {
	for fen, want := range map[string]bool{
		StartFEN:                              true,
		"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1":   false,
		"4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 0 1": true,
		"4k3/4r3/8/8/8/8/8/4K1N1 w - - 0 1":   false,
	} {
		if got := parse(t, fen).NullMoveSound(); got != want {
			t.Errorf("%s: NullMoveSound %v", fen, got)
		}
	}
}

// TestCopy: a copy is independent and has the same history.
func TestCopy(t *testing.T) {
	p := parse(t, StartFEN)
	play(t, p, "g1f3 g8f6 f3g1")
	q := p.Copy()
	play(t, q, "f6g8")
	play(t, p, "e7e5")
	if _, drawn := q.Adjudicate(4); !drawn {
		t.Error("the copy does not know the past")
	}
	for range 4 {
		q.Undo()
	}
	if q.FEN() != StartFEN || p.FEN() != "rnbqkb1r/pppp1ppp/5n2/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3" {
		t.Errorf("the copy and its origin disturb each other: %s, %s", q.FEN(), p.FEN())
	}
}

// TestCorrection: each key depends on its pieces and no others.
func TestCorrection(t *testing.T) {
	depends := map[string][4]bool{ // pawns, White's others, Black's others, minor pieces
		"e2e3": {true, false, false, false},
		"d1d2": {false, true, false, false},
		"c1d2": {false, true, false, true},
	}
	for text, want := range depends {
		p := parse(t, "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1")
		var before, after [4]uint64
		p.CorrectionKeys(&before)
		play(t, p, text)
		if n := p.CorrectionKeys(&after); n != 4 {
			t.Errorf("%d keys", n)
		}
		for i := range want {
			if (before[i] != after[i]) != want[i] || after[i]&1 != 0 {
				t.Errorf("%s: key %d goes from %x to %x", text, i, before[i], after[i])
			}
		}
	}
}

func TestOccurrences(t *testing.T) {
	const cycle = "g1f3 g8f6 f3g1 f6g8 "
	for moves, want := range map[string]int{
		"": 1, "g1f3 g8f6": 1, cycle: 2, cycle + "g1f3": 2, cycle + cycle: 3, cycle + "e2e4 e7e5": 1, cycle + "e2e4 e7e5 " + cycle: 2,
	} {
		p := parse(t, StartFEN)
		play(t, p, moves)
		if got := p.Occurrences(); got != want {
			t.Errorf("after %s: %d, want %d", moves, got, want)
		}
	}
}

// Captures and pawn moves begin the count of the fifty-move rule anew, and no position before them comes again.
func TestRule50(t *testing.T) {
	p := parse(t, "4k3/8/3p4/8/4N3/8/4P3/4K3 w - - 7 20")
	for _, c := range []struct {
		move           string
		rule50, before int
	}{{"e4d6", 0, 0}, {"e8e7", 1, 1}, {"d6e4", 2, 2}, {"e7e6", 3, 3}, {"e2e3", 0, 0}, {"e6e5", 1, 1}} {
		play(t, p, c.move)
		if n := len(p.RepeatableKeys()); p.Rule50() != c.rule50 || n != c.before {
			t.Errorf("after %s: %d plies, %d positions that could be repeated", c.move, p.Rule50(), n)
		}
	}
}

// Passed is the square behind a double step, whether or not it can be captured.
func TestPassed(t *testing.T) {
	for _, c := range []struct{ fen, moves, want string }{
		{StartFEN, "", ""},
		{StartFEN, "e2e4", "e3"},
		{StartFEN, "e2e4 c7c5", "c6"},
		{StartFEN, "e2e3", ""},
		{StartFEN, "e2e4 g8f6", ""},
		{"4k3/8/8/KPp4r/8/8/8/8 w - c6 0 2", "", "c6"}, // the pawn is pinned
		{"4k3/8/8/KPp4r/8/8/8/8 w - c6 0 2", "a5a4", ""},
	} {
		p := parse(t, c.fen)
		play(t, p, c.moves)
		got := ""
		if s := p.Passed(); s != 0 {
			got = s.String()
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.fen, c.moves, got, c.want)
		}
	}
}
