package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

const exampleSource = `parameter                   chess  shogi  ultimate

razorDepth                      4      5         3
razorSEE                      -90    -80       -70

single                          3      2         1
`

// TestApply tests that only the numbers of the game change.
func TestApply(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, sourceName)
	filetest.Write(t, name, exampleSource)
	s := tuneOf(2, 1, tuned{"razorDepth", 5, 2, 8, 1, 5.6}, tuned{"razorSEE", -80, -160, -1, 9, -100.6},
		tuned{"single", 2, 1, 4, 1, 2.4})
	s.Plan.Game = "shogi"
	state := filepath.Join(folder, "state.json")
	if err := s.write(state); err != nil {
		t.Fatal(err)
	}
	command(t, "apply", "-dir", folder, state)
	got, err := os.ReadFile(name)
	want := strings.NewReplacer("     5", "     6", " -80", "-101").Replace(exampleSource)
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

// TestSource tests that the file has the values of every parameter, and that writing them changes nothing.
func TestSource(t *testing.T) {
	text := filetest.Read(t, filepath.Join("../../search/alphabeta", sourceName))
	for name, g := range subjects {
		values := map[string]int{}
		for _, p := range g.params.List() {
			values[p.Name] = p.Value()
			if p.Value() < p.Min || p.Value() > p.Max || p.Min >= p.Max {
				t.Errorf("%s: %s is %d in %d to %d", name, p.Name, p.Value(), p.Min, p.Max)
			}
		}
		if again, err := withValues(text, name, values); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%s: %v, and the file changes", name, err)
		}
	}
	if _, err := withValues(text, "go", nil); err == nil || !strings.Contains(err.Error(), "no column go") {
		t.Errorf("a game that the file does not have: %v", err)
	}
}
