package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"

	"trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/search/exact"
)

const connect4Usage = `usage: trefoil solve connect4 [FLAGS] [FILE]

Solves Connect Four positions, one a line from FILE or standard input:

  MOVES [EXPECTED]   the columns played from the empty board, 1 to 7, and the score
                     that is expected; an empty line or startpos is the empty board

and prints MOVES SCORE NODES MICROSECONDS for each as it is solved; with --analyze
the scores of the seven columns (- if full) in place of SCORE. A score is 22 minus
the stones that the winner has at the end, negative if the side to move loses, 0 for
a draw; with --weak only its sign. The table is empty before every position; emptying
it is not in the time. The last line is a summary.

A score that is not the expected one is reported, and so is a line that is no
position, by its number; the rest goes on. Ctrl-C prints the bounds that are proved,
as LOWER..UPPER, and ends.

exit status: 0; 1 after a wrong score or a bad line; 2 if nothing could be done;
130 after Ctrl-C

`

// columns solves Connect Four.
type columns struct {
	batch
	options  exact.Options
	analyze  bool
	bookFile string
	solver   *exact.Solver
	book     *book.Book

	nodes uint64
	spent time.Duration
}

// solveConnect4 runs solve connect4.
func solveConnect4(args []string, std streams) int {
	flags := newFlags("solve connect4")
	s := &columns{batch: newBatch(std)}
	o := &s.options
	flags.StringVar(&o.Solver, "solver", exact.Best, "`NAME`: best, or tutorial (part 11 of the tutorial to the last node)")
	flags.BoolVar(&o.Weak, "weak", false, "only whether it is won (1), drawn (0) or lost (-1)")
	flags.IntVar(&o.Threads, "threads", 1, "`N` workers over one table")
	flags.IntVar(&o.Hash, "hash", exact.DefaultHash, "size of the table in `MIB`; tutorial has its own")
	flags.BoolVar(&s.analyze, "analyze", false, "the scores of all columns")
	flags.StringVar(&s.bookFile, "book", "", "use the book in `FILE` (see book connect4) for the positions it holds; not with --analyze")
	if status, ok := parseFlags(flags, args, 1, connect4Usage, std); !ok {
		return status
	}
	err := checkSolver(*o)
	switch {
	case err != nil:
	case o.Solver == exact.Tutorial && isSet(flags, "hash"):
		err = fmt.Errorf("hash %d: the tutorial's solver has its own table", o.Hash)
	case s.analyze && s.bookFile != "":
		err = errors.New("analyze solves every column and uses no book")
	}
	if err != nil {
		fmt.Fprintf(std.err, "trefoil: solve connect4: %v\n", err)
		return statusMisuse
	}
	return s.run(flags.Arg(0), std, s)
}

// checkSolver refuses what exact.New takes for its defaults: nobody who writes 0 wants those.
func checkSolver(o exact.Options) error {
	if o.Hash < 1 || o.Threads < 1 {
		return fmt.Errorf("hash %d, threads %d: want 1 or more of each", o.Hash, o.Threads)
	}
	return nil
}

// open reads the book and makes the table, and touches it, so that the first position
// does not pay for the memory.
func (s *columns) open(ctx context.Context) (err error) {
	if s.bookFile != "" {
		if s.book, err = book.Open(s.bookFile); err != nil {
			return err
		}
	}
	if s.solver, err = exact.New(s.options); err != nil {
		return err
	}
	_ = s.solver.Prefault(ctx) // it ends early at Ctrl-C only
	return nil
}

// close prints the summary and gives the table back.
func (s *columns) close() error {
	if s.solver == nil {
		return nil
	}
	s.summary()
	return s.solver.Close()
}

// line solves the position of one line and prints what came of it.
func (s *columns) line(ctx context.Context, n int, text string) {
	moves, p, expected, err := parseLine(text)
	if err != nil {
		s.badLine(n, text, err)
		return
	}
	if s.solver.Clear(ctx) != nil {
		return // Ctrl-C before it began
	}
	scores, r := s.score(ctx, p)
	s.say("%s %s %d %s", moves, scores, r.Nodes, microseconds(r.Time))
	if !r.Exact {
		return
	}
	s.solved++
	s.nodes += r.Nodes
	s.spent += r.Time
	if expected == nil {
		return
	}
	want := *expected
	if s.options.Weak {
		want = sign(want)
	}
	if r.Score != want {
		s.wrong++
		s.complain("line %d: the score of %s is %d, not %d", n, moves, r.Score, want)
	}
}

// score solves one position and returns what is printed of it.
func (s *columns) score(ctx context.Context, p connect4.Position) (string, exact.Result) {
	if !s.analyze {
		if r, ok := s.fromBook(p); ok {
			return strconv.Itoa(r.Score), r
		}
		r := s.solver.Solve(ctx, p, exact.Limits{}, nil)
		return bounds(r), r
	}
	if _, over := p.Over(); over {
		return strings.Repeat(" -", connect4.Width)[1:], s.solver.Solve(ctx, p, exact.Limits{}, nil)
	}
	start := time.Now()
	all := exact.Result{Lower: -connect4.Cells, Upper: -connect4.Cells}
	texts := make([]string, 0, connect4.Width)
	for _, c := range s.solver.Analyze(ctx, p, exact.Limits{}, nil) {
		if c.Full {
			texts = append(texts, "-")
			continue
		}
		texts = append(texts, bounds(c.Result))
		all.Lower, all.Upper = max(all.Lower, c.Lower), max(all.Upper, c.Upper)
		all.Nodes += c.Nodes
	}
	all.Score, all.Exact, all.Time = all.Lower, all.Lower == all.Upper, time.Since(start)
	return strings.Join(texts, " "), all
}

// fromBook is the result that the book has of p.
func (s *columns) fromBook(p connect4.Position) (r exact.Result, ok bool) {
	if s.book == nil {
		return r, false
	}
	start := time.Now()
	score, ok := s.book.Score(p)
	if s.options.Weak {
		score = sign(score)
	}
	return exact.Result{Score: score, Lower: score, Upper: score, Exact: true, Time: time.Since(start)}, ok
}

// summary prints the last line.
func (s *columns) summary() {
	if s.solved == 0 {
		s.say("# no position solved, %d bad lines", s.bad)
		return
	}
	n := float64(s.solved)
	seconds := max(s.spent, time.Nanosecond).Seconds()
	s.say("# %d positions, %d wrong, %d bad lines: mean time %v, mean nodes %.6g, %.0f nodes/s",
		s.solved, s.wrong, s.bad, s.spent/time.Duration(s.solved), float64(s.nodes)/n, float64(s.nodes)/seconds)
}

// parseLine reads MOVES [EXPECTED].
func parseLine(text string) (moves string, p connect4.Position, expected *int, err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return "startpos", p, nil, nil
	}
	if moves = words[0]; moves != "startpos" {
		if p, err = connect4.Parse(moves); err != nil {
			return moves, p, nil, err
		}
	}
	switch len(words) {
	case 1:
		return moves, p, nil, nil
	case 2:
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return moves, p, nil, fmt.Errorf("the expected score %q is no whole number", words[1])
		}
		return moves, p, &n, nil
	}
	return moves, p, nil, errors.New("more than two words")
}

// bounds writes a score, or LOWER..UPPER if it is not known.
func bounds(r exact.Result) string {
	if r.Exact {
		return strconv.Itoa(r.Score)
	}
	return fmt.Sprintf("%d..%d", r.Lower, r.Upper)
}

// microseconds writes a time in whole microseconds; below 100 with two decimals.
func microseconds(d time.Duration) string {
	us := float64(d) / float64(time.Microsecond)
	if us < 100 {
		return strconv.FormatFloat(us, 'f', 2, 64)
	}
	return strconv.FormatFloat(us, 'f', 0, 64)
}

func sign(n int) int { return max(-1, min(1, n)) }

// isSet reports whether the user gave a flag.
func isSet(flags *flag.FlagSet, name string) (set bool) {
	flags.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}
