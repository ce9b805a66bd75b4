package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"trefoil/internal/filetest"
)

// file writes a file into the test's folder.
func file(t *testing.T, text string) string {
	t.Helper()
	return filetest.New(t, "mates.epd", text)
}

const positions = `# a comment
6k1/5ppp/8/8/8/8/8/K2R4 w - - bm #1;
5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - bm #4;
8/5P1k/5K2/8/8/8/8/8 w - - bm #5;
7k/8/5K2/8/8/8/8/6R1 b - - bm #-3;
`

func TestMates(t *testing.T) {
	text := call(t, "mates", "-each", "1ms", "-v", self(t, "Sleep=1ms"), self(t), file(t, positions))
	for _, want := range []string{
		`(?m)^line 2 #1: 1 in \S+ s 1 in \S+ s$`, `(?m)^line 4 #5: 6 in \S+ s 6 in \S+ s$`, `(?m)^line 5 #-3: 0 in \S+ s 0 in \S+ s$`,
		`(?m): of 4 positions 3 solved, 2 as short as stated; `,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestUntold(t *testing.T) {
	e, err := newEngine(t.Context(), self(t), subjects["chess"])
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for moves, within := range map[int]bool{3: false, 4: true} {
		p := problem{fen: "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", moves: moves}
		if r, err := mate(t.Context(), e, p, time.Millisecond, true); err != nil || r.mate != 4 ||
			r.within(p) != within {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// The row of the longest mates that -most lets through is there.
func TestMatesRows(t *testing.T) {
	longest := "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm #1000;\n"
	if text := call(t, "mates", self(t), self(t), file(t, longest)); !strings.Contains(text, "\n1000\t") {
		t.Errorf("no row of 1000 moves in\n%s", text)
	}
}

// talk is the input of an engine that answers at once: go with what search returns.
type talk struct {
	lines  chan string
	search func() string
}

func (e *talk) Close() error { return nil }

func (e *talk) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		switch first, _, _ := strings.Cut(strings.TrimSpace(line), " "); first {
		case "isready":
			e.lines <- "readyok"
		case "go":
			e.lines <- e.search()
			fallthrough
		case "stop":
			e.lines <- "bestmove a1a2"
		}
	}
	return len(b), nil
}

// A comparison that is stopped while the first engine searches prints what both have searched until then.
func TestMatesStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	m := mateMatch{each: time.Minute, out: &out}
	var sides [2]*engine
	searches := 0
	for i := range sides {
		e := &talk{lines: make(chan string, 100), search: func() string {
			if searches++; searches > 2 {
				cancel()
			}
			return "info depth 1 score mate 1 pv a1a2"
		}}
		sides[i] = &engine{cmd: &exec.Cmd{Process: &os.Process{Pid: os.Getpid()}}, in: e, lines: e.lines}
	}
	p := problem{fen: "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", moves: 1}
	err := m.play(ctx, sides, []problem{p, p, p})
	if err != nil || strings.Count(out.String(), ": of 1 positions 1 solved") != 2 {
		t.Errorf("%v\n%s", err, &out)
	}
}

func TestMatesErrors(t *testing.T) {
	for want, text := range map[string]string{
		":1: ": "9/8 w - - bm #1;\n", "bm #N is missing": "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm d1d8;\n",
	} {
		err := run(t.Context(), []string{"mates", "a", "b", file(t, text)}, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
