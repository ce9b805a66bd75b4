package engine

import (
	"slices"
	"strings"
	"testing"
)

// The same search in a table that has been emptied hits falsely for the first time again.
func TestFirstFalseHitsOfANewGame(t *testing.T) {
	e := started(t)
	for _, o := range [][2]string{{"Hash", "1"}, {"HashKeyBits", "8"}, {"HashAudit", "count"}} {
		set(t, e, o[0], o[1])
	}
	var said [2]string
	for i := range said {
		e.NewGame()
		_, texts := nodes(e, 20000)
		at := slices.IndexFunc(texts, func(line string) bool { return strings.HasPrefix(line, "hash false hits") })
		said[i] = texts[max(at, 0)]
	}
	if !strings.Contains(said[0], "first occurrences ") || strings.Contains(said[0], "first occurrences 0,") || said[1] != said[0] {
		t.Errorf("%q and then %q", said[0], said[1])
	}
}
