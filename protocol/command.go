package protocol

import (
	"time"

	"trefoil/options"
	"trefoil/search"
)

// verb is the kind of a line.
type verb uint8

const (
	vNothing verb = iota // an empty line, or one of which only remarks remain
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
	vCommand // a command of the engine
)

// command is one parsed line. Only the fields of its verb are set.
type command struct {
	verb    verb
	d       dialect         // in which the line was read
	line    int             // bytes that it takes in the queue
	remarks []string        // about the line, printed when its turn comes
	on      bool            // vDebug
	name    string          // vSetOption, vCommand
	option  options.Setting // vSetOption: found when the line is accepted
	value   string          // vSetOption
	text    string          // vPosition: the arguments, split when the job runs: they may be megabytes
	args    []string        // vCommand
	limits  search.Limits   // vGo; vPonderHit: the clock
}

// dialect is one text protocol: how its lines are read and written. The session is the same for all
// protocols.
type dialect interface {
	// parse reads one line, which arrived at that time; own reports whether the engine has a command of that
	// name.
	parse(line string, at time.Time, own func(name string) bool) command
	// position reads what follows vPosition.
	position(text string) (setup string, moves []string, err error)
	// protocol names the options.
	protocol() options.Protocol
	// namesUnknown reports whether an option that does not exist is reported.
	namesUnknown() bool
	// hello is the last line of the answer to the protocol's first word.
	hello() string
	// info and best format a report and a result.
	info(search.Info) string
	best(search.Result) string
	// keepsAlive reports whether empty lines are sent while readyok is pending.
	keepsAlive() bool
	// help lists the words of the protocol.
	help() string
}
