package protocol

import (
	"errors"
	"strings"
	"testing"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// A command that is under way or waits at a quit is finished, unlike a search. A stop ends it, or another quit.
func TestQuitBehindCommand(t *testing.T) {
	for _, end := range []string{"", "stop", "quit"} {
		f := newFake()
		d := talk(t, f)
		d.send("go infinite", "perft 1", "perft 2", "go infinite", "setoption name Hash value 2", "quit",
			"go infinite", "isready", "d")
		d.want(info1, curr, info1, answer)
		<-f.begun // of the search
		<-f.begun
		if end == "" {
			close(f.gate)
			d.want("counted", "counted")
		} else {
			d.send(end)
			d.want("info string perft was stopped", "info string perft was stopped")
		}
		d.want(info1, curr, info1, answer, "info string table of 2")
		d.end()
	}
	// So it is at the end of the input, and where the output is closed there is nothing to finish for.
	f := newFake()
	close(f.gate)
	f.begun = make(chan struct{}, 9)
	if got := run(f, "perft 1\nperft 2\nquit"); got != "counted\ncounted\n" {
		t.Errorf("%q", got)
	}
	if got := run(f, "perft 1\nperft 2\n"); got != "counted\ncounted\n" {
		t.Errorf("%q", got)
	}
	ir, iw := newPipe()
	fin := make(chan error)
	f = newFake()
	go func() { fin <- Serve(ir, brokenPipe{}, f) }()
	iw("perft 5\nperft 6\n")
	<-f.begun
	iw("isready\n")
	if err := <-fin; err == nil || err.Error() != "broken pipe" {
		t.Error("the error of the output is", err)
	}
}

// After a refused position nothing is searched, drawn or counted until one is accepted.
func TestNoPosition(t *testing.T) {
	const report = "info depth 0 seldepth 0 multipv 1 score cp 0 nodes 0 nps 0 time 0"
	const reason = `: no position: the last one was refused: move 1 "bad" is illegal`
	f := expect(t, "position startpos moves bad\ngo nodes 4\nsetoption name Hash value 2\nucinewgame\ngo mate 3\nd\ngo perft 3\n"+
		"position startpos\ngo nodes 5\nposition\ngo nodes 6\n",
		`info string position refused: move 1 "bad" is illegal`,
		"info string go"+reason, report, "bestmove 0000", "info string table of 2",
		"info string go"+reason, report, "bestmove 0000",
		"info string d"+reason, "info string perft"+reason,
		info1, curr, info1, answer,
		"info string position refused: missing position: expected startpos or fen",
		"info string go: no position: the last one was refused: missing position: expected startpos or fen", report,
		"bestmove 0000")
	if f.last.Nodes != 5 {
		t.Errorf("the last search had %d nodes", f.last.Nodes)
	}
	// Another game has its own position, and the refused one is not forgotten meanwhile.
	expect(t, "position startpos moves bad\nsetoption name Kind value b\ngo nodes 4\nposition\nsetoption name Kind value a\ngo nodes 5\n"+
		"position startpos\ngo nodes 6\n",
		`info string position refused: move 1 "bad" is illegal`, info1, curr, info1, answer,
		"info string position refused: missing position: expected startpos or fen",
		"info string go"+reason, report, "bestmove 0000", info1, curr, info1, answer)
	// A changed option can set up a position.
	expect(t, "position startpos moves bad\nsetoption name Kind value b\nposition\nsetoption name Board value 7\nsetoption name board value 8\ngo nodes 4\n"+
		"setoption name Kind value a\ngo nodes 5\nposition startpos moves bad\nsetoption name Board value 8\nsetoption name Board value 99\nd\n",
		`info string position refused: move 1 "bad" is illegal`,
		"info string position refused: missing position: expected startpos or fen",
		"info string go: no position: the last one was refused: missing position: expected startpos or fen", report,
		"bestmove 0000", info1, curr, info1, answer, `info string position refused: move 1 "bad" is illegal`,
		`info string option "Board": "99" is outside 4 to 9; it stays 8`, "info string d"+reason)
	usi := run(newFake(), "usi\nposition startpos moves bad\ngo nodes 4\ngo mate 100\n")
	want := "usiok\n" + `info string position refused: move 1 "bad" is illegal` + "\n" +
		"info string go" + reason + "\n" + report + "\nbestmove resign\n" + "info string go" + reason +
		"\ncheckmate timeout\n"
	if !strings.HasSuffix(usi, want) {
		t.Errorf("USI:\n%s", usi)
	}

	d := talk(t, newFake())
	d.send("position startpos moves bad", "go infinite")
	d.want(`info string position refused: move 1 "bad" is illegal`, "info string go"+reason)
	d.send("isready")
	d.want("readyok")
	d.send("stop") // an infinite search is answered by no other
	d.want(report, "bestmove 0000")
	d.send("quit")
	d.end()
}

// What the engine has to say of a position, or before a search, comes with that.
func TestNotices(t *testing.T) {
	for _, line := range []string{"position startpos", "go nodes 1", "isready", "setoption name Hash value 16"} {
		f := newFake()
		f.note("hear")
		if got, _, _ := strings.Cut(run(f, line+"\n"), "\n"); got != "info string hear" {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// failsToStart is an engine that cannot make its table.
type failsToStart struct{ *fake }

func (failsToStart) Start(options.Protocol) error { return errors.New("no table") }

func TestStartFails(t *testing.T) {
	var out strings.Builder
	Serve(strings.NewReader("uci\n"), &out, failsToStart{newFake()})
	if got := out.String(); !strings.HasPrefix(got, "info string no table\nid name") ||
		!strings.HasSuffix(got, "uciok\n") {
		t.Errorf("%s", got)
	}
}

// TestQueuedStart: the time of a go that waited for another one begins with its turn, of any other when it was read.
func TestQueuedStart(t *testing.T) {
	early, late := time.Unix(1, 0), time.Unix(2, 0)
	for _, c := range []struct{ read, idle, want time.Time }{{early, late, late}, {late, early, late}} {
		f := newFake()
		s := &session{engine: f, idleSince: c.idle, out: printer{w: new(strings.Builder), d: uci, record: f.Record}}
		s.search(newJob(command{verb: vGo, limits: search.Limits{Start: c.read, Nodes: 1}}))
		if f.last.Start != c.want {
			t.Errorf("read at %v, idle since %v: begins at %v", c.read, c.idle, f.last.Start)
		}
	}
}

// TestCommandEnds: a long command, and no other, counts as a search until it ends, also where it has no position.
func TestCommandEnds(t *testing.T) {
	for _, c := range []struct {
		name, refused string
		long          bool
	}{{"perft", "", true}, {"perft", "no kings", true}, {"d", "", false}, {"d", "no kings", false}} {
		f := newFake()
		close(f.gate)
		refused := map[string]string{}
		if c.refused != "" {
			refused[f.Game()] = c.refused
		}
		s := &session{engine: f, refused: refused, commands: map[string]options.Command{},
			out: printer{w: new(strings.Builder), d: uci, record: f.Record}}
		s.wake.L = &s.mu
		for _, command := range f.Commands() {
			s.commands[command.Name] = command
		}
		s.accept(command{verb: vCommand, d: uci, name: c.name})
		j := s.next()
		if got := s.running == j; got != c.long {
			t.Errorf("%+v: counts as a search: %v", c, got)
		}
		other := newJob(command{verb: vGo})
		if !c.long {
			s.running = other
		}
		s.do(j)
		if got := s.running == nil; got != c.long {
			t.Errorf("%+v: %v is running after it", c, s.running)
		}
		other.cancel()
	}
}
