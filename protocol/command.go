package protocol

import (
	"context"
	"strconv"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// verb is what a line asks of the session.
type verb uint8

const (
	vNothing verb = iota // an empty line, or one that only earns a remark
	vHello
	vReady
	vStop
	vPonderHit
	vQuit
	vDebug
	vNewGame
	vSetOption
	vPosition
	vGo
	vCommand // a command of the engine's own
)

// command is one parsed line. Only the fields of its verb are set.
type command struct {
	verb   verb
	d      dialect       // that the line was read in
	line   int           // bytes it takes while it waits
	says   []string      // remarks about the line, told when its turn comes
	on     bool          // vDebug
	name   string        // vSetOption, vCommand
	value  string        // vSetOption
	text   string        // vPosition: what follows it; millions of moves are split late
	args   []string      // vCommand
	limits search.Limits // vGo; vPonderHit: the clock
}

// dialect is one text protocol: how its lines are read and written. The session
// around it is the same for all.
type dialect interface {
	// parse reads one line that arrived at a time; own tells the names of the
	// engine's own commands.
	parse(line string, at time.Time, own func(name string) bool) command
	// position reads what follows vPosition.
	position(text string) (setup string, moves []string, err error)
	// protocol names the options.
	protocol() options.Protocol
	// namesUnknown reports whether an option that does not exist is reported.
	namesUnknown() bool
	// hello is the last line of the answer to the protocol's first word.
	hello() string
	// info, best and say print a report, an answer, and a line for people.
	info(search.Info) string
	best(search.Result) string
	say(text string) string
	// readyok answers vReady; keepsAlive says that empty lines tell who waits for it
	// that we live.
	readyok() string
	keepsAlive() bool
	// help lists the words of the protocol.
	help() string
}

// job is a command that has its turn to wait for, and what can reach it before
// and during that turn.
type job struct {
	command
	ctx    context.Context
	cancel context.CancelFunc
	hit    chan search.Clock // delivers the ponderhit to the search
	hitOn  chan struct{}     // closed by the ponderhit
	isHit  bool              // under Session.mu
}

// newJob makes a job of c. Only a search or a command has a context.
func newJob(c command) *job {
	j := &job{command: c}
	if c.verb != vGo && c.verb != vCommand {
		return j
	}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	if c.verb == vGo && c.limits.Ponder {
		j.hit = make(chan search.Clock, 1)
		j.hitOn = make(chan struct{})
		j.limits.PonderHit = j.hit
	}
	return j
}

// bounded reports whether the job ends without a word from outside.
func (j *job) bounded() bool {
	if j.verb != vGo {
		return true
	}
	l := &j.limits
	if l.Infinite || l.Ponder && !j.isHit {
		return false
	}
	return l.Depth > 0 || l.Nodes > 0 || l.MoveTime > 0 || l.Clock.Given
}

// brief quotes what somebody sent, cut to a length fit for one line.
func brief(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.Quote(s)
}
