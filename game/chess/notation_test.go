package chess

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"trefoil/game"
)

// TestFENErrors: what cannot be searched is refused, with the field, the token and its place.
func TestFENErrors(t *testing.T) {
	for _, c := range []struct {
		fen, field, token string
		place             int
	}{
		{"", "placement", "", 1},
		{"  ", "placement", "", 3},
		{"4k3/4R3/8/8/8/8/8/4K3", "side", "", 22},
		{"8/8/8/8/8/8/8/8 w", "placement", "8/8/8/8/8/8/8/8", 1},
		{"8/8/8/8/8/8/8/8 w - - 0 1", "placement", "8/8/8/8/8/8/8/8", 1},
		{"4k3/8/8/8/8/8/8/8 w - - 0 1", "placement", "4k3/8/8/8/8/8/8/8", 1},
		{"4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "placement", "4k3/8/8/8/8/8/8/K3K3", 1},
		{"4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "/", 18},
		{"4k3/8/8/8/8/8/4K3 w - - 0 1", "placement", "4k3/8/8/8/8/8/4K3", 1},
		{"4k4/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "4", 3},
		{"4k3/8/8/8/7/8/8/4K3 w - - 0 1", "placement", "/", 12},
		{"4k3/8/ppppppppp/8/8/8/8/4K3 w - - 0 1", "placement", "p", 15},
		{"4k3/8/8/9/8/8/8/4K3 w - - 0 1", "placement", "9", 9},
		{"4k3/8/8/0/8/8/8/4K3 w - - 0 1", "placement", "0", 9},
		{"4x3/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "x", 2},
		{"4k3/8/8/8/8/8/8/4KP2 w - - 0 1", "placement", "P", 19},
		{"4kp2/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "p", 3},
		{"4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ b - - 0 1", "placement", "4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ", 1},
		{"4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side", "x", 21},
		{"4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "side", "w", 23},
		{"8/8/8/8/8/4k3/4K3/8 w - - 0 1", "placement", "8/8/8/8/8/4k3/4K3/8", 1},
	} {
		_, err := ParseFEN(c.fen)
		var e *game.FieldError
		if !errors.As(err, &e) {
			t.Errorf("%q: no error", c.fen)
			continue
		}
		if e.Field != c.field || e.Token != c.token || e.Place != c.place {
			t.Errorf("%q: %s, %q at %d; want %s, %q at %d", c.fen, e.Field, e.Token, e.Place, c.field, c.token, c.place)
		}
		if at := e.Place - 1; at > len(c.fen) || !strings.HasPrefix(c.fen[at:], e.Token) {
			t.Errorf("%q: %v: the token is not there", c.fen, e)
		}
	}
}

// TestFEN: what is read and how it is written again.
func TestFEN(t *testing.T) {
	for _, c := range []struct {
		fen, want string
		chess960  bool
	}{
		{"4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", false},
		{" 4k3/8/8/8/8/8/8/4K3\tb  - - 7", "4k3/8/8/8/8/8/8/4K3 b - - 7 1", false},
		{"r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 0", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 0", false},
		{"4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", false},
		{"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", false},
		{"8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1", false},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", true},
		{"4k3/8/8/8/3pP3/8/8/4K3 b - E3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", false},
		{"4k3/8/8/8/8/8/8/R3KQ~R1/ w - - 0 1", "4k3/8/8/8/8/8/8/R3KQR1 w - - 0 1", false},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KKQQkq - 0 0", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 0", false},
		{"4k3/8/8/8/8/8/8/2R1K1R1 w KQ - 0 1", "4k3/8/8/8/8/8/8/2R1K1R1 w GC - 0 1", true},
		{"4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1", true},
		{"4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", true},
		{"4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", false},
	} {
		p, err := ParseFEN(c.fen)
		if err != nil {
			t.Errorf("%q: %v", c.fen, err)
			continue
		}
		if got := p.FEN(); got != c.want || p.Chess960() != c.chess960 {
			t.Errorf("%q became %q, Chess960 %v", c.fen, got, p.Chess960())
		}
	}
}

// TestRepairs: what does not matter to a search is repaired, and each repair is named.
func TestRepairs(t *testing.T) {
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
	for _, c := range []struct {
		text, want string
		repairs    []string
	}{
		{start + " b", start + " b - - 0 1", []string{"FEN: missing castling, en passant, half-moves, move number: read as - - 0 1"}},
		{start + " b KQkq", start + " b KQkq - 0 1", []string{"FEN: missing en passant, half-moves, move number: read as - 0 1"}},
		{start + " w KQkq -", start + " w KQkq - 0 1", []string{"FEN: missing half-moves, move number: read as 0 1"}},
		{start + " w KQkq - 7", start + " w KQkq - 7 1", []string{"FEN: missing move number: read as 1"}},
		{start + " w KQkq - - -", start + " w KQkq - 0 1", []string{`FEN: half-moves "-" at 54: read as 0`, `FEN: move number "-" at 56: read as 1`}},
		{"4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", []string{`FEN: castling "KQkq" at 24: read as "K": the rest has no king and rook in place`}},
		{"4k3/8/8/8/8/8/4K3/7R w K - 0 1", "4k3/8/8/8/8/8/4K3/7R w - - 0 1", []string{`FEN: castling "K" at 24: read as "-": the rest has no king and rook in place`}},
		{"4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", "4k3/8/8/8/8/8/8/4K1RR w H - 0 1", []string{`FEN: castling "HG" at 25: read as "H": the rest has no king and rook in place`}},
		{"4k3/8/8/8/8/8/8/4K2R w x\x80- - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", []string{`FEN: castling "x\x80-" at 24: read as "-": the rest has no king and rook in place`}},
		{"4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", []string{`FEN: en passant "e3" at 27: read as "-": no pawn can capture there`}},
		{"4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/4N3/8/4K3 b - - 0 1", []string{`FEN: en passant "e3" at 30: read as "-": no pawn can capture there`}},
		{"4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/4N3/4K3 b - - 0 1", []string{`FEN: en passant "e3" at 30: read as "-": no pawn can capture there`}},
		{"4k3/8/8/8/8/8/8/4K3 b - e9 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", []string{`FEN: en passant "e9" at 25: read as "-": no pawn can capture there`}},
		{"4k3/8/8/8/8/8/8/4K3 b - - -5 -7", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", []string{`FEN: half-moves "-5" at 27: read as 0`, `FEN: move number "-7" at 30: read as 1`}},
		{"4k3/8/8/8/8/8/8/4K3 b - - 10000 99999999999999999999", "4k3/8/8/8/8/8/8/4K3 b - - 9999 9999", []string{`FEN: half-moves "10000" at 27: read as 9999`, `FEN: move number "99999999999999999999" at 33: read as 9999`}},
		{`4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+; id "a; b"; id 2;`, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", []string{"FEN: ignored after the position: bm, id"}},
		{"4k3/8/8/8/8/8/8/4K2R w K - 1 1 a;b;c;d;e;f;g;h;h;i;j", "4k3/8/8/8/8/8/8/4K2R w K - 1 1", []string{"FEN: ignored after the position: a, b, c, d, e, f, g, h, …"}},
		{"4k3/8/8/8/8/8/8/4K3 w - - " + strings.Repeat("9", 1e6) + " 1", "4k3/8/8/8/8/8/8/4K3 w - - 9999 1", []string{`FEN: half-moves "` + strings.Repeat("9", 60) + `" at 27: read as 9999`}},
		{"4k3/8/8/8/8/8/8/4K2R w K - 3 4 bm Rh8;", "4k3/8/8/8/8/8/8/4K2R w K - 3 4", []string{"FEN: ignored after the position: bm"}},
		{"4k3/8/8/8/8/8/8/4K2R w K - hmvc 12; fmvn 31;", "4k3/8/8/8/8/8/8/4K2R w K - 12 31", nil},
		{"4k3/8/8/8/8/8/8/4K2R w K - hmvc 1; hmvc x; fmvn -4", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
			[]string{`FEN: hmvc "x": read as 0`, `FEN: fmvn "-4": read as 1`}},
		{"4k3/8/8/8/8/8/8/4K2R w K - 3 4;", "4k3/8/8/8/8/8/8/4K2R w K - 3 4", nil},
		{"4k3/8/8/8/8/8/8/4K2R w K - 3 4;bm Rh8;", "4k3/8/8/8/8/8/8/4K2R w K - 3 4", []string{"FEN: ignored after the position: bm"}},
		{"4k3/8/8/8/8/8/8/4K2R w K - 3; fmvn 9;", "4k3/8/8/8/8/8/8/4K2R w K - 3 9", nil},
		{start + "_w_KQkq_-_0_1", start + " w KQkq - 0 1", nil},
		{`fen  fen "` + start + "\tw KQkq - 0 1\"", start + " w KQkq - 0 1", nil},
		{`[FEN "` + start + ` w KQkq - 0 1"]`, start + " w KQkq - 0 1", nil},
		{"“" + start + "\u00a0W KQkq - 0 1”", start + " w KQkq - 0 1", nil},
	} {
		p, repairs, err := ReadFEN(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := p.FEN(); got != c.want || !slices.Equal(repairs, c.repairs) {
			t.Errorf("%q became %q with %q", c.text, got, repairs)
		}
		sound(t, p)
	}
}

// TestEPD: where an EPD is expected it lacks no numbers, and its operations are returned.
func TestEPD(t *testing.T) {
	p, operations, repairs, err := ReadEPD("4k3/8/8/8/8/8/8/4K2R w K - dm\t5; c0 \"a; b\"")
	if err != nil || p.FEN() != "4k3/8/8/8/8/8/8/4K2R w K - 0 1" || repairs != nil {
		t.Fatal(p, repairs, err)
	}
	var got []string
	for opcode, operands := range Operations(operations) {
		got = append(got, opcode, operands)
	}
	if want := []string{"dm", "5", "c0", `"a; b"`}; !slices.Equal(got, want) {
		t.Errorf("operations %q", got)
	}
	for _, c := range []struct {
		operations string
		moves      int
		bad        bool
	}{
		{"", 0, false}, {`bm Qg6; id "dm 3"`, 0, false}, {"dm 3; bm Qg6", 3, false}, {"bm #-2", -2, false},
		{"dm", 0, true}, {"dm 0", 0, true}, {"bm #x", 0, true}, {"bm Qg6; dm 3 4", 0, true},
	} {
		if moves, err := StatedMoves(c.operations); moves != c.moves || (err != nil) != c.bad {
			t.Errorf("%s: %d, %v", c.operations, moves, err)
		}
	}
}

// TestXFEN: outside of Chess960 an inner rook's right is still written by its file.
func TestXFEN(t *testing.T) {
	p := parse(t, "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1")
	p.SetChess960(false)
	if got := p.FEN(); got != "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1" {
		t.Error(got)
	}
}

func TestMoveErrors(t *testing.T) {
	for _, c := range []struct{ fen, text, reason string }{
		{StartFEN, "", "form"},
		{StartFEN, "e2", "form"},
		{StartFEN, "e2e4e5", "form"},
		{StartFEN, "i2i4", "form"},
		{StartFEN, "e2e9", "form"},
		{StartFEN, "e7e8k", "promotion"},
		{StartFEN, "e2e4q", "illegal"},
		{StartFEN, "e2e5", "illegal"},
		{StartFEN, "e1g1", "illegal"},
		{StartFEN, "0000", "form"},
		{StartFEN, "e4e5", "no piece on e4"},
		{StartFEN, "e7e5", "e7 is not the side to move's"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "the piece of the promotion is missing"},
		{"r3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "illegal"},
		{StartFEN, "e4xd5", "form"},
		{"4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "a2a3", "in check"},
	} {
		m, err := parse(t, c.fen).ParseMove(c.text)
		var e *MoveError
		if !errors.As(err, &e) || m != game.None {
			t.Errorf("%q: %v, %v", c.text, m, err)
			continue
		}
		if e.Token != c.text || !strings.Contains(e.Error(), c.reason) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

// TestCapitalPromotion: the piece of a promotion may be a capital.
func TestCapitalPromotion(t *testing.T) {
	p := parse(t, "8/P6k/8/8/8/8/8/K7 w - - 0 1")
	for text, want := range map[string]string{"a7a8N": "a7a8n", "a7a8Q": "a7a8q"} {
		if m, err := p.ParseMove(text); err != nil || p.Text(m) != want {
			t.Errorf("%s: %s, %v", text, p.Text(m), err)
		}
	}
}

// TestCastlingText: both notations are read; which one is written is a setting.
func TestCastlingText(t *testing.T) {
	for _, c := range []struct {
		fen      string
		chess960 bool
		read     string
		written  string
		after    string
	}{
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, "e1g1", "e1g1", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, "e1a1", "e1c1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, "e1c1", "e1a1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"},
		{"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", true, "f1g1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"4k3/8/8/8/8/8/8/RK6 w A - 0 1", false, "b1a1", "b1a1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"},
		{"4k3/8/8/8/8/8/8/RK6 w A - 0 1", false, "b1c1", "b1c1", "4k3/8/8/8/8/8/8/R1K5 b - - 1 1"},
	} {
		p := parse(t, c.fen)
		p.SetChess960(c.chess960)
		m, err := p.ParseMove(c.read)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := p.Text(m); got != c.written {
			t.Errorf("%s is written %s, want %s", c.read, got, c.written)
		}
		p.Make(m)
		if got := p.FEN(); got != c.after {
			t.Errorf("%s leads to %s, want %s", c.read, got, c.after)
		}
	}
}

func TestString(t *testing.T) {
	text := parse(t, "4k3/4R3/8/8/8/8/8/4K3 b - - 0 1").String()
	for _, want := range []string{" 7  . . . . R . . .\n", "a b c d e f g h", "Fen: 4k3/4R3/8", "Checkers: e7\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// FuzzFEN: nothing makes ParseFEN panic; what it accepts is written and read
// again unchanged, and its moves can be made.
func FuzzFEN(f *testing.F) {
	for _, fen := range starts() {
		f.Add(fen)
	}
	f.Fuzz(func(t *testing.T, fen string) {
		p, err := ParseFEN(fen)
		if err != nil {
			var e *game.FieldError
			if !errors.As(err, &e) || e.Place < 1 || e.Place > len(fen)+1 ||
				!strings.HasPrefix(fen[e.Place-1:], e.Token) {
				t.Fatalf("%q: %v", fen, err)
			}
			return
		}
		sound(t, p)
		if n := p.Occupied().Count(); n > MaxPieces {
			t.Fatalf("%q: %d pieces", fen, n)
		}
		if q, repairs, err := ReadFEN(p.FEN()); err != nil || repairs != nil || q.FEN() != p.FEN() || q.key != p.key {
			t.Fatalf("%q: %s came back as %s", fen, p.FEN(), q.FEN())
		}
		var l game.List
		p.Moves(game.All, &l)
		for _, m := range l.All() {
			p.Make(m)
			sound(t, p)
			p.Undo()
			if _, err := p.ParseMove(p.Text(m)); err != nil {
				t.Fatalf("%s: %v", p.FEN(), err)
			}
		}
		sound(t, p)
	})
}

// FuzzMoves: no list of moves makes ParseMove panic, and what it accepts is legal.
func FuzzMoves(f *testing.F) {
	f.Add(StartFEN, "e2e4 e7e5 g1f3")
	f.Add(standard[1].fen, "e1g1 e8c8 d5e6")
	f.Add(fischer[0].fen, "g1f1 g8f8")
	f.Add("8/P6P/8/k7/8/K7/p6p/8 w - - 0 1", "a7a8q a2a1n h7h8r")
	f.Add("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2", "e5d6 \xff e8e7")
	f.Fuzz(func(t *testing.T, fen, moves string) {
		p, err := ParseFEN(fen)
		if err != nil {
			return
		}
		var l game.List
		for _, text := range strings.Split(moves, " ") {
			m, err := p.ParseMove(text)
			if err != nil {
				var e *MoveError
				if !errors.As(err, &e) || e.Token != text {
					t.Fatalf("%q: %v", text, err)
				}
				continue
			}
			l.Reset()
			p.Moves(game.All, &l)
			legal := false
			for _, want := range l.All() {
				legal = legal || m == want
			}
			if !legal {
				t.Fatalf("%q was accepted in %s", text, p.FEN())
			}
			p.Make(m)
			sound(t, p)
		}
	})
}
