package analysis

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"trefoil/game"
	"trefoil/internal/atomicfile"
)

// Format is a format of game files.
type Format struct {
	Name       string
	Extensions []string         // of files, with a dot, in lower case
	Variant    string           // the game
	Check      atomicfile.Check // of a file that is to be replaced
	Written    *Format          // in which the games are written; nil: as they were read
	// Open returns a function that reads the next game. With an error that is a *RecordError comes the game up
	// to the error, or nil, and it can be called again; io.EOF ends the file.
	Open func(io.Reader) func() (Record, error)
	// Contents returns a function that returns the games one after the other, and io.EOF after the last one.
	Contents func(io.Reader) func() (Entry, error)
}

// Record is a game of a file.
type Record interface {
	Game() Game
	Tree() *game.Tree    // with variations and comments
	Positions() []string // in the notation of the game
	Title() string       // players and result
	Sides() [2]string    // the names of the sides
	MoveText(i int) string
	LineText(i int, line []string) string // moves from the position before move i
	Scale() Scale
	// Annotate adds a report that program has made.
	Annotate(r *Report, program string)
	WriteTo(io.Writer) (int64, error)
}

// RecordError is an error of one game; later games can be read.
type RecordError struct{ Err error }

func (e *RecordError) Error() string { return e.Err.Error() }

// Formats are the formats that can be read.
var Formats = []*Format{&pgnFormat, &kifFormat, &csaFormat, &ki2Format, &jkfFormat, &usiFormat}

// ScaleOf returns the scale of a game; ok is false if it has none.
func ScaleOf(variant string) (s Scale, ok bool) {
	s, ok = map[string]Scale{"chess": chessScale, "shogi": shogiScale}[variant]
	return s, ok
}

// Output returns the format in which the games of f are written.
func (f *Format) Output() *Format {
	if f.Written != nil {
		return f.Written
	}
	return f
}

// looksLike returns a check that a file begins with any beginning in the list, after white space and a byte order
// mark.
func looksLike(name string, beginnings ...string) atomicfile.Check {
	return func(head []byte) error {
		text := strings.TrimLeft(string(head), " \t\r\n\ufeff")
		for _, b := range beginnings {
			if strings.HasPrefix(text, b) {
				return nil
			}
		}
		return fmt.Errorf("not replaced: it does not begin like a game in %s", name)
	}
}

// matches returns a check that a file begins as a pattern says, after white space and a byte order mark.
func matches(name, pattern string) atomicfile.Check {
	begins := regexp.MustCompile(`^[\s\x{feff}]*(` + pattern + `)`)
	return func(head []byte) error {
		if begins.Match(head) {
			return nil
		}
		return fmt.Errorf("not replaced: it does not begin like a game in %s", name)
	}
}

// Recognise returns the format in which a text begins like a game, nil if there is none.
func Recognise(head []byte) *Format {
	for _, f := range Formats {
		if f.Check(head) == nil {
			return f
		}
	}
	return nil
}

// pgnMoves begins a text in PGN without tags.
var pgnMoves = regexp.MustCompile(`^[\s\x{feff}]*` +
	`(?:$|[{;%*]|[0-9]+\s*\.|[01]-[01]|1/2|[O0]-[O0]|[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8])`)

// Guess returns the format of a text by its beginning, like Recognise, but also PGN for moves without tags.
func Guess(head []byte) *Format {
	f := Recognise(head)
	if f == nil && pgnMoves.Match(head) {
		f = &pgnFormat
	}
	return f
}

// FormatOf returns the format of a file by the extension of its name, nil if no format of games has that
// extension.
func FormatOf(path string) *Format {
	for _, f := range Formats {
		if slices.Contains(f.Extensions, extension(path)) {
			return f
		}
	}
	return nil
}

// extension returns the extension of a file in lower case.
func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }
