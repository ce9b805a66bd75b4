// Package options declares an engine's options once: name, kind, default,
// bounds, and what a change does. A Set is the only place that parses and
// checks a value, so every front and every command sees one rule:
//
//	Set(name, text) ──► find (any case) ──► parse by kind ──► Apply ──► kept
//	                        │                   │               │
//	                        └── *Error ─────────┴── *Error ─────┘   old value stays
//
// A change is all or nothing: whatever refuses it, the old value stands.
package options

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is how an option is edited.
type Kind uint8

// The kinds of options, as UCI and USI know them.
const (
	Check  Kind = iota // true or false
	Spin               // a whole number between Min and Max
	Combo              // one of Vars
	String             // any text, also none
	Button             // no value: setting it does something
)

// String is the word a front prints for k.
func (k Kind) String() string {
	return [...]string{"check", "spin", "combo", "string", "button"}[k]
}

// Value is a checked value of any kind. Text is its canonical form; Int is set
// for a spin, Bool for a check.
type Value struct {
	Text string
	Int  int
	Bool bool
}

// Option is one declaration.
type Option struct {
	Name     string
	Kind     Kind
	Default  string   // as a user would type it
	Min, Max int      // of a spin; both fit 32 bits
	Vars     []string // of a combo
	// Apply does what a change means, before the value is kept; its error
	// refuses the change. It may be nil. It runs for every accepted Set, also
	// when the value is the old one.
	Apply func(Value) error
}

// Error is why a value was refused.
type Error struct {
	Option string // as declared, or as sent when nothing has that name
	Token  string // the value as sent
	Reason string
	Kept   string // the value that stands, "" if there is none
	Err    error  // what Apply said, if it was Apply
}

// Error names the option, the token and what would have been allowed.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "option %s: %s", brief(e.Option), e.Reason)
	if e.Kept != "" {
		fmt.Fprintf(&b, "; it stays %s", e.Kept)
	}
	return b.String()
}

// Unwrap returns what Apply said.
func (e *Error) Unwrap() error { return e.Err }

// brief quotes what a user sent, cut to a length fit for one line.
func brief(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.Quote(s)
}

// Set is an ordered set of options with their values. It is not safe for
// concurrent use.
type Set struct {
	list   []Option
	values []Value
	byName map[string]int
}

// New returns the set of the declared options, each at its default. Apply is
// not called: what an engine is made of already matches its defaults. It
// panics on a declaration that contradicts itself, which is a mistake of the
// program and not of its user.
func New(list ...Option) *Set {
	s := &Set{list: list, values: make([]Value, len(list)), byName: make(map[string]int)}
	for i, o := range list {
		folded := fold(o.Name)
		_, twice := s.byName[folded]
		bounds := o.Min <= o.Max && o.Min >= math.MinInt32 && o.Max <= math.MaxInt32
		v, reason := o.parse(o.Default)
		if twice || o.Name == "" || !bounds || reason != "" {
			panic(fmt.Sprintf("options: bad declaration of %q: %s", o.Name, reason))
		}
		s.byName[folded] = i
		s.values[i] = v
	}
	return s
}

// All returns the declarations in order.
func (s *Set) All() []Option { return s.list }

// Value returns the present value of the option of that name; the zero Value
// if there is none.
func (s *Set) Value(name string) Value {
	if i, ok := s.byName[fold(name)]; ok {
		return s.values[i]
	}
	return Value{}
}

// Set changes the option of that name, in any case and spacing, to the value
// that text stands for. Its errors are of type *Error; after one the old value
// stands.
func (s *Set) Set(name, text string) error {
	i, ok := s.byName[fold(name)]
	if !ok {
		return &Error{Option: name, Token: text, Reason: "there is no option of that name"}
	}
	o := &s.list[i]
	v, reason := o.parse(text)
	if reason != "" {
		return &Error{Option: o.Name, Token: text, Reason: reason, Kept: s.kept(i)}
	}
	if o.Apply != nil {
		if err := o.Apply(v); err != nil {
			return &Error{Option: o.Name, Token: text, Reason: err.Error(), Kept: s.kept(i), Err: err}
		}
	}
	s.values[i] = v
	return nil
}

// kept is what Error.Kept says of option i.
func (s *Set) kept(i int) string {
	if s.list[i].Kind == Button {
		return ""
	}
	if t := s.values[i].Text; t != "" {
		return t
	}
	return "<empty>"
}

// parse reads text as a value of o, or returns the reason why it is none.
func (o *Option) parse(text string) (v Value, reason string) {
	text = strings.TrimSpace(text)
	switch o.Kind {
	case Check:
		switch strings.ToLower(text) {
		case "true":
			return Value{Text: "true", Bool: true}, ""
		case "false":
			return Value{Text: "false"}, ""
		}
		return v, brief(text) + " is neither true nor false"
	case Spin:
		return o.parseSpin(text)
	case Combo:
		for _, c := range o.Vars {
			if strings.EqualFold(c, text) {
				return Value{Text: c}, ""
			}
		}
		return v, brief(text) + " is none of " + strings.Join(o.Vars, ", ")
	case String:
		if text == "<empty>" {
			text = ""
		}
		return Value{Text: text}, ""
	default:
		return Value{}, ""
	}
}

// parseSpin reads a whole number within the bounds of o.
func (o *Option) parseSpin(text string) (v Value, reason string) {
	if text == "" {
		return v, fmt.Sprintf("an empty value is not a whole number from %d to %d", o.Min, o.Max)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		// Too many digits are a number all the same: the bounds refuse it.
		if numErr, ok := err.(*strconv.NumError); !ok || numErr.Err != strconv.ErrRange {
			return v, fmt.Sprintf("%s is not a whole number from %d to %d", brief(text), o.Min, o.Max)
		}
	}
	if err != nil || n < int64(o.Min) || n > int64(o.Max) {
		return v, fmt.Sprintf("%s is outside %d to %d", brief(text), o.Min, o.Max)
	}
	return Value{Text: strconv.FormatInt(n, 10), Int: int(n)}, ""
}

// fold makes names comparable: case and the number of spaces do not count.
func fold(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}
