package connect4

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/cli"
	"trefoil/search/exact"
)

// solveCommand is the subcommand solve connect4.
type solveCommand struct {
	Solver  string      `default:"best" enum:"best,tutorial" help:"best, or tutorial: part 11 of the tutorial to the last node."`
	Weak    bool        `help:"Only whether it is won (1), drawn (0) or lost (-1)."`
	Threads cli.Threads `default:"1" help:"Threads over one table."`
	Hash    *cli.MiB    `placeholder:"64" help:"Size of the table in MiB; tutorial has its own."`
	Analyze bool        `xor:"book" help:"The scores of all columns."`
	Book    string      `xor:"book" placeholder:"FILE" help:"Look positions up in a book that book connect4 has made."`
	File    string      `arg:"" optional:"" help:"The positions; standard input if there is none or it is -."`
}

// Help is printed by -h.
func (*solveCommand) Help() string {
	return `Each line has a position:

    MOVES [EXPECTED]   the columns played from the empty board, 1 to 7, and the
                       expected score; an empty line or startpos is the empty board

The answer to each is MOVES SCORE NODES MICROSECONDS; with --analyze the scores of the
seven columns (- if full) in place of SCORE. A score is 22 minus the stones that the
winner has at the end, negative if the side to move loses, 0 for a draw; with --weak
only its sign. The table is cleared before every position, which is not timed. The
last line is a summary.

A score other than the expected one, and a line that holds no position, are reported with
the number of the line, and the run continues. Ctrl-C prints the bounds that are proved,
as LOWER..UPPER, and ends.

Exit status: 0; 1 after a wrong score or a bad line; 2 on wrong usage or failure;
130 after Ctrl-C.`
}

func (c *solveCommand) Run(ctx context.Context, std *cli.Console) error {
	s := &lineSolver{
		Lines:   cli.NewLines(std),
		options: exact.Options{Solver: c.Solver, Weak: c.Weak, Threads: int(c.Threads), Hash: exact.DefaultHash},
		analyze: c.Analyze, bookFile: c.Book,
	}
	if c.Hash != nil {
		if c.Solver == exact.Tutorial {
			return fmt.Errorf("--hash %d: the tutorial's solver has a table of its own", *c.Hash)
		}
		s.options.Hash = int(*c.Hash)
	}
	return s.Run(ctx, c.File, s)
}

// lineSolver solves the lines of a run.
type lineSolver struct {
	*cli.Lines
	options  exact.Options
	analyze  bool
	bookFile string
	solver   *exact.Solver
	book     *book.Book

	nodes uint64
	spent time.Duration
}

// Open reads the book and allocates the table.
func (s *lineSolver) Open(context.Context) (err error) {
	if s.bookFile != "" {
		if s.book, err = book.Open(s.bookFile); err != nil {
			return err
		}
	}
	s.solver, err = exact.New(s.options)
	return err
}

// Close prints the summary and frees the table.
func (s *lineSolver) Close() error {
	if s.solver == nil {
		return nil
	}
	s.summary()
	return s.solver.Close()
}

// Line solves the position of one line and prints the answer.
func (s *lineSolver) Line(ctx context.Context, n int, text string) {
	moves, p, expected, err := parseLine(text)
	if err != nil {
		s.BadLine(n, text, err)
		return
	}
	if s.solver.Clear(ctx) != nil {
		return // Ctrl-C
	}
	scores, r := s.score(ctx, p)
	s.Answer("%s %s %d %s", moves, scores, r.Nodes, microseconds(r.Time))
	if !r.Exact {
		return
	}
	s.Solved++
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
		s.Wrong++
		s.Warnf("line %d: the score of %s is %d, not %d", n, moves, r.Score, want)
	}
}

// score solves one position and returns the score or scores as text.
func (s *lineSolver) score(ctx context.Context, p rules.Position) (string, exact.Result) {
	if !s.analyze {
		if r, ok := s.fromBook(p); ok {
			return strconv.Itoa(r.Score), r
		}
		r := s.solver.Solve(ctx, p, exact.Limits{}, nil)
		return scoreText(r), r
	}
	if _, over := p.Over(); over {
		return strings.Repeat(" -", rules.Width)[1:], s.solver.Solve(ctx, p, exact.Limits{}, nil)
	}
	start := time.Now()
	all := exact.Result{Lower: -rules.Cells, Upper: -rules.Cells}
	texts := make([]string, 0, rules.Width)
	for _, c := range s.solver.Analyze(ctx, p, exact.Limits{}, nil) {
		if c.Full {
			texts = append(texts, "-")
			continue
		}
		texts = append(texts, scoreText(c.Result))
		all.Lower, all.Upper = max(all.Lower, c.Lower), max(all.Upper, c.Upper)
		all.Nodes += c.Nodes
	}
	all.Score, all.Exact, all.Time = all.Lower, all.Lower == all.Upper, time.Since(start)
	return strings.Join(texts, " "), all
}

// fromBook is the result that the book has of p.
func (s *lineSolver) fromBook(p rules.Position) (r exact.Result, ok bool) {
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
func (s *lineSolver) summary() {
	if s.Solved == 0 {
		s.Answer("# no position solved, %d bad lines", s.Bad)
		return
	}
	n := float64(s.Solved)
	seconds := max(s.spent, time.Nanosecond).Seconds()
	s.Answer("# %d positions, %d wrong, %d bad lines: mean time %v, mean nodes %.6g, %.0f nodes/s",
		s.Solved, s.Wrong, s.Bad, s.spent/time.Duration(s.Solved), float64(s.nodes)/n, float64(s.nodes)/seconds)
}

// parseLine reads MOVES [EXPECTED].
func parseLine(text string) (moves string, p rules.Position, expected *int, err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return "startpos", p, nil, nil
	}
	moves = words[0]
	if p, err = parseSetup(moves); err != nil {
		return moves, p, nil, err
	}
	switch len(words) {
	case 1:
		return moves, p, nil, nil
	case 2:
		n, err := strconv.Atoi(words[1])
		if err != nil {
			return moves, p, nil, fmt.Errorf("expected score %q is not a whole number", words[1])
		}
		return moves, p, &n, nil
	}
	return moves, p, nil, fmt.Errorf("unexpected word %q after the score", words[2])
}

// scoreText writes a score, or LOWER..UPPER if it is not known.
func scoreText(r exact.Result) string {
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
