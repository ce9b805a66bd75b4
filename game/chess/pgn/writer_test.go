package pgn

import (
	"strings"
	"testing"
)

// TestCommands: a command is on one line, also in a variation, and lines end after it.
func TestCommands(t *testing.T) {
	long := strings.Repeat("{ [%clk 0:10:00] } ", 3) + "( 1. d4 { a comment [%eval 0.25] [%clk 0:09:59] } ) "
	games, errs := readAll("1. e4 " + strings.Repeat(long, 20) + "1... e5 *")
	var b strings.Builder
	if _, err := games[0].WriteTo(&b); err != nil || len(errs) > 0 {
		t.Fatal(err, errs)
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > width+len("\n") || strings.Count(line, "[%") != strings.Count(line, "]") {
			t.Errorf("%q", line)
		}
	}
}
