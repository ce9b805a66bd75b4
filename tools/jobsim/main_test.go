package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Positions are proved, the lengths of the jobs are written, and can be simulated.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	positions, lengths := filepath.Join(dir, "positions"), filepath.Join(dir, "lengths")
	if err := os.WriteFile(positions, []byte("# mates\n\n5r1k/6pp/8/6N1/2Q5/8/8/6K1 w - - bm #4;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"-game chess -hash 1 -workers 1,3 -each -record " + lengths + " " + positions, "3\tmate in 4\t"},
		{"-workers 10 -jobs 50 -queue 1ms -recorded " + lengths, "queue 1.00"},
	} {
		var out strings.Builder
		if err := run(strings.Fields(c.args), &out); err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: %v\n%s", c.args, err, out.String())
		}
	}
	for _, c := range []struct{ args, want string }{
		{"-workers 0 x", `"0" is no number`},
		{"-game go " + positions, `unknown game "go"`},
		{"-recorded " + positions, "has no nodes"},
		{"nowhere", "nowhere"},
	} {
		if err := run(strings.Fields(c.args), new(strings.Builder)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.args, err)
		}
	}
}
