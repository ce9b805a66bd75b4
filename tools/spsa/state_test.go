package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// TestResume stops a tune after each number of iterations: resumed from its file, it ends with the same
// bytes.
func TestResume(t *testing.T) {
	ctx := context.Background()
	play := synthetic([]float64{130, 55}, 0.03)
	start := func() *state {
		return tuneOf(100, 8, tuned{"a", 100, 1, 200, 9.95, 100}, tuned{"b", 80, 1, 200, 0.5, 80})
	}
	want := start()
	if err := want.iterate(ctx, play, nothing); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "state")
	errStop := errors.New("stop")
	for after := range 6 {
		os.Remove(name)
		s, err := start().resume(name)
		if err != nil {
			t.Fatal(err)
		}
		left := after
		err = s.iterate(ctx, play, func() error {
			if err := s.write(name); err != nil {
				t.Fatal(err)
			}
			if left--; left < 0 {
				return errStop
			}
			return nil
		})
		if !errors.Is(err, errStop) {
			t.Fatal(err)
		}
		if s, err = start().resume(name); err != nil {
			t.Fatal(err)
		}
		if done, _ := s.iterations(); done != after+1 {
			t.Fatalf("resumed after %d iterations, not %d", done, after+1)
		}
		if err := s.iterate(ctx, play, nothing); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(s.text(), want.text()) {
			t.Errorf("stopped after %d iterations it ends with\n%s\nnot with\n%s", after+1, s.text(), want.text())
		}
	}
}

// TestOtherTune tests that a file of another plan or of other parameters is refused with what differs,
// and stays.
func TestOtherTune(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	start := func() *state { return tuneOf(100, 8, tuned{"a", 100, 1, 200, 10, 100}) }
	if _, err := start().resume(name); err != nil {
		t.Fatal(err)
	}
	before := filetest.Read(t, name)
	for want, change := range map[string]func(*state){
		"-nodes 1, not 5":           func(s *state) { s.Plan.Nodes = 5 },
		"-games 100, not 102":       func(s *state) { s.Plan.Games = 102 },
		"-seed 1, not 2":            func(s *state) { s.Plan.Seed = 2 },
		"-r 0.002, not 0.01":        func(s *state) { s.Plan.R = 0.01 },
		"evaluation e, not f":       func(s *state) { s.Plan.Evaluation = "f" },
		"1 parameters, not 2":       func(s *state) { s.Parameters = append(s.Parameters, tuned{"b", 1, 1, 2, 1, 1}) },
		"not a from 90 in 1 to 200": func(s *state) { s.Parameters[0].Start = 90 },
	} {
		s := start()
		change(s)
		if _, err := s.resume(name); err == nil || !strings.HasSuffix(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), name) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	if after, err := os.ReadFile(name); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file changed: %v", err)
	}
}

// hostile are changes of the text of a state after which it is refused, with a part of the error.
var hostile = []struct{ old, new, want string }{
	{`"nodes": 1,`, `"nodes": 0,`, "-nodes 0"},
	{`"nodes": 1,`, `"nodes": -1,`, "number -1"},
	{`"games": 100,`, `"games": 99,`, "-games 99"},
	{`"games": 100,`, `"games": 1e99,`, "number 1e99"},
	{`"pairs": 8,`, `"pairs": 0,`, "-pairs 0"},
	{`"c": 1,`, `"c": 0,`, "-c 0"},
	{`"r": 0.002`, `"r": 1e300`, "-r 1e+300"},
	{`"r": 0.002`, `"r": NaN`, "invalid character"},
	{`"done": 32,`, `"done": 31,`, "31 games are not"},
	{`"done": 32,`, `"done": -16,`, "-16 games are not"},
	{`"done": 32,`, `"done": 112,`, "112 games are not"},
	{`"wins": 20,`, `"wins": 21,`, "21 wins"},
	{`"wins": 20,`, `"wins": -20,`, "-20 wins"},
	{`"wins": 20,`, `"wins": 9223372036854775807,`, "wins"},
	{`"parameters": [`, `"parameters": [], "more": [`, `unknown field "more"`},
	{`"name": "b"`, `"name": "a"`, `"a" occurs twice`},
	{`"value": 99.5`, `"value": 201`, "201 is outside 1 to 200"},
	{`"start": 100,`, `"start": 0,`, "start 0"},
	{`"max": 200,`, `"max": 9223372036854775807,`, "bounds"},
	{`"step": 9.95,`, `"step": 0,`, "step 0"},
	{"trefoil spsa 1", "trefoil spsa 2", `format "trefoil spsa 2"`},
	{"trefoil spsa 1", "trefoil", "not a state file"},
}

// hostileState is a state to change.
func hostileState() string {
	s := tuneOf(100, 8, tuned{"a", 100, 1, 200, 9.95, 99.5}, tuned{"b", 80, 1, 300, 0.5, 80})
	s.Done, s.Wins, s.Draws, s.Losses = 32, 20, 10, 2
	return string(s.text())
}

func TestHostileStates(t *testing.T) {
	good := hostileState()
	if _, err := parseState([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, h := range hostile {
		text := strings.Replace(good, h.old, h.new, 1)
		if text == good {
			t.Errorf("%q does not occur", h.old)
		}
		if _, err := parseState([]byte(text)); err == nil || !strings.Contains(err.Error(), h.want) {
			t.Errorf("%s: want an error with %q, got %v", h.new, h.want, err)
		}
	}
	for _, text := range []string{"", "{", "{}", good[:len(good)/2], good + "{}",
		good + strings.Repeat(" ", maxStateBytes)} {
		if _, err := parseState([]byte(text)); err == nil {
			t.Errorf("accepted: %.20q of %d bytes", text, len(text))
		}
	}
	empty := tuneOf(100, 8)
	if _, err := parseState(empty.text()); err == nil {
		t.Error("a state without parameters is accepted")
	}
}

// FuzzParseState tests that what is accepted can be continued, and is written as it is read.
func FuzzParseState(f *testing.F) {
	f.Add([]byte(hostileState()))
	for _, h := range hostile {
		f.Add([]byte(strings.Replace(hostileState(), h.old, h.new, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parseState(text)
		if err != nil {
			return
		}
		again, err := parseState(s.text())
		if err != nil || !bytes.Equal(s.text(), again.text()) {
			t.Fatalf("written again it is %v, %s", err, s.text())
		}
		if s.over() {
			return
		}
		p := s.perturb()
		s.update(p, make([]int, min(2*s.Plan.Pairs, s.Plan.Games-s.Done)))
		if err := s.check(); err != nil {
			t.Fatalf("after an iteration: %v", err)
		}
	})
}

// TestNotReplaced tests that no file of another kind is overwritten.
func TestNotReplaced(t *testing.T) {
	name := filetest.New(t, "notes", "notes")
	s := tuneOf(100, 8, tuned{"a", 100, 1, 200, 10, 100})
	if _, err := s.resume(name); err == nil {
		t.Error("a tune resumes from notes")
	}
	if err := s.write(name); err == nil {
		t.Error("notes are replaced")
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "notes" {
		t.Errorf("%q, %v", text, err)
	}
}
