package protocol

import (
	"slices"
	"strings"
	"testing"

	"trefoil/search"
)

// TestLastLine: the line before bestmove is the latest full report of the best line, whatever was
// reported after it.
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
	}{
		{"one line", []search.Info{line(1, 1), line(1, 2)}, line(1, 2), false},
		{"two lines", []search.Info{line(1, 1), line(2, 1), line(1, 2), line(2, 2)}, line(1, 2), true},
		{"an unfinished iteration", []search.Info{line(1, 1), line(2, 1), line(1, 2)}, line(1, 2), false},
		{"a text", []search.Info{line(1, 1), text}, line(1, 1), true},
		{"a current move", []search.Info{line(1, 1), line(2, 1), currMove}, line(1, 1), true},
	} {
		var out strings.Builder
		p := printer{w: &out, d: uci{}, record: newFake().Record}
		p.begin()
		for _, i := range c.reports {
			p.info(i)
		}
		p.answer(search.Result{Best: "m1"})
		got := strings.Split(strings.TrimSpace(out.String()), "\n")
		n := len(c.reports) + 1
		if c.again {
			n++
		}
		if len(got) != n || got[len(got)-2] != (uci{}).info(c.want) {
			t.Errorf("%s:\n%s", c.name, out.String())
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
	d.want("info string the disk is full", info1, answer, `info string unknown command "full" (help lists the commands)`)
	d.send("setoption name record value false", "d", "quit")
	d.want("d []")
	d.end()
	want := []string{">isready", "<readyok", ">full disk", "<info string the disk is full", ">stop", "<" + info1, "<" + answer}
	if n := len(want); len(f.records) < n || !slices.Equal(f.records[:n], want) ||
		slices.Contains(f.records, ">d") || slices.Contains(f.records, ">go infinite") {
		t.Errorf("%q", f.records)
	}
}
