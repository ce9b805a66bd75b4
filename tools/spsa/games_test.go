package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
	"trefoil/search/alphabeta"
)

// TestGames plays pairs of each game: the same job gives the same result, whatever was played before,
// and with equal values the second game of a pair is the first one with the sides exchanged.
func TestGames(t *testing.T) {
	r, err := newReferee()
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
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
}

// TestWith: a copy has the other values; unknown names and values out of bounds are refused.
func TestWith(t *testing.T) {
	first := alphabeta.Chess.List()[0]
	before := first.Value()
	p, err := with(alphabeta.Chess, []string{first.Name}, []int{before + 1})
	if err != nil {
		t.Fatal(err)
	}
	if changed := p.List()[0]; changed.Value() != before+1 || first.Value() != before {
		t.Errorf("%s: %d in the copy, %d in the original, want %d and %d", first.Name, changed.Value(), first.Value(),
			before+1, before)
	}
	for name, want := range map[string]string{
		"lmrScala": `no parameter "lmrScala"`, "lmrScale": "lmrScale: 0 is outside",
	} {
		if _, err := with(alphabeta.Chess, []string{name}, []int{0}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// command runs a command and returns what it prints.
func command(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := run(t.Context(), args, &out, &out); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out.String())
	}
	return out.String()
}

// TestRun runs a tune with one worker and with two, and again with the same flags.
func TestRun(t *testing.T) {
	states := map[string]string{}
	for _, workers := range []string{"1", "2"} {
		state := filepath.Join(t.TempDir(), "state.json")
		args := []string{"run", "-nodes", "100", "-games", "6", "-pairs", "2", "-within", "2000", "-params",
			"^lmr", "-o", state, "-workers", workers}
		for _, want := range []string{"0 of 6 games", "6 of 6 games"} {
			if out := command(t, args...); !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
		text := filetest.Read(t, state)
		states[workers] = string(text)
		if out := command(t, "show", state); !strings.Contains(out, "lmrScale") || strings.Contains(out, "razorBase") {
			t.Errorf("show prints\n%s", out)
		}
	}
	if states["1"] != states["2"] {
		t.Errorf("one worker ends with\n%s\ntwo with\n%s", states["1"], states["2"])
	}
}

func TestInputs(t *testing.T) {
	for game, params := range map[string]*alphabeta.Params{"chess": alphabeta.Chess, "shogi": alphabeta.Shogi,
		"ultimate": alphabeta.Ultimate} {
		p := params.List()[0]
		want := fmt.Sprintf("%s, int, %d, %d, %d, %g, 0.002\n", p.Name, p.Value(), p.Min, p.Max, p.Step())
		if out := command(t, "inputs", "-game", game, "-params", "^"+p.Name+"$"); out != want {
			t.Errorf("inputs prints %q, not %q", out, want)
		}
	}
}
