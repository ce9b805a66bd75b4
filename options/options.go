// Package options declares the options of an engine, each once: its name in each
// protocol, kind, default, bounds, help, the games that use it and what a change
// does. A declaration returns a typed handle, and only the handle gives the
// value, so a misspelt name does not compile:
//
//	set := options.NewSet()
//	hash := options.NewSpin(set, options.Decl{UCI: "Hash", USI: "USI_Hash", Help: "…"}, 16, 1, 1024)
//	hash.OnChange(resize) // an error refuses the change
//	…
//	hash.Value()
//
// A protocol uses only the Set, which finds an option by its name. Setting.Set parses and checks every value in one
// place:
//
//	Find(protocol, name) ──► Setting.Set(text): parse ──► OnChange ──► stored
//	   (any case)                │                │           │
//	                             └──── *Error ────┴───────────┘   the old value stays
//
// A change is applied completely or not at all. A Set and its options are not safe
// for concurrent use, except that the options marked AtOnce may be set while others are.
package options

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Protocol is the text protocol in which an option is named.
type Protocol uint8

// The protocols.
const (
	UCI Protocol = iota
	USI
)

// Kind is how a GUI edits an option.
type Kind uint8

// The kinds of options in UCI and USI.
const (
	KindCheck  Kind = iota // true or false
	KindSpin               // a whole number within bounds
	KindCombo              // one of some words
	KindString             // any text, may be empty
	KindButton             // no value; setting it triggers an action
)

// String is the word for k in UCI and USI.
func (k Kind) String() string {
	return [...]string{"check", "spin", "combo", "string", "button"}[k]
}

// Decl is the part of a declaration that all kinds share.
type Decl struct {
	// UCI and USI are the names in these protocols; an option whose name is empty in a
	// protocol is not listed there. The words "name" and "value" separate the parts of
	// setoption, so no name contains them; names in USI have no spaces.
	UCI, USI string
	// Help says in one sentence what the option does. Details are further sentences, "" for
	// none. Both are Markdown and end without a full stop.
	Help, Details string
	// Games are the values of UCI_Variant that use the option; none means all.
	Games []string
	// Diagnostic options are for measurements. They are listed last, and for a GUI only if Diagnostics is true.
	Diagnostic bool
	// SetsPosition marks an option whose change sets up the start position of its Games.
	SetsPosition bool
	// AtOnce marks an option that is set as soon as its line is read, even during a search. Its
	// OnChange must allow that.
	AtOnce bool
}

// Name is the name of the option in p, "" if p does not list it.
func (d *Decl) Name(p Protocol) string {
	if p == USI {
		return d.USI
	}
	return d.UCI
}

// anyName is a name of the option in p or, if it has none there, in the other protocol.
func (d *Decl) anyName(p Protocol) string {
	if name := d.Name(p); name != "" {
		return name
	}
	return d.Name(1 - p)
}

// Option is a declaration as a protocol lists it.
type Option struct {
	Decl
	Kind     Kind
	Default  string
	Min, Max int      // of a spin
	Vars     []string // of a combo
}

// handle is an option with its value.
type handle interface {
	option() *Option
	// set parses text, calls what the change triggers, and stores the value. reason says
	// why text is no value; err is the error of OnChange or OnPress.
	set(ctx context.Context, text string) (reason string, err error)
	// text is the value in its canonical form.
	text() string
}

// Error says why a value was refused.
type Error struct {
	Option  string // its name in the protocol, or the name that was sent if it is unknown
	Token   string // the value that was sent
	Reason  string
	Kept    string // the value that stays, "" if there is none
	Unknown bool   // no option has that name
	Err     error  // the error of OnChange, if it refused the value
}

// Error names the option, the value and what is allowed.
func (e *Error) Error() string {
	if e.Unknown {
		return fmt.Sprintf("%s %.60q", e.Reason, e.Option)
	}
	text := fmt.Sprintf("option %.60q: %s", e.Option, e.Reason)
	if e.Kept != "" {
		text += "; it stays " + e.Kept
	}
	return text
}

// Unwrap returns the error of OnChange.
func (e *Error) Unwrap() error { return e.Err }

// Set is an ordered set of options with their values.
type Set struct {
	handles []handle
}

// NewSet returns an empty set.
func NewSet() *Set { return new(Set) }

// add declares an option. It panics on a declaration that contradicts itself or an
// earlier one: that is a mistake of the program, not of its user.
func (s *Set) add(h handle) {
	o := h.option()
	if o.UCI == "" && o.USI == "" || o.Help == "" {
		panic(fmt.Sprintf("options: %q, %q: no name or no help", o.UCI, o.USI))
	}
	for _, p := range []Protocol{UCI, USI} {
		name := o.Name(p)
		if name != "" && s.find(p, name) != nil {
			panic(fmt.Sprintf("options: %q is declared twice", name))
		}
		words := strings.Fields(strings.ToLower(name))
		if slices.Contains(words, "name") || slices.Contains(words, "value") || p == USI && len(words) > 1 {
			panic(fmt.Sprintf("options: %q cannot be set: a word of setoption, or a space in USI", name))
		}
	}
	s.handles = append(s.handles, h)
}

// find returns the option of that name, nil if there is none. In UCI it also finds
// options that only USI lists: UCI_Variant makes their games available.
func (s *Set) find(p Protocol, name string) handle {
	folded := fold(name)
	for _, h := range s.handles {
		if n := h.option().Name(p); n != "" && fold(n) == folded {
			return h
		}
	}
	if p == UCI {
		for _, h := range s.handles {
			if o := h.option(); o.UCI == "" && fold(o.USI) == folded {
				return h
			}
		}
	}
	return nil
}

// fold makes names comparable: case and the number of spaces do not count.
func fold(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// List returns the options that p lists, in the order of declaration, the diagnostic
// ones last.
func (s *Set) List(p Protocol) []Option {
	var list, diagnostic []Option
	for _, h := range s.handles {
		switch o := h.option(); {
		case o.Name(p) == "":
		case o.Diagnostic:
			diagnostic = append(diagnostic, *o)
		default:
			list = append(list, *o)
		}
	}
	return append(list, diagnostic...)
}

// Diagnostics is the name of the option with which GUIs get the diagnostic options.
const Diagnostics = "Diagnostics"

// ListFor returns the options of List for a GUI that plays a game.
func (s *Set) ListFor(p Protocol, game string) []Option {
	all := s.Find(p, Diagnostics).Value() == "true"
	return slices.DeleteFunc(s.List(p), func(o Option) bool {
		return o.Diagnostic && !all || len(o.Games) > 0 && !slices.Contains(o.Games, game)
	})
}

// Set is Find and Setting.Set.
func (s *Set) Set(ctx context.Context, p Protocol, name, text string) error {
	return s.Find(p, name).Set(ctx, text)
}

// A Setting is an option as a line of a protocol names it.
type Setting struct {
	handle handle // nil: no option has the name
	p      Protocol
	name   string // as it was sent
}

// Find returns the option of that name in p, in any case and spacing. If there is none, the error of Setting.Set says
// so.
func (s *Set) Find(p Protocol, name string) Setting { return Setting{s.find(p, name), p, name} }

// Set changes the option to the value that text stands for. Its errors are of type *Error; after one the
// old value stays. When ctx ends, the action of a button, unless it saves, the reading of a file, and the
// wait for another process may end early.
func (o Setting) Set(ctx context.Context, text string) error {
	if o.handle == nil {
		return &Error{Option: o.name, Token: text, Reason: "unknown option", Unknown: true}
	}
	reason, err := o.handle.set(ctx, text)
	if reason == "" && err == nil {
		return nil
	}
	decl := o.handle.option()
	e := &Error{Option: decl.anyName(o.p), Token: text, Reason: reason, Err: err}
	if err != nil {
		e.Reason = err.Error()
	}
	if decl.Kind != KindButton {
		if e.Kept = o.Value(); e.Kept == "" {
			e.Kept = emptyText
		}
	}
	return e
}

// Value returns the present value in its canonical form; "" if there is no such option.
func (o Setting) Value() string {
	if o.handle == nil {
		return ""
	}
	return o.handle.text()
}

// Saves reports whether the option is a button that saves.
func (o Setting) Saves() bool {
	b, ok := o.handle.(*Button)
	return ok && b.onSave != nil
}

// Waits reports whether a change of the option may wait for another process.
func (o Setting) Waits() bool {
	switch h := o.handle.(type) {
	case *Spin:
		return h.waits
	case *Text:
		return h.waits
	}
	return false
}

// SetsPosition returns the games whose start position a change of the option sets up.
func (o Setting) SetsPosition() []string {
	if o.handle != nil && o.handle.option().SetsPosition {
		return o.handle.option().Games
	}
	return nil
}

// AtOnce reports whether the option is set when its line is read.
func (o Setting) AtOnce() bool { return o.handle != nil && o.handle.option().AtOnce }

// emptyText is what UCI and USI write for an empty string.
const emptyText = "<empty>"
