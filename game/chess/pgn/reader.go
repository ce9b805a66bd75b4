package pgn

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"trefoil/game"
	rules "trefoil/game/chess"
)

// Error is why a game cannot be read.
type Error struct {
	Game   int // its number in the file
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("game %d, %s", e.Game, e.Reason) }

// maxPlies is more plies than a game can have without a draw by the rule of 75 moves.
const maxPlies = 20_000

// Reader reads the games of a file one by one.
type Reader struct {
	lexer *lexer
	games int
	read  int64 // bytes of the games before
}

// NewReader returns a Reader.
func NewReader(r io.Reader) *Reader { return &Reader{lexer: newLexer(r)} }

// Next returns the next game, and io.EOF after the last one. With an *Error, which names the line and the
// move, comes the game up to there if it has moves, and the next call returns the game that follows; other
// errors are of the input.
func (r *Reader) Next() (*Game, error) {
	b, err := r.next(false)
	if err != nil {
		return nil, err
	}
	if b.position == nil && b.err == nil {
		b.begin()
	}
	switch {
	case b.err == nil:
		return b.Game, nil
	case len(b.Moves) == 0:
		return nil, &Error{r.games, b.err.Error()}
	}
	return b.Game, &Error{r.games, b.err.Error()}
}

// Skip goes past the next game, and returns its tags, its result and how many moves it has, without reading these. It
// returns io.EOF after the last game. With an *Error comes what there is of the game.
func (r *Reader) Skip() (g *Game, plies int, err error) {
	b, err := r.next(true)
	if err != nil {
		return nil, 0, err
	}
	if b.err != nil {
		err = &Error{r.games, b.err.Error()}
	}
	return b.Game, b.plies, err
}

// Read returns how many bytes the games had so far.
func (r *Reader) Read() int64 { return r.read + int64(r.lexer.size) }

// next reads the tokens of the next game.
func (r *Reader) next(skip bool) (*builder, error) {
	l := r.lexer
	r.read, l.size = r.Read(), 0
	if l.skipSpace(); l.peek() == 0 {
		if l.failed != nil {
			return nil, l.failed
		}
		return nil, io.EOF
	}
	r.games++
	b := &builder{lexer: l, Game: &Game{Number: r.games}, skip: skip}
	for b.step() {
	}
	if b.Result == "" { // the moves have no end
		b.Result = cmp.Or(results[b.Tag("Result")], "*")
	}
	return b, l.failed
}

// builder reads one game.
type builder struct {
	*Game
	lexer    *lexer
	skip     bool            // moves are counted
	plies    int             // so many
	moves    bool            // the tags are read
	early    []int           // marks before the first move
	position *rules.Position // nil before the first move
	err      error           // the first one; the rest of the game is skipped
}

// step reads one token and reports whether the game goes on.
func (b *builder) step() (more bool) {
	l := b.lexer
	if l.skipSpace(); b.moves && l.peek() == '[' || b.Tag("Event") != "" && l.atEvent() {
		return false // the next game begins
	}
	line := l.line
	kind, text, err := l.token()
	if err != nil {
		b.fail(err)
		l.toEvent()
		return false
	}
	switch {
	case kind == end:
		return false
	case b.err != nil && kind != word:
		return true
	case b.skip && kind != word && kind != tag:
		b.moves = b.moves || len(b.Tags) > 0
		return true
	}
	switch kind {
	case tag:
		err = b.tag(text)
	case comment:
		b.moves = b.moves || len(b.Tags) > 0 // before the tags it belongs to their game
		b.comment(text)
	case mark:
		b.mark(text)
	case variation:
		if len(b.Moves) > 0 {
			m := &b.Moves[len(b.Moves)-1]
			m.Variations = append(m.Variations, text)
		} else {
			err = fmt.Errorf("a variation before the first move")
		}
	case word:
		b.moves = true
		text = plain.Replace(text)
		if results[text] != "" {
			b.Result = results[text]
			b.trailing()
			return false
		}
		text = number.ReplaceAllString(text, "")
		switch {
		case text == "" || b.err != nil:
		case glyphs[text] > 0:
			b.mark(text)
		default:
			if b.plies++; !b.skip {
				err = b.move(text)
			}
		}
	}
	if err != nil {
		b.fail(fmt.Errorf("line %d: %w", line, err))
	}
	return true
}

// results are what ends a game.
var results = map[string]string{
	"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "½-½": "1/2-1/2", "*": "*",
}

// number is what may precede a move, and what says nothing.
var number = regexp.MustCompile(`^([0-9]+$|[0-9]*(\.|…)+|e\.?p\.?$|}$)`)

// fail keeps the first error.
func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// tag reads a tag pair. Space, quotation marks and the value may be missing. A second Event, which on a line of its own
// would begin another game, is dropped.
func (b *builder) tag(text string) error {
	text = strings.TrimSpace(text)
	i := strings.IndexAny(text+" ", " \t\"")
	if i == 0 {
		return fmt.Errorf(`[%.60s] is not of the form [Name "value"]`, text)
	}
	if text[:i] == "Event" && b.Tag("Event") != "" {
		return nil
	}
	value := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text[i:]), `"`), `"`)
	b.Tags = append(b.Tags, Tag{text[:i], strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value)})
	return nil
}

// comment adds a comment to the last move.
func (b *builder) comment(text string) {
	switch {
	case text == "" || b.err != nil:
	case len(b.Moves) == 0:
		b.Before = append(b.Before, text)
	default:
		m := &b.Moves[len(b.Moves)-1]
		m.Comments = append(m.Comments, text)
	}
}

// trailing adds comments that follow the result on the same line, or at the end of the input.
func (b *builder) trailing() {
	for l := b.lexer; ; {
		for l.peek() == ' ' {
			l.next()
		}
		last := l.lastComments()
		if last {
			l.skipSpace()
		}
		c := l.peek()
		if c != '{' && c != ';' {
			return
		}
		_, text, err := l.token()
		if err != nil {
			b.fail(err)
			l.toEvent()
			return
		}
		if b.comment(text); c == ';' && !last { // the line ends
			return
		}
	}
}

// glyphs are the marks that have signs of their own.
var glyphs = map[string]int{
	"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "‼": 3, "⁇": 4, "⁉": 5, "⁈": 6, "□": 7, "=": 10, "∞": 13,
	"⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15, "±": 16, "+/-": 16, "∓": 17, "-/+": 17,
	"+-": 18, "-+": 19,
}

// mark adds a mark to the last move, or to the first one. A mark without a number is kept as a comment.
func (b *builder) mark(text string) {
	n, known := glyphs[text]
	if digits, ok := strings.CutPrefix(text, "$"); ok {
		var err error
		n, err = strconv.Atoi(digits)
		known = err == nil && n < 256
	}
	switch {
	case b.skip:
	case !known:
		b.comment(text)
	case len(b.Moves) == 0:
		b.early = append(b.early, n)
	default:
		m := &b.Moves[len(b.Moves)-1]
		m.Marks = append(m.Marks, n)
	}
}

// variants are the values of the tag Variant of the games that are read, true for Chess960.
var variants = map[string]bool{
	"": false, "standard": false, "chess": false, "normal": false, "from position": false,
	"chess960": true, "chess 960": true, "960": true, "fischerandom": true, "fischer random": true, "fischerrandom": true,
}

// begin sets up the first position.
func (b *builder) begin() {
	variant := b.Tag("Variant")
	chess960, known := variants[strings.ToLower(variant)]
	if !known {
		b.fail(fmt.Errorf("tag Variant: games of %.60q cannot be read, only those of chess and Chess960", variant))
		return
	}
	fen := b.Tag("FEN")
	if fen == "" {
		fen = rules.StartFEN
		switch {
		case b.Tag("SetUp") == "1":
			b.fail(fmt.Errorf("tag SetUp: there is no tag FEN"))
			return
		case chess960:
			b.fail(fmt.Errorf("tag Variant: %.60q without a tag FEN for its start position", variant))
			return
		}
	}
	position, err := rules.ParseFEN(fen)
	if err != nil {
		b.fail(fmt.Errorf("tag %w", err))
		return
	}
	b.position = position
	if !castlesElsewhere(position) {
		position.SetChess960(false)
	}
	b.Setup = position.FEN()
}

// castlesElsewhere reports whether a right to castle is with another king or rook than in chess.
func castlesElsewhere(p *rules.Position) bool {
	for c := rules.White; c <= rules.Black; c++ {
		rooks := p.CastlingRooks(c)
		if rooks != 0 && p.King(c).File() != 4 {
			return true
		}
		for rooks != 0 {
			if file := rooks.Pop().File(); file != 0 && file != 7 {
				return true
			}
		}
	}
	return false
}

// move plays a move.
func (b *builder) move(text string) error {
	if b.position == nil {
		if b.begin(); b.err != nil {
			return b.err
		}
	}
	if len(b.Moves) == maxPlies {
		return fmt.Errorf("the game has more than %d plies", maxPlies)
	}
	m, err := ParseMove(b.position, text)
	if err != nil {
		return fmt.Errorf("move %s %.20q: %w", b.MoveNumber(len(b.Moves)), text, err)
	}
	b.Moves = append(b.Moves, Move{SAN: b.position.SAN(m), UCI: b.position.Text(m), Marks: b.early})
	b.early = nil
	b.position.Make(m)
	sign := signs.FindString(text)
	if sign != "" && glyphs[sign] == 0 {
		sign = sign[1:] // after that of check
	}
	if glyphs[sign] > 0 {
		b.mark(sign)
	}
	return nil
}

// san is a move in short or long algebraic notation, or in UCI's: piece, file and rank of the origin,
// target, promotion; signs of check and of an evaluation may follow.
var san = regexp.MustCompile(`^([KQRBNP]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:[=/]?([QRBNqrbn]))?(?:e\.?p\.?)?` +
	signs.String())

// signs are the signs after a move.
var signs = regexp.MustCompile(`[-+#=/±∓⩲⩱∞□‼⁇⁉⁈]*$`)

// plain replaces the pieces of Unicode, also with the mark that they are text, and its dashes.
var plain = strings.NewReplacer("♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♙", "", "♚", "K", "♛", "Q",
	"♜", "R", "♝", "B", "♞", "N", "♟", "", "\ufe0e", "", "\ufe0f", "", "–", "-", "−", "-")

// nullMoves are how programs write that a side passes.
var nullMoves = []string{"--", "Z0", "@@@@", "0000"}

// ParseMove returns the legal move that a text means, in short or long algebraic notation or in UCI's.
func ParseMove(p *rules.Position, text string) (found game.Move, err error) {
	if slices.Contains(nullMoves, text) {
		return game.None, errors.New("a null move, which the rules do not have")
	}
	text = plain.Replace(text)
	fits, err := matcher(p, text)
	if err != nil {
		return game.None, err
	}
	var legal game.List
	p.Moves(game.All, &legal)
	for _, m := range legal.All() {
		if !fits(m) {
			continue
		}
		if found != game.None {
			return game.None, fmt.Errorf("ambiguous, it may be %s or %s", p.Text(found), p.Text(m))
		}
		found = m
	}
	if found == game.None {
		return game.None, fmt.Errorf("illegal")
	}
	return found, nil
}

// matcher returns whether a legal move is what a text means.
func matcher(p *rules.Position, text string) (func(game.Move) bool, error) {
	side := signs.ReplaceAllString(strings.ReplaceAll(text, "0", "O"), "")
	if side == "O-O" || side == "O-O-O" {
		return func(m game.Move) bool { return p.Castles(m) && strings.TrimRight(p.SAN(m), "+#") == side }, nil
	}
	part := san.FindStringSubmatch(text)
	if part == nil {
		return nil, fmt.Errorf("it cannot be read")
	}
	piece, file, rank, target, promotion := part[1], part[2], part[3], part[4], strings.ToLower(part[5])
	whole := file != "" && rank != "" // the origin; then the piece may be missing, as in UCI
	if whole && promotion == "" {
		// Castling may be written as the move of the king, or to its rook.
		if m, err := p.ParseMove(file + rank + target); err == nil && p.Castles(m) && (piece == "" || piece == "K") {
			return func(o game.Move) bool { return o == m }, nil
		}
	}
	return func(m game.Move) bool {
		from, to := p.Text(m)[:2], p.Text(m)[2:]
		letter := "PNBRQK"[rules.KindOf(m.Piece())-rules.Pawn:][:1]
		if letter == "P" && file == "" && from[:1] != target[:1] {
			return false // a capture by a pawn names its file
		}
		return to == target+promotion && !p.Castles(m) &&
			(piece == letter || piece == "" && (letter == "P" || whole)) &&
			(file == "" || from[:1] == file) && (rank == "" || from[1:] == rank)
	}, nil
}
