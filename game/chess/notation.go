package chess

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
	if len(s) != 2 || s[0] < 'a' || s[0] > 'h' || s[1] < '1' || s[1] > '8' {
		return 0, false
	}
	return SquareAt(int(s[0]-'a'), int(s[1]-'1')), true
}

// Text16 writes what a transposition table keeps of a move in the notation of UCI; "" if the bits are no move.
// Castling from the e-file is written as in chess.
func Text16(bits uint16) string {
	m := game.Move(bits)
	if bits&0x40 != 0 || origin(m) == target(m) {
		return ""
	}
	return new(Position).Text(m)
}

// Castles reports whether m is castling.
func (p *Position) Castles(m game.Move) bool { return m&forms == castling }

// Text writes m as UCI does: origin, target, promotion. Castling is the king's
// step (e1g1), or king takes rook in Chess960 and from other files than the e-file.
func (p *Position) Text(m game.Move) string {
	from, to := origin(m), target(m)
	if m == game.None {
		return "0000"
	}
	switch form := m & forms; {
	case form == castling && !p.chess960 && from.File() == 4:
		to, _ = castled(from, to)
	case form >= promotion:
		return from.String() + to.String() + string("nbrq"[promoted(m)-Knight])
	}
	return from.String() + to.String()
}

// ParseMove reads a legal move in the notation of UCI. Castling may be written
// as king takes rook, or as the king's step if that is two files or more; the piece
// of a promotion may be a capital. The error is a *MoveError.
func (p *Position) ParseMove(s string) (game.Move, error) {
	if len(s) != 4 && len(s) != 5 {
		return game.None, &MoveError{s, "not of the form e2e4 or e7e8q"}
	}
	from, ok1 := parseSquare(s[:2])
	to, ok2 := parseSquare(s[2:4])
	if !ok1 || !ok2 {
		return game.None, &MoveError{s, "not of the form e2e4 or e7e8q"}
	}
	form := plain
	if len(s) == 5 {
		piece := strings.IndexByte("nbrqNBRQ", s[4])
		if piece < 0 {
			return game.None, &MoveError{s, "promotion is to n, b, r or q"}
		}
		form = promotion + game.Move(piece%4)<<13
	}
	try := []game.Move{form}
	if form == plain {
		try = []game.Move{plain, castling, enPassant, doubleStep}
	}
	for _, form := range try {
		if m, ok := p.FromMove16((game.Move(to) | game.Move(from)<<7 | form).Move16()); ok {
			return m, nil
		}
	}
	if m, ok := p.castlingStep(from, to); ok && form == plain {
		return m, nil
	}
	queening := game.Move(to) | game.Move(from)<<7 | promotion | game.Move(Queen-Knight)<<13
	if _, ok := p.FromMove16(queening.Move16()); ok && form == plain {
		return game.None, &MoveError{s, "the piece of the promotion is missing: n, b, r or q"}
	}
	return game.None, &MoveError{s, p.refusal(from)}
}

// castlingStep returns the legal castling move that takes the king from one
// square to another at least two files away.
func (p *Position) castlingStep(from, to Square) (game.Move, bool) {
	if d := from - to; from != p.King(p.side) || d > -2 && d < 2 {
		return game.None, false
	}
	for rooks := p.CastlingRooks(p.side); rooks != 0; {
		rook := rooks.Pop()
		if kingTo, _ := castled(from, rook); kingTo == to {
			return p.FromMove16((game.Move(rook) | game.Move(from)<<7 | castling).Move16())
		}
	}
	return game.None, false
}

// refusal says why no move from a square is the wanted one.
func (p *Position) refusal(from Square) string {
	code := p.At(from)
	switch {
	case code == 0:
		return fmt.Sprintf("there is no piece on %v", from)
	case ColourOf(code) != p.side:
		return fmt.Sprintf("the piece on %v is not the side to move's", from)
	case p.checkers != 0:
		return "illegal: the king is in check"
	}
	return "illegal"
}
