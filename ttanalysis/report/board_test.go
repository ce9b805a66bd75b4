package report

import (
	"strings"
	"testing"
)

const (
	chessStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	shogiBoard = "ln1gkg1nl/1r1s3+B1/p2pppppp/2p6/9/2P6/P1SPPPPPP/7R1/LN1GKGSNL w Pb 8"
)

// A board has a shape for each piece of the position, and an arrow for the move.
func TestDrawBoard(t *testing.T) {
	for _, c := range []struct {
		game, position, move string
		illegal              bool
		pieces               int
		below                string
		has, hasNot          []string
	}{
		{"chess", chessStart, "e2e4", false, 32, "White to move", []string{"M202.0 264.0L202.0 199.0"}, []string{"dasharray", "letters"}},
		{"chess", chessStart, "g1f3", true, 32, "White to move", []string{"dasharray"}, nil},
		{"chess", chessStart, "", false, 32, "White to move", nil, []string{"#D55E00"}},
		{"chess", chessStart, "e2z9", false, 32, "White to move", nil, []string{"#D55E00"}},
		{"shogi", shogiBoard, "2b3c+", false, 36, "White to move; in hand: Black P, White B", []string{"letters", "#D55E00", "&#43;B"}, nil},
		{"shogi", shogiBoard, "P*5e", false, 36, "White to move; in hand: Black P, White B", []string{"a17 17"}, nil},
		{"connect4", "anything", "", false, 0, "", nil, []string{"svg"}},
	} {
		svg, below, err := drawBoard("<probed>", c.game, c.position, c.move, c.illegal)
		if n := strings.Count(string(svg), "<g transform="); err != nil || n != c.pieces || below != c.below {
			t.Errorf("%s %s: %d pieces, %q, %v, want %d, %q", c.position, c.move, n, below, err, c.pieces, c.below)
		}
		for _, want := range c.has {
			if !strings.Contains(string(svg), want) {
				t.Errorf("%s %s: no %q", c.position, c.move, want)
			}
		}
		for _, bad := range append(c.hasNot, "<probed>", "NaN") {
			if strings.Contains(string(svg), bad) {
				t.Errorf("%s %s: has %q", c.position, c.move, bad)
			}
		}
	}
}

// What is no position is refused by name.
func TestDrawBoardRefuses(t *testing.T) {
	for _, c := range []struct{ game, position, want string }{
		{"chess", "", "no fields"},
		{"chess", "8/8 w -", "2 ranks, expected 8"},
		{"chess", "9/8/8/8/8/8/8/8 w -", `rank "9" has 9 squares, expected 8`},
		{"chess", "7/8/8/8/8/8/8/8 w -", `rank "7" has 7 squares, expected 8`},
		{"chess", "7x/8/8/8/8/8/8/8 w -", `'x' is not a piece`},
		{"chess", "6+P/8/8/8/8/8/8/8 w -", `'+' is not a piece`},
		{"chess", "8/8/8/8/8/8/8/8 x -", `side to move "x"`},
		{"shogi", "8+/9/9/9/9/9/9/9/9 b -", `rank "8+"`},
		{"shogi", "+18/9/9/9/9/9/9/9/9 b -", `'1' is not a piece`},
	} {
		if _, _, err := drawBoard("", c.game, c.position, "", false); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.position, err, c.want)
		}
	}
}
