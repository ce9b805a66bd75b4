package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test be an engine that answers `go mate N` with a mate in N, after a mate in N+1 and bounds. Of
// more than four moves it finds only the longer one, and with `infinite` a mate in four.
func TestMain(m *testing.M) {
	if os.Getenv("MATEMATCH_ENGINE") == "" {
		os.Exit(m.Run())
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var n int
		switch _, err := fmt.Sscanf(in.Text(), "go mate %d", &n); {
		case in.Text() == "isready":
			fmt.Println("readyok")
		case in.Text() == "quit":
			return
		case in.Text() == "go mate infinite":
			fmt.Println("info depth 1 score mate 4 pv a1a2\nbestmove a1a2")
		case err == nil:
			fmt.Printf("info depth 1 score mate 1 lowerbound pv a1a2\ninfo string score mate 1 pv a1a2\ninfo depth 1 score mate %d pv a1a2\n", n+1)
			if n < 5 {
				fmt.Printf("info depth 2 score mate %d pv a1a2\n", n)
			}
			fmt.Println("bestmove a1a2")
		}
	}
}

// file writes a file into the test's folder.
func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "mates.epd")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

const positions = `# a comment
6k1/5ppp/8/8/8/8/8/K2R4 w - - bm #1;
5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - bm #4;
8/5P1k/5K2/8/8/8/8/8 w - - bm #5;
7k/8/5K2/8/8/8/8/6R1 b - - bm #-3;
`

func TestMatch(t *testing.T) {
	t.Setenv("MATEMATCH_ENGINE", "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(context.Background(), []string{"-each", "1ms", "-v", self + " Hash=1", self, file(t, positions)}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`(?m)^line 2 #1: 1 in \S+ s 1 in \S+ s$`, `(?m)^line 4 #5: 6 in \S+ s 6 in \S+ s$`, `(?m)^line 5 #-3: 0 in \S+ s 0 in \S+ s$`,
		`(?m): of 4 positions 3 solved, 2 as short as stated; `,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

func TestUntold(t *testing.T) {
	t.Setenv("MATEMATCH_ENGINE", "1")
	e, err := newEngine([]string{os.Args[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	for moves, within := range map[int]bool{3: false, 4: true} {
		p := problem{fen: "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", moves: moves}
		if r, err := e.search(context.Background(), p, time.Millisecond, true); err != nil || r.mate != 4 || r.within(p) != within {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"1 arguments, want 3": {"x"},
		"-each":               {"-each", "0s", "a", "b", "c"},
		"no such file":        {"a", "b", "/no/such/file"},
		":1: ":                {"a", "b", file(t, "9/8 w - - bm #1;\n")},
		"bm #N is missing":    {"a", "b", file(t, "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm d1d8;\n")},
		"without a name":      {"", "b", file(t, positions)},
		"not found":           {"no-such-engine", "b", file(t, positions)},
	} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
}
