package game

import (
	"fmt"
	"strings"
)

// A FieldError says what is wrong with a position that is written in fields, and where.
type FieldError struct {
	Notation string // FEN, sfen
	Field    string // which, by its name
	Token    string // the offending part of it
	Place    int    // the byte of the text where Token begins, from 1
	Reason   string
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("%s: %s %q at %d: %s", e.Notation, e.Field, e.Token, e.Place, e.Reason)
}

// Fields is a position in text, split at white space.
type Fields struct {
	notation string
	names    []string
	places   []int    // where they begin, from 1
	Tokens   []string // one for each name; those of missing fields are empty
}

// NewFields splits s into fields with these names. The first `least` fields have to be present.
func NewFields(notation, s string, least int, names ...string) (*Fields, error) {
	f := &Fields{notation, names, make([]int, len(names)), make([]string, len(names))}
	n := 0
	for rest := s; ; n++ {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			break
		}
		end := strings.IndexAny(rest, " \t")
		if end < 0 {
			end = len(rest)
		}
		token, at := rest[:end], len(s)-len(rest)+1
		if n == len(names) {
			return nil, &FieldError{notation, names[n-1], token, at, "nothing may follow it"}
		}
		f.Tokens[n], f.places[n] = token, at
		rest = rest[end:]
	}
	if n < least {
		return nil, &FieldError{notation, names[n], "", len(s) + 1, "missing"}
	}
	return f, nil
}

// Fail returns the error for the token that starts at offset of a field.
func (f *Fields) Fail(field, offset int, token, format string, args ...any) *FieldError {
	return &FieldError{f.notation, f.names[field], token, f.places[field] + offset, fmt.Sprintf(format, args...)}
}
