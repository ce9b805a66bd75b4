package protocol

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// TestPendingBytes: the session counts the bytes of the lines that wait, whatever takes them from the
// queue.
func TestPendingBytes(t *testing.T) {
	var out strings.Builder
	f := newFake()
	s := &session{engine: f, out: printer{w: &out, d: uci, record: f.Record}}
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
		s.accept(command{verb: v, d: uci, line: bytes})
		check("accepted")
	}
	accept(vStop, 7) // acts at once
	for range 2 {
		accept(vPosition, 1000)
		accept(vGo, 20)
		accept(vReady, 3) // answered when the search begins
		accept(vSetOption, 40)
		accept(vReady, 5)
	}
	s.accept(command{verb: vReady, d: uci, line: 9, remarks: []string{"a remark"}})
	check("accepted")
	accept(vPosition, maxPending) // refused
	for len(s.queue) > 0 {
		s.next()
		check("taken")
	}
	if s.pending != 0 || strings.Count(out.String(), "readyok") != 5 ||
		strings.Count(out.String(), "a remark\n") != 1 || strings.Count(out.String(), "full") != 1 {
		t.Errorf("%d bytes are counted when none wait; said %q", s.pending, out.String())
	}
}

// TestReadyBehindStop: an isready behind a search that has not begun is answered when it begins, but after
// the search if a stop has ended it.
func TestReadyBehindStop(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		var out strings.Builder
		f := newFake()
		s := &session{engine: f, out: printer{w: &out, d: uci, record: f.Record}}
		s.wake.L = &s.mu
		s.accept(command{verb: vGo, d: uci, limits: search.Limits{Infinite: true}})
		if stopped {
			s.accept(command{verb: vStop, d: uci})
		}
		s.accept(command{verb: vReady, d: uci})
		if j := s.next(); j.verb != vGo || strings.Contains(out.String(), "readyok") == stopped {
			t.Errorf("stopped %v: said %q when the search began", stopped, out.String())
		}
		if left := len(s.queue); stopped && (left != 1 || s.queue[0].verb != vReady) || !stopped && left != 0 {
			t.Errorf("stopped %v: %d lines wait behind the search", stopped, left)
		}
	}
}

// TestQueueMemory: lines may wait as long as there is memory for them; 1 MiB of them may in any case. When some
// have left the queue, others may wait.
func TestQueueMemory(t *testing.T) {
	const free, line = 20 << 20, 10_000 // bytes for the queue
	var out strings.Builder
	f := newFake()
	s := &session{engine: f, out: printer{w: &out, d: uci, record: f.Record}}
	s.wake.L = &s.mu
	beside := 0 // bytes of other programs
	f.used = func() uint64 { return uint64(fakeRoom - free - leftOver + beside + s.pending) }
	fill := func() int {
		for range 10 * free / line {
			s.accept(command{verb: vPosition, line: line})
		}
		return s.pending
	}
	if n := fill(); n > free || n < free-2*pendingStep {
		t.Errorf("%d of %d bytes wait", n, free)
	}
	for range len(s.queue) / 2 {
		s.next()
	}
	if half := s.pending; half > free/2+line || fill() < free-2*pendingStep || s.pending > free {
		t.Errorf("%d bytes wait, later %d", half, s.pending)
	}
	for len(s.queue) > 0 {
		s.next()
	}
	if beside = free; fill() > minPending || s.pending < minPending-line {
		t.Errorf("%d bytes wait without memory for them", s.pending)
	}
	if !strings.Contains(out.String(), "info string the input queue is full (19 MiB): a line was skipped\n") {
		t.Errorf("%.200q", out.String())
	}
}

// TestLineBytes: a line counts with its text, and with more than that: short ones take memory too.
func TestLineBytes(t *testing.T) {
	var out strings.Builder
	f := newFake()
	s := &session{engine: f, out: printer{w: &out, d: uci, record: f.Record}}
	s.wake.L = &s.mu
	const short, long = "d", "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5"
	bytes := func(line string) int {
		before := s.pending
		s.read(strings.NewReader(line + "\n"))
		return s.pending - before
	}
	if n := bytes("") + bytes(" \t"); n != 0 {
		t.Errorf("empty lines count %d bytes", n)
	}
	if n := bytes(short); n < 200 {
		t.Errorf("a line of one character counts %d bytes", n)
	}
	if n, m := bytes(short), bytes(long); m-n != len(long)-len(short) {
		t.Errorf("lines of %d and %d characters count %d and %d bytes", len(short), len(long), n, m)
	}
}

// TestBounded: the end of the input ends what has no end of its own.
func TestBounded(t *testing.T) {
	clock := search.Clock{Given: true}
	for _, c := range []struct {
		limits search.Limits
		want   bool
	}{
		{search.Limits{}, false},
		{search.Limits{Depth: 1}, true},
		{search.Limits{Nodes: 1}, true},
		{search.Limits{MoveTime: 1}, true},
		{search.Limits{Clock: clock}, true},
		{search.Limits{Mate: 3}, false},
		{search.Limits{Mate: 3, Depth: 5}, false}, // a depth does not end a search for mates
		{search.Limits{Mate: 3, Nodes: 5}, true},
		{search.Limits{Infinite: true, Depth: 1}, false},
		{search.Limits{Ponder: true, Clock: clock}, false},
	} {
		if got := newJob(command{verb: vGo, limits: c.limits}).bounded(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.limits, got, c.want)
		}
	}
}

// TestPonderInArguments: at the end of a command line a search for mates that ponders is stopped, as no ponderhit can
// come.
func TestPonderInArguments(t *testing.T) {
	for _, args := range [][]string{{"go ponder mate 3"}, {"go ponder mate 3", "ponderhit"}} {
		synctest.Test(t, func(t *testing.T) { // a search that is not stopped would wait for ever, which panics
			var out strings.Builder
			if err := ServeArguments(args, &out, newFake()); err != nil {
				t.Error(err)
			}
			if n := strings.Count(out.String(), answer); n != 1 {
				t.Errorf("%q: %d answers: %s", args, n, out.String())
			}
		})
	}
}

// TestInputEndsInCommand: a command that is under way at the end of the input is finished.
func TestInputEndsInCommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		d := talk(t, f)
		d.send("perft 5")
		<-f.begun
		d.in.Close()
		synctest.Wait()
		close(f.gate)
		d.want("counted")
		d.end()
	})
}

// loads returns an engine whose option Net loads until the gate is closed.
func loads() *fake {
	f := newFake()
	f.opts = options.NewSet()
	options.NewText(f.opts, options.Decl{UCI: "Net", Help: "loads"}).OnRead(func(ctx context.Context, _ string) error {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-f.gate:
			return nil
		}
	})
	return f
}

// silent reports what is written before endGrace is over.
func (d *dialogue) silent() {
	d.t.Helper()
	time.Sleep(endGrace - 1)
	synctest.Wait()
	if len(d.out) > 0 {
		d.t.Errorf("%q", <-d.out)
	}
}

// TestInputEndsInLoad: at the end of the input a load ends a second later, unless a search that is finished needs it.
func TestInputEndsInLoad(t *testing.T) {
	for _, needed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			f := loads()
			d := talk(t, f)
			d.send("setoption name Net value file")
			if needed {
				d.send("go nodes 5")
			}
			d.in.Close()
			d.silent()
			if needed {
				time.Sleep(time.Hour)
				close(f.gate)
				d.want(info1, curr, info1, answer)
			} else {
				d.want(`info string option "Net": stopped; it stays <empty>`)
			}
			d.end()
		})
	}
}

// TestQuitInLoad: at quit a load that a command needs has a second, and the command is finished in any case.
func TestQuitInLoad(t *testing.T) {
	for _, late := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			f := loads()
			f.begun = make(chan struct{}, 1)
			d := talk(t, f)
			d.send("setoption name Net value file", "perft 1", "quit")
			d.silent()
			if late {
				d.want(`info string option "Net": stopped; it stays <empty>`)
			}
			close(f.gate)
			d.want("counted")
			d.in.Close()
			d.end()
		})
	}
}

// TestPonderHits: each goes to the earliest search that still ponders, running or not.
func TestPonderHits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		d := talk(t, f)
		d.send("go ponder nodes 77", "go ponder depth 1", "go ponder depth 2", "ponderhit")
		d.want(info1, curr)
		<-f.begun
		<-f.begun
		d.send("ponderhit") // for the second one: the first is still at it
		close(f.gate)
		d.want(info1, answer, info1, curr, info1, answer, info1, curr)
		synctest.Wait()
		select {
		case line := <-d.out:
			t.Fatalf("the third search has no ponderhit: %q", line)
		default:
		}
		d.send("ponderhit", "ponderhit")
		got := []string{<-d.out, <-d.out, <-d.out}
		if !strings.Contains(strings.Join(got, "\n"), "no search is pondering") {
			t.Errorf("%q", got)
		}
		d.in.Close()
		d.end()
	})
}

// TestKeepAlive: while an isready of USI waits for a slow option, an empty line is sent every five seconds, and
// none before it, after it or in UCI.
func TestKeepAlive(t *testing.T) {
	for hello, want := range map[string]int{"usi": 4, "uci": 0} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.opts = options.NewSet()
			slow := options.NewButton(f.opts, options.Decl{UCI: "Slow", USI: "Slow", Help: "is slow"})
			slow.OnPress(func(context.Context) error {
				<-f.gate
				return errors.New("done")
			})
			d := talk(t, f)
			d.send(hello)
			for line := range d.out {
				if line == hello+"ok" {
					break
				}
			}
			silent := func(when string) {
				t.Helper()
				time.Sleep(time.Minute)
				synctest.Wait()
				select {
				case line := <-d.out:
					t.Errorf("%s, %s: %q", hello, when, line)
				default:
				}
			}
			silent("before an isready")
			d.send("setoption name Slow", "isready", "isready")
			time.Sleep(22 * time.Second)
			close(f.gate)
			empty := 0
			for line := <-d.out; line == ""; line = <-d.out {
				empty++
			}
			if empty != want {
				t.Errorf("%s: %d empty lines in 22 s, want %d", hello, empty, want)
			}
			d.want("readyok", "readyok")
			silent("after the answer")
			// An isready that is answered because a search begins needs none either.
			f.gate = make(chan struct{})
			d.send("setoption name Slow", "go infinite", "isready")
			synctest.Wait()
			close(f.gate)
			for line := range d.out {
				if line == "readyok" {
					break
				}
			}
			time.Sleep(time.Second)
			synctest.Wait()
			for len(d.out) > 0 {
				<-d.out
			}
			silent("in the search")
			f.gate = make(chan struct{})
			d.send("stop", "setoption name Slow", "isready")
			close(f.gate)
			for line := range d.out {
				if line == "readyok" {
					break
				}
			}
			silent("after another answer")
			d.send("quit")
			for range d.out {
			}
			d.in.Close()
		})
	}
}
