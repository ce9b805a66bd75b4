package command

import (
	"regexp"
	"strings"
	"testing"
)

// TestMan: the page names every subcommand and flag, has the text of the helps, and no line is taken for a macro by
// mistake.
func TestMan(t *testing.T) {
	var out, errs strings.Builder
	if status := Run([]string{"man"}, nil, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Fatalf("status %d, %q", status, errs.String())
	}
	page := out.String()
	for _, c := range leaves(t) {
		if !strings.Contains(page, "\n.SS \""+escape.Replace(c.Path())) {
			t.Errorf("no section %s", c.Path())
		}
		for _, f := range c.Flags {
			if !strings.Contains(page, `\-\-`+escape.Replace(f.Name)) {
				t.Errorf("%s: no flag --%s", c.Path(), f.Name)
			}
		}
	}
	macro := regexp.MustCompile(`^\.(TH|SH|SS|PP|TP|B|I|RI|RS|RE|br|nf|fi)( |$)`)
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !macro.MatchString(line) || strings.Contains(line, exitStatus) {
			t.Errorf("line %q", line)
		}
	}
}

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

// TestLicense: the licences begin with that of the program.
func TestLicense(t *testing.T) {
	var out, errs strings.Builder
	if status := Run([]string{"license"}, nil, &out, &errs); status != 0 || !strings.Contains(out.String(), "==== Trefoil: LICENSE ====\n\nMIT License") {
		t.Errorf("status %d, %.200q, %q", status, out.String(), errs.String())
	}
	misused(t, `unexpected argument "x"`, "license", "x")
	misused(t, `unexpected argument "x"`, "man", "x")
}
