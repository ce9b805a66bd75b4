package chess

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"trefoil/game"
)

// StartFEN is the initial position.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// MaxPieces is the largest number of pieces of a position, however they are divided between the sides. Nets
// are made for that number.
const MaxPieces = 32

// reader parses one FEN into a position.
type reader struct {
	*Position
	*game.Fields
}

// fieldNames are the names of the fields of a FEN; an EPD has the first four fields.
var fieldNames = [...]string{"placement", "side", "castling", "en passant", "half-moves", "move number"}

// ReadFEN reads a position: a FEN whose castling rights may be written in the manner of X-FEN (KQkq means the
// outermost rook of the wing) or Shredder-FEN (the rook's file), or an EPD.
//
// Positions that cannot be searched are refused with a *game.FieldError: a placement that is no board, a
// side without its king or with two, a pawn on the last ranks, more than MaxPieces pieces, a side not to
// move in check. Other errors are repaired, and repairs says what was changed. Castling rights without
// their king and rook, and an en passant target without a capture, are dropped. Missing fields get their
// usual values, impossible numbers the nearest possible ones. Operations of an EPD are ignored, except hmvc
// and fmvn, which are the numbers of a FEN.
func ReadFEN(s string) (p *Position, repairs []string, err error) {
	fields, operations := cutOperations(s)
	return readFields(fields, operations, false)
}

// ParseFEN is ReadFEN for a caller that has no use for the repairs.
func ParseFEN(s string) (*Position, error) {
	p, _, err := ReadFEN(s)
	return p, err
}

// ReadEPD is ReadFEN where operations are expected and an EPD lacks no numbers: it returns the operations.
func ReadEPD(s string) (p *Position, operations string, repairs []string, err error) {
	fields, operations := cutOperations(s)
	p, repairs, err = readFields(fields, operations, true)
	return p, operations, repairs, err
}

// readFields reads the fields of a position, before the operations of an EPD.
func readFields(s, operations string, epd bool) (*Position, []string, error) {
	r := reader{Position: &Position{history: make([]state, 0, 256)}}
	var err error
	if r.Fields, err = game.NewFields("FEN", s, 1, fieldNames[:]...); err != nil {
		return nil, nil, err
	}
	for _, parse := range []func() *game.FieldError{r.placement, r.sideToMove, r.pieces} {
		if err := parse(); err != nil {
			return nil, nil, err
		}
	}
	r.castling()
	r.enPassant()
	r.counters(operations)
	r.missing(epd || operations != "")
	if !epd {
		r.ignore(operations)
	}
	return r.Position, r.Repairs, nil
}

// missing records the fields that are missing. An EPD needs no numbers.
func (r *reader) missing(epd bool) {
	last := len(fieldNames)
	if epd {
		last -= 2
	}
	first := slices.Index(r.Tokens[:last], "")
	if first < 0 {
		return
	}
	values := [...]string{1: "w", 2: "-", 3: "-", 4: "0", 5: "1"}
	r.Repairs = append(r.Repairs, fmt.Sprintf("FEN: missing %s: read as %s",
		strings.Join(fieldNames[first:last], ", "), strings.Join(values[first:last], " ")))
}

// placement sets up the pieces.
func (r *reader) placement() *game.FieldError {
	text := r.Tokens[0]
	rank, file := 7, 0
	for i := 0; i < len(text); i++ {
		token := text[i : i+1]
		code := strings.IndexByte(letters[1:], text[i]) + 1
		switch c := text[i]; {
		case c == '/' && rank == 0 && file == 8 && i == len(text)-1: // some programs write it
			continue
		case c == '~' && i > 0 && strings.IndexByte("NBRQnbrq", text[i-1]) >= 0: // crazyhouse: it was a pawn
			continue
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
	switch side := strings.ToLower(r.Tokens[1]); {
	case side == "b":
		r.side = Black
		r.key ^= 1
	case side != "w" && side != "":
		return r.Fail(1, 0, r.Tokens[1], "neither w nor b")
	}
	return nil
}

// pieces checks that each side has a king, that no king can be captured, and that there are not too many pieces.
func (r *reader) pieces() *game.FieldError {
	for c := White; c <= Black; c++ {
		name := [...]string{"White", "Black"}[c]
		if n := r.Pieces(c, King).Count(); n != 1 {
			return r.Fail(0, 0, r.Tokens[0], "%s has %d kings", name, n)
		}
	}
	if n := r.Occupied().Count(); n > MaxPieces {
		return r.Fail(0, 0, r.Tokens[0], "%d pieces; the evaluation is made for %d", n, MaxPieces)
	}
	if KingAttacks(r.King(White)).Has(r.King(Black)) {
		return r.Fail(0, 0, r.Tokens[0], "the kings on %v and %v touch", r.King(White), r.King(Black))
	}
	if r.attackersOf(r.King(r.side^1), r.Occupied(), r.side) != 0 {
		return r.Fail(1, 0, r.Tokens[1], "the side to move could take the king on %v", r.King(r.side^1))
	}
	r.checkers = r.attackersOf(r.King(r.side), r.Occupied(), r.side^1)
	return nil
}

// castling reads the rights. Those without their king and rook are dropped.
func (r *reader) castling() {
	text, dropped := r.Tokens[2], false
	for i := 0; i < len(text) && text != "-"; i++ {
		if !r.castlingRight(text[i]) {
			dropped = true
		}
	}
	if dropped {
		r.Repair(2, "read as %q: the rest has no king and rook in place", r.castlingText())
	}
}

// castlingRight reads one right, and reports whether king and rook are in place and no other rook of the wing
// has a right.
func (r *reader) castlingRight(letter byte) bool {
	us := White
	if letter >= 'a' {
		us, letter = Black, letter-32
	}
	king := r.King(us)
	rooks := r.Pieces(us, Rook) & homeRank(us)
	west := rooks & (king.Bit() - 1)
	east := rooks &^ west
	var rook Bitboard
	byFile := letter >= 'A' && letter <= 'H'
	switch {
	case letter == 'K' && east != 0:
		rook = east.Last().Bit()
	case letter == 'Q' && west != 0:
		rook = west.First().Bit()
	case byFile:
		rook = rooks & (FileA << (letter - 'A'))
	}
	wing := east
	if rook&west != 0 {
		wing = west
	}
	if rook == 0 || !homeRank(us).Has(king) || wing&r.castle&^rook != 0 {
		return false
	}
	if rook&r.castle != 0 {
		return true // said twice
	}
	r.castle |= rook
	r.key ^= words.castle[rook.First()]
	if byFile || king.File() != 4 || rook&(FileA|FileH) == 0 {
		r.chess960 = true
	}
	return true
}

// enPassant reads the target of an en passant capture. It is kept only if
// there is such a capture.
func (r *reader) enPassant() {
	text := r.Tokens[3]
	if text == "" || text == "-" {
		return
	}
	if to, ok := parseSquare(strings.ToLower(text)); ok && r.passed(to) {
		r.passedBefore = to
		r.offerEnPassant(to)
	}
	if r.ep == 0 {
		r.Repair(3, `read as "-": no pawn can capture there`)
	}
}

// passed reports whether a pawn of the side not to move may just have passed a square.
func (r *reader) passed(to Square) bool {
	pawn, start, rank := to^8, to+8, 5
	if r.side == Black {
		start, rank = to-8, 2
	}
	return to.Rank() == rank && r.Occupied()&(to.Bit()|start.Bit()) == 0 && r.Pieces(r.side^1, Pawn).Has(pawn)
}

// maxNumber is the largest number of half-moves, and of a move.
const maxNumber = 9999

// numberOpcodes are the operations of an EPD that stand for the two numbers of a FEN.
var numberOpcodes = [2]string{"hmvc", "fmvn"}

// counters reads the two numbers, which in an EPD are operations.
func (r *reader) counters(operations string) {
	operands := [2]string{"0", "1"}
	for opcode, operand := range Operations(operations) {
		if i := slices.Index(numberOpcodes[:], opcode); i >= 0 {
			operands[i] = operand
		}
	}
	var numbers [2]int
	for i, text := range r.Tokens[4:] {
		ok := false
		if text != "" {
			if numbers[i], ok = inRange(text, i); !ok {
				r.Repair(4+i, "read as %d", numbers[i])
			}
		} else if numbers[i], ok = inRange(operands[i], i); !ok {
			r.Repairs = append(r.Repairs, fmt.Sprintf("FEN: %s %.60q: read as %d", numberOpcodes[i], operands[i], numbers[i]))
		}
	}
	r.half, r.back = uint32(numbers[0]), 0
	r.ply = 2*(numbers[1]-1) + int(r.side)
}

// inRange reads a number. A text that is no number, or a number below 0, counts as least; a number above
// maxNumber counts as maxNumber. ok is false then.
func inRange(text string, least int) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil && n <= 0 || n < 0:
		return least, false
	case n > maxNumber:
		return maxNumber, false
	}
	return n, true
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
	fmt.Fprintf(&b, " %c %s %s %d %d", "wb"[p.side], p.castlingText(), ep, p.half, p.MoveNumber())
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
