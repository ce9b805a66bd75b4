package shogi

import (
	"errors"
	"strings"
	"testing"

	"trefoil/game"
)

// TestSFENErrors: what cannot be is refused, with the field, the token and its place.
func TestSFENErrors(t *testing.T) {
	const empty = "4k4/9/9/9/9/9/9/9/4K4"
	for _, c := range []struct {
		sfen, field, token string
		place              int
	}{
		{"", "board", "", 1},
		{"  ", "board", "", 3},
		{empty, "side", "", 22},
		{empty + " b", "hands", "", 24},
		{"4k4/9/9/9/9/9/9/4K4 b - 1", "board", "4k4/9/9/9/9/9/9/4K4", 1},
		{"4k4/9/9/9/9/9/9/9/9/4K4 b - 1", "board", "/", 20},
		{"4k3/9/9/9/9/9/9/9/4K4 b - 1", "board", "/", 4},
		{"4k5/9/9/9/9/9/9/9/4K4 b - 1", "board", "5", 3},
		{"4k4p/9/9/9/9/9/9/9/4K4 b - 1", "board", "p", 4},
		{"4x4/9/9/9/9/9/9/9/4K4 b - 1", "board", "x", 2},
		{"4k4/9/0/9/9/9/9/9/4K4 b - 1", "board", "0", 7},
		{"4\xffk4/9/9/9/9/9/9/9/4K4 b - 1", "board", "\xff", 2},
		{"4k3+/9/9/9/9/9/9/9/4K4 b - 1", "board", "+/", 4},
		{"4k4/9/9/9/9/9/9/9/4K3+ b - 1", "board", "+", 22},
		{"4k4/9/9/9/+G8/9/9/9/4K4 b - 1", "board", "+G", 11},
		{"4k4/9/9/9/+K8/9/9/9/4K4 b - 1", "board", "+K", 11},
		{"4k4/9/9/9/K8/9/9/9/4K4 b - 1", "board", "K", 21},
		{"4k4/9/9/9/k8/9/9/9/4K4 b - 1", "board", "k", 11},
		{"9/9/9/9/9/9/9/9/9 b - 1", "board", "9/9/9/9/9/9/9/9/9", 1},
		{"4k3P/9/9/9/9/9/9/9/4K4 b - 1", "board", "P", 4},
		{"4k3L/9/9/9/9/9/9/9/4K4 b - 1", "board", "L", 4},
		{"4k4/8N/9/9/9/9/9/9/4K4 b - 1", "board", "N", 6},
		{"4k4/9/9/9/9/9/9/9/4K3p b - 1", "board", "p", 22},
		{"4k4/9/9/9/9/9/9/n8/4K4 b - 1", "board", "n", 17},
		{"4k4/9/P8/9/P8/9/9/9/4K4 b - 1", "board", "P", 12},
		{"rr2k3r/9/9/9/9/9/9/9/4K4 b - 1", "board", "r", 6},
		{"4k4/9/ppppppppp/PPPPPPPPP/9/9/9/+p8/4K4 b - 1", "board", "+p", 33},
		{"4k4/9/9/9/9/9/9/4g4/4K4 w - 1", "side", "w", 25},
		{"4k4/4G4/9/9/9/9/9/9/4K4 b - 1", "side", "b", 25},
		{"9/9/9/9/9/4k4/4K4/9/9 b - 1", "side", "b", 23},
		{empty + " x - 1", "side", "x", 23},
		{empty + " b K 1", "hands", "K", 25},
		{empty + " b x 1", "hands", "x", 25},
		{empty + " b R2 1", "hands", "2", 26},
		{empty + " b 0P 1", "hands", "0P", 25},
		{empty + " b R3B 1", "hands", "3B", 26},
		{empty + " b PP17p 1", "hands", "17p", 27},
		{empty + " b 99999999999999999999P 1", "hands", "9999", 25},
		{empty + " b -- 1", "hands", "-", 25},
		{empty + " b - x", "move number", "x", 27},
		{empty + " b - 1.5", "move number", "1.5", 27},
		{empty + " b - 1 x", "move number", "x", 29},
	} {
		_, err := ParseSFEN(c.sfen)
		var e *game.FieldError
		if !errors.As(err, &e) {
			t.Errorf("%q: no error", c.sfen)
			continue
		}
		if e.Field != c.field || e.Token != c.token || e.Place != c.place {
			t.Errorf("%q: %s, %q at %d; want %s, %q at %d", c.sfen, e.Field, e.Token, e.Place,
				c.field, c.token, c.place)
		}
		if at := e.Place - 1; at > len(c.sfen) || !strings.HasPrefix(c.sfen[at:], e.Token) {
			t.Errorf("%q: %v: the token is not there", c.sfen, e)
		}
	}
}

// TestSFENErrorText: an error names the rank.
func TestSFENErrorText(t *testing.T) {
	for sfen, want := range map[string]string{
		"4k4/8/9/9/9/9/9/9/4K4 b - 1":  "rank b has 8 squares",
		"4k4/9/53/9/9/9/9/9/4K4 b - 1": "rank c has 8 squares",
		"4k4/9/55/9/9/9/9/9/4K4 b - 1": "rank c has more than 9 squares",
		"4k4/9/9/9P/9/9/9/9/4K4 b - 1": "rank d has more than 9 squares",
		"4k4/9/9/9/9/9/9/9/4K4/ b - 1": "more than 9 ranks",
		"4k4/9/9/9/9/9/9/9/4K b - 1":   "",
	} {
		if _, err := ParseSFEN(sfen); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", sfen, err, want)
		}
	}
}

// TestString: the board as a user sees it.
func TestString(t *testing.T) {
	const want = `  9  8  7  6  5  4  3  2  1
  .  .  .  .  k  .  .  .  .  a
  .  .  .  .  G  .  .  .  .  b
  .  .  .  .  P  .  .  .  .  c
  .  .  .  .  .  .  .  .  .  d
  .  .  .  .  .  .  .  .  .  e
  .  . +R  .  .  .  .  .  .  f
  .  .  .  .  .  .  .  .  .  g
  .  .  .  .  .  .  .  .  .  h
  .  .  .  .  K  .  .  .  .  i

Sfen: 4k4/4G4/4P4/9/9/2+R6/9/9/4K4 w 2P 2
Key: `
	if got := parse(t, "4k4/4G4/4P4/9/9/2+R6/9/9/4K4 w 2P 2").String(); !strings.HasPrefix(got, want) ||
		!strings.HasSuffix(got, "\nCheckers: 5b\n") {
		t.Error(got)
	}
}

// TestSFEN: what is read and how it is written again.
func TestSFEN(t *testing.T) {
	for _, c := range []struct{ sfen, want string }{
		{"4k4/9/9/9/9/9/9/9/4K4 b -", "4k4/9/9/9/9/9/9/9/4K4 b - 1"},
		{" 4k4/9/9/9/9/9/9/9/4K4\tw  p2lP3NgbBRr 77", "4k4/9/9/9/9/9/9/9/4K4 w RB3NPrbg2lp 77"},
		{"4k4/9/9/9/9/9/9/9/4K4 b P1P10PG 1", "4k4/9/9/9/9/9/9/9/4K4 b G12P 1"},
		{"4k4/9/9/9/9/9/9/9/111111111 b - 1", "4k4/9/9/9/9/9/9/9/9 b - 1"},
		{"9/9/9/9/9/9/9/9/4K4 w - 1", "9/9/9/9/9/9/9/9/4K4 w - 1"},
		{"+P+p2k4/9/+L+l+N+n+S+s3/9/+B+b+R+r5/9/9/9/4K4 w - 2", "+P+p2k4/9/+L+l+N+n+S+s3/9/+B+b+R+r5/9/9/9/4K4 w - 2"},
	} {
		p, err := ParseSFEN(c.sfen)
		if err != nil {
			t.Errorf("%q: %v", c.sfen, err)
			continue
		}
		if got := p.SFEN(); got != c.want {
			t.Errorf("%q became %q", c.sfen, got)
		}
	}
}

// TestCrowdedList: a list has room for positions with more pieces than a set has.
func TestCrowdedList(t *testing.T) {
	p, err := ParseCrowded("R8/2K1S1S1k/4B1B2/2S6/9/9/1R7/9/3L1L1L1 b RBGSNLP3g3n17p 1")
	if err != nil {
		t.Fatal(err)
	}
	var l game.List
	if p.Moves(game.All, &l); l.Len() != 619 {
		t.Errorf("%d moves", l.Len())
	}
}

// TestLoose: what positions made up for counting may have, and what even they may not.
func TestLoose(t *testing.T) {
	for sfen, ok := range map[string]bool{
		"3k5/P1N1L4/1N7/9/9/9/9/9/4K4 b - 1":    true,
		"3k4N/9/9/9/9/9/9/9/4K4 b 2Rr7g 1":      true,
		"3k5/9/9/9/9/9/9/9/4K4 b 2R2r 1":        false,
		"3k5/9/9/9/9/9/9/9/4K4 b 8g 1":          false,
		"3k4P/9/9/9/9/9/9/9/4K4 b - 1":          false,
		"3k5/9/9/9/9/9/9/9/4K4 b 10P9p 1":       false,
		"3k5/P8/9/9/P8/9/9/9/4K4 b - 1":         false,
		"3k5/3R5/9/9/9/9/9/9/4K4 b - 1":         false,
		"3k5/3k5/9/9/9/9/9/9/4K4 b - 1":         false,
		"3k5/9/9/9/9/9/9/9/4K4 b 7G7S7N7L18P 1": true,
	} {
		if _, err := ParseLoose(sfen); (err == nil) != ok {
			t.Errorf("%q: %v", sfen, err)
		}
		// A piece that cannot move is the only difference.
		if _, err := ParseCrowded(sfen); (err == nil) != (ok && !strings.ContainsAny(sfen[:6], "PN")) {
			t.Errorf("crowded %q: %v", sfen, err)
		}
	}
}

func TestMoveErrors(t *testing.T) {
	const hand = "4k4/9/9/9/4r4/9/9/P8/4K4 b GNP 1"
	for _, c := range []struct{ sfen, text, reason string }{
		{StartSFEN, "", "form"},
		{StartSFEN, "7g", "form"},
		{StartSFEN, "7g7f7e", "form"},
		{StartSFEN, "7g7f=", "form"},
		{StartSFEN, "0g7f", "form"},
		{StartSFEN, "7g7j", "form"},
		{StartSFEN, "K*5e", "form"},
		{StartSFEN, "p*5e", "form"},
		{StartSFEN, "P*5e+", "form"},
		{StartSFEN, "0000", "form"},
		{StartSFEN, "7g7f+", "last three ranks"},
		{StartSFEN, "7g7e", "cannot go"},
		{StartSFEN, "9i9g", "cannot go"},
		{StartSFEN, "5e5d", "no piece on 5e"},
		{StartSFEN, "3c3d", "not the side to move's"},
		{StartSFEN, "P*5e", "no such piece in hand"},
		{hand, "P*5e", "a piece on 5e"},
		{hand, "P*5a", "a piece on 5a"},
		{hand, "P*1a", "never move"},
		{hand, "N*1b", "never move"},
		{hand, "P*9e", "a pawn on file 9"},
		{hand, "G*1a", "in check"},
		{hand, "9h9g", "in check"},
		{hand, "5i5h", "in check"},
		{"4k4/9/3P5/9/9/9/9/9/4K4 b - 1", "6c6b+", ""},
		{"4k4/3P5/9/9/9/9/9/9/4K4 b - 1", "6b6a", "must promote"},
		{"4k4/9/3G5/9/9/9/9/9/4K4 b - 1", "6c6b+", "does not promote"},
		{"6rnk/6pp1/8P/9/9/9/9/9/K7L b 2P 1", "P*1b", "a pawn on file 1"},
		{"7lk/9/8S/9/9/9/9/7L1/8K b P 1", "P*1b", "may not mate"},
	} {
		m, err := parse(t, c.sfen).ParseMove(c.text)
		var e *MoveError
		if c.reason == "" && err == nil {
			continue
		}
		if m != game.None || !errors.As(err, &e) || e.Token != c.text || !strings.Contains(e.Reason, c.reason) {
			t.Errorf("%s: %q: %v, %v; want %q", c.sfen, c.text, m, err, c.reason)
		}
	}
}

// FuzzParse: no text makes the readers panic, and what they accept comes back.
func FuzzParse(f *testing.F) {
	for _, sfen := range starts() {
		f.Add(sfen, "7g7f")
	}
	f.Add("4k3+/9/9/9/9/9/9/9/4K3+ b 3R 1", "P*5e+")
	f.Fuzz(func(t *testing.T, sfen, move string) {
		p, err := ParseSFEN(sfen)
		if err != nil {
			return
		}
		if q, err := ParseSFEN(p.SFEN()); err != nil || q.Key() != p.Key() {
			t.Fatalf("%q became %q, %v", sfen, p.SFEN(), err)
		}
		m, err := p.ParseMove(move)
		if err != nil {
			return
		}
		if p.Text(m) != move {
			t.Fatalf("%q became %q", move, p.Text(m))
		}
		p.Make(m)
		sound(t, p)
	})
}

// Move numbers out of range are repaired, by the other parsers too; more pieces than a set has are named.
func TestReadSFEN(t *testing.T) {
	const empty = "4k4/9/9/9/9/9/9/9/4K4"
	for _, c := range []struct {
		fields string
		number int
		repair string
	}{
		{"b -", 1, ""},
		{"b - 1", 1, ""},
		{"w - 1000000", 1000000, ""},
		{"b - 0", 1, `sfen: move number "0" at 27: read as 1`},
		{"b - -3", 1, `sfen: move number "-3" at 27: read as 1`},
		{"b - -99999999999999999999", 1, `sfen: move number "-99999999999999999999" at 27: read as 1`},
		{"w - 1000001", 1000000, `sfen: move number "1000001" at 27: read as 1000000`},
		{"b - 99999999999999999999", 1000000, `sfen: move number "99999999999999999999" at 27: read as 1000000`},
		{"b 3R 1", 1, `set up, although a set has fewer pieces: sfen: hands "3R" at 25: more than 2 of this kind`},
	} {
		p, repairs, err := ReadSFEN(empty + " " + c.fields)
		if err != nil {
			t.Errorf("%s: %v", c.fields, err)
			continue
		}
		if p.MoveNumber() != c.number || strings.Join(repairs, "|") != c.repair {
			t.Errorf("%s: move %d, %q", c.fields, p.MoveNumber(), repairs)
		}
		if q, err := ParseCrowded(empty + " " + c.fields); err != nil || q.SFEN() != p.SFEN() {
			t.Errorf("%s: ParseCrowded: %v", c.fields, err)
		}
	}
}

// TestCutOperations: operations begin at one of the known opcodes, and nothing else is cut off.
func TestCutOperations(t *testing.T) {
	const sfen = "8k/9/9/9/9/9/9/9/K6R1 b"
	for _, c := range [][3]string{
		{sfen + " - 1", sfen + " - 1", ""}, {sfen + " - dm 3;", sfen + " -", "dm 3;"},
		{sfen + " - 1 id \"a\"; bm 2i2h;", sfen + " - 1", "id \"a\"; bm 2i2h;"}, {sfen + " -\tbm", sfen + " -", "bm"},
		{sfen + " - 1 moves 2i2h", sfen + " - 1 moves 2i2h", ""},
	} {
		if got, operations := CutOperations(c[0]); got != c[1] || operations != c[2] {
			t.Errorf("%q: %q, %q", c[0], got, operations)
		}
	}
}
