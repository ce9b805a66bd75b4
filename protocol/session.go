// Package protocol is the text interface: it reads UCI, or USI if the first command is
// usi, drives an Engine, and prints its reports and results. It depends on no game, no table
// and no option.
//
//	            ┌─ isready stop ponderhit quit debug: at once ─┐
//	reader ─────┤                                              ├──► printer ──► out
//	(stamps     └─ all else ──► queue ──► worker ── Engine ────┘   (one mutex)
//	 the clock)                 in order
//
// The reader never waits for the worker. The session guarantees:
//
//   - Every accepted go is answered by exactly one bestmove, and the line before it is a
//     full info line with a score; `go mate` of USI by exactly one checkmate.
//   - `stop` ends the running search and every search read before it, and the options that
//     these wait for, like a load; `ponderhit` reaches the earliest search that still ponders.
//   - `isready` is answered in order, when all that runs in the background has ended, but at once if a
//     `go`, a command, a `stop` or the end of the input follows, and after readyTimeout at the latest.
//   - While a search or another long command runs it is answered at once, unless a `stop` has ended
//     that: then its bestmove comes first.
//   - At the end of the input, bounded searches are finished and answered, unbounded
//     ones are stopped and answered. `quit` stops and answers all searches, and stops all
//     options. In both cases commands such as bench are finished, and the options before them
//     have one more second; a `stop` or a second `quit` ends such commands too.
//   - An option that waits for another process waits no longer after a `stop`, a `quit` or the end
//     of the input, but one more second if a bounded search or a command comes after it in the
//     input that has ended. If none does, the option itself is ended after
//     that second.
//   - A save is never stopped, and no option is while a save is queued behind it: the save may
//     be of what the option loads.
//   - No input ends or blocks the session.
package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// session is one dialogue.
type session struct {
	engine   Engine
	out      printer
	commands map[string]options.Command

	mu            sync.Mutex
	wake          sync.Cond
	queue         []*job
	waiting       []*job          // those in queue that a stop reaches, in order
	pending       int             // bytes of the lines in queue
	granted       int             // bytes that they may take before the engine is asked for memory
	full          bool            // there was no memory, and no line has left the queue since
	pendingReady  int             // number of isready that are not answered
	pendingSaves  int             // number of options that save among them
	stopKeepAlive func()          // ends the empty lines that are sent meanwhile; nil if there are none
	settling      context.Context // of every isready read since the last go, command or stop; nil if there is none
	endSettling   func()
	running       *job      // the long job under way, nil if none
	idleSince     time.Time // since the last one ended
	ended         bool      // no more input
	quit          bool
	over          bool // nothing more is read or printed
	debug         bool
	arguments     bool // the input is the arguments of a command line

	refused map[string]string // by game: why its last position was refused. Only the worker uses it

	options *group // those since the last search or command, nil if there are none
}

// Serve runs a session until `quit` or the end of the input, and returns when
// everything that was accepted has been answered. If w cannot be written to, it
// ends with that error. It does not close the engine.
func Serve(r io.Reader, w io.Writer, e Engine) error { return serve(r, w, e, false) }

// ServeArguments runs a session whose input is the arguments of a command line. Someone waits for it: at its
// end it finishes a search for mates too, which may take long, unless that is infinite.
func ServeArguments(args []string, w io.Writer, e Engine) error {
	return serve(strings.NewReader(argumentLines(args)), w, e, true)
}

func serve(r io.Reader, w io.Writer, e Engine, arguments bool) error {
	s := &session{engine: e, arguments: arguments,
		commands: make(map[string]options.Command), refused: make(map[string]string)}
	s.wake.L = &s.mu
	s.out = printer{w: w, d: uci, record: e.Record, onClosed: func() { go s.abandon() }}
	for _, c := range e.Commands() {
		s.commands[c.Name] = c
	}
	go s.read(r)
	for j := s.next(); j != nil; j = s.next() {
		s.do(j)
		if j.cancel != nil {
			j.cancel()
		}
	}
	s.mu.Lock()
	s.pendingReady = 0
	s.endKeepAlive()
	s.mu.Unlock()
	return s.out.failed()
}

// read is the reader: it ends with the input or the session. The first command selects the dialect.
func (s *session) read(r io.Reader) {
	known := func(name string) bool { _, ok := s.commands[name]; return ok || name == "help" }
	in := newLines(r)
	d := uci
	for begun := false; ; {
		line, err := in.next()
		at := time.Now()
		switch err {
		case nil:
			if !s.record(line) {
				return
			}
			if !begun && firstWord(line) == "usi" {
				d = usi
				s.out.setDialect(d)
			}
			c := d.parse(line, at, known)
			c.d, begun = d, begun || c.verb != vNothing
			c.line = c.bytes(len(line))
			s.accept(c)
			// Goroutines that the line makes runnable, most of all by a stop, would wait up
			// to 20 ms if the reader entered its system call with the processor.
			runtime.Gosched()
		case errLong:
			s.accept(command{remarks: []string{fmt.Sprintf("a line of more than %d MiB was skipped", maxLine>>20)}})
		default:
			s.end()
			return
		}
	}
}

// record passes a line to the log of the engine. It reports whether the session still reads.
func (s *session) record(line string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.reportError(s.engine.Record(true, line))
	}
	return !s.over
}

// accept acts on a command at once, or queues it. After `quit` only what ends a command under way has an effect.
func (s *session) accept(c command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.quit && c.verb != vStop && c.verb != vQuit {
		return
	}
	switch c.verb {
	case vStop:
		s.out.infoString(c.remarks...)
		if s.stop(true) == 0 && s.debug {
			s.out.infoString("stop: no search to stop")
		}
	case vPonderHit:
		s.out.infoString(c.remarks...)
		s.ponderHit(c.limits.Clock)
	case vQuit:
		s.out.infoString(c.remarks...)
		again := s.quit
		s.quit = true
		s.stop(again)
		s.wake.Signal()
	case vDebug:
		s.debug = c.on
		s.out.infoString(c.remarks...)
	case vReady:
		// Scid takes the next bestmove after a readyok for the answer to its next go.
		if s.running != nil && s.running.ctx.Err() == nil {
			s.out.infoString(c.remarks...)
			s.ready()
			return
		}
		s.push(c)
	default:
		if c.verb == vSetOption {
			c.option = s.engine.Options().Find(c.d.protocol, c.name)
		}
		if c.option.AtOnce() {
			s.out.infoString(c.remarks...)
			s.reportError(c.option.Set(context.Background(), c.value))
			return
		}
		if c.verb == vNothing && len(c.remarks) == 0 {
			return
		}
		if s.running != nil && s.debug {
			s.out.infoString("queued until the search has ended")
		}
		s.push(c)
	}
}

// abandon ends the session, because its output is closed.
func (s *session) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quit = true
	s.stop(true)
	s.wake.Signal()
}

// readyTimeout is how long an isready waits for what runs in the background: less than GUIs do.
const readyTimeout = 8 * time.Second

// endGrace is how long options may still wait for another process at the end of the input, if a search or a
// command that is finished needs them, how long options that none needs may still take, and how long options
// before a command may take at quit.
const endGrace = time.Second

// end is the end of the input.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.settle()
	s.options.endWaits()
	s.stopOptionsLater(s.options)
	for j := range s.live {
		if j.bounded() || s.arguments && j.limits.Mate > 0 && !j.limits.Infinite && !j.pondering() {
			time.AfterFunc(endGrace, j.options.endWaits)
			continue
		}
		j.cancel()
		j.options.endWaits()
	}
	s.wake.Signal()
}

// ready answers `isready`.
func (s *session) ready() {
	s.out.infoString(s.engine.Notices()...)
	s.out.print("readyok")
}

// done records that the long job has ended.
func (s *session) done() {
	s.mu.Lock()
	s.running, s.idleSince = nil, time.Now()
	s.mu.Unlock()
}

// do runs one job.
func (s *session) do(j *job) {
	s.out.infoString(j.remarks...)
	switch j.verb {
	case vHello:
		s.out.print(identify(j.d, s.engine)...)
	case vReady:
		s.answerReady(j.ctx)
	case vNewGame:
		s.engine.NewGame()
	case vSetOption:
		s.setOption(j)
	case vPosition:
		s.setPosition(j)
	case vGo:
		s.search(j)
	case vCommand:
		s.command(j)
	}
}

// setPosition sets up a position. After a refused one the game has no position until another is accepted,
// or a changed option sets up the start position: the answer to a go must not be a move in another position.
func (s *session) setPosition(j *job) {
	setup, moves, err := j.d.position(j.text)
	if err == nil {
		err = s.engine.SetPosition(setup, moves)
	}
	if err != nil {
		s.refused[s.engine.Game()] = cut(err.Error())
		s.out.infoString("position refused: " + cut(err.Error()))
		return
	}
	delete(s.refused, s.engine.Game())
	s.out.infoString(s.engine.Notices()...)
}

// noPosition reports whether the current game has no position, and tells the user that name needs one.
func (s *session) noPosition(name string) bool {
	reason, refused := s.refused[s.engine.Game()]
	if refused {
		s.out.infoString(name + ": no position: the last one was refused: " + reason)
	}
	return refused
}

// setOption sets one option, with progress messages if it takes long.
func (s *session) setOption(j *job) {
	before := j.option.Value()
	stop := repeat(progressInterval, func() { s.out.infoString(s.engine.Notices()...) })
	err := j.option.Set(j.ctx, j.value)
	stop()
	if j.option.Value() != before {
		for _, game := range j.option.SetsPosition() {
			delete(s.refused, game)
		}
	}
	s.out.infoString(s.engine.Notices()...)
	if e := (*options.Error)(nil); errors.As(err, &e) && e.Unknown && !j.d.namesUnknown {
		return
	}
	s.reportError(err)
}

// search runs one go. A result that comes early waits for the word that the
// protocol requires: `stop` when infinite, `ponderhit` or `stop` when pondering.
func (s *session) search(j *job) {
	// The time of a go that was queued behind another one starts with its turn.
	if j.limits.Start.Before(s.idleSince) {
		j.limits.Start = s.idleSince
	}
	s.out.infoString(s.engine.Notices()...)
	s.out.begin()
	result := s.result(j)
	if j.ponderHit != nil {
		select {
		case <-j.ctx.Done():
		case <-j.ponderHitDone:
		}
	}
	if j.limits.Infinite {
		<-j.ctx.Done()
	}
	s.done()
	s.out.answer(result)
}

// result returns the result of the engine's search, or that there is no position.
func (s *session) result(j *job) search.Result {
	if !s.noPosition("go") {
		return s.engine.Search(j.ctx, j.limits, s.out.info)
	}
	r := search.Result{NoPosition: true}
	if j.limits.Checks {
		r.Checkmate = new(search.Checkmate)
	}
	return r
}

// command runs a command of the engine, or lists them all.
func (s *session) command(j *job) {
	c, ok := s.commands[j.name]
	if !ok {
		s.help(j.d)
		return
	}
	if c.Position != nil && c.Position(j.args) && s.noPosition(c.Name) {
		if c.Long {
			s.done()
		}
		return
	}
	err := c.Run(j.ctx, j.args, func(line string) { s.out.print(line) })
	if c.Long {
		s.done()
	}
	s.reportError(err)
}

func (s *session) reportError(err error) {
	if err != nil {
		s.out.infoString(err.Error())
	}
}

// helpColumn is how wide the usages of commands are in help.
const helpColumn = 22

// help lists the words of the protocol and the commands of the engine.
func (s *session) help(d *dialect) {
	s.out.print(d.help + ". Also:")
	for _, c := range s.engine.Commands() {
		usage := c.Name
		if c.Args != "" {
			usage += " " + c.Args
		}
		if len(usage) > helpColumn { // a line of its own
			s.out.print("  " + usage)
			usage = ""
		}
		help := c.Help
		if len(c.Games) > 0 {
			help += " (" + strings.Join(c.Games, ", ") + ")"
		}
		s.out.print(fmt.Sprintf("  %-*s %s", helpColumn, usage, help))
	}
}
