package options

import (
	"errors"
	"strings"
	"testing"
)

func testSet(apply func(Value) error) *Set {
	return New(
		Option{Name: "Hash", Kind: Spin, Default: "16", Min: 1, Max: 33554432, Apply: apply},
		Option{Name: "Clear Hash", Kind: Button, Apply: apply},
		Option{Name: "Ponder", Kind: Check, Default: "false", Apply: apply},
		Option{Name: "HashIndex", Kind: Combo, Default: "auto", Vars: []string{"auto", "mul32"}, Apply: apply},
		Option{Name: "Book", Kind: String, Default: "<empty>", Apply: apply},
		Option{Name: "Skew", Kind: Spin, Default: "0", Min: -5, Max: 5, Apply: apply},
	)
}

func TestAccepted(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"Hash", "64", "64"},
		{"hash", " 33554432 ", "33554432"},
		{"HASH", "+7", "7"},
		{"Hash", "007", "7"},
		{"clear  hash", "", ""},
		{"Clear Hash", "anything", ""},
		{"ponder", "True", "true"},
		{"Ponder", "FALSE", "false"},
		{"hashindex", "MUL32", "mul32"},
		{"Book", "C:/my books/a.bin", "C:/my books/a.bin"},
		{"Book", "<empty>", ""},
		{"skew", "-5", "-5"},
	} {
		calls := 0
		s := testSet(func(v Value) error {
			calls++
			if v.Text != c.want {
				t.Errorf("%s=%q: Apply saw %q", c.name, c.value, v.Text)
			}
			return nil
		})
		if err := s.Set(c.name, c.value); err != nil {
			t.Errorf("%s=%q: %v", c.name, c.value, err)
		}
		if got := s.Value(c.name).Text; got != c.want || calls != 1 {
			t.Errorf("%s=%q: kept %q after %d calls, want %q after 1", c.name, c.value, got, calls, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, value, says string }{
		{"Hash", "abc", `option "Hash": "abc" is not a whole number from 1 to 33554432; it stays 16`},
		{"hash", "0", `option "Hash": "0" is outside 1 to 33554432; it stays 16`},
		{"Hash", "-5", `option "Hash": "-5" is outside 1 to 33554432; it stays 16`},
		{"Hash", "99999999999999999999", `option "Hash": "99999999999999999999" is outside 1 to 33554432; it stays 16`},
		{"Hash", "", `option "Hash": an empty value is not a whole number from 1 to 33554432; it stays 16`},
		{"Hash", "16.5", `option "Hash": "16.5" is not a whole number from 1 to 33554432; it stays 16`},
		{"Ponder", "yes", `option "Ponder": "yes" is neither true nor false; it stays false`},
		{"HashIndex", "md5", `option "HashIndex": "md5" is none of auto, mul32; it stays auto`},
		{"Hush", "1", `option "Hush": there is no option of that name`},
		{"", "", `option "": there is no option of that name`},
	} {
		s := testSet(func(Value) error { t.Errorf("%s=%q: applied", c.name, c.value); return nil })
		err := s.Set(c.name, c.value)
		var e *Error
		if !errors.As(err, &e) || err.Error() != c.says {
			t.Errorf("%s=%q: %v\nwant %s", c.name, c.value, err, c.says)
		}
		if e != nil && e.Token != c.value {
			t.Errorf("%s=%q: token %q", c.name, c.value, e.Token)
		}
	}
}

func TestApplyRefusal(t *testing.T) {
	cause := errors.New("no room")
	s := testSet(func(Value) error { return cause })
	err := s.Set("Hash", "1000000")
	if !errors.Is(err, cause) || s.Value("Hash").Int != 16 {
		t.Errorf("%v, Hash %d", err, s.Value("Hash").Int)
	}
	if want := `option "Hash": no room; it stays 16`; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if err := s.Set("Book", "x"); !strings.HasSuffix(err.Error(), "it stays <empty>") {
		t.Error(err)
	}
	if err := s.Set("Clear Hash", ""); strings.Contains(err.Error(), "stays") {
		t.Error(err)
	}
}

func TestLongTokenIsCut(t *testing.T) {
	err := testSet(nil).Set("Hash", strings.Repeat("x", 1<<20))
	if n := len(err.Error()); n > 300 {
		t.Errorf("%d bytes", n)
	}
}

func TestBadDeclarationPanics(t *testing.T) {
	for _, o := range []Option{
		{Name: "a", Kind: Spin, Default: "5", Min: 6, Max: 7},
		{Name: "a", Kind: Spin, Default: "0", Max: 1 << 40},
		{Name: "", Kind: Button},
		{Name: "a", Kind: Combo, Default: "x"},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v was taken", o)
				}
			}()
			New(o)
		}()
	}
}
