package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/game/chess"
)

func book(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	args = append([]string{"-nodes", "300", "-plies", "6"}, args...)
	err := run(context.Background(), args, &out, new(bytes.Buffer))
	return out.String(), err
}

func TestBook(t *testing.T) {
	for _, variant := range []string{"-chess960=false", "-chess960"} {
		one, err := book(t, "-n", "8", "-workers", "1", variant)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(one, "\n"), "\n")
		seen := map[string]bool{}
		for _, line := range lines {
			p, err := chess.ParseFEN(line + " 0 1")
			if err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			if p.Occupied().Count() < 26 || seen[line] {
				t.Errorf("%q is no opening, or stands there twice", line)
			}
			seen[line] = true
		}
		if len(lines) != 8 {
			t.Errorf("%d lines of 8", len(lines))
		}
		again, err := book(t, "-n", "8", "-workers", "3", variant)
		if err != nil || again != one {
			t.Errorf("%s: three workers make another book than one (%v)", variant, err)
		}
		other, err := book(t, "-n", "8", "-seed", "2", variant)
		if err != nil || other == one {
			t.Errorf("%s: another seed makes the same book (%v)", variant, err)
		}
	}
}

func TestBookFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "book.epd")
	if _, err := book(t, "-n", "3", "-o", name); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(name); err != nil || bytes.Count(b, []byte("\n")) != 3 {
		t.Errorf("%q, %v", b, err)
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-n", "0"}, "at least 1"},
		{[]string{"-margin", "-5"}, "negative"},
		{[]string{"-window", "50", "-least", "60"}, "-window below -least"},
		{[]string{"FILE"}, `unexpected argument "FILE"`},
		{[]string{"-n", "2", "-plies", "1", "-lines", "1"}, "only 1 of 2 openings"},
	} {
		if _, err := book(t, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("book %v: %v, want %q", c.args, err, c.want)
		}
	}
}
