package protocol

import (
	"fmt"
	"math"
	"strings"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// usi is the Universal Shogi Interface. The code that it shares with UCI is in uci.go. `gameover` ends a search; GUIs
// expect its answer and ignore it. Shogi GUIs send options that no engine lists.
var usi = &dialect{
	verbs: map[string]verb{
		"usi": vHello, "isready": vReady, "stop": vStop, "gameover": vStop, "ponderhit": vPonderHit,
		"quit": vQuit, "usinewgame": vNewGame, "setoption": vSetOption, "position": vPosition, "go": vGo,
	},
	arguments: usiArguments,
	notation:  "sfen",
	protocol:  options.USI, keepsAlive: true,
	hello: "usiok",
	help:  "USI: usi isready setoption usinewgame position go stop ponderhit gameover quit",
	score: usiScore,
	best:  usiBest,
}

// usiArguments reads what follows the word that c.verb stands for.
func usiArguments(c *command, line string, args []string, at time.Time) {
	switch c.verb {
	case vSetOption:
		uciSetOption(c, line, args)
	case vPosition:
		c.text = strings.Join(args, " ")
	case vGo:
		usiGo(c, args, at)
	case vPonderHit:
		p := goParser{c: c, args: args, words: usiGoWords}
		for p.next() {
			if !p.usiClock() {
				c.remark("ponderhit: unknown word %.60q skipped", p.word)
			}
		}
		usiIncrements(&c.limits.Clock)
	}
}

// usiGoWords are the words of `go`.
var usiGoWords = map[string]bool{
	"searchmoves": true, "ponder": true, "infinite": true, "perft": true, "mate": true,
	"btime": true, "wtime": true, "byoyomi": true, "binc": true, "winc": true,
	"depth": true, "nodes": true, "movetime": true, "rtime": true,
}

// usiGo reads the limits of a search that was asked for at that time, as uciGo does.
func usiGo(c *command, args []string, at time.Time) {
	p := goParser{c: c, args: args, words: usiGoWords}
	c.limits.Start = at
	for p.next() {
		switch p.word {
		case "mate":
			p.mate()
			return
		case "perft":
			p.perft()
			return
		case "rtime": // YaneuraOu adds up to half of it at random
			p.moveTime()
		default:
			if !p.usiClock() {
				p.common()
			}
		}
	}
	usiIncrements(&c.limits.Clock)
	c.limits.Declare = len(c.limits.SearchMoves) == 0
	p.finish()
}

// mate reads "mate [MS|infinite]"; the time is its only limit. An invalid time counts as
// 1 ms.
func (p *goParser) mate() {
	l := &p.c.limits
	*l = search.Limits{Start: l.Start, Mate: search.AnyMate, Checks: true}
	if len(p.args) == 0 || p.args[0] == "infinite" {
		return
	}
	n, ok := p.number(1)
	if !ok {
		p.c.remark("go: no valid limit: the search takes 1 ms")
		n = 1
	}
	l.MoveTime = milliseconds(n)
}

// usiClock reads a word about the clock, and reports whether it is one.
func (p *goParser) usiClock() bool {
	c := &p.c.limits.Clock
	switch p.word {
	case "btime":
		p.clock(&c.Time[0], math.MinInt64)
	case "wtime":
		p.clock(&c.Time[1], math.MinInt64)
	case "binc":
		p.clock(&c.Inc[0], 0)
	case "winc":
		p.clock(&c.Inc[1], 0)
	case "byoyomi":
		p.clock(&c.Byoyomi, 0)
	default:
		return false
	}
	return true
}

// usiIncrements adds the increment of this move, which the clocks of USI do not contain.
func usiIncrements(c *search.Clock) {
	for i, inc := range c.Inc {
		c.Time[i] += inc
	}
}

func usiBest(r search.Result) string {
	switch {
	case r.Checkmate != nil:
		return checkmate(r.Checkmate)
	case r.Declares:
		return "bestmove win"
	case r.Best == "" || r.Resigns || r.NoPosition:
		return "bestmove resign"
	}
	return uciBest(r)
}

// checkmate formats the answer to `go mate`.
func checkmate(c *search.Checkmate) string {
	switch {
	case c.None:
		return "checkmate nomate"
	case len(c.Line) == 0:
		return "checkmate timeout"
	}
	return "checkmate " + strings.Join(c.Line, " ")
}

// usiScore formats centipawns, or a mate in plies, negative if the side to move is mated;
// -0 means that it is mated already.
func usiScore(s search.Score) string {
	switch {
	case !s.Mate:
		return fmt.Sprintf("cp %d", s.Centipawns)
	case s.Plies == 0:
		return "mate -0"
	}
	return fmt.Sprintf("mate %d", s.Plies)
}
