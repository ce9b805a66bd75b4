package pgn

import (
	"fmt"
	"testing"
)

// TestTrailing: comments after the result are of the game if they are on its line or nothing follows them; others
// belong to the next game.
func TestTrailing(t *testing.T) {
	for text, want := range map[string]string{
		"1. e4 1-0 ; a\n":                                      "[a]",
		"1. e4 1-0 {a} ; b\n; c\n\n { d\n e }\n":               "[a b c d e]",
		"1. e4 1-0\r\n\r\n{a}\r\n":                             "[a]",
		"1. e4 1-0 {a\n} {b} ; c\n  { d }\n; e\n1. d4 {f} 1-0": "[a b c][f] before [d e]",
		"1. e4 1-0\n{ d }\n\n[Event \"x\"]\n\n1. d4 1-0\n;\n":  "[][] before [d]",
	} {
		games, errs := readAll(text)
		got := ""
		for _, g := range games {
			for _, m := range g.Moves {
				got += fmt.Sprint(m.Comments)
			}
			if len(g.Before) > 0 {
				got += fmt.Sprint(" before ", g.Before)
			}
		}
		if len(errs) > 0 || got != want {
			t.Errorf("%q: %s, %q, want %s", text, got, errs, want)
		}
	}
}
