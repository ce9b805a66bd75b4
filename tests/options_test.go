package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/options"
	"trefoil/protocol"
)

// TestOptionTable compares the option table of the documentation with the declarations.
func TestOptionTable(t *testing.T) {
	e := engine.New()
	defer e.Close()
	const file, begin, end = "../docs/uci.md", "<!-- options: begin -->\n", "<!-- options: end -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s: the markers of the option table are missing", file)
	}
	golden(t, file, before+begin+e.Options().Markdown()+end+after)
}

// TestHandshakes compares the lists of options in the transcripts of the handshakes with what
// the engine prints.
func TestHandshakes(t *testing.T) {
	for word, file := range map[string]string{"uci": "hello.txtar", "usi": "usi-hello.txtar"} {
		file = filepath.Join("testdata", "transcripts", file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		e := engine.New()
		protocol.Serve(strings.NewReader(word+"\n"), &out, e)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		answer := "< " + strings.ReplaceAll(strings.TrimSuffix(out.String(), "\n"), "\n", "\n< ") + "\n"
		before, rest, ok := strings.Cut(string(text), "> "+word+"\n")
		_, after, found := strings.Cut(rest, "< "+word+"ok\n")
		if !ok || !found {
			t.Errorf("%s: no handshake", file)
			continue
		}
		golden(t, file, before+"> "+word+"\n"+answer+after)
	}
}

// TestJapaneseOptions: the list in Japanese is written by hand; it names every option.
func TestJapaneseOptions(t *testing.T) {
	const file = "../docs/usi.ja.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New()
	defer e.Close()
	for _, o := range e.Options().List(options.USI) {
		if !strings.Contains(string(text), "`"+o.USI+"`") {
			t.Errorf("%s does not name the option %s", file, o.USI)
		}
	}
}
