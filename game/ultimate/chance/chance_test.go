package chance

import (
	"testing"

	"trefoil/game/ultimate"
)

func TestTable(t *testing.T) {
	table := Table()
	for code := range uint16(ultimate.BoardCodes) {
		s, c := ultimate.BoardStones(code), table[code]
		swapped := table[ultimate.BoardCode(s[1], s[0])]
		first, second := ultimate.HasLine(s[0]), ultimate.HasLine(s[1])
		switch {
		case first && second: // on no board
		case c[0] != swapped[1] || c[1] != swapped[0]:
			t.Fatalf("%v: %v, with roles exchanged %v", s, c, swapped)
		case first && (c[0] != 255 || c[1] != 0):
			t.Fatalf("%v, won: %v", s, c)
		case !first && !second && s[0]|s[1] == ultimate.All && c != [2]uint8{}:
			t.Fatalf("%v, drawn: %v", s, c)
		case !first && !second && int(c[0])+int(c[1]) > 256:
			t.Fatalf("%v: %v", s, c)
		}
	}
	// One empty cell, which wins the board for the first role only: half of the games.
	if c := table[ultimate.BoardCode(0b1_0110_0011, 0b0_1000_1100)]; c != [2]uint8{128, 0} {
		t.Errorf("%v", c)
	}
}

func TestLines(t *testing.T) {
	boards := [ultimate.Boards]uint8{255, 255, 255}
	if got := Lines(&boards); got != 255*255*255 {
		t.Errorf("one line: %d", got)
	}
	for i := range boards {
		boards[i] = 255
	}
	if got := Lines(&boards); got != 8*255*255*255 {
		t.Errorf("all lines: %d", got)
	}
}

// Through is by how much Lines grows with the chance of a board.
func TestThrough(t *testing.T) {
	boards := [ultimate.Boards]uint8{10, 200, 0, 255, 31, 7, 90, 128, 66}
	for b := range boards {
		more := boards
		more[b]++ // 255 becomes 0
		step := int(more[b]) - int(boards[b])
		if got, want := step*Through(&boards, uint8(b)), Lines(&more)-Lines(&boards); got != want {
			t.Errorf("board %d: %d, Lines grows by %d", b, got, want)
		}
	}
}
