package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const searchFolder = "../../search/alphabeta"

// TestGenerated tests that params_tune.go is current.
func TestGenerated(t *testing.T) {
	s, err := readSource(searchFolder)
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.generate()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(searchFolder, generatedName))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not current with %s (%v): go generate ./search/alphabeta", generatedName, sourceName, err)
	}
}

const exampleSource = `//go:build !tune

package alphabeta

//go:generate go run ../../tools/spsa generate

// Limits; tune: no.
const (
	maxPly = 246 // plies
)

// Razoring: razorBase = 180.
const (
	razorDepth = 4    // tune: 2 to 8
	razorBase  = 180  // below 180
	razorSEE   = -90
	razorFixed = 7 // a limit; tune: no
)

const single = 3
`

// TestApply tests that only the numbers change.
func TestApply(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	formatted := strings.NewReplacer("= 4    //", "= 4   //", "180  //", "180 //", "= 7 //",
		"= 7 //").Replace(exampleSource)
	write(sourceName, formatted)
	s := tuneOf(2, 1, tuned{"razorDepth", 4, 2, 8, 1, 5.4}, tuned{"razorSEE", -90, -180, -1, 9, -100.6},
		tuned{"single", 3, 1, 6, 1, 2.5})
	state := filepath.Join(folder, "state.json")
	if err := s.write(state); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(t.Context(), []string{"apply", "-dir", folder, state}, &out, &out); err != nil {
		t.Fatal(err, out.String())
	}
	got, err := os.ReadFile(filepath.Join(folder, sourceName))
	if err != nil {
		t.Fatal(err)
	}
	change := strings.NewReplacer("razorDepth = 4 ", "razorDepth = 5 ", "= -90", "= -101", "single = 3", "single = 3")
	if want := change.Replace(formatted); !sameButBlanks(string(got), want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	generated, err := os.ReadFile(filepath.Join(folder, generatedName))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"//go:build tune\n", "const (\n\tmaxPly     = 246\n\trazorFixed = 7\n)", "var (\n\trazorDepth = 5\n", "single     = 3\n",
		`{"razorDepth", 2, 8, &razorDepth},`, `{"razorBase", 1, 360, &razorBase},`, `{"razorSEE", -202, -1, &razorSEE},`,
	} {
		if !strings.Contains(string(generated), want) {
			t.Errorf("no %q in\n%s", want, generated)
		}
	}
	for _, not := range []string{`"razorFixed"`, `"maxPly"`, "go:generate", "!tune", "plies"} {
		if strings.Contains(string(generated), not) {
			t.Errorf("%s in\n%s", not, generated)
		}
	}
	// A parameter that is not in the file: nothing changes.
	s.Parameters[0].Name = "razorWidth"
	if err := s.write(state); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"apply", "-dir", folder, state}, &out, &out); err == nil ||
		!strings.Contains(err.Error(), "razorWidth") {
		t.Errorf("a parameter that the file does not have: %v", err)
	}
	if again, err := os.ReadFile(filepath.Join(folder, sourceName)); err != nil || !bytes.Equal(got, again) {
		t.Errorf("the file changed: %v", err)
	}
}

// sameButBlanks compares texts without the blanks that gofmt sets before comments.
func sameButBlanks(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ") &&
		strings.Count(a, "\n") == strings.Count(b, "\n")
}

// TestApplySame tests that the values as they are leave params.go as it is.
func TestApplySame(t *testing.T) {
	s, err := readSource(searchFolder)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]int{}
	for _, c := range s.constants {
		if c.tuned {
			values[c.name] = c.value
		}
	}
	text, err := s.with(values)
	if err != nil || !bytes.Equal(text, s.text) {
		t.Errorf("%v, and the file changes", err)
	}
}

func TestBadSources(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"single = 3", "single = 3.5", "single is not a whole number"},
		{"single = 3", "single = razorSEE", "single is not a whole number"},
		{"single = 3", "single = 0", "single: 0 and the bounds 1 to 0"},
		{"single = 3", "single = 3 // tune: 4 to 6", "single: 3 and the bounds 4 to 6"},
		{"single = 3", "single = 3 // tune: from 4", `says neither "tune: no" nor`},
		{"single = 3", "single int = 3", "not of the form name = number"},
		{"single = 3", "one, single = 1, 3", "not of the form name = number"},
		{"const single", "var single", "only constants"},
		{"const single = 3", "const (", "expected"},
	} {
		text := strings.Replace(exampleSource, c.old, c.new, 1)
		if _, err := parseSource([]byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q, got %v", c.new, c.want, err)
		}
	}
}
