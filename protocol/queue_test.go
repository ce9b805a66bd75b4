package protocol

import (
	"strings"
	"testing"
)

// TestPendingBytes: the session counts the bytes of the lines that wait, whatever takes them from the
// queue.
func TestPendingBytes(t *testing.T) {
	var out strings.Builder
	f := newFake()
	s := &session{engine: f, out: printer{w: &out, d: uci{}, record: f.Record}}
	s.wake.L = &s.mu
	check := func(when string) {
		t.Helper()
		want := 0
		for _, j := range s.queue {
			want += j.line
		}
		if s.pending != want {
			t.Errorf("%s: %d bytes are counted, %d wait", when, s.pending, want)
		}
	}
	accept := func(v verb, bytes int) {
		s.accept(command{verb: v, d: uci{}, line: bytes})
		check("accepted")
	}
	for range 2 {
		accept(vPosition, 1000)
		accept(vGo, 20)
		accept(vReady, 3) // answered when the search begins
		accept(vSetOption, 40)
		accept(vReady, 5)
	}
	accept(vPosition, maxPending) // refused
	accept(vStop, 7)              // acts at once
	for len(s.queue) > 0 {
		s.next()
		check("taken")
	}
	if s.pending != 0 || strings.Count(out.String(), "readyok") != 4 || strings.Count(out.String(), "full") != 1 {
		t.Errorf("%d bytes are counted when none wait; said %q", s.pending, out.String())
	}
}
