package batch

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"trefoil/internal/text"
)

// Line is a line of the input that is not skipped.
type Line struct {
	Line   int    // from 1
	Number int    // among the lines that are not skipped, from 1
	Text   string // without the space around it
	bad    error  // why it cannot be read, or nil
}

// A Source makes a function that returns the positions of an input that has something else than lines.
// io.EOF ends it, and after a *BadInput, which counts as a line, it can be called again.
type Source func(io.Reader) func() (string, error)

// BadInput is a part of an input that holds no position.
type BadInput struct{ Err error }

func (b *BadInput) Error() string { return b.Err.Error() }

// Positions returns a function, as a Source does, that returns the positions of games one by one. next
// returns the positions of the next game.
func Positions(next func() ([]string, error)) func() (string, error) {
	var positions []string
	return func() (string, error) {
		for len(positions) == 0 {
			var err error
			if positions, err = next(); err != nil {
				return "", err
			}
		}
		first := positions[0]
		positions = positions[1:]
		return first, nil
	}
}

// reader reads the lines of an input. It skips lines that are empty or begin with #, and a byte order mark
// before the first.
type reader struct {
	next         func() (string, error)
	line, number int
}

func newReader(in io.Reader, source Source) *reader {
	if source == nil {
		source = lines
	}
	return &reader{next: source(text.Reader(in))}
}

// read returns the next line, or io.EOF.
func (r *reader) read() (Line, error) {
	for {
		line, err := r.next()
		r.line++
		bad := (*BadInput)(nil)
		if err != nil && !errors.As(err, &bad) {
			return Line{}, err
		}
		if r.line == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		line = strings.TrimSpace(strings.ToValidUTF8(line, "\uFFFD"))
		if bad == nil && (line == "" || line[0] == '#') {
			continue
		}
		r.number++
		l := Line{Line: r.line, Number: r.number, Text: line}
		if bad != nil {
			l.bad = bad
		}
		return l, nil
	}
}

// lines is the Source of an input that has a position a line.
func lines(in io.Reader) func() (string, error) {
	r := bufio.NewReader(in)
	return func() (string, error) { return readLine(r) }
}

// maxLine is more bytes than a position of any game takes.
const maxLine = 64 << 10

// shown are the bytes of a line of maxLine that are kept.
const shown = 200

var errLong = errors.New("a line of 64 KiB or more")

// readLine returns the next line without its end, which is LF, CR LF or CR; the beginning of a line of maxLine
// or more, and a BadInput; io.EOF after the last line, which needs no end.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		c, err := r.ReadByte()
		switch {
		case err == io.EOF && len(line) > 0:
			c = '\n'
		case err != nil:
			return "", err
		}
		if c == '\r' {
			if next, err := r.Peek(1); err == nil && next[0] == '\n' {
				continue
			}
			c = '\n'
		}
		switch {
		case c != '\n' && len(line) < maxLine:
			line = append(line, c)
		case c == '\n' && len(line) == maxLine:
			return string(line[:shown]), &BadInput{errLong}
		case c == '\n':
			return string(line), nil
		}
	}
}
