package protocol

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"trefoil/search"
)

// maxPending bounds the bytes of all queued lines: a script may pipe a million positions at once. Beyond
// minPending they also need room in memory, for which the engine is asked in steps of pendingStep; leftOver
// bytes of it must remain for reading lines.
const (
	maxPending  = 1 << 30
	minPending  = 1 << 20
	pendingStep = 1 << 20
	leftOver    = 32 << 20
)

// perLine is what a line takes besides its text: the job with its limits and contexts. perWord is what each
// word takes that is stored separately.
const (
	perLine = 768
	perWord = 16
)

// bytes is the memory that c takes in the queue, if its line has that many bytes.
func (c *command) bytes(line int) int {
	return perLine + line + perWord*(len(c.args)+len(c.limits.SearchMoves))
}

// job is a queued command with the means to stop it, or to end its pondering, before
// and while it runs.
type job struct {
	command
	ctx           context.Context    // of an isready: how long it waits
	cancel        context.CancelFunc // of a search or a command
	options       *group             // the option's own, or those since the previous search or command; nil if none
	ponderHit     chan search.Clock  // delivers the ponderhit to the search
	ponderHitDone chan struct{}      // closed by the ponderhit
	ponderHitSent bool               // under session.mu
	clocked       bool               // the ponderhit has brought a clock; under session.mu
}

// errStopped is the cause for which the context of a job ends early.
var errStopped = errors.New("stopped")

// newContext returns a context and what ends it with errStopped.
func newContext() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	return ctx, func() { cancel(errStopped) }
}

// group is options between two searches or commands. The end of the input ends the waits alone.
type group struct {
	ctx, waits          context.Context // of all, and of those that may wait for another process
	cancel, cancelWaits context.CancelFunc
	stopped             bool // under session.mu: those with no save queued behind them are not to run
}

func newGroup() *group {
	g := new(group)
	g.ctx, g.cancel = newContext()
	waits, cancel := context.WithCancelCause(g.ctx)
	g.waits, g.cancelWaits = waits, func() { cancel(errStopped) }
	return g
}

// endWaits ends the waits of a group, which may be nil.
func (g *group) endWaits() {
	if g != nil {
		g.cancelWaits()
	}
}

// newJob returns a job for c. Searches and commands have a context of their own.
func newJob(c command) *job {
	j := &job{command: c}
	if c.verb != vGo && c.verb != vCommand {
		return j
	}
	j.ctx, j.cancel = newContext()
	if c.verb == vGo && c.limits.Ponder {
		j.ponderHit = make(chan search.Clock, 1)
		j.ponderHitDone = make(chan struct{})
		j.limits.PonderHit = j.ponderHit
	}
	return j
}

// bounded reports whether the job ends without further input.
func (j *job) bounded() bool {
	return j.verb != vGo || (bounded(&j.limits) || j.clocked && !j.limits.Infinite) && !j.pondering()
}

// pondering reports whether the job is a search that has no ponderhit yet.
func (j *job) pondering() bool { return j.limits.Ponder && !j.ponderHitSent }

// bounded reports whether a search with these limits ends by itself, if it does not ponder. A search for mates is not
// bounded by a depth.
func bounded(l *search.Limits) bool {
	return !l.Infinite && (l.Depth > 0 && l.Mate == 0 || l.Nodes > 0 || l.MoveTime > 0 || l.Clock.Given)
}

// push queues c, unless the queue is full. Called with mu held.
func (s *session) push(c command) {
	if !s.admit(c.line) {
		s.out.infoString(fmt.Sprintf("the input queue is full (%d MiB): a line was skipped", s.pending>>20))
		return
	}
	j := newJob(c)
	s.queue = append(s.queue, j)
	switch j.verb {
	case vReady:
		if s.pendingReady++; s.stopKeepAlive == nil && c.d.keepsAlive {
			s.stopKeepAlive = repeat(keepAliveInterval, func() { s.out.print("") })
		}
		if s.settling == nil {
			s.settling, s.endSettling = newContext()
		}
		j.ctx = s.settling
	case vSetOption:
		if j.option.Saves() {
			s.pendingSaves++
		}
		if s.options == nil {
			s.options = newGroup()
		}
		j.options = s.options
		if j.ctx = s.options.ctx; j.option.Waits() {
			j.ctx = s.options.waits
		}
	case vGo, vCommand:
		s.waiting = append(s.waiting, j)
		s.settle()
		j.options, s.options = s.options, nil
	}
	s.wake.Signal()
}

// admit counts the bytes of a line that is queued, unless there is no memory for them. Called with mu held.
func (s *session) admit(bytes int) bool {
	pending := s.pending + bytes
	if pending > s.granted && pending > minPending {
		if s.full = s.full || pending > maxPending || s.engine.Room() < uint64(bytes+pendingStep+leftOver); s.full {
			return false
		}
		s.granted = pending + pendingStep
	}
	s.pending = pending
	return true
}

// release counts a line that has left the queue. Called with mu held.
func (s *session) release(bytes int) {
	s.pending -= bytes
	s.full = false
	s.granted = min(s.granted, s.pending+pendingStep)
}

// settle ends the waits of every isready read so far. Called with mu held.
func (s *session) settle() {
	if s.settling != nil {
		s.endSettling()
		s.settling = nil
	}
}

// answerReady answers an isready that has left the queue, once the engine has settled.
func (s *session) answerReady(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	s.engine.Settle(ctx)
	cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pendingReady--
	s.endKeepAlive()
	s.ready()
}

// endKeepAlive ends the empty lines once no isready is pending. Called with mu held.
func (s *session) endKeepAlive() {
	if s.stopKeepAlive != nil && s.pendingReady == 0 {
		s.stopKeepAlive()
		s.stopKeepAlive = nil
	}
}

// stop ends all searches read so far, all commands too if so told, and the options that they wait for; at
// quit, all options, but those before a command that is finished after a while. It returns the number of
// searches and commands, without searches and commands that an earlier stop has ended. Called with mu held.
func (s *session) stop(commands bool) (n int) {
	s.settle()
	var left []*job // without it a script with a stop for every go would take quadratic time
	for j := range s.live {
		if j.verb == vCommand && !commands {
			if j != s.running {
				left = append(left, j)
			}
			s.stopOptionsLater(j.options)
			continue
		}
		j.cancel()
		n++
		s.stopOptions(j.options)
	}
	if s.quit {
		s.stopOptions(s.options)
	}
	s.waiting = left
	return n
}

// stopOptionsLater is stopOptions after endGrace. Called with mu held.
func (s *session) stopOptionsLater(g *group) {
	time.AfterFunc(endGrace, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stopOptions(g)
	})
}

// stopOptions ends the waits of a group, and, unless a save is queued, all its options. Called with mu
// held.
func (s *session) stopOptions(g *group) {
	g.endWaits()
	if g == nil {
		return
	}
	if g.stopped = true; s.pendingSaves == 0 {
		g.cancel()
	}
}

// live visits the running job and the waiting ones. Called with mu held.
func (s *session) live(visit func(*job) bool) {
	if s.running != nil && !visit(s.running) {
		return
	}
	for _, j := range s.waiting {
		if !visit(j) {
			return
		}
	}
}

// ponderHit passes the clock, if there is one, to the earliest search that still
// ponders. Called with mu held.
func (s *session) ponderHit(clock search.Clock) {
	for j := range s.live {
		if j.ponderHit != nil && !j.ponderHitSent && j.ctx.Err() == nil {
			j.ponderHitSent, j.clocked = true, clock.Given
			j.ponderHit <- clock
			close(j.ponderHitDone)
			return
		}
	}
	s.out.infoString("ponderhit: no search is pondering")
}

// next waits for a job and returns nil when there are no more. A long job is marked as
// running, and every isready that is queued behind it is answered now, unless a stop has ended it.
func (s *session) next() *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) == 0 {
		if s.ended || s.quit {
			s.over = true
			return nil
		}
		s.wake.Wait()
	}
	j := s.queue[0]
	s.queue[0] = nil // frees a long line
	s.queue = s.queue[1:]
	if len(s.waiting) > 0 && s.waiting[0] == j {
		s.waiting[0] = nil
		s.waiting = s.waiting[1:]
	}
	s.release(j.line)
	if j.option.Saves() {
		s.pendingSaves--
	}
	if j.verb == vSetOption && j.options.stopped {
		s.stopOptions(j.options)
	}
	if j.verb != vGo && !(j.verb == vCommand && s.commands[j.name].Long) {
		return j
	}
	s.running = j
	if s.pendingReady > 0 && j.ctx.Err() == nil {
		s.queue = slices.DeleteFunc(s.queue, func(q *job) bool {
			if q.verb == vReady {
				s.release(q.line)
				s.out.infoString(q.remarks...)
				s.ready()
			}
			return q.verb == vReady
		})
		s.pendingReady = 0
		s.endKeepAlive()
	}
	return j
}
