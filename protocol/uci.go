package protocol

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"trefoil/options"
	"trefoil/search"
)

// uci is the Universal Chess Interface.
var uci = &dialect{
	verbs: map[string]verb{
		"uci": vHello, "isready": vReady, "stop": vStop, "ponderhit": vPonderHit,
		"quit": vQuit, "debug": vDebug, "ucinewgame": vNewGame,
		"setoption": vSetOption, "position": vPosition, "go": vGo,
	},
	arguments: uciArguments,
	notation:  "fen",
	protocol:  options.UCI, namesUnknown: true, numbersMoves: true,
	hello: "uciok",
	help:  "UCI: uci isready setoption ucinewgame position go stop ponderhit debug quit",
	score: uciScore,
	best:  uciBest,
}

// fields splits a line at blanks and control characters, NUL among them.
func fields(line string) []string {
	return strings.FieldsFunc(line, blank)
}

func blank(r rune) bool { return r <= ' ' || r == 0x7f }

// firstWord returns the first word of a line, "" if there is none.
func firstWord(line string) string {
	for word := range strings.FieldsFuncSeq(line[:min(len(line), 64)], blank) {
		return word
	}
	return ""
}

// parse reads one line, which arrived at that time; own reports whether the engine has a command of that name.
func (d *dialect) parse(line string, at time.Time, own func(name string) bool) command {
	if rest, ok := strings.CutPrefix(line, "position "); ok {
		return command{verb: vPosition, text: rest}
	}
	words := fields(line)
	if len(words) == 0 {
		return command{}
	}
	if _, ok := d.verbs[words[0]]; !ok && own(words[0]) {
		return command{verb: vCommand, name: words[0], args: firstArgs(words[1:])}
	}
	var c command
	for i, w := range words {
		v, ok := d.verbs[w]
		if !ok {
			continue
		}
		c.verb = v
		if i > 0 {
			c.remark("skipped %.60q", strings.Join(words[:min(i, 8)], " "))
		}
		d.arguments(&c, line, words[i+1:], at)
		return c
	}
	c.remark("unknown command %.60q (help lists the commands)", words[0])
	return c
}

// maxRemarks bounds the remarks about one line, maxArgs the words that are kept: a line
// may have millions of them.
const (
	maxRemarks = 20
	maxArgs    = 1000
)

// remark adds a message that is printed when the command's turn comes.
func (c *command) remark(format string, args ...any) {
	switch n := len(c.remarks); {
	case n < maxRemarks:
		c.remarks = append(c.remarks, fmt.Sprintf(format, args...))
	case n == maxRemarks:
		c.remarks = append(c.remarks, "further remarks are omitted")
	}
}

// firstArgs returns a copy of the first maxArgs words.
func firstArgs(words []string) []string { return slices.Clone(words[:min(len(words), maxArgs)]) }

// refuse turns c into a remark.
func (c *command) refuse(format string, args ...any) {
	c.verb = vNothing
	c.remark(format, args...)
}

// uciArguments reads what follows the word that c.verb stands for.
func uciArguments(c *command, line string, args []string, at time.Time) {
	switch c.verb {
	case vDebug:
		c.on = len(args) == 0 || args[0] == "on"
		if !c.on && args[0] != "off" {
			c.refuse("debug: %.60q is neither on nor off", args[0])
		}
	case vSetOption:
		uciSetOption(c, line, args)
	case vPosition:
		c.text = strings.Join(args, " ")
	case vGo:
		uciGo(c, args, at)
	}
}

// uciSetOption reads "name N [value V]". Names are joined by single spaces; a
// value keeps the spaces inside it.
func uciSetOption(c *command, line string, args []string) {
	if len(args) < 2 || !strings.EqualFold(args[0], "name") || strings.EqualFold(args[1], "value") {
		c.refuse("usage: setoption name NAME [value VALUE]")
		return
	}
	args = args[1:]
	end := 0
	for end < len(args) && !strings.EqualFold(args[end], "value") {
		end++
	}
	c.name = strings.Join(args[:end], " ")
	if end+1 >= len(args) {
		return
	}
	c.value = strings.Join(args[end+1:], " ")
	if raw := strings.Trim(line, " \t\r\n\x00"); strings.Contains(raw, "  ") {
		// The value keeps its spaces: it reaches from its first word to the end of the line.
		lower := strings.ToLower(raw)
		if i := strings.Index(lower, " value "); i >= 0 && len(lower) == len(raw) {
			c.value = strings.TrimSpace(raw[i+len(" value "):])
		}
	}
}

// position reads "startpos|NOTATION F [moves M…]", what follows vPosition; sfen is a notation in any dialect.
func (d *dialect) position(text string) (setup string, moves []string, err error) {
	notation := d.notation
	words := fields(text)
	end := beforeMoves(words)
	if end < len(words) {
		moves = words[end+1:]
	}
	words = words[:end]
	if len(words) > 0 && words[0] == "sfen" {
		notation = "sfen"
	}
	switch {
	case len(words) == 1 && words[0] == "startpos":
		return "startpos", moves, nil
	case len(words) > 1 && words[0] == notation:
		return strings.Join(words[1:], " "), moves, nil
	case len(words) > 0 && strings.Contains(words[0], "/"):
		return strings.Join(words, " "), moves, nil // the word is missing
	case len(words) == 0:
		err = fmt.Errorf("missing position: expected startpos or %s", notation)
	case words[0] == "startpos":
		err = fmt.Errorf("expected moves, not %.60q", words[1])
	case words[0] == notation:
		err = fmt.Errorf("%s without a %s", notation, strings.ToUpper(notation))
	default:
		err = fmt.Errorf("%.60q is neither startpos nor %s", words[0], notation)
	}
	return "", nil, err
}

// beforeMoves returns the number of words before "moves". The word does not count within double quotes, as in
// an EPD comment.
func beforeMoves(words []string) int {
	open, last := false, -1
	for i, w := range words {
		if w == "moves" {
			if open && last < 0 {
				last = len(words) - 1
				for last > i && !strings.Contains(words[last], `"`) {
					last--
				}
			}
			if !open || last <= i {
				return i
			}
		}
		if strings.Count(w, `"`)%2 == 1 {
			open = !open
		}
	}
	return len(words)
}

// identify begins a dialogue: it returns the lines with the engine's name and author, with the options of the
// current game that the protocol lists, and with its notices.
func identify(d *dialect, e Engine) []string {
	var lines []string
	if err := e.Start(d.protocol); err != nil {
		lines = append(lines, infoString(err.Error()))
	}
	lines = append(lines, "id name "+e.Name(), "id author "+e.Author())
	for _, o := range e.Options().ListFor(d.protocol, e.Game()) {
		lines = append(lines, listed(o, o.Name(d.protocol)))
	}
	for _, notice := range e.Notices() {
		lines = append(lines, infoString(notice))
	}
	return append(lines, d.hello)
}

// listed formats one declaration.
func listed(o options.Option, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "option name %s type %s", name, o.Kind)
	switch o.Kind {
	case options.KindSpin:
		fmt.Fprintf(&b, " default %s min %d max %d", o.Default, o.Min, o.Max)
	case options.KindString:
		def := o.Default
		if def == "" {
			def = "<empty>"
		}
		b.WriteString(" default " + def)
	case options.KindCheck, options.KindCombo:
		b.WriteString(" default " + o.Default)
	}
	for _, v := range o.Vars {
		b.WriteString(" var " + v)
	}
	return b.String()
}

// infoString formats a message.
func infoString(text string) string { return "info string " + text }

func uciBest(r search.Result) string {
	switch {
	case r.NoPosition:
		return "bestmove 0000"
	case r.Best == "":
		return "bestmove (none)"
	case r.Ponder == "":
		return "bestmove " + r.Best
	default:
		return "bestmove " + r.Best + " ponder " + r.Ponder
	}
}

// info formats a report.
func (d *dialect) info(i search.Info) string {
	var b strings.Builder
	switch {
	case i.Text != "":
		return infoString(strings.ReplaceAll(i.Text, "\n", " "))
	case i.CurrMove != "":
		fmt.Fprintf(&b, "info depth %d currmove %s", i.Depth, i.CurrMove)
		if d.numbersMoves {
			fmt.Fprintf(&b, " currmovenumber %d", i.CurrMoveNumber)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "info depth %d seldepth %d multipv %d score %s", i.Depth, max(i.SelDepth, i.Depth),
		max(i.MultiPV, 1), d.score(i.Score))
	switch i.Bound {
	case search.Lower:
		b.WriteString(" lowerbound")
	case search.Upper:
		b.WriteString(" upperbound")
	}
	if i.WDL != nil {
		fmt.Fprintf(&b, " wdl %d %d %d", i.WDL[0], i.WDL[1], i.WDL[2])
	}
	ms := max(i.Time.Milliseconds(), 0)
	fmt.Fprintf(&b, " nodes %d nps %d", i.Nodes, perSecond(i.Nodes, i.Time))
	if i.HashFull >= 0 {
		fmt.Fprintf(&b, " hashfull %d", i.HashFull)
	}
	if i.TableHits > 0 {
		fmt.Fprintf(&b, " tbhits %d", i.TableHits)
	}
	fmt.Fprintf(&b, " time %d", ms)
	if len(i.PV) > 0 {
		b.WriteString(" pv " + strings.Join(i.PV, " "))
	}
	return b.String()
}

// perSecond is nodes per second; a time below a millisecond counts as one.
func perSecond(nodes uint64, d time.Duration) uint64 {
	return uint64(float64(nodes) / max(d, time.Millisecond).Seconds())
}

// uciScore formats centipawns, or a mate in moves, negative if the side to move is
// mated.
func uciScore(s search.Score) string {
	switch {
	case !s.Mate:
		return fmt.Sprintf("cp %d", s.Centipawns)
	case s.Plies > 0:
		return fmt.Sprintf("mate %d", (s.Plies+1)/2)
	default:
		return fmt.Sprintf("mate %d", -((1 - s.Plies) / 2))
	}
}
