package command

import (
	"strings"
	"testing"

	"trefoil/search/alphabeta"
)

// TestTunable: a line for each parameter.
func TestTunable(t *testing.T) {
	for game, params := range map[string]*alphabeta.Params{"": alphabeta.Chess, "--shogi": alphabeta.Shogi} {
		var out, errs strings.Builder
		status := Run(strings.Fields("tunable "+game), nil, &out, &errs)
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if status != 0 || len(lines) != len(params.List()) {
			t.Errorf("status %d, %d lines, %q", status, len(lines), errs.String())
		}
		for _, l := range lines {
			if strings.Count(l, ", ") != 6 {
				t.Errorf("not of seven fields: %q", l)
			}
		}
	}
}
