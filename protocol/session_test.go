package protocol

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"trefoil/options"
	"trefoil/search"
)

func TestHello(t *testing.T) {
	expect(t, "uci\nisready\n",
		"id name Fake 1", "id author its author",
		"option name Hash type spin default 16 min 1 max 1024",
		"option name Clear Hash type button",
		"option name Ponder type check default false",
		"option name Log type string default <empty>",
		"option name Record type check default false",
		"option name Kind type combo default a var a var b",
		"option name Board type spin default 7 min 4 max 9",
		"uciok", "readyok")
}

func TestSetOption(t *testing.T) {
	expect(t, "setoption name hash value 32\nisready\n", "info string table of 32", "readyok")
	// What the engine has to say of a change comes before its refusal.
	expect(t, "setoption name Hash value 1000\nsetoption name Hash value x\n",
		"info string table of 1000",
		`info string option "Hash": too large; it stays 16`,
		`info string option "Hash": "x" is not a whole number from 1 to 1024; it stays 16`)
	expect(t, "setoption name Clear Hash value \nsetoption name clear  hash\nSETOPTION\n",
		`info string unknown command "SETOPTION" (help lists the commands)`)
	expect(t, "setoption\nsetoption name\nsetoption Hash value 3\nsetoption name value 3\n",
		"info string usage: setoption name NAME [value VALUE]",
		"info string usage: setoption name NAME [value VALUE]",
		"info string usage: setoption name NAME [value VALUE]",
		"info string usage: setoption name NAME [value VALUE]")
	for line, want := range map[string]string{
		"setoption name Log value  C:/a  b.txt \r": "C:/a  b.txt",
		"setoption name Log value C:/a  b.txt":     "C:/a  b.txt",
		"setoption name  Log value\tC:/a b.txt":    "C:/a b.txt",
		"setoption name  log  VALUE  x":            "x",
		"setoption name  Log value":                "",
	} {
		if f := expect(t, line+"\n"); f.text.Value() != want {
			t.Errorf("%q: %q, want %q", line, f.text.Value(), want)
		}
	}
	expect(t, "setoption name Hsah value 3\n", `info string unknown option "Hsah"`)
}

func TestPosition(t *testing.T) {
	refused := "info string position refused: "
	f := expect(t, "please position startpos\nposition startpos\nposition fen a b c moves x y\nposition startpos moves a bad c\n"+
		"position\nposition fen\nposition here\nposition startpos e2e4\nposition startpos moves\n",
		`info string skipped "please"`, refused+`move 2 "bad" is illegal`,
		refused+"missing position: expected startpos or fen", refused+"fen without a FEN",
		refused+`"here" is neither startpos nor fen`, refused+`expected moves, not "e2e4"`)
	if got := strings.Join(f.log, ", "); got != "startpos +0, startpos +0, a b c +2, startpos +0" {
		t.Error(got)
	}
}

func TestBatch(t *testing.T) {
	// All at once, as scripts pipe it: every go is answered, in order.
	f := expect(t, "ucinewgame\nposition startpos\ngo depth 3\nposition startpos moves a\ngo nodes 5\ngo movetime 10",
		info1, curr, info1, answer, info1, curr, info1, answer, info1, curr, info1, answer)
	if got := strings.Join(f.log, ", "); got != "newgame, startpos +0, startpos +1" {
		t.Error(got)
	}
	// The end of the input stops what has no end, also what waits.
	expect(t, "go infinite\ngo\ngo depth 1\ngo ponder wtime 1 btime 1\n",
		info1, curr, info1, answer, info1, curr, info1, answer, info1, curr, info1, answer, info1, curr, info1, answer)
	// So does quit, and nothing behind it counts.
	expect(t, "go infinite\nd 1\ngo infinite\nquit\nd 2\n",
		info1, curr, info1, answer, "d [1]", info1, curr, info1, answer)
}

func TestDuringSearch(t *testing.T) {
	f := newFake()
	d := talk(t, f)
	d.send("go infinite")
	d.want(info1, curr)
	<-f.begun
	f.note("pages are huge")
	d.send("isready")
	d.want("info string pages are huge", "readyok")
	d.send("position startpos moves bad", "position startpos", "setoption name Hash value 2", "go nodes 4",
		"ucinewgame", "d", "isready")
	d.want("readyok")
	d.send("ponderhit")
	d.want("info string ponderhit: no search is pondering")
	d.send("debug on", "d 2")
	d.want("info string queued until the search has ended")
	d.send("stop")
	d.want(info1, answer, `info string position refused: move 1 "bad" is illegal`,
		"info string table of 2", info1, curr, info1, answer, "d []", "d [2]")
	d.send("stop", "debug off", "stop", "isready")
	d.want("info string stop: no search to stop", "readyok")
	d.send("quit")
	d.end()
}

func TestStopReachesWhatWaits(t *testing.T) {
	f := newFake()
	d := talk(t, f)
	d.send("go nodes 77")
	d.want(info1, curr)
	<-f.begun
	d.send("isready")
	d.want("readyok")
	// After a stop the bestmoves come first.
	d.send("go infinite", "go ponder", "stop", "stop", "go infinite", "isready")
	close(f.gate)
	d.want(info1, answer, info1, curr, info1, answer, info1, curr, info1, answer)
	rest := []string{<-d.out, <-d.out, <-d.out} // the search may begin before the isready is read
	ready := slices.Index(rest, "readyok")
	if ready < 0 || !slices.Equal(slices.Delete(rest, ready, ready+1), []string{info1, curr}) {
		t.Errorf("%q", rest)
	}
	d.in.Close()
	d.want(info1, answer)
	d.end()
}

func TestReadyBehindLongCommand(t *testing.T) {
	// `isready` that was read before the search began is answered when it does.
	f := newFake()
	d := talk(t, f)
	d.send("go nodes 77\ngo infinite\nisready\nsetoption name Hash value 3\nisready")
	<-f.begun
	for range 2 + 2 {
		<-d.out
	}
	close(f.gate)
	d.want(info1, answer, info1, curr)
	d.send("quit")
	d.want(info1, answer, "info string table of 3")
	d.end()

	f = newFake()
	d = talk(t, f)
	d.send("go perft 5")
	<-f.begun
	d.send("isready", "d")
	d.want("readyok")
	d.send("stop")
	d.want("info string perft was stopped", "d []")
	d.in.Close()
	d.end()
}

func TestPonder(t *testing.T) {
	f := newFake()
	d := talk(t, f)
	d.send("ponderhit")
	d.want("info string ponderhit: no search is pondering")
	// A pondering search that has its answer keeps it until the word comes.
	d.send("go ponder depth 3", "isready")
	for range 3 {
		<-d.out
	}
	d.send("ponderhit")
	if got := <-d.out; got != info1 {
		t.Errorf("best line not repeated: %q", got)
	}
	d.want(answer)
	d.send("go ponder wtime 100 btime 100")
	d.want(info1, curr)
	// After a stop it belongs to no search, whether the answer is out or not.
	d.send("stop", "ponderhit")
	got := []string{<-d.out, <-d.out, <-d.out}
	slices.Sort(got)
	if want := []string{answer, info1, "info string ponderhit: no search is pondering"}; !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	// It reaches a search that still waits for its turn.
	d.send("go nodes 77")
	d.want(info1, curr)
	d.send("go ponder wtime 100 btime 100", "ponderhit")
	close(f.gate)
	d.want(info1, answer, info1, curr, info1, answer)
	d.in.Close()
	d.end()
}

func TestLastLineIsFullInfo(t *testing.T) {
	f := newFake()
	f.silent = true
	got := run(f, "go depth 1\n")
	if want := "info depth 0 seldepth 0 multipv 1 score cp 0 nodes 20 nps 20000 time 0 pv m1\n" + answer +
		"\n"; got != want {
		t.Errorf("%q", got)
	}
}

func TestHostileLines(t *testing.T) {
	expect(t, "\n \r\n\t\nfoo bar\njoho isready\nis\x00ready\n\x00isready\x00\r\n\xff\xfe\n",
		`info string unknown command "foo" (help lists the commands)`,
		`info string skipped "joho"`, "readyok",
		`info string unknown command "is" (help lists the commands)`,
		"readyok",
		`info string unknown command "\xff\xfe" (help lists the commands)`)
	expect(t, "joho debug on\n", `info string skipped "joho"`)
	expect(t, "\xef\xbb\xbfisready", "readyok")
	expect(t, "d\n\xef\xbb\xbfisready", "d []", `info string unknown command "\ufeffisready" (help lists the commands)`)
	long := strings.Repeat("x", maxLine)
	expect(t, long[:maxLine-1]+"\nisready\n",
		`info string unknown command "`+long[:60]+`" (help lists the commands)`, "readyok")
	expect(t, long+"\nisready\n"+long+long,
		"info string a line of more than 16 MiB was skipped", "readyok",
		"info string a line of more than 16 MiB was skipped")
	expect(t, "debug maybe\ndebug\ndebug off\nstop\n", `info string debug: "maybe" is neither on nor off`)
	expect(t, "help\n", "UCI: uci isready setoption ucinewgame position go stop ponderhit debug quit. Also:",
		"  d                      shows", "  perft N                counts")
}

func TestTooMuchWaits(t *testing.T) {
	f := newFake()
	s := &session{engine: f, running: newJob(command{verb: vGo})}
	s.wake.L = &s.mu
	var out strings.Builder
	s.out = printer{w: &out, d: uci, record: f.Record}
	for range maxPending/maxLine + 4 {
		s.accept(command{verb: vPosition, line: maxLine})
	}
	if len(s.queue) != maxPending/maxLine || strings.Count(out.String(), "skipped") != 4 {
		t.Errorf("%d lines wait, said %q", len(s.queue), out.String())
	}
}

// A second stop has nothing to do with what the first one has ended before its turn.
func TestStopVisitsOnce(t *testing.T) {
	s := &session{}
	s.wake.L = &s.mu
	for range 3 {
		s.accept(command{verb: vGo})
		s.accept(command{verb: vPosition})
	}
	if first, second := s.stop(true), s.stop(true); first != 3 || second != 0 {
		t.Errorf("the first stop ended %d searches, the second %d", first, second)
	}
	s.accept(command{verb: vGo})
	for range 7 {
		if s.next() == nil {
			t.Fatal("something that waited is lost")
		}
		s.running = nil
	}
	for range 3 { // what was taken from the queue and has ended is not stopped either
		s.accept(command{verb: vGo})
		s.next()
		s.running = nil
	}
	if n := s.stop(true); n != 0 || len(s.queue) > 0 {
		t.Errorf("%d searches to stop and %d lines when none is left", n, len(s.queue))
	}
}

// Words before a command are named also where it acts at once.
func TestRemarksAreNotLost(t *testing.T) {
	f := newFake()
	d := talk(t, f)
	d.send("go nodes 77\ngo infinite\na isready")
	<-f.begun
	got := []string{<-d.out, <-d.out, <-d.out, <-d.out}
	slices.Sort(got)
	if want := []string{curr, info1, `info string skipped "a"`, "readyok"}; !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	d.send("b isready", "c ponderhit")
	d.want(`info string skipped "b"`, "readyok", `info string skipped "c"`,
		"info string ponderhit: no search is pondering")
	close(f.gate)
	d.want(info1, answer, info1, curr)
	d.send("e stop")
	d.want(`info string skipped "e"`, info1, answer)
	d.send("f setoption name Record value false", "isready")
	d.want(`info string skipped "f"`, "readyok")
	d.send("g quit")
	d.want(`info string skipped "g"`)
	d.end()
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestOutputGone(t *testing.T) {
	f := newFake()
	ir, iw := newPipe()
	fin := make(chan error)
	go func() { fin <- Serve(ir, brokenPipe{}, f) }()
	iw("go infinite\n")
	if err := <-fin; err == nil {
		t.Error("no error")
	}
}

func TestScores(t *testing.T) {
	for _, c := range []struct {
		s    search.Score
		want string
	}{
		{search.Score{Centipawns: -31}, "cp -31"},
		{search.Score{Mate: true, Plies: 1}, "mate 1"},
		{search.Score{Mate: true, Plies: 5}, "mate 3"},
		{search.Score{Mate: true, Plies: 0}, "mate 0"},
		{search.Score{Mate: true, Plies: -2}, "mate -1"},
		{search.Score{Mate: true, Plies: -6}, "mate -3"},
	} {
		if got := uciScore(c.s); got != c.want {
			t.Errorf("%+v: %s, want %s", c.s, got, c.want)
		}
	}
	got := uci.info(search.Info{Depth: 9, SelDepth: 12, MultiPV: 2, Bound: search.Upper,
		WDL: &search.WDL{1, 2, 997}, Nodes: 5000, Time: 2e9, HashFull: 3})
	low := uci.info(search.Info{Depth: 1, Bound: search.Lower, TableHits: 4, Time: 1e9})
	if want := "info depth 1 seldepth 1 multipv 1 score cp 0 lowerbound nodes 0 nps 0 hashfull 0 tbhits 4 time 1000"; low != want {
		t.Errorf("%s", low)
	}
	if want := "info depth 9 seldepth 12 multipv 2 score cp 0 upperbound wdl 1 2 997 nodes 5000 nps 2500 hashfull 3 time 2000"; got != want {
		t.Errorf("%s", got)
	}
}

// An option that takes a while reports its progress, and no report comes after it is done.
func TestSlowOptionReports(t *testing.T) {
	f, halfway := newFake(), make(chan struct{})
	f.opts = options.NewSet()
	options.NewButton(f.opts, options.Decl{UCI: "Save", Help: "saves"}).OnPress(func(context.Context) error {
		f.note("half")
		<-halfway
		f.note("all")
		return nil
	})
	d := talk(t, f)
	d.send("setoption name Save", "isready")
	d.want("info string half")
	close(halfway)
	d.want("info string all", "readyok")
	d.send("quit")
	d.end()
}

// An option that loads is stopped by a stop if a search waits for it, and by quit; not by a stop of a
// search before it, nor while a save is queued. A save is never stopped.
func TestSlowOptionStops(t *testing.T) {
	talkOfFiles := func() (*fake, *dialogue) {
		f := newFake()
		f.opts = options.NewSet()
		wait := func(ctx context.Context) error {
			f.begun <- struct{}{}
			select {
			case <-ctx.Done():
			case <-f.gate:
			}
			if ctx.Err() == nil {
				f.note("done")
			}
			return context.Cause(ctx)
		}
		options.NewButton(f.opts, options.Decl{UCI: "Load", Help: "loads"}).OnPress(wait)
		save := options.NewButton(f.opts, options.Decl{UCI: "Save", Help: "saves"})
		save.OnSave(func(ctx, _ context.Context) error { return wait(ctx) })
		return f, talk(t, f)
	}
	const stopped = `info string option "Load": stopped`
	const done = "info string done"
	const marker = "info string ponderhit: no search is pondering" // the commands before it have been read

	f, d := talkOfFiles()
	d.send("setoption name Load")
	<-f.begun
	d.send("stop", "setoption name Load", "go infinite") // no search waits for the first one yet
	d.send("stop")
	d.want(stopped, stopped, info1, curr, info1, answer)
	d.send("setoption name Load")
	<-f.begun
	<-f.begun
	<-f.begun
	d.send("setoption name Load", "quit")
	d.want(stopped, stopped)
	d.end()

	f, d = talkOfFiles()
	d.send("go infinite")
	<-f.begun
	d.send("setoption name Load", "stop")
	d.want(info1, curr, info1, answer)
	<-f.begun
	close(f.gate)
	d.want(done)
	d.send("quit")
	d.end()

	f, d = talkOfFiles()
	d.send("setoption name Load", "setoption name Save", "go infinite", "stop", "ponderhit")
	d.want(marker)
	close(f.gate)
	d.want(done, done, info1, curr, info1, answer)
	d.send("setoption name Save", "setoption name Save", "quit")
	d.want(done, done)
	d.end()

	f, d = talkOfFiles()
	d.send("setoption name Save")
	<-f.begun
	d.send("setoption name Load", "go infinite", "stop", "ponderhit")
	d.want(marker)
	d.send("quit")
	close(f.gate)
	d.want(done, stopped, info1, curr, info1, answer)
	d.end()

	f, d = talkOfFiles()
	d.send("go infinite")
	<-f.begun
	d.send("setoption name Load", "setoption name Save", "setoption name Load", "quit")
	close(f.gate)
	d.want(info1, curr, info1, answer, done, done, stopped)
	d.end()
}
