package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"trefoil/game/chess"
)

// mateMatch is what the flags of the subcommand mates say. Each line of its file is EPD with the length of the mate,
// `bm #N`, negative if the side to move is mated. The engines search every position in turn, after `ucinewgame`, with
// `go mate N` (without the sign). A search ends when the engine reports a mate of the right side within N moves, when
// it ends by itself, or after the processor time of -each. So other load on the machine does not matter. An exact
// score counts, a bound does not.
type mateMatch struct {
	each   time.Duration // processor time for a position
	untold bool          // the first engine searches with `go mate infinite`, and is stopped likewise
	every  int           // every n-th position of the file, beginning with number from
	from   int
	most   int // the longest mate
	out    io.Writer
	log    io.Writer // nil: no lines for the positions
}

// compareAtMates is the subcommand mates.
func compareAtMates(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) (err error) {
	m := mateMatch{out: out}
	set.DurationVar(&m.each, "each", time.Second, "processor time for a position")
	set.BoolVar(&m.untold, "untold", false, "do not tell the first engine the number of moves")
	set.IntVar(&m.every, "every", 1, "take every `N`-th position")
	set.IntVar(&m.from, "from", 1, "number of the first position")
	set.IntVar(&m.most, "most", 1000, "leave out mates in more moves")
	each := set.Bool("v", false, "print a line for each position")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case set.NArg() != 3:
		return fmt.Errorf("mates: %d arguments, want 3\nusage: %s", set.NArg(), usage)
	case m.each <= 0 || m.every < 1 || m.from < 1 || m.most < 1:
		return errors.New("mates: -each, -every, -from and -most must be more than 0")
	}
	if *each {
		m.log = out
	}
	problems, err := m.read(set.Arg(2))
	if err != nil {
		return err
	}
	var sides [2]*engine
	for i := range sides {
		if sides[i], err = newEngine(ctx, set.Arg(i), subjects["chess"]); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, sides[i].Close()) }()
	}
	return m.play(ctx, sides, problems)
}

// problem is a position with a mate.
type problem struct {
	line  int
	fen   string
	moves int // negative: the side to move is mated
}

// read returns the problems of a file that the flags choose.
func (m *mateMatch) read(name string) (problems []problem, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for line, n := 1, 0; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		n++
		if n < m.from || (n-m.from)%m.every != 0 {
			continue
		}
		p, operations, _, err := chess.ReadEPD(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		moves := 0
		for opcode, operand := range chess.Operations(operations) {
			if digits, ok := strings.CutPrefix(operand, "#"); ok && opcode == "bm" {
				moves, _ = strconv.Atoi(digits)
			}
		}
		if moves == 0 {
			return nil, fmt.Errorf("%s:%d: no length of a mate: bm #N is missing", name, line)
		}
		if abs(moves) <= m.most {
			problems = append(problems, problem{line, p.FEN(), moves})
		}
	}
	return problems, in.Err()
}

func abs(n int) int { return max(n, -n) }

// solved is what an engine has solved.
type solved struct {
	all, short int           // all, and those within the stated moves
	used       time.Duration // processor time for all positions
	usedShort  time.Duration // for those within the stated moves
}

// play lets the engines search all problems in turn, until ctx ends.
func (m *mateMatch) play(ctx context.Context, sides [2]*engine, problems []problem) error {
	var sums [2]solved
	byLength := map[int]*[2]solved{}
	n := 0
	for _, p := range problems {
		var found [2]result
		for i, e := range sides {
			var err error
			if found[i], err = mate(ctx, e, p, m.each, m.untold && i == 0); err != nil && ctx.Err() == nil {
				return fmt.Errorf("line %d: %w", p.line, err)
			}
		}
		if ctx.Err() != nil { // not both have searched it to the end
			break
		}
		n++
		row := fmt.Sprintf("line %d #%d:", p.line, p.moves)
		if byLength[abs(p.moves)] == nil {
			byLength[abs(p.moves)] = new([2]solved)
		}
		for i, r := range found {
			for _, a := range []*solved{&sums[i], &byLength[abs(p.moves)][i]} {
				a.count(p, r)
			}
			row += fmt.Sprintf(" %d in %.3f s", r.mate, r.used.Seconds())
		}
		if m.log != nil {
			fmt.Fprintln(m.log, row)
		}
	}
	fmt.Fprintln(m.out, "mate in, solved, as short as stated, seconds of processor time; of each engine")
	for _, length := range slices.Sorted(maps.Keys(byLength)) {
		fmt.Fprintf(m.out, "%d\t%v\t%v\n", length, &byLength[length][0], &byLength[length][1])
	}
	for i, e := range sides {
		a := &sums[i]
		fmt.Fprintf(m.out, "%s: of %d positions %d solved, %d as short as stated; %.1f s of processor time, %.1f for "+
			"those as short as stated\n",
			e.name, n, a.all, a.short, a.used.Seconds(), a.usedShort.Seconds())
	}
	return nil
}

func (a *solved) String() string {
	return fmt.Sprintf("%d %d %.2f", a.all, a.short, a.used.Seconds())
}

// count adds a result.
func (a *solved) count(p problem, r result) {
	a.used += r.used
	if r.mate != 0 {
		a.all++
	}
	if r.within(p) {
		a.short++
		a.usedShort += r.used
	}
}

// result is what a search has found.
type result struct {
	mate int // the shortest of the right side, negative if the side to move is mated; 0: none
	used time.Duration
}

// within reports whether the mate is as short as stated.
func (r result) within(p problem) bool { return r.mate != 0 && abs(r.mate) <= abs(p.moves) }

// poll is how often the processor time is read.
const poll = 2 * time.Millisecond

// mate lets an engine search a problem until it is solved or the processor time is used up.
func mate(ctx context.Context, e *engine, p problem, each time.Duration, untold bool) (r result, err error) {
	if err := e.ready(ctx, "ucinewgame", "position fen "+p.fen); err != nil {
		return r, err
	}
	began := e.used()
	command := fmt.Sprintf("go mate %d movetime %d", abs(p.moves), 100*each.Milliseconds())
	if untold {
		command = "go mate infinite"
	}
	if err := e.send(command); err != nil {
		return r, err
	}
	stopped := false
	end := func() {
		if !stopped {
			r.used = e.used() - began
			stopped, err = true, e.send("stop")
		}
	}
	ticker, late := time.NewTicker(poll), time.After(100*each+longest)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-late:
			return r, fmt.Errorf("%s: no bestmove after %v", e.name, longest)
		case <-ticker.C:
			if e.used()-began >= each {
				end()
			}
		case line, ok := <-e.lines:
			switch {
			case !ok:
				return r, fmt.Errorf("%s ended", e.name)
			case strings.HasPrefix(line, "bestmove"):
				end()
				return r, err
			case stopped || strings.Contains(line, "bound"):
				continue
			}
			mate, _ := number(line, "score mate")
			if mate != 0 && (mate < 0) == (p.moves < 0) && (r.mate == 0 || abs(mate) < abs(r.mate)) {
				if r.mate = mate; r.within(p) {
					end()
				}
			}
		}
	}
}
