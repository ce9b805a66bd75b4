package connect4

import (
	"fmt"

	rules "trefoil/game/connect4"
	"trefoil/internal/cli"
)

// boardFlags are the flags that choose a board.
type boardFlags struct {
	Size    boardSize  `default:"7x6" help:"Width and height of the board, each at least 4; width * (height + 1) is at most 128, for a book 56."`
	Connect lineLength `default:"4" help:"How many stones in a row win, 3 to 5."`
}

// Board returns the board that the flags name.
func (f *boardFlags) Board() (*rules.Board, error) {
	return rules.ParseBoard(string(f.Size), int(f.Connect))
}

// boardSize is the size of a board, such as 7x6.
type boardSize string

// UnmarshalText reads the size of a board.
func (s *boardSize) UnmarshalText(text []byte) error {
	b, err := rules.ParseBoard(string(text), rules.MinConnect)
	if err == nil {
		*s = boardSize(fmt.Sprintf("%dx%d", b.Width, b.Height)) // the same in all records of the board
	}
	return err
}

// lineLength is how many stones in line win.
type lineLength int

// UnmarshalText reads the length of a line.
func (n *lineLength) UnmarshalText(text []byte) (err error) {
	*n, err = cli.Whole[lineLength](text, rules.MinConnect, rules.MaxConnect)
	return err
}
