package chess

import (
	"fmt"
	"strconv"
	"strings"

	"trefoil/game"
)

// StartFEN is the initial position.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// reader parses one FEN into a position.
type reader struct {
	*Position
	*game.Fields
}

// ParseFEN reads a position: a FEN whose castling rights may be written in the
// manner of X-FEN (KQkq means the outermost rook of the wing) or Shredder-FEN
// (the rook's file). The last two fields may be missing. Everything that cannot
// be on a chess board is refused with a *game.FieldError: a castling right without its
// king and rook, an en passant target that no pawn has just passed, a side not
// to move in check.
func ParseFEN(s string) (*Position, error) {
	r := reader{Position: &Position{history: make([]state, 0, 256)}}
	var err error
	if r.Fields, err = game.NewFields("FEN", s, 4, "placement", "side", "castling", "en passant", "half-moves", "move number"); err != nil {
		return nil, err
	}
	for _, parse := range []func() *game.FieldError{
		r.placement, r.sideToMove, r.pieces, r.castling, r.enPassant, r.counters,
	} {
		if err := parse(); err != nil {
			return nil, err
		}
	}
	return r.Position, nil
}

// placement sets up the pieces.
func (r *reader) placement() *game.FieldError {
	text := r.Tokens[0]
	rank, file := 7, 0
	for i := 0; i < len(text); i++ {
		token := text[i : i+1]
		code := strings.IndexByte(letters[1:], text[i]) + 1
		switch c := text[i]; {
		case c == '/':
			if file != 8 {
				return r.Fail(0, i, token, "rank %d has %d squares", rank+1, file)
			}
			if rank == 0 {
				return r.Fail(0, i, token, "more than 8 ranks")
			}
			rank, file = rank-1, 0
			continue
		case c >= '1' && c <= '8':
			file += int(c - '0')
		case code > 0 && file < 8:
			if KindOf(code) == Pawn && (rank == 0 || rank == 7) {
				return r.Fail(0, i, token, "a pawn on rank %d", rank+1)
			}
			r.putPiece(code, SquareAt(file, rank))
			file++
		case code > 0:
			file++
		default:
			return r.Fail(0, i, token, "neither a piece nor a number of empty squares")
		}
		if file > 8 {
			return r.Fail(0, i, token, "rank %d has more than 8 squares", rank+1)
		}
	}
	if rank != 0 || file != 8 {
		return r.Fail(0, 0, text, "ends on rank %d after %d squares", rank+1, file)
	}
	return nil
}

// sideToMove reads the side to move.
func (r *reader) sideToMove() *game.FieldError {
	switch r.Tokens[1] {
	case "w":
	case "b":
		r.side = Black
		r.key ^= 1
	default:
		return r.Fail(1, 0, r.Tokens[1], "neither w nor b")
	}
	return nil
}

// pieces checks that the numbers of pieces could be those of a game and that no king can be captured.
func (r *reader) pieces() *game.FieldError {
	for c := White; c <= Black; c++ {
		name := [...]string{"White", "Black"}[c]
		if n := r.Pieces(c, King).Count(); n != 1 {
			return r.Fail(0, 0, r.Tokens[0], "%s has %d kings", name, n)
		}
		if n := r.colours[c].Count(); n > 16 {
			return r.Fail(0, 0, r.Tokens[0], "%s has %d pieces", name, n)
		}
		if n := r.Pieces(c, Pawn).Count(); n > 8 {
			return r.Fail(0, 0, r.Tokens[0], "%s has %d pawns", name, n)
		}
	}
	if r.attackersOf(r.King(r.side^1), r.Occupied(), r.side) != 0 {
		return r.Fail(1, 0, r.Tokens[1], "the side to move could take the king on %v", r.King(r.side^1))
	}
	r.checkers = r.attackersOf(r.King(r.side), r.Occupied(), r.side^1)
	return nil
}

// castling reads the rights.
func (r *reader) castling() *game.FieldError {
	text := r.Tokens[2]
	if text == "-" {
		return nil
	}
	for i := 0; i < len(text); i++ {
		token := text[i : i+1]
		us, letter := White, text[i]
		if letter >= 'a' {
			us, letter = Black, letter-32
		}
		king := r.King(us)
		rooks := r.Pieces(us, Rook) & homeRank(us)
		west := rooks & (king.Bit() - 1)
		east := rooks &^ west
		var rook Bitboard
		switch {
		case letter == 'K' && east != 0:
			rook = east.Last().Bit()
		case letter == 'Q' && west != 0:
			rook = west.First().Bit()
		case letter == 'K' || letter == 'Q':
		case letter >= 'A' && letter <= 'H':
			rook = rooks & (FileA << (letter - 'A'))
			r.chess960 = true
		default:
			return r.Fail(2, i, token, "not a castling right")
		}
		wing := east
		if rook&west != 0 {
			wing = west
		}
		switch {
		case !homeRank(us).Has(king):
			return r.Fail(2, i, token, "the king has left its rank")
		case rook == 0:
			return r.Fail(2, i, token, "no rook there")
		case wing&r.castle != 0:
			return r.Fail(2, i, token, "a second right on one wing")
		}
		r.castle |= rook
		r.key ^= words.castle[rook.First()]
		if king.File() != 4 || rook&(FileA|FileH) == 0 {
			r.chess960 = true
		}
	}
	return nil
}

// enPassant reads the target of an en passant capture. It is kept only if
// there is such a capture.
func (r *reader) enPassant() *game.FieldError {
	text := r.Tokens[3]
	if text == "-" {
		return nil
	}
	to, ok := parseSquare(text)
	if !ok {
		return r.Fail(3, 0, text, "neither a square nor -")
	}
	pawn, start, rank := to^8, to+8, 5
	if r.side == Black {
		start, rank = to-8, 2
	}
	if to.Rank() != rank || r.Occupied()&(to.Bit()|start.Bit()) != 0 || !r.Pieces(r.side^1, Pawn).Has(pawn) {
		return r.Fail(3, 0, text, "no pawn has just passed this square")
	}
	r.offerEnPassant(to)
	return nil
}

// counters reads the two numbers; what is missing counts as 0 and 1.
func (r *reader) counters() *game.FieldError {
	numbers := [2]int{0, 1}
	for i := range numbers {
		text := r.Tokens[4+i]
		if text == "" {
			break
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n > 9999 {
			return r.Fail(4+i, 0, text, "not a number from 0 to 9999")
		}
		numbers[i] = int(n)
	}
	r.half, r.back = uint16(numbers[0]), 0
	r.ply = 2*(numbers[1]-1) + int(r.side)
	return nil
}

// FEN writes the position. Castling rights are written by the rook's file
// where the position is set to Chess960 or the rook is not its wing's outermost.
func (p *Position) FEN() string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		for file := range 8 {
			code := p.At(SquareAt(file, rank))
			if code == 0 {
				empty++
				continue
			}
			if empty > 0 {
				b.WriteByte('0' + byte(empty))
				empty = 0
			}
			b.WriteByte(letters[code])
		}
		if empty > 0 {
			b.WriteByte('0' + byte(empty))
		}
		if rank > 0 {
			b.WriteByte('/')
		}
	}
	ep := "-"
	if p.ep != 0 {
		ep = Square(p.ep).String()
	}
	number := 1 + (p.ply-int(p.side))/2
	fmt.Fprintf(&b, " %c %s %s %d %d", "wb"[p.side], p.castlingText(), ep, p.half, number)
	return b.String()
}

// castlingText writes the castling rights.
func (p *Position) castlingText() string {
	var text []byte
	for c := White; c <= Black; c++ {
		king := p.King(c)
		rooks := p.Pieces(c, Rook) & homeRank(c)
		for _, letter := range []byte("KQ") {
			wing := rooks & (king.Bit() - 1)
			if letter == 'K' {
				wing = rooks &^ wing
			}
			right := wing & p.castle
			if right == 0 {
				continue
			}
			outermost := wing.First()
			if letter == 'K' {
				outermost = wing.Last()
			}
			if p.chess960 || !right.Has(outermost) {
				letter = 'A' + byte(right.First().File())
			}
			text = append(text, letter+32*byte(c))
		}
	}
	if text == nil {
		return "-"
	}
	return string(text)
}

// String draws the board, with the FEN and the key below.
func (p *Position) String() string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		fmt.Fprintf(&b, " %d ", rank+1)
		for file := range 8 {
			fmt.Fprintf(&b, " %c", letters[p.At(SquareAt(file, rank))])
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n    a b c d e f g h\n\nFen: %s\nKey: %016X\nCheckers:", p.FEN(), p.key)
	for c := p.checkers; c != 0; {
		fmt.Fprintf(&b, " %v", c.Pop())
	}
	b.WriteByte('\n')
	return b.String()
}
