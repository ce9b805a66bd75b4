package mates

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCooks: moves that mate as well are found at every move of the line but the last, or are proved not to exist.
func TestCooks(t *testing.T) {
	const (
		smothered = "5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1"
		rooks     = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
		rook      = "lns1kgsnl/4g2b1/p1pppp1pp/6p2/np7/K3P2PP/PPPP1PP2/1+r1GG2S1/L6NL w Srb 44"
		gold      = "8k/9/8P/9/9/9/9/9/9 b G 1"
	)
	in := strings.Join([]string{smothered, rooks, rook, gold, inThree, never}, "\n")
	out, errs, err := solve(t, SolveCommand{Cooks: true}, in)
	if err != nil {
		t.Fatal(errs, err)
	}
	lines := strings.Split(out, "\n")
	for n, want := range []string{
		smothered + "\tmate 4\tg5f7 h8g8 f7h6 g8h8 c4g8 f8g8 h6f7\tsound\t",
		rooks + "\tmate 2\t",
		rook + "\tmate 2\t8h8g 9f9e R*9d\tcooked\t1 R*6f mate ",
		gold + "\tmate 1\tG*1b\tsound\t",
		inThree + "\tmate -3\t", never + "\tno mate\t",
	} {
		if !strings.Contains(lines[n], want) || n > 3 && strings.Count(lines[n], "\t") != 3 {
			t.Errorf("%q, not %q", lines[n], want)
		}
	}
	// Either move of a rook to the seventh rank is the mate, and the other one is the only cook.
	first, second, found := strings.Cut(lines[1], "\tcooked\t1 ")
	if a, b := "b1b7", "a2a7"; !found || (strings.Contains(first, a+" ") != (second == b+" mate 2")) ||
		(strings.Contains(first, b+" ") != (second == a+" mate 2")) {
		t.Error(lines[1])
	}
}

// TestSoundness: a problem is sound only if all is proved.
func TestSoundness(t *testing.T) {
	for want, s := range map[string]soundness{
		"sound\t":                        {Shortest: true, Complete: true},
		"unknown\t":                      {Complete: true},
		"cooked\t1 a mate 2, 3 b mate 1": {Cooks: []cook{{1, "a", 2}, {3, "b", 1}}},
		"cooked\t5 c mate 7":             {Shortest: true, Complete: true, Cooks: []cook{{5, "c", 7}}},
	} {
		if got := s.text(); got != want {
			t.Errorf("%+v: %q, not %q", s, got, want)
		}
	}
	if got := (&soundness{Shortest: true}).text(); got != "unknown\t" {
		t.Error(got)
	}
}

// TestUseless: a mate ends where only useless interpositions are left, also for --cooks and the stated
// length; with --useless and in a certificate they count.
func TestUseless(t *testing.T) {
	const (
		lances = "7k1/6L2/8+P/9/5+R3/9/1B7/9/9 b lPp 1" // 4a, where the dragon then captures all
		sound  = "9/7lk/7Nn/5G3/9/4B4/9/9/5B3 b gNnl 1"
	)
	for _, c := range []struct {
		SolveCommand
		in, want string
	}{
		{SolveCommand{Cooks: true}, lances + " dm 1", lances + "\tmate 1\t4e4a\tsound\t\n# 1 solved (1 exact, "},
		{SolveCommand{Cooks: true}, sound + " dm 2", sound + "\tmate 2\tN*2d 1b2a 4i7f\tsound\t\n# 1 solved (1 exact, "},
		{SolveCommand{Cooks: true, Useless: true}, lances + " dm 1", lances + "\tmate 2\t"},
		{SolveCommand{Useless: true}, sound + " dm 2", "# 1 solved (0 exact, 1 longer, "},
		{SolveCommand{Cert: filepath.Join(t.TempDir(), "cert")}, lances + " dm 1", "# 1 solved (0 exact, 1 longer, "},
	} {
		out, errs, err := solve(t, c.SolveCommand, c.in)
		if err != nil || !strings.Contains(out, c.want) || c.Cooks && c.Useless && !strings.Contains(out, "\tcooked\t") {
			t.Errorf("%q, not %q: %s%v", out, c.want, errs, err)
		}
	}
}
