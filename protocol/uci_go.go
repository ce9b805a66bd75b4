package protocol

import (
	"math"
	"strconv"
	"time"

	"trefoil/search"
)

// goWords are the words of `go`; searchmoves ends at the next of them.
var goWords = map[string]bool{
	"searchmoves": true, "ponder": true, "infinite": true, "perft": true,
	"wtime": true, "btime": true, "winc": true, "binc": true, "movestogo": true,
	"depth": true, "nodes": true, "mate": true, "movetime": true,
}

// longest is the longest time of `go`; larger numbers are reduced to it. The increments of a game at ten times the
// usual pace have to fit into a time.Duration.
const longest = 1 << 36 // milliseconds: two years

// uciGo reads the limits of a search that was asked for at that time.
//
// Every `go` is answered: an invalid number or an unknown word is reported and skipped, and if
// nothing else limits the search its depth is 1, so that the GUI gets a legal move soon. A clock may
// be negative, as GUIs send it; numbers that are too large are reduced to the largest.
func uciGo(c *command, args []string, at time.Time) {
	p := goParser{c: c, args: args, words: goWords}
	l := &c.limits
	l.Start = at
	for p.next() {
		switch p.word {
		case "wtime":
			p.clock(&l.Clock.Time[0], math.MinInt64)
		case "btime":
			p.clock(&l.Clock.Time[1], math.MinInt64)
		case "winc":
			p.clock(&l.Clock.Inc[0], 0)
		case "binc":
			p.clock(&l.Clock.Inc[1], 0)
		case "movestogo":
			if n, ok := p.number(0); ok {
				l.Clock.MovesToGo = int(min(n, math.MaxInt32))
			}
		case "mate":
			if len(p.args) == 0 || goWords[p.args[0]] {
				l.Mate = search.AnyMate
			} else if n, ok := p.number(1); ok {
				l.Mate = int(min(n, search.AnyMate))
			}
		case "perft":
			p.perft()
			return
		default:
			p.common()
		}
	}
	p.finish()
}

// common reads a word that both dialects have.
func (p *goParser) common() {
	l := &p.c.limits
	switch p.word {
	case "searchmoves":
		p.searchMoves()
	case "ponder":
		l.Ponder = true
	case "infinite":
		l.Infinite = true
	case "depth":
		if n, ok := p.number(1); ok {
			l.Depth = int(min(n, math.MaxInt32))
		}
	case "nodes":
		if n, ok := p.number(1); ok {
			l.Nodes = uint64(n)
		}
	case "movetime":
		p.moveTime()
	default:
		p.bad = true // it may have been the limit
		p.c.remark("%s: unknown word %.60q skipped", p.verb(), p.word)
	}
}

// moveTime reads a fixed time for the move.
func (p *goParser) moveTime() {
	if n, ok := p.number(1); ok {
		p.c.limits.MoveTime = milliseconds(n)
	}
}

// verb is the word that begins the line.
func (p *goParser) verb() string {
	if p.c.verb == vPonderHit {
		return "ponderhit"
	}
	return "go"
}

// finish limits a search for which an invalid number or an unknown word was the only limit.
func (p *goParser) finish() {
	l := &p.c.limits
	if p.bad && !l.Infinite && !bounded(l) && l.Mate == 0 {
		p.c.remark("go: no valid limit: the search depth is 1")
		l.Depth = 1
	}
}

// goParser reads the words of one `go`.
type goParser struct {
	c     *command
	args  []string
	words map[string]bool // of this dialect
	word  string
	bad   bool // a word or number could not be used
}

func (p *goParser) next() bool {
	if len(p.args) == 0 {
		return false
	}
	p.word, p.args = p.args[0], p.args[1:]
	return true
}

// number reads the whole number that follows, which saturates at 64 bits. Anything else, or
// a number below least, is reported and skipped.
func (p *goParser) number(least int64) (int64, bool) {
	if len(p.args) == 0 || p.words[p.args[0]] {
		p.bad = true
		p.c.remark("%s: %s without a number is skipped", p.verb(), p.word)
		return 0, false
	}
	text := p.args[0]
	p.args = p.args[1:]
	n, err := strconv.ParseInt(text, 10, 64)
	if numErr, ok := err.(*strconv.NumError); ok && numErr.Err != strconv.ErrRange {
		p.bad = true
		p.c.remark("%s: %s %.60q is not a whole number and is skipped", p.verb(), p.word, text)
		return 0, false
	}
	if n < least {
		p.bad = true
		p.c.remark("%s: %s %.60q is below %d and is skipped", p.verb(), p.word, text, least)
		return 0, false
	}
	return n, true
}

// clock reads a time in milliseconds.
func (p *goParser) clock(d *time.Duration, least int64) {
	if n, ok := p.number(least); ok {
		*d = milliseconds(n)
		p.c.limits.Clock.Given = true
	}
}

func milliseconds(n int64) time.Duration {
	return time.Duration(max(min(n, longest), -longest)) * time.Millisecond
}

// searchMoves reads the moves up to the next word of `go`.
func (p *goParser) searchMoves() {
	n := 0
	for n < len(p.args) && !p.words[p.args[n]] {
		n++
	}
	l := &p.c.limits
	left := maxArgs - len(l.SearchMoves)
	switch {
	case n == 0:
		p.c.remark("go: searchmoves without a move is skipped")
	case n > left:
		p.c.remark("go: only the first %d searchmoves are read", maxArgs)
	}
	l.SearchMoves = append(l.SearchMoves, p.args[:min(n, left)]...)
	p.args = p.args[n:]
}

// perft turns the command into the command perft of the engine.
func (p *goParser) perft() {
	p.c.verb, p.c.name, p.c.limits = vCommand, "perft", search.Limits{}
	p.c.args = firstArgs(p.args)
}
