// Package protocol is text in and text out: it reads a dialect (UCI, or USI if that
// is the first word), drives an Engine, and prints what the Engine says. It knows no
// game and no table.
//
//	            ┌─ isready stop ponderhit quit debug: at once ─┐
//	reader ─────┤                                              ├──► printer ──► out
//	(stamps     └─ all else ──► queue ──► worker ── Engine ────┘   (one mutex)
//	 the clock)                 in order
//
// The reader never waits for the worker. What the session promises:
//
//   - Every accepted go gives exactly one bestmove, and the line before it is a
//     full info line with a score; `go mate` of USI gives exactly one checkmate.
//   - `stop` ends the running search and every search read before it; `ponderhit`
//     reaches the earliest search that still ponders.
//   - `isready` is answered in its turn, and at once while a search or another
//     long command runs.
//   - At the end of the input what is bounded is finished and answered, what is
//     not is stopped and answered. `quit` stops everything, and answers it.
//   - No line kills or hangs it, whatever the line is.
package protocol

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// maxPending bounds the bytes of all lines that wait for their turn: a script
// may pipe a million positions at once. perLine is what a line costs besides its
// text.
const (
	maxPending = 1 << 30
	perLine    = 512
)

// Session is one dialogue.
type Session struct {
	engine Engine
	out    printer
	own    map[string]options.Command

	mu      sync.Mutex
	wake    sync.Cond
	queue   []*job
	waiting []*job    // those in queue that a stop would reach, in their order
	pending int       // bytes of the lines in queue
	asked   int       // how many of them are isready
	alive   func()    // ends the empty lines that go out while they wait, nil if none do
	running *job      // the long job under way, nil if none
	free    time.Time // when the last one ended
	ended   bool      // no more input
	quit    bool
	debug   bool
}

// Serve runs a UCI session until `quit` or the end of the input, and returns
// when all that was accepted has been answered. It does not close the engine.
func Serve(r io.Reader, w io.Writer, e Engine) {
	s := &Session{engine: e, own: make(map[string]options.Command)}
	s.wake.L = &s.mu
	s.out = printer{w: w, d: uci{}, gone: func() { go s.accept(command{verb: vQuit}) }}
	for _, c := range e.Commands() {
		s.own[c.Name] = c
	}
	go s.read(r)
	for j := s.next(); j != nil; j = s.next() {
		s.do(j)
		if j.cancel != nil {
			j.cancel()
		}
	}
	s.mu.Lock()
	s.answered()
	s.mu.Unlock()
}

// read is the reader: it ends with the input or at `quit`. The first line that is a
// command decides the dialect.
func (s *Session) read(r io.Reader) {
	known := func(name string) bool { _, ok := s.own[name]; return ok || name == "help" }
	in := newLines(r)
	var d dialect = uci{}
	for begun := false; ; {
		line, err := in.next()
		at := time.Now()
		switch err {
		case nil:
			if !begun && firstWord(line) == "usi" {
				d = usi{}
				s.out.speak(d)
			}
			c := d.parse(line, at, known)
			c.d, begun = d, begun || c.verb != vNothing
			c.line = len(line) + perLine
			s.accept(c)
			if c.verb == vQuit {
				return
			}
			// What waits to run because of it, a stop above all, would wait for up to 20 ms
			// if the reader went into the system with the processor.
			runtime.Gosched()
		case errLong:
			s.accept(command{says: []string{fmt.Sprintf("a line of more than %d MiB was skipped", maxLine>>20)}})
		default:
			s.end()
			return
		}
	}
}

// accept acts on a command at once, or queues it.
func (s *Session) accept(c command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch c.verb {
	case vStop:
		s.out.say(c.says...)
		if s.stop() == 0 && s.debug {
			s.out.say("stop: no search to stop")
		}
	case vPonderHit:
		s.out.say(c.says...)
		s.ponderHit(c.limits.Clock)
	case vQuit:
		s.out.say(c.says...)
		s.quit = true
		s.stop()
		s.wake.Signal()
	case vDebug:
		s.debug = c.on
		s.out.say(c.says...)
	case vReady:
		if s.running != nil {
			s.out.say(c.says...)
			s.ready(c.d)
			return
		}
		s.push(c)
	default:
		if c.verb == vNothing && len(c.says) == 0 {
			return
		}
		if s.running != nil && s.debug {
			s.out.say("queued until the search has ended")
		}
		s.push(c)
	}
}

// push queues c, unless too much is waiting already or all is over. Called with
// mu held.
func (s *Session) push(c command) {
	if s.quit {
		return
	}
	if s.pending += c.line; s.pending > maxPending {
		s.pending -= c.line
		s.out.say("too much input is waiting: a line was skipped")
		return
	}
	if c.verb == vReady {
		if s.asked++; s.alive == nil && c.d.keepsAlive() {
			s.alive = repeat(aliveEvery, func() { s.out.print("") })
		}
	}
	j := newJob(c)
	s.queue = append(s.queue, j)
	if j.cancel != nil {
		s.waiting = append(s.waiting, j)
	}
	s.wake.Signal()
}

// answered says that no isready waits any more. Called with mu held.
func (s *Session) answered() {
	if s.alive != nil {
		s.alive()
		s.alive = nil
	}
}

// stop ends all searches and commands read so far, and returns how many there
// were besides those that an earlier stop has ended before their turn. Called with
// mu held.
func (s *Session) stop() (n int) {
	for j := range s.live {
		j.cancel()
		n++
	}
	s.waiting = nil // or a script with a stop for every go would visit all of them at each
	return n
}

// live visits the running job and those in waiting. Called with mu held.
func (s *Session) live(visit func(*job) bool) {
	if s.running != nil && !visit(s.running) {
		return
	}
	for _, j := range s.waiting {
		if !visit(j) {
			return
		}
	}
}

// ponderHit reaches the earliest search that still ponders, and gives it the clock if
// there is one. Called with mu held.
func (s *Session) ponderHit(clock search.Clock) {
	for j := range s.live {
		if j.hit != nil && !j.isHit && j.ctx.Err() == nil {
			j.isHit = true
			j.hit <- clock
			close(j.hitOn)
			return
		}
	}
	s.out.say("ponderhit: no search is pondering")
}

// end is the end of the input.
func (s *Session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for j := range s.live {
		if !j.bounded() {
			j.cancel()
		}
	}
	s.wake.Signal()
}

// next waits for a job; nil when there will be none. A long job is marked as
// running, and whoever asked behind it whether we are ready is answered now.
func (s *Session) next() *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) == 0 {
		if s.ended || s.quit {
			return nil
		}
		s.wake.Wait()
	}
	j := s.queue[0]
	s.queue[0] = nil // a long line does not outlive its turn
	s.queue = s.queue[1:]
	if len(s.waiting) > 0 && s.waiting[0] == j {
		s.waiting[0] = nil
		s.waiting = s.waiting[1:]
	}
	s.pending -= j.line
	if j.verb == vReady {
		if s.asked--; s.asked == 0 {
			s.answered()
		}
	}
	if j.verb != vGo && !(j.verb == vCommand && s.own[j.name].Long) {
		return j
	}
	s.running = j
	if s.asked > 0 {
		s.queue = slices.DeleteFunc(s.queue, func(q *job) bool {
			if q.verb == vReady {
				s.pending -= q.line
				s.out.say(q.says...)
				s.ready(q.d)
			}
			return q.verb == vReady
		})
		s.asked = 0
		s.answered()
	}
	return j
}

// ready answers `isready`.
func (s *Session) ready(d dialect) {
	s.out.say(s.engine.Notices()...)
	s.out.print(d.readyok())
}

// done says that the long job has ended.
func (s *Session) done() {
	s.mu.Lock()
	s.running, s.free = nil, time.Now()
	s.mu.Unlock()
}

// do runs one job.
func (s *Session) do(j *job) {
	s.out.say(j.says...)
	switch j.verb {
	case vHello:
		s.out.print(identify(j.d, s.engine)...)
	case vReady:
		s.ready(j.d)
	case vNewGame:
		s.engine.NewGame()
	case vSetOption:
		s.setOption(j)
	case vPosition:
		setup, moves, err := j.d.position(j.text)
		if err == nil {
			err = s.engine.SetPosition(setup, moves)
		}
		if err != nil {
			s.out.say("position refused, the previous one is kept: " + err.Error())
		}
	case vGo:
		s.search(j)
	case vCommand:
		s.command(j)
	}
}

// setOption sets one option, with progress messages if that takes long.
func (s *Session) setOption(j *job) {
	stop := repeat(noticesEvery, func() { s.out.say(s.engine.Notices()...) })
	err := s.engine.Options().Set(j.d.protocol(), j.name, j.value)
	stop()
	s.out.say(s.engine.Notices()...)
	if e := (*options.Error)(nil); errors.As(err, &e) && e.Unknown && !j.d.namesUnknown() {
		return
	}
	s.reportError(err)
}

// search runs one go. A result that comes early waits for the word that the
// protocol requires: `stop` when infinite, `ponderhit` or `stop` when pondering.
func (s *Session) search(j *job) {
	// A go that waited for another one (scripts send them all at once) has its
	// time from the moment of its turn.
	if j.limits.Start.Before(s.free) {
		j.limits.Start = s.free
	}
	s.out.say(s.engine.Notices()...)
	s.out.begin()
	result := s.engine.Search(j.ctx, j.limits, s.out.info)
	if j.hit != nil {
		select {
		case <-j.ctx.Done():
		case <-j.hitOn:
		}
	}
	if j.limits.Infinite {
		<-j.ctx.Done()
	}
	s.done()
	s.out.answer(result)
}

// command runs a command of the engine's own, or lists them all.
func (s *Session) command(j *job) {
	c, ok := s.own[j.name]
	if !ok {
		s.help(j.d)
		return
	}
	err := c.Run(j.ctx, j.args, func(line string) { s.out.print(line) })
	if c.Long {
		s.done()
	}
	s.reportError(err)
}

func (s *Session) reportError(err error) {
	if err != nil {
		s.out.say(err.Error())
	}
}

// help lists the engine's own commands.
func (s *Session) help(d dialect) {
	s.out.print(d.help() + ". Also:")
	for _, c := range s.engine.Commands() {
		usage := c.Name
		if c.Args != "" {
			usage += " " + c.Args
		}
		s.out.print(fmt.Sprintf("  %-22s %s", usage, c.Help))
	}
}
