package kifu

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"trefoil/game"
	"trefoil/game/shogi"
)

// csaKinds are the names of the kinds of pieces.
var csaKinds = map[string]shogi.Kind{
	"FU": shogi.Pawn, "KY": shogi.Lance, "KE": shogi.Knight, "GI": shogi.Silver,
	"KI": shogi.Gold, "KA": shogi.Bishop, "HI": shogi.Rook, "OU": shogi.King,
	"TO": shogi.ProPawn, "NY": shogi.ProLance, "NK": shogi.ProKnight, "NG": shogi.ProSilver,
	"UM": shogi.Horse, "RY": shogi.Dragon,
}

// csaDraws are the ends of drawn games.
var csaDraws = []string{"SENNICHITE", "JISHOGI", "HIKIWAKE", "MAX_MOVES"}

// csaMove is a move: side, origin, target, piece after it.
var csaMove = regexp.MustCompile(`^([+-])([0-9])([0-9])([1-9])([1-9])([A-Z]{2})$`)

// csaSet are the numbers of pieces of a set, for P+00AL.
var csaSet = [shogi.King]int{shogi.Pawn: 18, shogi.Lance: 4, shogi.Knight: 4, shogi.Silver: 4, shogi.Gold: 4,
	shogi.Bishop: 2, shogi.Rook: 2}

// csa reads the lines of a game. It returns the number of the wrong line, 0 if the error is not about a
// line.
func (p *parser) csa() (int, error) {
	numbers := p.splitStatements()
	b := new(board)
	for n, line := range p.lines {
		text := strings.TrimRight(line, " \t")
		if text == "" || text[0] == '\'' || text[0] == 'T' && p.pos != nil || text == "/" && p.pos == nil {
			continue
		}
		if text == "/" {
			return 0, p.csaFinish(n)
		}
		err := error(nil)
		switch {
		case p.pos == nil:
			err = p.csaHeader(b, text)
		case text[0] == '%':
			p.at = append(p.at, n)
			p.End = text[1:]
			p.Drawn = slices.Contains(csaDraws, p.End)
			for m, later := range p.lines[n+1:] {
				if later != "" && strings.IndexByte("VNP+-", later[0]) >= 0 {
					return numbers[n+1+m], errors.New("a second game without a line / before it")
				}
			}
			return 0, nil
		default:
			p.at = append(p.at, n)
			if err = p.csaMove(text); err != nil {
				err = fmt.Errorf("move %d %.20q: %w", len(p.Moves)+1, text, err)
			}
		}
		if err != nil {
			return numbers[n], err
		}
	}
	return 0, p.csaFinish(len(p.lines))
}

// csaFinish is called where no end of the game is written.
func (p *parser) csaFinish(line int) error {
	if p.pos == nil {
		return errors.New("the side to move is missing")
	}
	p.at = append(p.at, line)
	return nil
}

// splitStatements gives each statement of a line with pieces or moves a line of its own, and returns the numbers
// that the lines had.
func (p *parser) splitStatements() (numbers []int) {
	var lines []string
	for n, line := range p.lines {
		statements := []string{line}
		if line != "" && strings.IndexByte("P+-%T", line[0]) >= 0 {
			statements = strings.Split(line, ",")
		}
		for _, s := range statements {
			lines, numbers = append(lines, s), append(numbers, n+1)
		}
	}
	p.lines = lines
	return numbers
}

// csaHeader reads a line before the moves; the last one is the side to move.
func (p *parser) csaHeader(b *board, text string) error {
	switch {
	case text == "+" || text == "-":
		if !b.given {
			b.set(shogi.StartSFEN)
		}
		b.white = text == "-"
		return p.start(b.sfen())
	case strings.HasPrefix(text, "N+"):
		p.Names[shogi.Black] = text[2:]
	case strings.HasPrefix(text, "N-"):
		p.Names[shogi.White] = text[2:]
	case strings.HasPrefix(text, "PI"):
		b.set(shogi.StartSFEN)
		return b.csaPieces(text[2:], func(square string, kind shogi.Kind) error {
			if square != "00" {
				if at := &b.squares[square[1]-'1'][square[0]-'1']; *at != 0 && shogi.KindOf(*at) == kind {
					*at = 0
					return nil
				}
			}
			return fmt.Errorf("there is no such piece on %s", square)
		})
	case strings.HasPrefix(text, "P+"):
		return b.csaPlace(shogi.Black, text[2:])
	case strings.HasPrefix(text, "P-"):
		return b.csaPlace(shogi.White, text[2:])
	case text[0] == 'P' && len(text) > 1 && text[1] >= '1' && text[1] <= '9':
		return b.csaRow(int(text[1]-'1'), text[2:])
	case text[0] == 'V' || text[0] == '$':
	default:
		return fmt.Errorf("it cannot be read: %.60q", text)
	}
	return nil
}

// csaRow reads a row of the board, such as "-KY-KE * +FU …".
func (b *board) csaRow(rank int, row string) error {
	b.given = true
	row = fmt.Sprintf("%-27s", row) // spaces at the end may be missing
	for i := range 9 {
		cell := row[3*i : 3*i+3]
		kind, known := csaKinds[cell[1:]]
		code := 0
		switch {
		case cell == " * " || cell == "   ":
		case known && cell[0] == '+':
			code = shogi.Code(shogi.Black, kind)
		case known && cell[0] == '-':
			code = shogi.Code(shogi.White, kind)
		default:
			return fmt.Errorf("row %d: %q is not a piece", rank+1, cell)
		}
		b.squares[rank][8-i] = code
	}
	if rest := strings.TrimSpace(row[27:]); rest != "" {
		return fmt.Errorf("row %d: %.20q after its nine squares", rank+1, rest)
	}
	return nil
}

// csaPieces calls place for pieces such as 82HI22KA, whose squares are from 11 to 99 or 00.
func (b *board) csaPieces(text string, place func(square string, kind shogi.Kind) error) error {
	b.given = true
	for ; text != ""; text = text[4:] {
		part := csaPiece.FindStringSubmatch(text)
		if part == nil {
			return fmt.Errorf("%.4q is not a piece on a square", text)
		}
		kind, known := csaKinds[part[2]]
		if part[1]+part[2] == "00AL" {
			kind, known = all, true
		}
		if !known {
			return fmt.Errorf("%q is not a piece", part[2])
		}
		if err := place(part[1], kind); err != nil {
			return err
		}
	}
	return nil
}

// csaPiece is a square, or 00, and a piece.
var csaPiece = regexp.MustCompile(`^([1-9][1-9]|00)([A-Z]{2})`)

// all is not a kind: all pieces that are left.
const all = shogi.Kind(-1)

// csaPlace places pieces of a side on squares and, as 00FU, in hand.
func (b *board) csaPlace(c shogi.Colour, text string) error {
	return b.csaPieces(text, func(square string, kind shogi.Kind) error {
		switch {
		case kind == all:
			b.takeRest(c)
		case square != "00":
			b.squares[square[1]-'1'][square[0]-'1'] = shogi.Code(c, kind)
		case kind >= shogi.King:
			return errors.New("a king or a promoted piece in hand")
		default:
			b.hands[c][kind]++
		}
		return nil
	})
}

// takeRest puts the pieces of a set that are nowhere yet into a hand.
func (b *board) takeRest(c shogi.Colour) {
	rest := csaSet
	for _, row := range b.squares {
		for _, code := range row {
			if code != 0 && shogi.KindOf(code).Plain() < shogi.King {
				rest[shogi.KindOf(code).Plain()]--
			}
		}
	}
	for kind := range rest {
		b.hands[c][kind] += max(0, rest[kind]-b.hands[0][kind]-b.hands[1][kind])
	}
}

// csaMove plays a move.
func (p *parser) csaMove(text string) error {
	usi, err := USIMove(p.pos, text)
	if err != nil {
		return err
	}
	return p.move(usi)
}

// CSAMove writes a legal move of a side as CSA does, such as +7776FU.
func CSAMove(c shogi.Colour, m game.Move) string {
	from, kind := "00", shogi.Kind(0)
	if shogi.IsDrop(m) {
		kind = shogi.Dropped(m)
	} else {
		origin := shogi.Origin(m)
		from, kind = fmt.Sprintf("%d%d", origin.File()+1, origin.Rank()+1), shogi.KindOf(m.Piece())
	}
	for name, k := range csaKinds {
		if k == kind && !m.Promotes() || m.Promotes() && k != kind && k.Plain() == kind {
			to := shogi.Square(m.To())
			return fmt.Sprintf("%c%s%d%d%s", "+-"[c], from, to.File()+1, to.Rank()+1, name)
		}
	}
	panic("kifu: a move of no piece") // a mistake of the program
}

// USIMove returns a move of the side to move, which CSA writes as +7776FU, in USI's notation. It need not be legal.
func USIMove(p *shogi.Position, text string) (string, error) {
	part := csaMove.FindStringSubmatch(text)
	if part == nil {
		return "", errors.New("it cannot be read")
	}
	kind, known := csaKinds[part[6]]
	if !known {
		return "", fmt.Errorf("%q is not a piece", part[6])
	}
	if part[1] != [...]string{"+", "-"}[p.Side()] {
		return "", errors.New("the other side is to move")
	}
	to := shogi.SquareAt(digit(part[4])-1, digit(part[5])-1)
	if part[2]+part[3] == "00" {
		if kind >= shogi.King {
			return "", errors.New("a king or a promoted piece is dropped")
		}
		return shogi.Letter(shogi.Code(shogi.Black, kind)) + "*" + to.String(), nil
	}
	if part[2] == "0" || part[3] == "0" {
		return "", errors.New("it cannot be read")
	}
	from := shogi.SquareAt(digit(part[2])-1, digit(part[3])-1)
	code := p.At(from)
	if code == 0 || shogi.KindOf(code) != kind && shogi.KindOf(code) != kind.Plain() {
		return "", fmt.Errorf("there is no such piece on %v", from)
	}
	usi := from.String() + to.String()
	if shogi.KindOf(code) != kind {
		usi += "+"
	}
	return usi, nil
}
