package shogi

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"trefoil/game"
)

// StartSFEN is the initial position.
const StartSFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

// letters are the sfen letters of the kinds that are not promoted; Black's are capital.
const letters = "PLNSGBRK"

// names are the colours in messages.
var names = [2]string{"Black", "White"}

// limits are the numbers of pieces of a kind in a set, promoted or not, and what a
// hand can hold.
var (
	limits = [8]int{18, 4, 4, 4, 4, 2, 2}
	holds  = [8]int{18, 7, 7, 7, 7, 3, 3}
)

// reader parses one sfen into a position.
type reader struct {
	*Position
	*game.Fields
	pieces [8]int // by kind
	limits [8]int
	loose  bool
}

// ReadSFEN reads a position like ParseSFEN, or like ParseCrowded if a set has fewer pieces: editors of GUIs can
// set up more, and that can be played. Each of repairs says what was wrong.
func ReadSFEN(s string) (p *Position, repairs []string, err error) {
	if p, repairs, err = parsePosition(s, limits, false); err == nil {
		return p, repairs, nil
	}
	p, repairs, stillWrong := parsePosition(s, holds, false)
	if stillWrong != nil {
		return nil, nil, err
	}
	return p, append(repairs, "set up, although a set has fewer pieces: "+err.Error()), nil
}

// ParseSFEN reads a position. Hands may come in any order, and the move number may
// be missing or out of range. One king may be missing, as in mate problems. Everything that cannot
// be in a game is refused with a *game.FieldError: more pieces than a set has, a piece that
// could never move, two pawns on a file, a side not to move in check.
func ParseSFEN(s string) (*Position, error) {
	p, _, err := parsePosition(s, limits, false)
	return p, err
}

// ParseCrowded reads a position like ParseSFEN, but there may be more pieces than a set
// has: a third rook or bishop, and up to seven of the other kinds but pawns.
func ParseCrowded(s string) (*Position, error) {
	p, _, err := parsePosition(s, holds, false)
	return p, err
}

// ParseLoose reads a position like ParseCrowded, but one made up to test rules may also
// have knights and lances that cannot move.
func ParseLoose(s string) (*Position, error) {
	p, _, err := parsePosition(s, holds, true)
	return p, err
}

func parsePosition(s string, limits [8]int, loose bool) (p *Position, repairs []string, err error) {
	r := reader{
		Position: &Position{kings: [2]Square{Nowhere, Nowhere}, history: make([]state, 0, 256)},
		limits:   limits, loose: loose,
	}
	r.key, r.boardKey = words.game, words.game
	if r.Fields, err = game.NewFields("sfen", s, 3, "board", "side", "hands", "move number"); err != nil {
		return nil, nil, err
	}
	for _, parse := range []func() *game.FieldError{
		r.placement, r.sideToMove, r.kingsAndChecks, r.inHand, r.number,
	} {
		if err := parse(); err != nil {
			return nil, nil, err
		}
	}
	r.seen[r.boardKey>>1%seenSize]++
	return r.Position, r.Repairs, nil
}

// operation matches where an operation begins that may follow an sfen, as in an EPD of chess.
var operation = regexp.MustCompile(`\s(am|bm|dm|id|c0)(\s|;|$)`)

// CutOperations returns an sfen and the operations that follow it, from the first am, bm, dm, id or c0 on.
func CutOperations(s string) (sfen, operations string) {
	if at := operation.FindStringIndex(s); at != nil {
		return s[:at[0]], s[at[0]+1:]
	}
	return s, ""
}

// piece reads a piece letter; its case is the colour.
func piece(letter byte) (c Colour, k Kind, ok bool) {
	if letter >= 'a' {
		c, letter = White, letter-32
	}
	k = Kind(strings.IndexByte(letters, letter))
	return c, k, k >= 0
}

// placement sets up the pieces on the board.
func (r *reader) placement() *game.FieldError {
	text := r.Tokens[0]
	rank, left := 0, 9
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '/':
			if left != 0 {
				return r.Fail(0, i, "/", "rank %c has %d squares", 'a'+rank, 9-left)
			}
			if rank == 8 {
				return r.Fail(0, i, "/", "more than 9 ranks")
			}
			rank, left = rank+1, 9
		case c >= '1' && c <= '9':
			if left -= int(c - '0'); left < 0 {
				return r.Fail(0, i, text[i:i+1], "rank %c has more than 9 squares", 'a'+rank)
			}
		default:
			first := i
			if c == '+' && i+1 < len(text) {
				i++
			}
			if left--; left < 0 {
				return r.Fail(0, first, text[first:i+1], "rank %c has more than 9 squares", 'a'+rank)
			}
			if err := r.placePiece(first, text[first:i+1], SquareAt(left, rank)); err != nil {
				return err
			}
		}
	}
	if rank != 8 || left != 0 {
		return r.Fail(0, 0, text, "ends on rank %c after %d squares", 'a'+rank, 9-left)
	}
	return nil
}

// placePiece puts the piece that token at an offset of the board names on s.
func (r *reader) placePiece(offset int, token string, s Square) *game.FieldError {
	c, k, ok := piece(token[len(token)-1])
	switch {
	case !ok && token[0] == '+':
		return r.Fail(0, offset, token, "not a promoted piece")
	case !ok:
		return r.Fail(0, offset, token, "neither a piece nor a number of empty squares")
	}
	if r.pieces[k]++; r.pieces[k] > r.limits[k] && k != King {
		return r.Fail(0, offset, token, "more than %d of this kind", r.limits[k])
	}
	if len(token) == 2 {
		if !k.Promotes() {
			return r.Fail(0, offset, token, "a piece that does not promote")
		}
		k |= promoted
	}
	switch {
	case k == King && r.kings[c] != Nowhere:
		return r.Fail(0, offset, token, "%s has two kings", names[c])
	case k == King:
		r.kings[c] = s
	case dead(c, k).Has(s) && (k == Pawn || !r.loose):
		return r.Fail(0, offset, token, "on %v it could never move", s)
	case k == Pawn && r.Pieces(c, Pawn).files().Has(s):
		return r.Fail(0, offset, token, "%s has two pawns on file %d", names[c], s.File()+1)
	}
	code := Code(c, k)
	r.board[s] = uint8(code)
	r.togglePiece(code, s)
	r.toggleKeys(code, s)
	return nil
}

// sideToMove reads the side to move.
func (r *reader) sideToMove() *game.FieldError {
	switch r.Tokens[1] {
	case "b":
	case "w":
		r.side = White
		r.key ^= 1
		r.boardKey ^= 1
	default:
		return r.Fail(1, 0, r.Tokens[1], "neither b nor w")
	}
	return nil
}

// kingsAndChecks checks that there is a king and that it cannot be taken.
func (r *reader) kingsAndChecks() *game.FieldError {
	us, them := r.side, r.side^1
	if r.kings == [2]Square{Nowhere, Nowhere} {
		return r.Fail(0, 0, r.Tokens[0], "no king")
	}
	if king := r.kings[them]; r.Attacked(king, r.Occupied(), us) {
		return r.Fail(1, 0, r.Tokens[1], "the side to move could take the king on %v", king)
	}
	r.checkers = r.AttackersOf(r.kings[us], r.Occupied(), them)
	return nil
}

// inHand reads the hands: letters, each after its number if that is not 1.
func (r *reader) inHand() *game.FieldError {
	text := r.Tokens[2]
	if text == "-" {
		return nil
	}
	for i := 0; i < len(text); i++ {
		first, n := i, 0
		for i < len(text) && text[i] >= '0' && text[i] <= '9' && n < 100 {
			n = 10*n + int(text[i]-'0')
			i++
		}
		if i == len(text) {
			return r.Fail(2, first, text[first:], "a number without a piece")
		}
		token := text[first : i+1]
		c, k, ok := piece(text[i])
		switch {
		case !ok || k == King:
			return r.Fail(2, first, token, "not a piece in hand")
		case first == i:
			n = 1
		case n == 0:
			return r.Fail(2, first, token, "a count of 0")
		}
		if r.pieces[k] += n; r.pieces[k] > r.limits[k] {
			return r.Fail(2, first, token, "more than %d of this kind", r.limits[k])
		}
		r.countKey(c, k, n)
		r.hands[c] += One(k) * Hand(n)
	}
	return nil
}

// maxNumber is the largest number of a move.
const maxNumber = 1_000_000

// number reads the number of the next move; it counts as 1 if it is missing. One that is out of range is read as
// the nearest one in it.
func (r *reader) number() *game.FieldError {
	if r.Tokens[3] == "" {
		return nil
	}
	n, err := strconv.ParseInt(r.Tokens[3], 10, 64) // too large or small: the nearest int64
	if errors.Is(err, strconv.ErrSyntax) {
		return r.Fail(3, 0, r.Tokens[3], "not a whole number")
	}
	number := max(1, min(n, maxNumber))
	if number != n {
		r.Repair(3, "read as %d", number)
	}
	r.ply = int(number - 1)
	return nil
}

// Letter returns the piece of a code as an sfen writes it.
func Letter(code int) string {
	k := KindOf(code)
	text := letters[k.Plain() : k.Plain()+1]
	if ColourOf(code) == White {
		text = strings.ToLower(text)
	}
	if k > King {
		text = "+" + text
	}
	return text
}

// SFEN writes the position.
func (p *Position) SFEN() string {
	var b strings.Builder
	for rank := range 9 {
		if rank > 0 {
			b.WriteByte('/')
		}
		empty := 0
		for file := 8; file >= 0; file-- {
			code := p.At(SquareAt(file, rank))
			if code == 0 {
				empty++
				continue
			}
			if empty > 0 {
				b.WriteByte('0' + byte(empty))
				empty = 0
			}
			b.WriteString(Letter(code))
		}
		if empty > 0 {
			b.WriteByte('0' + byte(empty))
		}
	}
	fmt.Fprintf(&b, " %c %s %d", "bw"[p.side], p.handsText(), p.MoveNumber())
	return b.String()
}

// handsText writes both hands, Black's first.
func (p *Position) handsText() string {
	var b strings.Builder
	for c := Black; c <= White; c++ {
		for _, k := range []Kind{Rook, Bishop, Gold, Silver, Knight, Lance, Pawn} {
			n := p.hands[c].Count(k)
			if n > 1 {
				b.WriteString(strconv.Itoa(n))
			}
			if n > 0 {
				b.WriteString(Letter(Code(c, k)))
			}
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}

// String draws the board, with the sfen and the key below.
func (p *Position) String() string {
	var b strings.Builder
	b.WriteString("  9  8  7  6  5  4  3  2  1\n")
	for rank := range 9 {
		for file := 8; file >= 0; file-- {
			text := "."
			if code := p.At(SquareAt(file, rank)); code != 0 {
				text = Letter(code)
			}
			fmt.Fprintf(&b, "%3s", text)
		}
		fmt.Fprintf(&b, "  %c\n", 'a'+rank)
	}
	fmt.Fprintf(&b, "\nSfen: %s\nKey: %016X\nCheckers:", p.SFEN(), p.key)
	for c := p.checkers; c.Any(); {
		var s Square
		s, c = c.Next()
		fmt.Fprintf(&b, " %v", s)
	}
	b.WriteByte('\n')
	return b.String()
}
