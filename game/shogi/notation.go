package shogi

import (
	"fmt"
	"strings"

	"trefoil/game"
)

// MoveError says why a move was not accepted.
type MoveError struct {
	Token  string
	Reason string
}

func (e *MoveError) Error() string { return fmt.Sprintf("move %q: %s", e.Token, e.Reason) }

// parseSquare reads a square's name.
func parseSquare(s string) (Square, bool) {
	if len(s) != 2 || s[0] < '1' || s[0] > '9' || s[1] < 'a' || s[1] > 'i' {
		return 0, false
	}
	return SquareAt(int(s[0]-'1'), int(s[1]-'a')), true
}

// Text writes m as USI does: 7g7f, 8h2b+, P*5e.
func (p *Position) Text(m game.Move) string {
	to := target(m)
	switch {
	case m == game.None:
		return "0000"
	case m&drop != 0:
		k := dropped(m)
		return letters[k:k+1] + "*" + to.String()
	case m&promotion != 0:
		return origin(m).String() + to.String() + "+"
	}
	return origin(m).String() + to.String()
}

// Text16 writes what a transposition table keeps of a move in the notation of USI; "" if the bits are no move.
func Text16(bits uint16) string {
	m := game.Move(bits)
	from, drops := origin(m), m&drop != 0
	if m == game.None || target(m) >= Nowhere || drops != (from >= Nowhere) || drops && dropped(m) >= King {
		return ""
	}
	return new(Position).Text(m)
}

const malformed = "not of the form 7g7f, 8h2b+ or P*5e"

// ParseMove reads a legal move in the notation of USI. The error is a *MoveError.
func (p *Position) ParseMove(s string) (game.Move, error) {
	if len(s) == 5 && s[4] != '+' || len(s) != 4 && len(s) != 5 {
		return game.None, &MoveError{s, malformed}
	}
	to, ok := parseSquare(s[2:4])
	if !ok {
		return game.None, &MoveError{s, malformed}
	}
	if s[1] == '*' {
		return p.parseDrop(s, to)
	}
	from, ok := parseSquare(s[:2])
	if !ok {
		return game.None, &MoveError{s, malformed}
	}
	m := game.Move(to) | game.Move(from)<<7
	if len(s) == 5 {
		m |= promotion
	}
	if m, ok := p.FromMove16(m.Move16()); ok {
		return m, nil
	}
	return game.None, &MoveError{s, p.refusal(m)}
}

// parseDrop reads a drop on to.
func (p *Position) parseDrop(s string, to Square) (game.Move, error) {
	k := Kind(strings.IndexByte(letters[:King], s[0]))
	if k < 0 || len(s) != 4 {
		return game.None, &MoveError{s, malformed}
	}
	if m, ok := p.FromMove16((newDrop(p.side, k) | game.Move(to)).Move16()); ok {
		return m, nil
	}
	return game.None, &MoveError{s, p.refusalOfDrop(k, to)}
}

// refusal says why a well-formed move of a piece on the board is not legal.
func (p *Position) refusal(m game.Move) string {
	from, to, us := origin(m), target(m), p.side
	code := p.At(from)
	if code == 0 {
		return fmt.Sprintf("there is no piece on %v", from)
	}
	k := KindOf(code)
	switch {
	case ColourOf(code) != us:
		return fmt.Sprintf("the piece on %v is not the side to move's", from)
	case !Attacks(us, k, from, p.Occupied()).Without(p.colours[us&1]).Has(to):
		return fmt.Sprintf("the piece on %v cannot go there", from)
	case !p.safe(k, from, to):
		return "the king would be in check"
	case m&promotion == 0:
		return "the piece must promote"
	case !k.Promotes():
		return "the piece does not promote"
	}
	return "promotion is for the last three ranks"
}

// refusalOfDrop says why a drop is not legal.
func (p *Position) refusalOfDrop(k Kind, to Square) string {
	us := p.side
	switch {
	case !p.hands[us&1].Has(k):
		return "no such piece in hand"
	case p.board[to] != 0:
		return fmt.Sprintf("there is a piece on %v", to)
	case dead(us, k).Has(to):
		return "the piece could never move"
	case k == Pawn && p.Pieces(us, Pawn).files().Has(to):
		return fmt.Sprintf("there is a pawn on file %d", to.File()+1)
	case k == Pawn && !p.pawnDrops(to.Bit()).Any():
		return "a dropped pawn may not mate"
	}
	return "the king would be in check"
}
