// Package kifu reads games of shogi in the formats KIF, KI2, CSA, JKF and USI, and writes them in KIF or CSA.
//
//	file ── UTF-8 or Shift_JIS ──▶ lines ──┬── moves ──▶ Game.Moves, by the rules of package shogi
//	                                       └── kept, with new comments between them ──▶ WriteTo
//
// A game keeps its lines: everything but the comments that are added is written as it was read, also
// headers, times, variations and what follows them. Games in KI2, JKF and USI become games in KIF. KIF:
// http://kakinoki.o.oo7.jp/kif_format.html; CSA: http://www2.computer-shogi.org/protocol/record_v22.html.
package kifu

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"

	"trefoil/game"
	"trefoil/game/shogi"
)

// Format is a format of files.
type Format int

// The formats.
const (
	KIF Format = iota // one game a file; KI2 too
	CSA               // games are separated by lines with a slash
	JKF               // one game a file
	USI               // a position, with or without moves
)

// Game is a game of a file.
type Game struct {
	Number int       // in the file, from 1
	Names  [2]string // of Black and White
	Setup  string    // the first position as SFEN
	Moves  []string  // as USI writes them
	End    string    // how the file says that it ended, such as 投了 or TORYO
	Drawn  bool      // by that

	format   Format
	text     encoding
	lines    []string
	at       []int      // at[i] is the line before which comments on the position after i moves belong
	comments [][]string // that are added there
	first    shogi.Colour
}

// encoding is how a file writes its text.
type encoding struct {
	shiftJIS, mark bool
	end            string // of a line
}

// Error is why a game cannot be read.
type Error struct {
	Game, Line int // Line is 0 if the reason is none of a line
	Reason     error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("game %d: %v", e.Game, e.Reason)
	}
	return fmt.Sprintf("game %d, line %d: %v", e.Game, e.Line, e.Reason)
}

func (e *Error) Unwrap() error { return e.Reason }

// maxGame is more bytes than a game takes, with all its comments.
const maxGame = 16 << 20

// maxMoves is more moves than a game has.
const maxMoves = 20_000

// Reader reads the games of a file one by one.
type Reader struct {
	in     *bufio.Reader
	format Format
	games  int
	end    byte  // of a line, 0 before the first one
	line   int   // lines read
	bytes  int64 // bytes read
}

// NewReader returns a Reader.
func NewReader(in io.Reader, format Format) *Reader {
	return &Reader{in: bufio.NewReader(in), format: format}
}

// lineEnd returns how lines end, by the bytes that are there: in some files with CR alone.
func (r *Reader) lineEnd() byte {
	_, _ = r.in.Peek(1)
	head, _ := r.in.Peek(r.in.Buffered())
	if i := bytes.IndexByte(head, '\r'); i >= 0 && i+1 < len(head) && bytes.IndexByte(head, '\n') < 0 {
		return '\r'
	}
	return '\n'
}

// Next returns the next game, and io.EOF after the last one. With an *Error, which names the line, comes the game
// up to the error if there are moves before it, else nil. The next call returns the game that follows. Other errors
// are of the input.
func (r *Reader) Next() (*Game, error) {
	before := r.line
	raw, long, err := r.read()
	if err != nil {
		return nil, err
	}
	if r.empty(raw) && !long {
		return nil, io.EOF
	}
	r.games++
	g := &Game{Number: r.games, format: r.format}
	switch {
	case long:
		return nil, &Error{Game: r.games, Reason: fmt.Errorf("it has more than %d MiB", maxGame>>20)}
	case !g.decode(raw):
		return nil, &Error{Game: r.games, Reason: errors.New("it is neither UTF-8 nor Shift_JIS")}
	}
	p := parser{Game: g}
	parse := [...]func() (int, error){KIF: p.kif, CSA: p.csa, JKF: p.jkf, USI: p.usi}[r.format]
	if n, err := parse(); err != nil {
		if n > 0 {
			n += before
		}
		if err = (&Error{r.games, n, err}); len(g.Moves) == 0 || len(g.at) != len(g.Moves)+1 {
			return nil, err
		}
		return p.finish(), err
	}
	return p.finish(), nil
}

// finish returns the game as far as it has been read.
func (p *parser) finish() *Game {
	p.Game.Setup = p.setup
	p.comments = make([][]string, len(p.at))
	return p.Game
}

// Read returns how many bytes the games had so far.
func (r *Reader) Read() int64 { return r.bytes }

// read returns the bytes of the next game, with the line that separates it from the one after it. If it is
// too long, the rest is skipped.
func (r *Reader) read() (raw []byte, long bool, err error) {
	if r.end == 0 {
		r.end = r.lineEnd()
	}
	begun := false
	for {
		part, err := r.in.ReadSlice(r.end)
		r.bytes += int64(len(part))
		begun = begun || !r.empty(part)
		if long = long || len(raw)+len(part) > maxGame; !long {
			raw = append(raw, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		r.line++
		if err == io.EOF {
			return raw, long, nil
		}
		if err != nil {
			return nil, false, err
		}
		if r.format == CSA && strings.TrimRight(string(part), " \t\r\n") == "/" && begun {
			return raw, long, nil
		}
	}
}

// empty reports whether there is no game in a text, only white space and separators of games.
func (r *Reader) empty(raw []byte) bool {
	if r.format == CSA {
		raw = bytes.Trim(raw, "/ \t\r\n")
	}
	return len(bytes.TrimSpace(raw)) == 0
}

// decode splits the text of a game into lines.
func (g *Game) decode(raw []byte) bool {
	raw, g.text.mark = bytes.CutPrefix(raw, []byte("\ufeff"))
	if !utf8.Valid(raw) {
		var err error
		if raw, err = japanese.ShiftJIS.NewDecoder().Bytes(raw); err == nil {
			// What is not in Shift JIS has been replaced, or is the byte 0x80. Neither could be written again.
			_, err = japanese.ShiftJIS.NewEncoder().Bytes(raw)
		}
		if err != nil {
			return false
		}
		g.text.shiftJIS = true
	}
	text := string(raw)
	switch g.text.end = "\n"; {
	case strings.Contains(text, "\r\n"):
		g.text.end = "\r\n"
	case !strings.Contains(text, "\n") && strings.Contains(text, "\r"):
		g.text.end = "\r"
	}
	g.lines = strings.Split(strings.TrimRight(strings.ReplaceAll(text, g.text.end, "\n"), "\n"), "\n")
	return true
}

// Comment adds a line of comment on the position after i moves.
func (g *Game) Comment(i int, line string) { g.comments[i] = append(g.comments[i], line) }

// RemoveComments removes the lines of comment that remove chooses.
func (g *Game) RemoveComments(remove func(line string) bool) {
	var kept []string
	next := 0
	for n, line := range g.lines {
		for next < len(g.at) && g.at[next] == n {
			g.at[next] = len(kept)
			next++
		}
		if text, ok := strings.CutPrefix(line, g.prefix()); !ok || !remove(text) {
			kept = append(kept, line)
		}
	}
	for ; next < len(g.at); next++ {
		g.at[next] = len(kept)
	}
	g.lines = kept
}

// prefix begins a line of comment.
func (g *Game) prefix() string {
	if g.format == CSA {
		return "'*"
	}
	return "*"
}

// WriteTo writes the game in the format and the encoding in which it was read.
func (g *Game) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	end, next := g.text.end, 0
	for n := 0; n <= len(g.lines); n++ {
		for ; next < len(g.at) && g.at[next] == n; next++ {
			for _, c := range g.comments[next] {
				b.WriteString(g.prefix() + c + end)
			}
		}
		if n < len(g.lines) {
			b.WriteString(g.lines[n] + end)
		}
	}
	text := b.String()
	if g.text.shiftJIS {
		var err error
		if text, err = japanese.ShiftJIS.NewEncoder().String(text); err != nil {
			return 0, err
		}
	}
	if g.text.mark {
		text = "\ufeff" + text
	}
	n, err := io.WriteString(w, text)
	return int64(n), err
}

// Side returns who makes move i.
func (g *Game) Side(i int) shogi.Colour { return shogi.Colour((int(g.first) + i) % 2) }

// Positions returns the positions of the game as SFEN, the first one included.
func (g *Game) Positions() []string {
	p := g.position(0)
	sfens := []string{p.SFEN()}
	for _, text := range g.Moves {
		play(p, text)
		sfens = append(sfens, p.SFEN())
	}
	return sfens
}

// position returns the position after i moves.
func (g *Game) position(i int) *shogi.Position {
	p, err := shogi.ParseCrowded(g.Setup)
	if err != nil {
		panic(fmt.Sprintf("kifu: %v", err)) // Reader.Next has read it
	}
	for _, text := range g.Moves[:i] {
		play(p, text)
	}
	return p
}

// play makes a move that is legal.
func play(p *shogi.Position, text string) {
	if m, err := p.ParseMove(text); err == nil {
		p.Make(m)
	}
}

// Line writes moves in USI's notation from the position after i moves as KIF does, with the signs of
// the sides, as far as they are legal, at most limit.
func (g *Game) Line(i int, moves []string, limit int) string {
	p := g.position(i)
	var texts []string
	for _, text := range moves[:min(limit, len(moves))] {
		m, err := p.ParseMove(text)
		if err != nil {
			break
		}
		texts = append(texts, MoveText(shogi.Colour(p.Side()), m))
		p.Make(m)
	}
	return strings.Join(texts, " ")
}

// parser reads one game.
type parser struct {
	*Game
	pos   *shogi.Position // nil before the first move
	setup string
}

// start sets up the first position.
func (p *parser) start(sfen string) error {
	pos, err := shogi.ParseCrowded(sfen)
	if err != nil {
		return err
	}
	p.pos, p.setup, p.first = pos, pos.SFEN(), shogi.Colour(pos.Side())
	return nil
}

// errTooLong is the error of a game with more than maxMoves moves.
var errTooLong = fmt.Errorf("the game has more than %d moves", maxMoves)

// parseMove reads a legal move in USI's notation. Its error does not repeat the move.
func parseMove(p *shogi.Position, usi string) (game.Move, error) {
	m, err := p.ParseMove(usi)
	if bad, ok := errors.AsType[*shogi.MoveError](err); ok {
		err = errors.New(bad.Reason)
	}
	return m, err
}

// move plays a move in USI's notation.
func (p *parser) move(usi string) error {
	if len(p.Moves) == maxMoves {
		return errTooLong
	}
	m, err := parseMove(p.pos, usi)
	if err != nil {
		return err
	}
	p.Moves = append(p.Moves, usi)
	p.pos.Make(m)
	return nil
}
