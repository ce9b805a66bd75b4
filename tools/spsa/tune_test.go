//go:build tune

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/options"
	"trefoil/search/alphabeta"
)

// TestParameters tests that the parameters have the values of params.go and lie within their bounds.
func TestParameters(t *testing.T) {
	s, err := readSource(searchFolder)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.DeleteFunc(s.constants, func(d declared) bool { return !d.tuned })
	same := func(p alphabeta.Parameter, d declared) bool {
		return p.Name == d.name && p.Value() == d.value && p.Min == d.min && p.Max == d.max
	}
	if !slices.EqualFunc(alphabeta.Parameters(), want, same) {
		t.Errorf("got %v, want %v", alphabeta.Parameters(), want)
	}
	p := alphabeta.Parameters()[0]
	before := p.Value()
	if err := p.Set(p.Max + 1); err == nil || p.Value() != before {
		t.Errorf("%s is set to %d, beyond its bound: %v", p.Name, p.Value(), err)
	}
}

// TestGames plays pairs of each game: the same job gives the same result, whatever was played before,
// and with equal values the second game of a pair is the first one with the sides exchanged.
func TestGames(t *testing.T) {
	r, err := newReferee()
	if err != nil {
		t.Fatal(err)
	}
	for name := range subjects {
		j := job{Plan: tuneOf(2, 1).Plan, Names: []string{"lmrScale", "razorBase"}, Plus: []int{1000, 50},
			Minus: []int{3000, 350}}
		j.Plan.Game, j.Plan.Nodes, j.Plan.Random, j.Plan.Within = name, 200, 6, 1000
		var first []int
		for again := range 2 {
			for number := range 4 {
				j.Number = number
				half, err := r.play(context.Background(), j)
				if err != nil {
					t.Fatal(err)
				}
				if again == 0 {
					first = append(first, half)
				} else if half != first[number] {
					t.Errorf("%s, game %d: %d and then %d half points", name, number, first[number], half)
				}
			}
		}
		j.Minus = j.Plus
		var halves [2]int
		for j.Number = range 2 {
			if halves[j.Number], err = r.play(context.Background(), j); err != nil {
				t.Fatal(err)
			}
		}
		if halves[0]+halves[1] != 2 {
			t.Errorf("%s: equal players have %v half points", name, halves)
		}
	}
	for name, want := range map[string]string{"lmrScala": `no parameter "lmrScala"`,
		"lmrScale": "lmrScale: 0 is outside"} {
		j := job{Plan: tuneOf(2, 1).Plan, Names: []string{name}, Plus: []int{0}, Minus: []int{0}}
		j.Plan.Within = 1000
		if _, err := r.play(context.Background(), j); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	if err := r.load(nil, nil); err != nil {
		t.Fatal(err)
	}
}

// TestRun runs the command, with its own workers, and again with the same flags.
func TestRun(t *testing.T) {
	program := filepath.Join(t.TempDir(), "spsa")
	build(t, program)
	states := map[string]string{}
	for _, workers := range []string{"1", "2"} {
		state := filepath.Join(t.TempDir(), "state.json")
		args := []string{"run", "-nodes", "100", "-games", "6", "-pairs", "2", "-within", "2000", "-params",
			"^lmr", "-o", state, "-workers", workers}
		for _, want := range []string{"0 of 6 games", "6 of 6 games"} {
			if out := output(t, program, args...); !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
		text, err := os.ReadFile(state)
		if err != nil {
			t.Fatal(err)
		}
		states[workers] = string(text)
		if out := output(t, program, "show", state); !strings.Contains(out, "lmrScale") ||
			strings.Contains(out, "razorBase") {
			t.Errorf("show prints\n%s", out)
		}
	}
	if states["1"] != states["2"] {
		t.Errorf("one worker ends with\n%s\ntwo with\n%s", states["1"], states["2"])
	}
	p := alphabeta.Parameters()[0]
	want := fmt.Sprintf("%s, int, %d, %d, %d, %g, 0.002\n", p.Name, p.Value(), p.Min, p.Max, p.Step())
	if out := output(t, program, "inputs", "-params", "^"+p.Name+"$"); out != want {
		t.Errorf("inputs prints %q, not %q", out, want)
	}
}

// TestOptions tests that the parameters are options of the engine.
func TestOptions(t *testing.T) {
	e := engine.New()
	defer e.Close()
	for _, p := range alphabeta.Parameters() {
		before := p.Value()
		for _, protocol := range []options.Protocol{options.UCI, options.USI} {
			if err := e.Options().Set(t.Context(), protocol, p.Name, strconv.Itoa(p.Max)); err != nil ||
				p.Value() != p.Max {
				t.Errorf("%s is %d, not %d: %v", p.Name, p.Value(), p.Max, err)
			}
			if err := e.Options().Set(t.Context(), protocol, p.Name, strconv.Itoa(p.Min-1)); err == nil ||
				p.Value() != p.Max {
				t.Errorf("%s is set to %d, below its bound", p.Name, p.Value())
			}
		}
		if err := p.Set(before); err != nil {
			t.Error(err)
		}
	}
}

// build builds the command with the tag.
func build(t *testing.T, program string) {
	t.Helper()
	if out, err := exec.Command("go", "build", "-tags", "tune", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func output(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}
