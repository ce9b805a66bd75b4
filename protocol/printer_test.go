package protocol

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"trefoil/search"
)

// TestLastLine: the line before bestmove is the latest full report of the best line, whatever was
// reported after it. If it is repeated, it has the nodes of the whole search.
func TestLastLine(t *testing.T) {
	line := func(multiPV, depth int) search.Info {
		return search.Info{Depth: depth, MultiPV: multiPV, Nodes: 20, HashFull: -1, PV: []string{"m1"}}
	}
	text, currMove := search.Info{Text: "text"}, search.Info{Depth: 2, CurrMove: "m2", CurrMoveNumber: 2}
	for _, c := range []struct {
		name    string
		reports []search.Info
		want    search.Info // before bestmove
		again   bool        // it is repeated
		between func(p *printer)
	}{
		{"one line", []search.Info{line(1, 1), line(1, 2)}, line(1, 2), false, nil},
		{"two lines", []search.Info{line(1, 1), line(2, 1), line(1, 2), line(2, 2)}, line(1, 2), true, nil},
		{"an unfinished iteration", []search.Info{line(1, 1), line(2, 1), line(1, 2)}, line(1, 2), false, nil},
		{"a text", []search.Info{line(1, 1), text}, line(1, 1), true, nil},
		{"a current move", []search.Info{line(1, 1), line(2, 1), currMove}, line(1, 1), true, nil},
		{"an answer to isready", []search.Info{line(1, 1)}, line(1, 1), true, func(p *printer) { p.print("readyok") }},
		{"a message", []search.Info{line(1, 1)}, line(1, 1), true, func(p *printer) { p.infoString("table") }},
		{"no message", []search.Info{line(1, 1)}, line(1, 1), false, func(p *printer) { p.infoString() }},
	} {
		var out strings.Builder
		p := printer{w: &out, d: uci, record: newFake().Record}
		p.begin()
		for _, i := range c.reports {
			p.info(i)
		}
		said := 0
		if c.between != nil {
			before := strings.Count(out.String(), "\n")
			c.between(&p)
			said = strings.Count(out.String(), "\n") - before
		}
		p.answer(search.Result{Best: "m1", Nodes: 30})
		got := strings.Split(strings.TrimSpace(out.String()), "\n")
		n := len(c.reports) + said + 1
		if c.again {
			n++
			c.want.Nodes = 30
		}
		if len(got) != n || got[len(got)-2] != uci.info(c.want) {
			t.Errorf("%s:\n%s", c.name, out.String())
		}
	}
}

// failing is an output that is closed. It counts what is written all the same.
type failing struct{ writes int }

func (f *failing) Write([]byte) (int, error) {
	f.writes++
	return 0, errors.New("broken pipe")
}

// TestClosedOutput: the first write that fails is the last one, and ends the session once.
func TestClosedOutput(t *testing.T) {
	var out failing
	closed := 0
	p := printer{w: &out, d: uci, record: newFake().Record, onClosed: func() { closed++ }}
	p.print()
	if out.writes != 0 {
		t.Errorf("%d writes of nothing", out.writes)
	}
	for range 3 {
		p.print("id")
		p.infoString("text")
		p.answer(search.Result{Best: "m1"})
	}
	if out.writes != 1 || closed != 1 {
		t.Errorf("%d writes, closed %d times, want one of each", out.writes, closed)
	}
}

// TestLogFails: what the log of the dialogue says of a line comes after it.
func TestLogFails(t *testing.T) {
	var out strings.Builder
	f := newFake()
	f.record = true
	p := printer{w: &out, d: uci, record: f.Record}
	p.print("full disk", "id")
	if got := out.String(); got != "full disk\nid\ninfo string the disk is full\n" {
		t.Errorf("%q", got)
	}
}

// TestCut: a message that quotes a line of megabytes is cut, between characters.
func TestCut(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{strings.Repeat("x", 500), strings.Repeat("x", 500)},
		{strings.Repeat("x", 501), strings.Repeat("x", 500) + "…"},
		{strings.Repeat("x", 499) + "歩兵", strings.Repeat("x", 499) + "…"},
	} {
		if got := cut(c.text); got != c.want {
			t.Errorf("%d bytes: %d, want %d: %q", len(c.text), len(got), len(c.want), got)
		}
	}
}

// TestRecord: lines are recorded from the next one on after the option, which acts during a search too.
func TestRecord(t *testing.T) {
	f := newFake()
	d := talk(t, f)
	d.send("go infinite")
	d.want(info1, curr)
	<-f.begun
	d.send("setoption name Record value true", "isready")
	d.want("readyok")
	d.send("full disk", "stop")
	d.want("info string the disk is full", info1, answer,
		`info string unknown command "full" (help lists the commands)`)
	d.send("setoption name record value false", "d", "quit")
	d.want("d []")
	d.end()
	want := []string{">isready", "<readyok", ">full disk", "<info string the disk is full", ">stop",
		"<" + info1, "<" + answer}
	if n := len(want); len(f.records) < n || !slices.Equal(f.records[:n], want) ||
		slices.Contains(f.records, ">d") || slices.Contains(f.records, ">go infinite") {
		t.Errorf("%q", f.records)
	}
}
