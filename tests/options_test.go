package tests

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"trefoil/engine"
	"trefoil/internal/filetest"
	"trefoil/options"
	"trefoil/protocol"
)

// TestOptionTable compares the option table of the documentation with the declarations.
func TestOptionTable(t *testing.T) {
	e := engine.New()
	defer e.Close()
	const file = "../docs/uci.md"
	before, after := aroundOptions(t, file)
	golden(t, file, before+e.Options().Markdown()+after)
}

// aroundOptions returns the text of a file before and after the lines about options that are generated.
func aroundOptions(t *testing.T, file string) (before, after string) {
	t.Helper()
	const begin, end = "<!-- options: begin -->\n", "<!-- options: end -->\n"
	text := filetest.Read(t, file)
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s: the markers around the options are missing", file)
	}
	return before + begin, end + after
}

// small is a machine on which Threads is 1 and USI_Hash is 16 by default, as in UCI.
var small = engine.Machine{Processors: 1}

// TestHandshakes compares the handshakes in the transcripts with what the engine prints. Words that depend on the
// machine are \S+ there.
func TestHandshakes(t *testing.T) {
	for word, file := range map[string]string{"uci": "hello.txtar", "usi": "usi-hello.txtar"} {
		file = filepath.Join("testdata", "transcripts", file)
		text := filetest.Read(t, file)
		here := handshake(t, word, small)
		answer := ""
		for i, other := range handshake(t, word, engine.Machine{Processors: 64, Free: 1 << 40}) {
			answer += expected(here[i], other) + "\n"
		}
		before, rest, ok := strings.Cut(string(text), "> "+word+"\n")
		_, after, found := strings.Cut(rest, "< "+word+"ok\n")
		if !ok || !found {
			t.Errorf("%s: no handshake", file)
			continue
		}
		golden(t, file, before+"> "+word+"\n"+answer+after)
	}
}

// handshake returns the lines that answer a word on a machine.
func handshake(t *testing.T, word string, m engine.Machine) []string {
	t.Helper()
	var out strings.Builder
	e := engine.New().On(m)
	protocol.Serve(strings.NewReader(word+"\n"), &out, e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// expected is the step of a dialogue that expects a line, and so another one that differs in some words.
func expected(line, other string) string {
	if line == other {
		return "< " + line
	}
	words := strings.Split(line, " ")
	for i, word := range strings.Split(other, " ") {
		if words[i] != word {
			words[i] = `\S+`
		} else {
			words[i] = regexp.QuoteMeta(word)
		}
	}
	return "~ " + strings.Join(words, " ")
}

// TestJapaneseOptions: the page in Japanese describes options by hand. A generated line names the others and refers to
// the table in English.
func TestJapaneseOptions(t *testing.T) {
	const file = "../docs/usi.ja.md"
	before, after := aroundOptions(t, file)
	e := engine.New()
	defer e.Close()
	var others []string
	for _, o := range e.Options().List(options.USI) {
		if name := "`" + o.USI + "`"; !strings.Contains(before+after, name) {
			others = append(others, name)
		}
	}
	line := ""
	if len(others) > 0 {
		line = "* " + strings.Join(others, "、") + ": [uci.md](uci.md#options)（英語）の表を参照してください。\n"
	}
	golden(t, file, before+line+after)
}
