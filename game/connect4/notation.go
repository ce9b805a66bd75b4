package connect4

import (
	"fmt"
	"strings"
)

// Reason is why a move was not accepted.
type Reason uint8

// The reasons, in the order in which they are checked: after the end of a game the reason is
// AfterEnd, also for a full column.
const (
	NoColumn   Reason = iota // not a column of the board
	FullColumn               // the column is full already
	AfterEnd                 // a line, or a full board, ended the game before
)

// MoveError says which move of a game was not accepted, and why.
type MoveError struct {
	Ply    int    // from 1
	Token  string // the move as it was written
	Reason Reason
	Last   string // the last column of the board
}

func (e *MoveError) Error() string {
	reason := "not a column from 1 to " + e.Last
	switch e.Reason {
	case FullColumn:
		reason = "the column is full"
	case AfterEnd:
		reason = "the game is over"
	}
	return fmt.Sprintf("ply %d: move %q: %s", e.Ply, e.Token, reason)
}

// Parse plays a game from the empty standard board.
func Parse(moves string) (Position, error) { return Standard.Parse(moves) }

// Parse plays a game from the empty board, written as the columns played, 1 to 7 on the standard board,
// with nothing between them. After column 9 come a, b and so on. The empty string is the empty board. The
// error is a *MoveError; then the position is the one before the move that it names.
func (b *Board) Parse(moves string) (Position, error) {
	if p, ok := b.play(moves); ok {
		return p, nil
	}
	p := b.Start()
	for i := range len(moves) {
		col, err := p.ParseMove(moves[i : i+1])
		if err != nil {
			return p, err
		}
		p = p.Play(col)
	}
	return p, nil
}

// play plays a game from the empty board, and reports whether it is one. A line stays on the board, so it is enough to
// look for lines once, before the last move.
func (b *Board) play(moves string) (p Position, ok bool) {
	p = b.Start()
	before := p
	for i := range len(moves) {
		col := strings.IndexByte(columns[:b.Width], moves[i])
		if col < 0 || !p.CanPlay(col) {
			return p, false
		}
		before, p = p, p.Play(col)
	}
	return p, !b.Line(before.Mover) && !b.Line(before.Mover.Xor(before.All))
}

// ParseMove reads a move that can be played, and returns its column, from 0 on. The
// error is a *MoveError.
func (p Position) ParseMove(token string) (int, error) {
	b := p.Board()
	fail := func(r Reason) (int, error) { return 0, &MoveError{p.Ply() + 1, token, r, Text(b.Width - 1)} }
	col := strings.Index(columns[:b.Width], token)
	if len(token) != 1 || col < 0 {
		return fail(NoColumn)
	}
	if _, over := p.Over(); over {
		return fail(AfterEnd)
	}
	if !p.CanPlay(col) {
		return fail(FullColumn)
	}
	return col, nil
}

// columns are the names of the columns.
const columns = "123456789abcdefghijklmnop"

// Text writes a move to a column, from 0 on, as ParseMove reads it.
func Text(col int) string { return columns[col : col+1] }

// Columns writes the columns of a game that leads to a position that is not over, as Parse reads them. Of
// all these games it takes the game whose last columns are leftmost. A position that no game leads to has
// none, "" and false. It takes back stones in every order until one fits, which is quick for the few stones
// of a book.
func (p Position) Columns() (moves string, ok bool) {
	if p.All.IsZero() {
		return "", true
	}
	b, last := p.Board(), p.Mover.Xor(p.All) // the stones of the side that has just moved
	for col := range b.Width {
		column := p.All.And(b.Column(col))
		top := column.AndNot(column.Shr(1)) // the highest stone
		if top.And(last).IsZero() {
			continue
		}
		// After taking back, the side to move is the side that has just moved here; it has the same stones
		// without this one.
		if moves, ok := (Position{last.AndNot(top), p.All.AndNot(top), p.board}).Columns(); ok {
			return moves + Text(col), true
		}
	}
	return "", false
}
