package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const exampleSource = `package alphabeta

// Chess are the parameters of chess.
var Chess = &Params{
	razorDepth: 4, // no more
	razorSEE:   -90,
	single:     3,
}

// Shogi are the parameters of shogi.
var Shogi = &Params{
	razorDepth: 5,
	razorSEE:   -80,
	single:     2,
}
`

// TestApply tests that only the numbers of the game change.
func TestApply(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, sourceName)
	if err := os.WriteFile(name, []byte(exampleSource), 0o644); err != nil {
		t.Fatal(err)
	}
	s := tuneOf(2, 1, tuned{"razorDepth", 5, 2, 8, 1, 5.6}, tuned{"razorSEE", -80, -160, -1, 9, -100.6},
		tuned{"single", 2, 1, 4, 1, 2.4})
	s.Plan.Game = "shogi"
	state := filepath.Join(folder, "state.json")
	if err := s.write(state); err != nil {
		t.Fatal(err)
	}
	command(t, "apply", "-dir", folder, state)
	got, err := os.ReadFile(name)
	want := strings.NewReplacer("razorDepth: 5", "razorDepth: 6", "-80", "-101").Replace(exampleSource)
	if err != nil || string(got) != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	// A parameter that is not in the file: nothing changes.
	s.Parameters[0].Name = "razorWidth"
	if err := s.write(state); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(t.Context(), []string{"apply", "-dir", folder, state}, &out, &out); err == nil ||
		!strings.Contains(err.Error(), "razorWidth") {
		t.Errorf("a parameter that the file does not have: %v", err)
	}
	if again, err := os.ReadFile(name); err != nil || !bytes.Equal(got, again) {
		t.Errorf("the file changed: %v", err)
	}
}

// TestSource tests that values.go has the values of every parameter, and that writing them changes nothing.
func TestSource(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("../../search/alphabeta", sourceName))
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range subjects {
		s, err := parseSource(text, g.variable)
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]int{}
		for _, n := range s.numbers {
			values[n.name] = n.value
		}
		for _, p := range g.params.List() {
			if value, ok := values[p.Name]; !ok || value != p.Value() || value < p.Min || value > p.Max || p.Min >= p.Max {
				t.Errorf("%s: %s is %d in %d to %d, and %d in the source", name, p.Name, p.Value(), p.Min, p.Max, value)
			}
		}
		if again, err := s.with(values); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%s: %v, and the file changes", name, err)
		}
	}
}

func TestBadSources(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"-80", "-80.5", "-80.5 is not a whole number"},
		{"-80", "single", "single is not a whole number"},
		{"var Shogi", "var Go", "no variable Shogi"},
		{"razorSEE:   -80", `"razorSEE": -80`, "the key is no name"},
		{"= &Params", "& = Params", "expected"},
	} {
		text := strings.Replace(exampleSource, c.old, c.new, 1)
		if _, err := parseSource([]byte(text), "Shogi"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q, got %v", c.new, c.want, err)
		}
	}
}
