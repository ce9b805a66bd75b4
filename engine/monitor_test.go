package engine

import (
	"slices"
	"strings"
	"testing"
)

// After a new game, false hits count as first occurrences again.
func TestNewGameResetsAudit(t *testing.T) {
	e := started(t)
	for _, o := range [][2]string{{"Hash", "1"}, {"HashKeyBits", "8"}, {"HashAudit", "count"}} {
		set(t, e, o[0], o[1])
	}
	var lines [2]string
	for i := range lines {
		e.NewGame()
		_, texts := nodes(e, 20000)
		at := slices.IndexFunc(texts, func(line string) bool { return strings.HasPrefix(line, "hash false hits") })
		lines[i] = texts[max(at, 0)]
	}
	if !strings.Contains(lines[0], "first occurrences ") || strings.Contains(lines[0], "first occurrences 0,") ||
		lines[1] != lines[0] {
		t.Errorf("%q and then %q", lines[0], lines[1])
	}
}
