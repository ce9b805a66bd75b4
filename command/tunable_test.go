package command

import (
	"strings"
	"testing"

	"trefoil/internal/cli"
	"trefoil/search/alphabeta"
)

// TestTunable: a line for each parameter in a build with the tag tune, a message in others.
func TestTunable(t *testing.T) {
	var out, errs strings.Builder
	status := Run([]string{"tunable"}, nil, &out, &errs)
	n := len(alphabeta.Parameters())
	if n == 0 {
		if status != cli.StatusFailed || out.Len() > 0 ||
			!strings.Contains(errs.String(), "make EXE=trefoil-tune TAGS=tune") {
			t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
		}
		return
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if status != 0 || len(lines) != n {
		t.Errorf("status %d, %d lines of %d parameters, %q", status, len(lines), n, errs.String())
	}
	for _, l := range lines {
		if strings.Count(l, ", ") != 6 {
			t.Errorf("not of seven fields: %q", l)
		}
	}
}
