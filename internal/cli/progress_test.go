package cli

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress: the bar is drawn ten times a second at most, on a terminal alone, and erased once.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		p := NewProgress(&b, 4)
		show := func(done int, want string) {
			t.Helper()
			if p.Show(done); b.String() != want {
				t.Errorf("%q, want %q", b.String(), want)
			}
			b.Reset()
		}
		show(1, "")
		p.w, p.fd = &b, -1
		show(1, "\r\x1b[K["+strings.Repeat("=", 10)+strings.Repeat(" ", 30)+"] 1 of 4, 0s  ")
		time.Sleep(100*time.Millisecond - time.Nanosecond)
		show(2, "")
		time.Sleep(time.Nanosecond)
		p.Note = "note"
		show(9, "\r\x1b[K[==========] 9 of 4, 0s  note")
		time.Sleep(time.Hour)
		p.Total = 0
		show(7, "\r\x1b[K7 done, 1h0m0s  note")
		p.Clear()
		p.Clear()
		if b.String() != "\r\x1b[K" {
			t.Errorf("%q", b.String())
		}
	})
}

// TestCut: a line fits into the columns also with characters of two columns.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		line    string
		columns int
		want    string
	}{{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"a先手", 5, "a先手"}, {"a先手", 4, "a先"}, {"先", 1, ""},
		{"\u0080", 1, ""}, {"a", -1, ""}} {
		if got := cut(c.line, c.columns); got != c.want {
			t.Errorf("%q in %d columns: %q, want %q", c.line, c.columns, got, c.want)
		}
	}
}
