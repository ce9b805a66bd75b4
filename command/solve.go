package command

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"trefoil/book"
	"trefoil/game/connect4"
	"trefoil/search/exact"
)

const solveUsage = `usage: trefoil solve connect4 [FLAGS] [FILE]

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

// solving is one run of solve.
type solving struct {
	weak    bool
	analyze bool
	solver  *exact.Solver
	book    *book.Book
	out     *bufio.Writer
	err     io.Writer
	bar     *bar

	solved, wrong, bad int
	nodes              uint64
	spent              time.Duration
}

// solve runs the subcommand and returns its exit status.
func solve(args []string, std streams) int {
	if len(args) == 0 || args[0] != "connect4" {
		fmt.Fprintln(std.err, "trefoil: solve: it goes: solve connect4 [FLAGS] [FILE]")
		return statusMisuse
	}
	flags := newFlags("solve connect4")
	var o exact.Options
	flags.StringVar(&o.Solver, "solver", exact.Best, "`NAME`: best, or tutorial (part 11 of the tutorial to the last node)")
	flags.BoolVar(&o.Weak, "weak", false, "only whether it is won (1), drawn (0) or lost (-1)")
	flags.IntVar(&o.Threads, "threads", 1, "`N` workers over one table")
	flags.IntVar(&o.Hash, "hash", exact.DefaultHash, "size of the table in `MIB`; tutorial has its own")
	analyze := flags.Bool("analyze", false, "the scores of all columns")
	bookFile := flags.String("book", "", "use the book in `FILE` (see book connect4) for the positions it holds")
	if status, ok := parseFlags(flags, args[1:], 1, solveUsage, std); !ok {
		return status
	}
	if set := isSet(flags, "hash"); set && (o.Hash < 1 || o.Solver == exact.Tutorial) {
		fmt.Fprintf(std.err, "trefoil: solve connect4: hash %d: want 1 or more, and tutorial has its own table\n", o.Hash)
		return statusMisuse
	}
	s := &solving{weak: o.Weak, analyze: *analyze, out: bufio.NewWriter(std.out), err: std.err}
	status, err := s.run(o, flags.Arg(0), *bookFile, std)
	if err != nil {
		fmt.Fprintf(std.err, "trefoil: %v\n", err)
	}
	return status
}

// run opens what is needed, solves all lines and sums up.
func (s *solving) run(o exact.Options, file, bookFile string, std streams) (status int, err error) {
	in, total := std.in, 0
	if file != "" {
		f, err := os.Open(file)
		if err != nil {
			return statusMisuse, fmt.Errorf("solve: %w", err)
		}
		defer f.Close()
		if total, err = countLines(f); err != nil {
			return statusMisuse, fmt.Errorf("solve: %w", err)
		}
		in = f
	}
	if bookFile != "" {
		if s.book, err = book.Open(bookFile); err != nil {
			return statusMisuse, err
		}
	}
	if s.solver, err = exact.New(o); err != nil {
		return statusMisuse, fmt.Errorf("solve: %w", err)
	}
	defer func() { err = errors.Join(err, s.solver.Close()) }()
	s.bar = newBar(std.err, total)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	_ = s.solver.Prefault(ctx) // the first position does not pay for the memory; it ends early at Ctrl-C only
	s.bar.show(0)
	err = s.lines(ctx, in)
	s.bar.clear()
	s.summary()
	if e := s.out.Flush(); err == nil {
		err = e
	}
	switch {
	case ctx.Err() != nil:
		return statusInterrupted, nil
	case err != nil:
		return statusMisuse, fmt.Errorf("solve: %w", err)
	case s.wrong+s.bad > 0:
		return statusWrong, nil
	}
	return 0, nil
}

// countLines counts the lines of a file and goes back to its beginning. What cannot
// go back has no count.
func countLines(f *os.File) (n int, err error) {
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return 0, err
	}
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			if len(line) > 0 {
				n++
			}
			_, err = f.Seek(0, io.SeekStart)
			return n, err
		}
		if err == nil {
			n++
		} else if err != bufio.ErrBufferFull {
			return 0, err
		}
	}
}

// lines solves line by line until the input or ctx ends. A reader that waits for its
// input does not keep it from ending.
func (s *solving) lines(ctx context.Context, in io.Reader) error {
	type numbered struct {
		text string
		err  error
	}
	input := make(chan numbered)
	go func() {
		defer close(input)
		scanner := bufio.NewScanner(in)
		for scanner.Scan() {
			select {
			case input <- numbered{text: scanner.Text()}:
			case <-ctx.Done():
				return
			}
		}
		if err := scanner.Err(); err != nil {
			select {
			case input <- numbered{err: err}:
			case <-ctx.Done():
			}
		}
	}()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-input:
			if !more || line.err != nil {
				return line.err
			}
			s.line(ctx, n, line.text)
			s.bar.show(n)
		}
	}
}

// line solves the position of one line and prints what came of it.
func (s *solving) line(ctx context.Context, n int, text string) {
	moves, p, expected, err := parseLine(text)
	if err != nil {
		s.bad++
		s.complain("line %d: %v: %q", n, err, text)
		return
	}
	if s.solver.Clear(ctx) != nil {
		return // Ctrl-C before it began
	}
	scores, r := s.score(ctx, p)
	s.bar.clear()
	fmt.Fprintf(s.out, "%s %s %d %s\n", moves, scores, r.Nodes, microseconds(r.Time))
	s.out.Flush()
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
	if s.weak {
		want = sign(want)
	}
	if r.Score != want {
		s.wrong++
		s.complain("line %d: the score of %s is %d, not %d", n, moves, r.Score, want)
	}
}

// score solves one position and returns what is printed of it.
func (s *solving) score(ctx context.Context, p connect4.Position) (string, exact.Result) {
	if !s.analyze {
		if r, ok := s.fromBook(p); ok {
			return strconv.Itoa(r.Score), r
		}
		r := s.solver.Solve(ctx, p, exact.Limits{}, nil)
		return bounds(r), r
	}
	start := time.Now()
	var all exact.Result
	texts := make([]string, 0, connect4.Width)
	for _, c := range s.solver.Analyze(ctx, p, exact.Limits{}, nil) {
		if c.Full {
			texts = append(texts, "-")
			continue
		}
		texts = append(texts, bounds(c.Result))
		if len(texts) == 1 || c.Lower > all.Lower {
			all.Lower = c.Lower
		}
		if len(texts) == 1 || c.Upper > all.Upper {
			all.Upper = c.Upper
		}
		all.Nodes += c.Nodes
	}
	all.Score, all.Exact, all.Time = all.Lower, all.Lower == all.Upper, time.Since(start)
	return strings.Join(texts, " "), all
}

// fromBook is the result that the book has of p.
func (s *solving) fromBook(p connect4.Position) (r exact.Result, ok bool) {
	if s.book == nil {
		return r, false
	}
	start := time.Now()
	score, ok := s.book.Score(p)
	if s.weak {
		score = sign(score)
	}
	return exact.Result{Score: score, Lower: score, Upper: score, Exact: true, Time: time.Since(start)}, ok
}

// complain tells of something wrong and goes on.
func (s *solving) complain(format string, args ...any) {
	s.out.Flush()
	s.bar.clear()
	fmt.Fprintf(s.err, "trefoil: solve: "+format+"\n", args...)
}

// summary prints the last line.
func (s *solving) summary() {
	if s.solved == 0 {
		fmt.Fprintf(s.out, "# no position solved, %d bad lines\n", s.bad)
		return
	}
	n := float64(s.solved)
	seconds := max(s.spent, time.Nanosecond).Seconds()
	fmt.Fprintf(s.out, "# %d positions, %d wrong, %d bad lines: mean time %v, mean nodes %.6g, %.0f nodes/s\n",
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
