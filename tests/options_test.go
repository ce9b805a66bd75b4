package tests

import (
	"os"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/options"
)

// TestOptionTables compares the option tables of the documentation with the declarations.
func TestOptionTables(t *testing.T) {
	e := engine.New()
	defer e.Close()
	const begin, end = "<!-- options: begin -->\n", "<!-- options: end -->\n"
	for _, c := range []struct {
		file     string
		protocol options.Protocol
		details  bool
	}{
		{"../README.md", options.UCI, false},
		{"../docs/uci.md", options.UCI, true},
		{"../docs/usi.md", options.USI, true},
	} {
		text, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, ok := strings.Cut(string(text), begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Errorf("%s: the markers of the option table are missing", c.file)
			continue
		}
		golden(t, c.file, before+begin+e.Options().Markdown(c.protocol, c.details)+end+after)
	}
}
