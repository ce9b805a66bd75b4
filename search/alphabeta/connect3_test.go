package alphabeta

import (
	"strconv"
	"strings"
	"testing"

	"trefoil/game"
	"trefoil/search"
)

// connect3 is a toy game that implements nothing but Position: stones fall into four columns of
// three cells, and the first line of three wins.
type connect3 struct {
	cells  [columns][height]int8 // 0: empty, 1 and 2: the stone of a side
	filled [columns]int
	played []int // columns
}

const columns, height = 4, 3

var (
	_ Position = (*connect3)(nil)
	// directions of lines: right, up, and the two diagonals
	directions = [...][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}
)

func (c *connect3) Key() uint64 {
	key := uint64(0)
	for _, column := range c.cells {
		for _, stone := range column {
			key = key*3 + uint64(stone)
		}
	}
	return key*0x9E3779B97F4A7C15&^1 | uint64(c.Side())
}

func (c *connect3) Side() int { return len(c.played) & 1 }

// Adjudicate ends the game with a line of three, which the side that has just moved has made.
func (c *connect3) Adjudicate(int) (game.Outcome, bool) {
	for x := range columns {
		for y := range height {
			for _, d := range directions {
				if s := c.at(x, y); s != 0 && s == c.at(x+d[0], y+d[1]) && s == c.at(x+2*d[0], y+2*d[1]) {
					return game.Loss, true
				}
			}
		}
	}
	return game.Draw, len(c.played) == columns*height
}

func (c *connect3) at(x, y int) int8 {
	if x < 0 || x >= columns || y < 0 || y >= height {
		return 0
	}
	return c.cells[x][y]
}

func (c *connect3) NoMoves() game.Outcome {
	o, _ := c.Adjudicate(0)
	return o
}

func (c *connect3) Moves(kind game.Kind, l *game.List) {
	if kind != game.All && kind != game.Quiet {
		return
	}
	if _, over := c.Adjudicate(0); over {
		return
	}
	for x := range columns {
		if m, ok := c.FromMove16(uint16(x + 1)); ok {
			l.Add(m)
		}
	}
}

// FromMove16 makes column x, from 0, a move to square x + 1 of piece 1 or 2.
func (c *connect3) FromMove16(m16 uint16) (game.Move, bool) {
	if m16 == 0 || m16 > columns || c.filled[m16-1] == height {
		return game.None, false
	}
	return game.NewMove(m16, 1+c.Side(), 0, false), true
}

func (c *connect3) Make(m game.Move) {
	x := m.To() - 1
	c.cells[x][c.filled[x]] = int8(m.Piece())
	c.filled[x]++
	c.played = append(c.played, x)
}

func (c *connect3) Undo() {
	last := len(c.played) - 1
	x := c.played[last]
	c.played = c.played[:last]
	c.filled[x]--
	c.cells[x][c.filled[x]] = 0
}

func (c *connect3) Eval() int                                { return 0 }
func (c *connect3) HistoryDimensions() (pieces, squares int) { return 3, columns + 1 }
func (c *connect3) Text(m game.Move) string                  { return strconv.Itoa(m.To()) }

func (c *connect3) Clone() Position {
	clone := *c
	clone.played = append([]int(nil), c.played...)
	return &clone
}

// minimax returns mate - n if the side to move wins in n plies, n - mate if it loses in n.
func (c *connect3) minimax() int {
	if o, over := c.Adjudicate(0); over {
		return outcomeValue(o, 0)
	}
	best := -infinite
	for x := range columns {
		if m, ok := c.FromMove16(uint16(x + 1)); ok {
			c.Make(m)
			v := -c.minimax()
			c.Undo()
			if v > 0 {
				v--
			} else if v < 0 {
				v++
			}
			best = max(best, v)
		}
	}
	return best
}

// TestToyGame: a game that implements only what is required is searched to its right end.
func TestToyGame(t *testing.T) {
	s := newSearcher(t, 1)
	kinds := map[string]int{}
	for _, opening := range strings.Fields("11 12 13 24 122 111 1113 111333 11233 124441 2211 2233 1441 142341 11122") {
		c := new(connect3)
		for _, digit := range opening {
			m, _ := c.FromMove16(uint16(digit - '0'))
			c.Make(m)
		}
		if _, over := c.Adjudicate(0); over {
			t.Fatalf("%s: the game is over", opening)
		}
		want := publicScore(c.minimax())
		s.NewGame()
		res, infos := run(t, s, c, search.Limits{Depth: 30}, Settings{})
		if got := infos[len(infos)-1].Score; got != want || res.Best == "" {
			t.Errorf("%s: %+v, best %q, want %+v", opening, got, res.Best, want)
		}
		switch {
		case !want.Mate:
			kinds["draw"]++
		case want.Plies > 0:
			kinds["win"]++
		default:
			kinds["loss"]++
		}
	}
	if len(kinds) != 3 {
		t.Errorf("the openings have %v, want wins, draws and losses", kinds)
	}
}
