package commandline

import "testing"

// TestManEscapes: text that roff would read as its own is escaped.
func TestManEscapes(t *testing.T) {
	m := new(manual)
	m.text(".dot\n'quote\n--flag \\ `x`\n")
	m.macro("B", `a "b"`)
	want := "\\&.dot\n\\(aqquote\n\\-\\-flag \\e \\(gax\\(ga\n.B \"a \\(dqb\\(dq\"\n"
	if got := m.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
