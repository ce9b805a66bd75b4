package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"trefoil/game/chess"
	"trefoil/game/chess/pgn"
	"trefoil/game/shogi"
	"trefoil/search"
)

// List is a format of files that have a position on each line, and operations of EPD behind it.
type List struct {
	Name       string
	Extensions []string // as of a Format
	Variant    string   // the game

	pieces string // their letters in a position
	width  int    // squares of a rank
	read   func(line string) (b board, operations string, err error)
}

// Lists are the formats of lists.
var Lists = []*List{
	{Name: "epd", Extensions: []string{".epd", ".fen"}, Variant: "chess", pieces: "pnbrqk", width: 8, read: readEPD},
	{Name: "sfen", Extensions: []string{".sfen"}, Variant: "shogi", pieces: "plnsgbrk+", width: 9, read: readSFEN},
}

// ListOf returns the format of a list by the extension of its name, nil if no list has that extension.
func ListOf(path string) *List {
	for _, l := range Lists {
		if slices.Contains(l.Extensions, extension(path)) {
			return l
		}
	}
	return nil
}

// RecogniseList returns the format of the list that begins with head, nil if it is no list. Lines that
// begin with # are skipped.
func RecogniseList(head []byte) *List {
	text := strings.TrimPrefix(string(head), "\ufeff")
	for {
		if text = strings.TrimLeftFunc(text, unicode.IsSpace); !strings.HasPrefix(text, "#") {
			break
		}
		_, text, _ = strings.Cut(text, "\n")
	}
	for _, l := range Lists {
		if l.begins(text) {
			return l
		}
	}
	return nil
}

// begins reports whether a text begins with a rank of the board.
func (l *List) begins(text string) bool {
	rank, _, more := strings.Cut(strings.ToLower(text), "/")
	rank = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(rank, "fen "), "sfen "), ` "`)
	squares := 0
	for _, c := range rank {
		switch {
		case c >= '1' && c <= '9':
			squares += int(c - '0')
		case !strings.ContainsRune(l.pieces, c):
			return false
		case c != '+': // the mark of a promoted piece
			squares++
		}
	}
	return more && squares == l.width
}

// board is the position of a line by the rules of its game.
type board struct {
	setup   string
	repairs []string
	parse   func(text string) (move string, err error) // a legal move, as the engine writes it
	name    func(move string) string                   // of a move of the engine, for people
	line    func(moves []string) string                // likewise
}

func readEPD(line string) (b board, operations string, err error) {
	p, operations, repairs, err := chess.ReadEPD(line)
	if err != nil {
		return b, "", err
	}
	b = board{setup: p.FEN(), repairs: repairs}
	p.SetChess960(false) // as in the engine, whose UCI_Chess960 is off
	b.parse = func(text string) (string, error) {
		m, err := pgn.ParseMove(p, strings.TrimRight(text, "!?"))
		return p.Text(m), err
	}
	b.name = func(move string) string {
		m, err := p.ParseMove(move)
		if err != nil {
			return move
		}
		return p.SAN(m)
	}
	b.line = func(moves []string) string { return (&pgn.Game{Setup: b.setup}).Variation(0, moves, maxLine) }
	return b, operations, nil
}

func readSFEN(line string) (b board, operations string, err error) {
	sfen, operations := shogi.CutOperations(line)
	p, repairs, err := shogi.ReadSFEN(sfen)
	if err != nil {
		return b, "", err
	}
	b = board{setup: p.SFEN(), repairs: repairs}
	b.parse = func(text string) (string, error) {
		m, err := p.ParseMove(text)
		if bad, ok := errors.AsType[*shogi.MoveError](err); ok {
			return "", errors.New(bad.Reason)
		}
		return p.Text(m), nil
	}
	b.name = func(move string) string { return move }
	b.line = func(moves []string) string { return strings.Join(moves[:min(maxLine, len(moves))], " ") }
	return b, operations, nil
}

// Problem is a position of a list, and what its line says about the move to be found. Moves are as the
// engine writes them.
type Problem struct {
	Setup   string
	Repairs []string       // what was wrong with the position and has been repaired
	ID      string         // "" if the line has none
	Best    []string       // bm: any of these moves is right; nil: not stated
	Avoid   []string       // am: these moves are wrong
	Mate    int            // dm: its length in moves, negative if the side to move is mated; 0: not stated
	Points  map[string]int // c0: of moves; others get none; nil: not stated

	board board
}

// Problem reads a line.
func (l *List) Problem(line string) (*Problem, error) {
	b, operations, err := l.read(line)
	if err != nil {
		return nil, err
	}
	p := &Problem{Setup: b.setup, Repairs: b.repairs, board: b}
	for opcode, operands := range chess.Operations(operations) {
		if strings.Count(opcode+operands, `"`)%2 != 0 {
			return nil, fmt.Errorf("%.20s: the quotes are not closed", opcode)
		}
		switch opcode {
		case "bm":
			if !strings.HasPrefix(operands, "#") { // the length of a mate
				p.Best, err = b.moves(p.Best, operands)
			}
		case "am":
			p.Avoid, err = b.moves(p.Avoid, operands)
		case "id":
			p.ID = strings.Trim(operands, `"`)
		case "c0":
			p.Points, err = b.points(strings.Trim(operands, `"`))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", opcode, err)
		}
	}
	p.Mate, err = chess.StatedMoves(operations)
	return p, err
}

// moves appends the moves of an operation to a list.
func (b *board) moves(list []string, operands string) ([]string, error) {
	texts := strings.FieldsFunc(operands, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(texts) == 0 {
		return nil, errors.New("no move")
	}
	for _, text := range texts {
		move, err := b.parse(text)
		if err != nil {
			return nil, fmt.Errorf("move %.20q: %w", text, err)
		}
		list = append(list, move)
	}
	return list, nil
}

// maxPoints is more points than any list gives for a move.
const maxPoints = 1000

// points reads the points of moves, such as "f5=10, Be5+=2". A text of another form, or without any legal
// move, is a comment.
func (b *board) points(text string) (map[string]int, error) {
	points := map[string]int{}
	var bad error
	for item := range strings.SplitSeq(text, ",") {
		i := max(0, strings.LastIndexByte(item, '='))
		move, number := strings.TrimSpace(item[:i]), strings.TrimPrefix(item[i:], "=")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || n < 0 || n > maxPoints {
			return nil, nil
		}
		uci, err := b.parse(move)
		if err != nil {
			bad = cmp.Or(bad, fmt.Errorf("move %.20q: %w", move, err))
			continue
		}
		points[uci] = n
	}
	if len(points) == 0 {
		return nil, nil
	}
	return points, bad
}

// Name returns a move as people write it.
func (p *Problem) Name(move string) string { return p.board.name(move) }

// LineText writes a line of moves as people do.
func (p *Problem) LineText(moves []string) string { return p.board.line(moves) }

// Judge returns what is wrong with an answer, "" if it is right, and whether the line tells. An answer has
// to agree with all that the line states; a mate may be shorter than stated.
func (p *Problem) Judge(move string, score search.Score) (wrong string, judged bool) {
	name := p.Name(move)
	if move == "" {
		name = "no move"
	}
	switch {
	case len(p.Best) > 0 && !slices.Contains(p.Best, move):
		var names []string
		for _, m := range p.Best {
			names = append(names, p.Name(m))
		}
		return fmt.Sprintf("%s, not %s", name, strings.Join(names, " or ")), true
	case slices.Contains(p.Avoid, move):
		return name + " is to be avoided", true
	case p.Mate != 0 && !finds(score, p.Mate):
		return fmt.Sprintf("%s, not mate %d", ScoreText(score), p.Mate), true
	}
	return "", len(p.Best)+len(p.Avoid) > 0 || p.Mate != 0
}

// finds reports whether a score is a mate of that many moves or fewer, by the same side.
func finds(s search.Score, moves int) bool {
	n := MateMoves(s)
	return s.Mate && n != 0 && n < 0 == (moves < 0) && max(n, -n) <= max(moves, -moves)
}

// MateMoves returns the length of the mate of a score in moves of the side that mates, negative if the score is of the
// other side, 0 if that is mated already.
func MateMoves(s search.Score) int {
	if s.Plies > 0 {
		return (s.Plies + 1) / 2
	}
	return (s.Plies - 1) / 2
}

// ScoreText is a score for a side, in centipawns or moves.
func ScoreText(s search.Score) string {
	if s.Mate {
		return fmt.Sprintf("mate %d", MateMoves(s))
	}
	return fmt.Sprintf("cp %d", s.Centipawns)
}
