package connect4

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// full is a drawn game of 42 plies.
const full = "121212212121343434434343565656656565777777"

func TestParse(t *testing.T) {
	for _, c := range []struct {
		digits    string
		won, over bool
	}{
		{"", false, false},
		{"4", false, false},
		{"444444", false, false},
		{"1212121", true, true},
		{"11223344"[:7], true, true},
		{full, false, true},
		{full[:41], false, false},
	} {
		p, err := Parse(c.digits)
		if err != nil {
			t.Errorf("%q: %v", c.digits, err)
			continue
		}
		if won, over := p.Over(); won != c.won || over != c.over || p.Ply() != len(c.digits) {
			t.Errorf("%q: won %v, over %v, ply %d in\n%v", c.digits, won, over, p.Ply(), p)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		digits string
		want   MoveError
		text   string
	}{
		{"4444444", MoveError{7, "4", FullColumn, "7"}, `ply 7: move "4": the column is full`},
		{"12121211", MoveError{8, "1", AfterEnd, "7"}, `ply 8: move "1": the game is over`},
		{full + "1", MoveError{43, "1", AfterEnd, "7"}, ""},
		{"0", MoveError{1, "0", NoColumn, "7"}, `ply 1: move "0": not a column from 1 to 7`},
		{"448", MoveError{3, "8", NoColumn, "7"}, ""},
		{"4 4", MoveError{2, " ", NoColumn, "7"}, ""},
		{"4\n", MoveError{2, "\n", NoColumn, "7"}, `ply 2: move "\n": not a column from 1 to 7`},
		{"4é", MoveError{2, "\xc3", NoColumn, "7"}, ""},
		{"1212121x", MoveError{8, "x", NoColumn, "7"}, ""},
	} {
		p, err := Parse(c.digits)
		var e *MoveError
		if !errors.As(err, &e) || *e != c.want {
			t.Errorf("%q: %v, want %+v", c.digits, err, c.want)
			continue
		}
		if c.text != "" && e.Error() != c.text {
			t.Errorf("%q: %q, want %q", c.digits, e.Error(), c.text)
		}
		if before, err := Parse(c.digits[:e.Ply-1]); err != nil || p != before {
			t.Errorf("%q: the position is not the one before ply %d: %v\n%v", c.digits, e.Ply, err, p)
		}
	}
}

func TestParseMove(t *testing.T) {
	for col := range Standard.Width {
		if got, err := (Position{}).ParseMove(Text(col)); err != nil || got != col {
			t.Errorf("%q is column %d, %v", Text(col), got, err)
		}
	}
	for _, token := range []string{"", "44", "04", "0000", "a", "-", "１"} {
		if _, err := (Position{}).ParseMove(token); err == nil || !strings.Contains(err.Error(), "ply 1") {
			t.Errorf("%q: %v", token, err)
		}
	}
}

// FuzzParse: whatever is accepted is a game by the rules of the grid, and whatever is
// refused is refused at the first move that the grid refuses too.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, digits string) {
		p, err := Parse(digits)
		g := grid{Board: Standard}
		want := error(nil)
		for i := range len(digits) {
			reason := NoColumn
			if c := digits[i]; c >= '1' && c <= '7' {
				if _, over := g.over(); over {
					reason = AfterEnd
				} else if g.tops[c-'1'] == Standard.Height {
					reason = FullColumn
				} else {
					g.play(int(c - '1'))
					continue
				}
			}
			want = &MoveError{i + 1, digits[i : i+1], reason, "7"}
			break
		}
		if (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Fatalf("%q: %v, want %v", digits, err, want)
		}
		compare(t, p, &g)
	})
}

// TestColumns: the columns of a position lead to it, and a position that no game leads to has none.
func TestColumns(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, b := range testBoards(t) {
		for range 200 {
			p := b.Start()
			for range rnd.IntN(min(17, b.Cells)) {
				if _, over := p.Over(); over {
					break
				}
				if col := rnd.IntN(b.Width); p.CanPlay(col) {
					p = p.Play(col)
				}
			}
			if _, over := p.Over(); over {
				continue
			}
			columns, ok := p.Columns()
			if q, err := b.Parse(columns); !ok || err != nil || q != p {
				t.Fatalf("%v: %q, %v:\n%v", b, columns, err, p)
			}
		}
	}
	for _, p := range []Position{{Mover: Set128{0, 1}, All: Set128{0, 1}}, {All: Set128{0, 3}},
		{Mover: Set128{0, 1 << 1}, All: Set128{0, 3 << 7}}} {
		if columns, ok := p.Columns(); ok {
			t.Errorf("%q:\n%v", columns, p)
		}
	}
}
