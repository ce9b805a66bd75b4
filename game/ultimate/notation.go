package ultimate

import (
	"fmt"
	"strings"
)

// A position is written `side;big board;board 0/…/board 8`:
//
//	O;O.X@..O.X;.XO.OXO.X/X.XOO.O.O/X..X..X.X/O.OO.X.OX/.XX....OX/O.OX...../OOOX...X./OXXXX.O../XO.X.OXOO
//
// All boards are nine characters, cell by cell: X, O, and a dot where there is nothing. On
// the big board X and O are boards won, # is a full board without a line, and @ is the
// board to play on; without an @ any open board.
//
// A move is written as the letter of the board and the letter of the cell, hf for board h,
// cell f; with a comma between them it is read too.

// A SyntaxError says what is wrong with the text of a position, and where.
type SyntaxError struct {
	Text   string
	Offset int // of the byte where it is wrong
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("position %q: at byte %d: %s", e.Text, e.Offset, e.Reason)
}

// Reason is why a move was not accepted.
type Reason uint8

// The reasons.
const (
	NoMove       Reason = iota // not two letters from a to i
	AfterEnd                   // the game is over
	DecidedBoard               // the board is won or full
	OtherBoard                 // another board has to be played on
	Occupied                   // a stone is there
)

// A MoveError says which move was not accepted, and why.
type MoveError struct {
	Token  string // the move as it was written
	Reason Reason
	Target uint8 // the board to play on
}

func (e *MoveError) Error() string {
	why := "not the letters of a board and a cell, a to i"
	switch e.Reason {
	case AfterEnd:
		why = "the game is over"
	case DecidedBoard:
		why = "the board is decided"
	case OtherBoard:
		why = fmt.Sprintf("board %c has to be played on", 'a'+e.Target)
	case Occupied:
		why = "the cell is occupied"
	}
	return fmt.Sprintf("move %q: %s", e.Token, why)
}

func (m Move) String() string {
	return string([]byte{'a' + byte(m.Board()), 'a' + byte(m.Cell())})
}

// ParseMove reads a legal move. The error is a *MoveError.
func (p *Position) ParseMove(token string) (Move, error) {
	letters := token
	if len(token) == 3 && token[1] == ',' {
		letters = token[:1] + token[2:]
	}
	if len(letters) != 2 || letters[0] < 'a' || letters[0] > 'i' || letters[1] < 'a' || letters[1] > 'i' {
		return 0, &MoveError{Token: token, Reason: NoMove}
	}
	m := NewMove(int(letters[0]-'a'), int(letters[1]-'a'))
	if err := p.Check(m); err != nil {
		return 0, err
	}
	return m, nil
}

// parser reads a position from left to right.
type parser struct {
	text string
	at   int
}

func (r *parser) fail(at int, format string, args ...any) error {
	return &SyntaxError{r.text, at, fmt.Sprintf(format, args...)}
}

// next returns the next byte, which has to be a byte of some.
func (r *parser) next(what, some string) (byte, error) {
	if r.at == len(r.text) {
		return 0, r.fail(r.at, "the text ends before %s", what)
	}
	c := r.text[r.at]
	if strings.IndexByte(some, c) < 0 {
		return 0, r.fail(r.at, "%q, expected %s (one of %s)", c, what, some)
	}
	r.at++
	return c, nil
}

// Parse reads a position. It refuses, with a *SyntaxError, boards that contradict one
// another: a board that is marked as won and is not, two lines on one board, an @ on a
// decided board. It does not check the number of stones.
func Parse(text string) (Position, error) {
	p, err := (&parser{text: text}).position()
	if err != nil {
		return Position{}, err
	}
	return p, nil
}

func (r *parser) position() (Position, error) {
	p := Start()
	c, err := r.next("the side to move", "XO")
	if err != nil {
		return p, err
	}
	if c == 'O' {
		p.side = O
	}
	if _, err := r.next("the end of the side", ";"); err != nil {
		return p, err
	}
	big := r.at
	for b := range boards {
		c, err := r.next("a board of the big board", "XO.#@")
		if err != nil {
			return p, err
		}
		if c == '@' {
			if p.target != free {
				return p, r.fail(r.at-1, "a second board to play on")
			}
			p.target = uint8(b)
		}
	}
	separator := ";"
	for b := range boards {
		if _, err := r.next("the end of the board", separator); err != nil {
			return p, err
		}
		if err := r.board(&p, b); err != nil {
			return p, err
		}
		if got, marked := p.mark(b), r.text[big+b]; got != marked && (got != '.' || marked != '@') {
			return p, r.fail(big+b, "board %c is marked %q, but its stones make it %q", 'a'+b, marked, got)
		}
		separator = "/"
	}
	if r.at != len(r.text) {
		return p, r.fail(r.at, "more text after the last board")
	}
	if HasLine(p.won[X]) && HasLine(p.won[O]) {
		return p, r.fail(big, "both sides have won")
	}
	return p, nil
}

// board reads a small board.
func (r *parser) board(p *Position, b int) error {
	from, what := r.at, "a cell of board "+"abcdefghi"[b:b+1]
	for c := range boards {
		stone, err := r.next(what, "XO.")
		if err != nil {
			return err
		}
		switch stone {
		case 'X':
			p.stones[X][b] |= 1 << c
		case 'O':
			p.stones[O][b] |= 1 << c
		}
	}
	if HasLine(p.stones[X][b]) && HasLine(p.stones[O][b]) {
		return r.fail(from, "both sides have won board %c", 'a'+b)
	}
	p.decide(b)
	return nil
}

// mark is how a board is written on the big board, if it is not the target.
func (p *Position) mark(board int) byte {
	switch bit := uint16(1) << board; {
	case p.won[X]&bit != 0:
		return 'X'
	case p.won[O]&bit != 0:
		return 'O'
	case p.drawn&bit != 0:
		return '#'
	}
	return '.'
}

// String writes the position as Parse reads it.
func (p Position) String() string {
	var s strings.Builder
	s.WriteString(p.side.String() + ";")
	for b := range boards {
		if b == int(p.target) {
			s.WriteByte('@')
		} else {
			s.WriteByte(p.mark(b))
		}
	}
	separator := byte(';')
	for b := range boards {
		s.WriteByte(separator)
		separator = '/'
		for c := range boards {
			s.WriteByte(p.cell(b, c))
		}
	}
	return s.String()
}

func (p *Position) cell(board, cell int) byte {
	if s, ok := p.At(board, cell); ok {
		return "XO"[s]
	}
	return '.'
}

// Diagram draws the position for people, with the side to move and the board to play on
// below it.
func (p Position) Diagram() string {
	var s strings.Builder
	for row := range boards {
		if row%3 == 0 && row > 0 {
			s.WriteString("------+-------+------\n")
		}
		for column := range boards {
			switch {
			case column == 0:
			case column%3 == 0:
				s.WriteString(" | ")
			default:
				s.WriteByte(' ')
			}
			s.WriteByte(p.cell(row/3*3+column/3, row%3*3+column%3))
		}
		s.WriteByte('\n')
	}
	where := "any board"
	if p.target != free {
		where = fmt.Sprintf("board %c", 'a'+p.target)
	}
	fmt.Fprintf(&s, "%s to move on %s\n", p.side, where)
	return s.String()
}
