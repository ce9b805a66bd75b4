package pgn

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// kind is the kind of a token.
type kind uint8

const (
	end       kind = iota // of the input
	tag                   // the text between brackets
	comment               // without braces
	variation             // without the outer parentheses
	mark                  // $N, or a run of ! and ?
	word                  // a move, a number, a result
)

// maxGame is more bytes than a game takes, with all its comments.
const maxGame = 16 << 20

// event begins a game, also inside a comment or variation, which then is not closed.
const event = `[Event "`

// lexer splits PGN into tokens.
type lexer struct {
	in        *bufio.Reader
	line      int   // of the next byte, from 1
	lineStart bool  // the next byte is the first of its line
	size      int   // bytes since the game began
	failed    error // of reading, but io.EOF
}

func newLexer(r io.Reader) *lexer {
	return &lexer{in: bufio.NewReaderSize(r, 64<<10), line: 1, lineStart: true}
}

// skipMark skips a byte order mark and reports whether there was one.
func (l *lexer) skipMark() bool {
	mark, _ := l.in.Peek(3)
	if string(mark) != "\xef\xbb\xbf" {
		return false
	}
	_, _ = l.in.Discard(3)
	l.size += 3
	return true
}

// peek returns the next byte, 0 at the end.
func (l *lexer) peek() byte {
	b, err := l.in.Peek(1)
	if err != nil {
		if !errors.Is(err, io.EOF) {
			l.failed = err
		}
		return 0
	}
	switch b[0] {
	case 0:
		return ' '
	case '\r':
		if b, _ = l.in.Peek(2); len(b) < 2 || b[1] != '\n' {
			return '\n' // lines end with CR alone
		}
		return '\r'
	}
	return b[0]
}

// next returns the next byte and goes past it.
func (l *lexer) next() byte {
	c := l.peek()
	if c != 0 {
		_, _ = l.in.Discard(1)
		l.size++
	}
	if l.lineStart = c == '\n'; l.lineStart {
		l.line++
	}
	return c
}

// atEvent reports whether the next line begins a game.
func (l *lexer) atEvent() bool {
	if !l.lineStart {
		return false
	}
	b, _ := l.in.Peek(len(event))
	return string(b) == event
}

// onlyComments is a text of comments alone.
var onlyComments = regexp.MustCompile(`^(?:\s|\{[^}]*\}|;[^\r\n]*)*$`)

// lastComments reports whether there are comments next, and nothing else up to the end of the input. If that is farther
// than the buffer it reports false.
func (l *lexer) lastComments() bool {
	b, _ := l.in.Peek(8)
	if b = bytes.TrimLeft(b, " \t\r\n"); len(b) == 0 || b[0] != '{' && b[0] != ';' {
		return false
	}
	b, err := l.in.Peek(l.in.Size())
	return err == io.EOF && onlyComments.Match(b)
}

// toEvent skips the rest of a game that cannot be split into tokens.
func (l *lexer) toEvent() {
	for l.peek() != 0 && !l.atEvent() {
		l.next()
	}
}

// skipSpace skips white space, lines that begin with % and byte order marks, of which joined files have several.
func (l *lexer) skipSpace() {
	for {
		switch c := l.peek(); {
		case c == '%' && l.lineStart:
			l.until('\n')
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f':
			l.next()
		case c == '\xef' && l.skipMark():
		default:
			return
		}
	}
}

// token returns the next token.
func (l *lexer) token() (k kind, text string, err error) {
	l.skipSpace()
	c := l.peek()
	switch {
	case c == 0:
		return end, "", l.failed
	case l.size > maxGame:
		return end, "", fmt.Errorf("the game has more than %d MiB", maxGame>>20)
	case c == '[':
		text, err = l.tag()
		return tag, text, err
	case c == '{':
		text, err = l.comment()
		return comment, text, err
	case c == ';':
		l.next()
		return comment, tidy(strings.ReplaceAll(l.until('\n'), "}", ")")), nil
	case c == '(':
		text, err = l.variation()
		return variation, text, err
	case c == '$':
		l.next()
		return mark, "$" + l.while("0123456789"), nil
	case c == '!' || c == '?':
		return mark, l.while("!?"), nil
	case strings.IndexByte(")}]*", c) >= 0:
		return word, string(l.next()), nil
	}
	var b strings.Builder
	for c := l.peek(); c > ' ' && strings.IndexByte("{}()[];$!?*", c) < 0; c = l.peek() {
		if l.next(); b.Len() < 100 {
			b.WriteByte(c)
		}
	}
	if b.Len() == 0 {
		l.next() // a control character
	}
	return word, b.String(), nil
}

// until returns the text before a byte and goes past it, or to the end.
func (l *lexer) until(stop byte) string {
	var b strings.Builder
	for c := l.next(); c != 0 && c != stop && l.size <= maxGame; c = l.next() {
		b.WriteByte(c)
	}
	return b.String()
}

// while returns the next bytes as long as they are in set.
func (l *lexer) while(set string) string {
	var b strings.Builder
	for c := l.peek(); c != 0 && strings.IndexByte(set, c) >= 0 && b.Len() < 100; c = l.peek() {
		b.WriteByte(l.next())
	}
	return b.String()
}

// tag returns a tag pair without its brackets. A quotation mark ends the value only before a
// bracket, because some programs do not escape others. A bracket at the end of a line always ends the
// tag, because some programs escape the last one.
func (l *lexer) tag() (string, error) {
	var b strings.Builder
	line, quoted, closing := l.line, false, false
	for l.next(); ; {
		c := l.peek()
		if c == 0 || c == '\n' || l.size > maxGame {
			text, closed := strings.CutSuffix(strings.TrimRight(b.String(), " \t\r"), "]")
			if closed {
				return text, nil
			}
			return "", l.notClosed(line, fmt.Sprintf("tag [%.60s", b.String()))
		}
		l.next()
		switch {
		case c == ']' && (!quoted || closing):
			return b.String(), nil
		case c == '"':
			closing, quoted = quoted, true
		case c == '\\' && (l.peek() == '"' || l.peek() == '\\'):
			b.WriteByte(c)
			c, closing = l.next(), false
		case c != ' ' && c != '\t':
			closing = false
		}
		b.WriteByte(c)
	}
}

// comment returns a comment without its braces.
func (l *lexer) comment() (string, error) {
	line := l.line
	var b strings.Builder
	for l.next(); ; {
		if l.peek() == 0 || l.atEvent() || l.size > maxGame {
			return "", l.notClosed(line, "comment that begins here")
		}
		c := l.next()
		if c == '}' {
			return tidy(b.String()), nil
		}
		b.WriteByte(c)
	}
}

// variation returns a variation without its outer parentheses, with all that is nested in it.
func (l *lexer) variation() (string, error) {
	line, depth := l.line, 0
	var b strings.Builder
	for {
		c := l.peek()
		switch {
		case c == 0 || l.atEvent() || l.size > maxGame:
			return "", l.notClosed(line, "variation that begins here")
		case c == '{':
			text, err := l.comment()
			if err != nil {
				return "", err
			}
			b.WriteString("{" + text + "}")
			continue
		case c == ';':
			l.next()
			b.WriteString("{" + tidy(strings.ReplaceAll(l.until('\n'), "}", ")")) + "} ")
			continue
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		l.next()
		if depth == 0 {
			return tidy(b.String()[1:]), nil
		}
		b.WriteByte(c)
	}
}

// notClosed is the error for a token without an end, which began on this line.
func (l *lexer) notClosed(line int, token string) error {
	within := ""
	if l.size > maxGame {
		within = fmt.Sprintf(" within %d MiB", maxGame>>20)
	}
	return fmt.Errorf("line %d: the %s is not closed%s", line, token, within)
}

// tidy replaces white space by single spaces.
func tidy(s string) string { return strings.Join(strings.Fields(s), " ") }
