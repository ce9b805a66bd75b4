package ultimate

import (
	"errors"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

const sample = "X;X.....O@.;X.OXO.X../OX.O...../X.X...XOO/..OX.OXO./OX..X..../...O.X.O./..X...OOO/O.OX.X.X./.O.....XX"

func TestSyntaxErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]struct {
		offset int
		reason string
	}{
		"":                            {0, "ends before the side"},
		"x" + sample[1:]:              {0, "the side to move"},
		sample[:1] + sample[2:]:       {1, "the end of the side"},
		sample[:2]:                    {2, "ends before a board of the big board"},
		sample[:3] + "@" + sample[4:]: {9, "a second board to play on"},
		sample[:3] + "?" + sample[4:]: {3, "a board of the big board"},
		"X;O" + sample[3:]:            {2, "board a is marked 'O', but its stones make it 'X'"},
		"X;." + sample[3:]:            {2, "board a is marked '.', but its stones make it 'X'"},
		"X;X.....O.@" + sample[11:]:   {0, ""},
		strings.Replace(sample, ".O.....XX", "OOOX.X.XX", 1): {10, "board i is marked '.', but its stones make it 'O'"},
		strings.Replace(sample, "O.OX.X.X.", "OOOX.X.X.", 1): {9, "board h is marked '@', but its stones make it 'O'"},
		strings.Replace(sample, "O.OX.X.X.", "OOOXXX...", 1): {82, "both sides have won board h"},
		sample + "/":                         {len(sample), "more text"},
		sample[:len(sample)-1]:               {len(sample) - 1, "ends before a cell of board i"},
		strings.Replace(sample, "/", ";", 1): {21, "the end of the board"},
		"X;XXXOOO...;" + strings.Repeat("XXX....../", 3) + strings.Repeat("OOO....../", 3) + "........./........./.........": {2, "both sides have won"},
	} {
		_, err := Parse(text)
		if want.reason == "" {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		var wrong *SyntaxError
		if !errors.As(err, &wrong) || want.offset >= 0 && wrong.Offset != want.offset ||
			!strings.Contains(wrong.Reason, want.reason) {
			t.Errorf("%s: %v, want byte %d, %s", text, err, want.offset, want.reason)
		}
	}
}

func TestMoveErrors(t *testing.T) {
	p, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	over := Start()
	for b := range 3 {
		over.stones[X][b], over.won[X] = 7, over.won[X]|1<<b
	}
	for _, c := range []struct {
		p      Position
		token  string
		reason Reason
		text   string
	}{
		{p, "h", NoMove, `move "h": not the letters`},
		{p, "hj", NoMove, `move "hj"`},
		{p, "h;f", NoMove, `move "h;f"`},
		{p, "", NoMove, `move ""`},
		{p, "ab", DecidedBoard, "decided"},
		{p, "bb", OtherBoard, "board h has to be played on"},
		{p, "ha", Occupied, "occupied"},
		{over, "ee", AfterEnd, "over"},
	} {
		var wrong *MoveError
		if _, err := c.p.ParseMove(c.token); !errors.As(err, &wrong) || wrong.Reason != c.reason ||
			!strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: %v, want %s", c.token, err, c.text)
		}
	}
	for _, token := range []string{"hb", "h,b"} {
		if m, err := p.ParseMove(token); err != nil || m.String() != "hb" {
			t.Errorf("%q: %v, %v", token, m, err)
		}
	}
}

func TestDiagram(t *testing.T) {
	p, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	const want = `X . O | O X . | X . X
X O . | O . . | . . .
X . . | . . . | X O O
------+-------+------
. . O | O X . | . . .
X . O | . X . | O . X
X O . | . . . | . O .
------+-------+------
. . X | O . O | . O .
. . . | X . X | . . .
O O O | . X . | . X X
X to move on board h
`
	if got := p.Diagram(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add(Start().String())
	f.Add("O;.........;" + strings.Repeat("........./", 8) + ".........")
	f.Add("X;@@.......;")
	f.Add("X;#........;XOXXOOOXX/\x00")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			var wrong *SyntaxError
			if !errors.As(err, &wrong) || wrong.Offset < 0 || wrong.Offset > len(text) || p != (Position{}) {
				t.Fatalf("%q: %v, %v", text, p, err)
			}
			return
		}
		if p.String() != text {
			t.Fatalf("%q became %q", text, p)
		}
		for _, m := range p.Moves(nil) {
			q := p.Play(m)
			if again, err := Parse(q.String()); err != nil || again != q {
				t.Fatalf("%q after %s: %v, %v", text, m, again, err)
			}
		}
	})
}

// The positions of the test data are read and written as they are.
func TestDataIsRead(t *testing.T) {
	for _, name := range []string{"labelled.tsv", "hard.tsv"} {
		for _, line := range filetest.Lines(t, filetest.Further(t, "ultimate/"+name)) {
			text := strings.Split(line, "\t")[2]
			if p, err := Parse(text); err != nil || p.String() != text {
				t.Errorf("%s: %v, %v", text, p, err)
			}
		}
	}
}
