// Command matematch compares two UCI engines at forced mates of chess, by the processor time that they take:
//
//	go build -o trefoil . && go run ./tools/matematch './trefoil Hash=64' 'stockfish Hash=64' mates.epd
//
// Each line of the file is EPD with the length of the mate, `bm #N`, negative if the side to move is mated. The engines
// search every position in turn, after `ucinewgame`, with `go mate N` (without the sign). The search of one ends when
// it reports a mate of the right side within N moves, when it ends by itself, or after the processor time of -each. So
// other load on the machine does not matter. An exact score counts, a bound does not.
//
// With -untold the first engine searches with `go mate infinite`, and is stopped likewise.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"trefoil/game/chess"
	"trefoil/tools/internal/program"
)

func main() { program.Main("matematch", run) }

const usage = "matematch [flags] ENGINE ENGINE FILE, an engine being PATH [OPTION=VALUE]..."

// match is what the flags say.
type match struct {
	each   time.Duration // processor time for a position
	untold bool
	every  int // every n-th position of the file, beginning with number from
	from   int
	most   int // the longest mate
	out    io.Writer
	log    io.Writer // nil: no lines for the positions
}

func run(ctx context.Context, args []string, out, errs io.Writer) (err error) {
	m := match{out: out}
	set := program.Flags(usage, errs)
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
		return fmt.Errorf("%d arguments, want 3\nusage: %s", set.NArg(), usage)
	case m.each <= 0 || m.every < 1 || m.from < 1 || m.most < 1:
		return errors.New("-each, -every, -from and -most must be more than 0")
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
		if sides[i], err = newEngine(strings.Fields(set.Arg(i))); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, sides[i].close()) }()
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
func (m *match) read(name string) (problems []problem, err error) {
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

// account is what an engine has done.
type account struct {
	solved, short int           // all, and those within the stated moves
	used          time.Duration // processor time for all positions
	usedShort     time.Duration // for those within the stated moves
}

// play lets the engines search all problems in turn.
func (m *match) play(ctx context.Context, sides [2]*engine, problems []problem) error {
	var sums [2]account
	byLength := map[int]*[2]account{}
	n := 0
	for _, p := range problems {
		if ctx.Err() != nil {
			break
		}
		n++
		row := fmt.Sprintf("line %d #%d:", p.line, p.moves)
		if byLength[abs(p.moves)] == nil {
			byLength[abs(p.moves)] = new([2]account)
		}
		for i, e := range sides {
			r, err := e.search(ctx, p, m.each, m.untold && i == 0)
			if err != nil {
				return fmt.Errorf("line %d: %w", p.line, err)
			}
			for _, a := range []*account{&sums[i], &byLength[abs(p.moves)][i]} {
				a.count(p, r)
			}
			row += fmt.Sprintf(" %d in %.3f s", r.mate, r.used.Seconds())
		}
		if m.log != nil {
			fmt.Fprintln(m.log, row)
		}
	}
	fmt.Fprintln(m.out, "mate in, solved, as short as stated, seconds of processor time; of each engine")
	for length := range 1000 {
		if a := byLength[length]; a != nil {
			fmt.Fprintf(m.out, "%d\t%v\t%v\n", length, &a[0], &a[1])
		}
	}
	for i, e := range sides {
		a := &sums[i]
		fmt.Fprintf(m.out, "%s: of %d positions %d solved, %d as short as stated; %.1f s of processor time, %.1f for "+
			"those as short as stated\n",
			e.name, n, a.solved, a.short, a.used.Seconds(), a.usedShort.Seconds())
	}
	return nil
}

func (a *account) String() string {
	return fmt.Sprintf("%d %d %.2f", a.solved, a.short, a.used.Seconds())
}

// count adds a result.
func (a *account) count(p problem, r result) {
	a.used += r.used
	if r.mate != 0 {
		a.solved++
	}
	if r.within(p) {
		a.short++
		a.usedShort += r.used
	}
}
