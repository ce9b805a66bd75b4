package cli

import "testing"

// TestCut: a line fits into the columns also with characters of two columns.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		line    string
		columns int
		want    string
	}{{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"a先手", 5, "a先手"}, {"a先手", 4, "a先"}, {"先", 1, ""}, {"a", -1, ""}} {
		if got := cut(c.line, c.columns); got != c.want {
			t.Errorf("%q in %d columns: %q, want %q", c.line, c.columns, got, c.want)
		}
	}
}
