package options

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// sample is a set with an option of every kind, and what their changes record.
type sample struct {
	*Set
	hash    *Spin
	skew    *Spin
	clear   *Button
	ponder  *Check
	index   *Combo[int]
	book    *Text
	changes []any
	refuse  error
}

func newSample() *sample {
	s := &sample{Set: NewSet()}
	s.hash = NewSpin(s.Set, Decl{UCI: "Hash", USI: "USI_Hash", Help: "MiB"}, 16, 1, 33554432)
	s.clear = NewButton(s.Set, Decl{UCI: "Clear Hash", USI: "Clear_Hash", Help: "empties"})
	s.index = NewCombo(s.Set, Decl{UCI: "HashIndex", USI: "HashIndex", Help: "index", Diagnostic: true},
		Choice[int]{"auto", 0}, Choice[int]{"mul32", 32})
	s.ponder = NewCheck(s.Set, Decl{UCI: "Ponder", USI: "USI_Ponder", Help: "ponders"}, false)
	s.book = NewText(s.Set, Decl{UCI: "Book", Help: "book", Games: []string{"connect4"}})
	s.skew = NewSpin(s.Set, Decl{USI: "Skew", Help: "skew", Details: "More", Games: []string{"shogi"}}, 0, -5, 5)
	note := func(v any) error { s.changes = append(s.changes, v); return s.refuse }
	s.hash.OnChange(func(n int) error { return note(n) })
	s.skew.OnChange(func(n int) error { return note(n) })
	s.clear.OnPress(func(context.Context) error { return note("pressed") })
	s.index.OnChange(func(n int) error { return note(n) })
	s.ponder.OnChange(func(b bool) error { return note(b) })
	s.book.OnChange(func(t string) error { return note(t) })
	return s
}

// TestListFor: a GUI gets the options of its game, and those for measurements only if it asks for them.
func TestListFor(t *testing.T) {
	s := newSample()
	NewCheck(s.Set, Decl{UCI: Diagnostics, Help: "all"}, false)
	names := func(game string) (list []string) {
		for _, o := range s.ListFor(UCI, game) {
			list = append(list, o.UCI)
		}
		return list
	}
	want := []string{"Hash", "Clear Hash", "Ponder", Diagnostics}
	if got := names("chess"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := s.Set.Set(t.Context(), UCI, Diagnostics, "true"); err != nil {
		t.Fatal(err)
	}
	want = []string{"Hash", "Clear Hash", "Ponder", "Book", Diagnostics, "HashIndex"}
	if got := names("connect4"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAccepted(t *testing.T) {
	for _, c := range []struct {
		p           Protocol
		name, value string
		want        any
	}{
		{UCI, "Hash", "64", 64},
		{UCI, "hash", " 33554432 ", 33554432},
		{UCI, "HASH", "+7", 7},
		{UCI, "Hash", "007", 7},
		{USI, "USI_Hash", "3", 3},
		{UCI, "clear  hash", "", "pressed"},
		{UCI, "Clear Hash", "anything", "pressed"},
		{UCI, "ponder", "True", true},
		{USI, "usi_ponder", "FALSE", false},
		{UCI, "hashindex", " MUL32 ", 32},
		{UCI, "Book", "C:/my books/a.bin", "C:/my books/a.bin"},
		{UCI, "Book", "<empty>", ""},
		{UCI, "skew", "-5", -5}, // its game is available over UCI too
		{USI, "Skew", "5", 5},
	} {
		s := newSample()
		if err := s.Set.Set(context.Background(), c.p, c.name, c.value); err != nil {
			t.Errorf("%s=%q: %v", c.name, c.value, err)
		}
		if !slices.Equal(s.changes, []any{c.want}) {
			t.Errorf("%s=%q: changes %v, want %v", c.name, c.value, s.changes, c.want)
		}
	}
}

func TestValues(t *testing.T) {
	s := newSample()
	for name, value := range map[string]string{"Hash": "100", "Ponder": "true", "HashIndex": "mul32",
		"Book": "b", "Skew": "-1"} {
		if err := s.Set.Set(context.Background(), UCI, name, value); err != nil {
			t.Fatal(err)
		}
	}
	if s.hash.Value() != 100 || !s.ponder.Value() || s.index.Value() != 32 || s.book.Value() != "b" ||
		s.skew.Value() != -1 {
		t.Errorf("%v %v %v %v %v", s.hash.Value(), s.ponder.Value(), s.index.Value(), s.book.Value(), s.skew.Value())
	}
	if ms := s.hash.Milliseconds().Milliseconds(); ms != 100 {
		t.Errorf("%d ms", ms)
	}
}

// TestSetDefault: a new default is the value too, unless another one has been set.
func TestSetDefault(t *testing.T) {
	s := newSample()
	s.hash.SetDefault(32)
	first := s.hash.Value()
	if err := s.Set.Set(t.Context(), UCI, "Hash", "5"); err != nil {
		t.Fatal(err)
	}
	s.hash.SetDefault(64)
	if def := s.List(UCI)[0].Default; first != 32 || s.hash.Value() != 5 || def != "64" || len(s.changes) != 1 {
		t.Errorf("%d, then %d of default %s, changes %v", first, s.hash.Value(), def, s.changes)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		p                 Protocol
		name, value, says string
	}{
		{UCI, "Hash", "abc", `option "Hash": "abc" is not a whole number from 1 to 33554432; it stays 16`},
		{USI, "usi_hash", "0", `option "USI_Hash": "0" is outside 1 to 33554432; it stays 16`},
		{UCI, "Hash", "-5", `option "Hash": "-5" is outside 1 to 33554432; it stays 16`},
		{UCI, "Hash", "99999999999999999999", `option "Hash": "99999999999999999999" is outside 1 to 33554432; it stays 16`},
		{UCI, "Hash", "-99999999999999999999", `option "Hash": "-99999999999999999999" is outside 1 to 33554432; it stays 16`},
		{UCI, "Hash", "", `option "Hash": an empty value is not a whole number from 1 to 33554432; it stays 16`},
		{UCI, "Hash", "16.5", `option "Hash": "16.5" is not a whole number from 1 to 33554432; it stays 16`},
		{UCI, "Ponder", "maybe", `option "Ponder": "maybe" is neither true nor false; it stays false`},
		{UCI, "HashIndex", "md5", `option "HashIndex": "md5" is not one of auto, mul32; it stays auto`},
		{UCI, "Skew", "6", `option "Skew": "6" is outside -5 to 5; it stays 0`},
		{UCI, "Hush", "1", `unknown option "Hush"`},
		{UCI, "USI_Hash", "1", `unknown option "USI_Hash"`},
		{USI, "Hash", "1", `unknown option "Hash"`},
		{USI, "Book", "1", `unknown option "Book"`},
		{UCI, "", "", `unknown option ""`},
	} {
		s := newSample()
		err := s.Set.Set(context.Background(), c.p, c.name, c.value)
		var e *Error
		if !errors.As(err, &e) || err.Error() != c.says {
			t.Errorf("%s=%q: %v\nwant %s", c.name, c.value, err, c.says)
			continue
		}
		if e.Token != c.value || e.Unknown != strings.HasPrefix(c.says, "unknown option") || len(s.changes) > 0 {
			t.Errorf("%s=%q: token %q, unknown %v, changes %v", c.name, c.value, e.Token, e.Unknown, s.changes)
		}
	}
}

func TestChangeRefused(t *testing.T) {
	s := newSample()
	s.refuse = errors.New("too large")
	err := s.Set.Set(context.Background(), UCI, "Hash", "1000000")
	if want := `option "Hash": too large; it stays 16`; !errors.Is(err, s.refuse) || err.Error() != want ||
		s.hash.Value() != 16 {
		t.Errorf("%v, Hash %d; want %q", err, s.hash.Value(), want)
	}
	if err := s.Set.Set(context.Background(), UCI, "Book", "x"); !strings.HasSuffix(err.Error(), "it stays <empty>") {
		t.Error(err)
	}
	if err := s.Set.Set(context.Background(), UCI, "Clear Hash", ""); strings.Contains(err.Error(), "stays") {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	s := newSample()
	for p, want := range map[Protocol]string{
		UCI: "Hash, Clear Hash, Ponder, Book, HashIndex",
		USI: "USI_Hash, Clear_Hash, USI_Ponder, Skew, HashIndex",
	} {
		var names []string
		for _, o := range s.List(p) {
			names = append(names, o.Name(p))
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("protocol %d lists %s, want %s", p, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	const want = "| UCI | USI | values | default | what it does |\n|---|---|---|---|---|\n" +
		"| `Hash` | `USI_Hash` | 1 to 33554432 | `16` | MiB |\n" +
		"| `Clear Hash` | `Clear_Hash` | button |  | empties |\n" +
		"| `Ponder` | `USI_Ponder` | `true` `false` | `false` | ponders |\n" +
		"| `Book` |  | text | empty | book (connect4) |\n" +
		"| `HashIndex` | `HashIndex` | `auto` `mul32` | `auto` | index |\n" +
		"|  | `Skew` | -5 to 5 | `0` | skew. More |\n"
	if got := newSample().Markdown(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestLongTokenIsCut(t *testing.T) {
	err := newSample().Set.Set(context.Background(), UCI, "Hash", strings.Repeat("é", 1<<19))
	if n := len(err.Error()); n > 300 {
		t.Errorf("%d bytes", n)
	}
}

// TestSettings: what a Setting says about its option, also where there is none.
func TestSettings(t *testing.T) {
	s := newSample()
	games := []string{"connect4"}
	board := NewSpin(s.Set, Decl{UCI: "Board", Help: "board", Games: games, SetsPosition: true, AtOnce: true}, 1, 1, 2)
	board.OnWait(func(context.Context, int) error { return nil })
	s.book.OnWait(func(context.Context, string) error { return nil })
	NewButton(s.Set, Decl{UCI: "Save", Help: "saves"}).OnSave(func(_, _ context.Context) error { return nil })
	for _, c := range []struct {
		name                 string
		saves, waits, atOnce bool
		position             []string
	}{
		{name: "Board", waits: true, atOnce: true, position: games},
		{name: "Book", waits: true},
		{name: "Save", saves: true},
		{name: "Clear Hash"}, {name: "Hash"}, {name: "Ponder"}, {name: "nothing"},
	} {
		o := s.Find(UCI, c.name)
		if o.Saves() != c.saves || o.Waits() != c.waits || o.AtOnce() != c.atOnce ||
			!slices.Equal(o.SetsPosition(), c.position) {
			t.Errorf("%s: saves %v, waits %v, at once %v, sets the position of %q", c.name, o.Saves(), o.Waits(), o.AtOnce(),
				o.SetsPosition())
		}
	}
}

func TestBadDeclarationPanics(t *testing.T) {
	for name, declare := range map[string]func(*Set){
		"default below its bounds": func(s *Set) { NewSpin(s, Decl{UCI: "a", Help: "h"}, 5, 6, 7) },
		"bounds beyond 32 bits":    func(s *Set) { NewSpin(s, Decl{UCI: "a", Help: "h"}, 0, 0, 1<<40) },
		"no name":                  func(s *Set) { NewButton(s, Decl{Help: "h"}) },
		"no help":                  func(s *Set) { NewButton(s, Decl{UCI: "a"}) },
		"a word of setoption":      func(s *Set) { NewButton(s, Decl{UCI: "Draw Value", Help: "h"}) },
		"a space in USI":           func(s *Set) { NewButton(s, Decl{USI: "Clear Hash", Help: "h"}) },
		"no choices":               func(s *Set) { NewCombo[int](s, Decl{UCI: "a", Help: "h"}) },
		"declared twice": func(s *Set) {
			NewButton(s, Decl{UCI: "a b", Help: "h"})
			NewButton(s, Decl{UCI: "A  B", USI: "c", Help: "h"})
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			declare(NewSet())
		}()
	}
}
