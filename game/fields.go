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
	return fmt.Sprintf("%s: %s %.60q at %d: %s", e.Notation, e.Field, e.Token, e.Place, e.Reason)
}

// Fields is a position in text, split into fields.
type Fields struct {
	notation string
	names    []string
	places   []int    // where they begin, from 1; missing ones at the end
	Tokens   []string // one for each name; those of missing fields are empty
	Repairs  []string // what was wrong and has been repaired
}

// blanks are what separates fields: in text that is copied from web pages and programs there may be quotes
// around it, and underscores instead of spaces.
const blanks = " \t\r\n_\"'[]\u00a0“”‘’"

// NewFields splits s into fields with these names. The first `least` fields have to be present. The name of the
// notation may come before them.
func NewFields(notation, s string, least int, names ...string) (*Fields, error) {
	f := &Fields{notation: notation, names: names, places: make([]int, len(names)), Tokens: make([]string, len(names))}
	n := 0
	for rest := s; ; n++ {
		var token string
		if token, rest = NextField(rest); token == "" {
			break
		}
		at := len(s) - len(rest) - len(token) + 1
		if n == 0 && strings.EqualFold(token, notation) {
			n--
			continue
		}
		if n == len(names) {
			return nil, &FieldError{notation, names[n-1], token, at, "nothing may follow it"}
		}
		f.Tokens[n], f.places[n] = token, at
	}
	if n < least {
		return nil, &FieldError{notation, names[n], "", len(s) + 1, "missing"}
	}
	for i := n; i < len(names); i++ {
		f.places[i] = len(s) + 1
	}
	return f, nil
}

// NextField returns the first field of s, "" if there is none, and what follows it.
func NextField(s string) (field, rest string) {
	s = strings.TrimLeft(s, blanks)
	if end := strings.IndexAny(s, blanks); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

// Fail returns the error for the token that starts at offset of a field.
func (f *Fields) Fail(field, offset int, token, format string, args ...any) *FieldError {
	return &FieldError{f.notation, f.names[field], token, f.places[field] + offset, fmt.Sprintf(format, args...)}
}

// Repair records what was done about a field.
func (f *Fields) Repair(field int, format string, args ...any) {
	f.Repairs = append(f.Repairs, f.Fail(field, 0, f.Tokens[field], format, args...).Error())
}
