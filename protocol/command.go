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
	d       *dialect        // in which the line was read
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
type dialect struct {
	verbs    map[string]verb // the words that a line may begin with; words before the first of them are skipped
	notation string          // of positions
	protocol options.Protocol
	// arguments reads what follows the word that c.verb stands for.
	arguments    func(c *command, line string, args []string, at time.Time)
	namesUnknown bool   // an option that does not exist is reported
	keepsAlive   bool   // empty lines are sent while readyok is pending
	numbersMoves bool   // a report of the move that is searched has its number
	hello        string // the last line of the answer to the protocol's first word
	help         string // the words of the protocol
	// score and best format a score and a result.
	score func(search.Score) string
	best  func(search.Result) string
}
