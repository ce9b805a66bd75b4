package connect4

import "fmt"

// Reason is why a move was not accepted.
type Reason uint8

// The reasons, in the order in which they are checked: after the end of a game the reason is
// AfterEnd, also for a full column.
const (
	NoColumn   Reason = iota // not a digit from 1 to 7
	FullColumn               // the column has six stones already
	AfterEnd                 // four in a line, or 42 stones, ended the game before
)

// MoveError says which move of a game was not accepted, and why.
type MoveError struct {
	Ply    int    // from 1
	Token  string // the move as it was written
	Reason Reason
}

func (e *MoveError) Error() string {
	reason := "not a column from 1 to 7"
	switch e.Reason {
	case FullColumn:
		reason = "the column is full"
	case AfterEnd:
		reason = "the game is over"
	}
	return fmt.Sprintf("ply %d: move %q: %s", e.Ply, e.Token, reason)
}

// Parse plays a game from the empty board, written as the columns played, 1 to 7, with
// nothing between them. The empty string is the empty board. The error is a
// *MoveError; then the position is the one before the move that it names.
func Parse(digits string) (Position, error) {
	var p Position
	for i := range len(digits) {
		col, err := p.ParseMove(digits[i : i+1])
		if err != nil {
			return p, err
		}
		p = p.Play(col)
	}
	return p, nil
}

// ParseMove reads a move that can be played, and returns its column, 0 to 6. The
// error is a *MoveError.
func (p Position) ParseMove(token string) (int, error) {
	fail := func(r Reason) (int, error) { return 0, &MoveError{p.Ply() + 1, token, r} }
	if len(token) != 1 || token[0] < '1' || token[0] > '0'+Width {
		return fail(NoColumn)
	}
	col := int(token[0] - '1')
	if _, over := p.Over(); over {
		return fail(AfterEnd)
	}
	if !p.CanPlay(col) {
		return fail(FullColumn)
	}
	return col, nil
}

// Text writes a move to column col, 0 to 6, as ParseMove reads it.
func Text(col int) string { return "1234567"[col : col+1] }
