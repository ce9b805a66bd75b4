package connect4

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	Solver string `default:"best" enum:"best,tutorial" help:"best, or tutorial: part 11 of the tutorial to the last node."`
	Weak   bool   `help:"Only whether it is won (1), drawn (0) or lost (-1)."`
	boardFlags
	Threads cli.Threads `default:"1" help:"Threads over one table."`
	Hash    *cli.MiB    `placeholder:"64" help:"Size of the table in MiB; tutorial has its own."`
	Time    cli.Timeout `default:"0s" help:"Give up a position after this time, such as 90s or 1h30m; 0: never."`
	Save    string      `placeholder:"FILE" help:"Save the table in this file at the end."`
	Load    string      `placeholder:"FILE" help:"Begin with the table that was saved in this file."`
	Analyze bool        `xor:"book" help:"The scores of all columns."`
	Book    string      `xor:"book" placeholder:"FILE" help:"Look positions up in a book that book connect4 has made."`
	File    string      `arg:"" optional:"" help:"The positions; standard input if there is none or it is -."`
}

// Help is printed by -h.
func (*solveCommand) Help() string {
	return `Each line has a position, unless it is empty or begins with #:

    MOVES [EXPECTED]   the columns played from the empty board, 1 to 7, or startpos;
                       and the expected score; after column 9 come a, b and c

The answer to each is MOVES SCORE NODES MICROSECONDS; with --analyze the scores of the
columns (- if full) in place of SCORE. A score is 1 and the stones that the winner has
left at the end (on 7x6: 22 minus those it has played), negative if the side to move loses,
0 for a draw; with --weak only its sign. The last line is a summary.

The table is cleared before every position, which is not timed, unless --save or --load is
given: then results help with the positions that follow, and outlive the program. --save
writes also after Ctrl-C; --load takes a file of the same board, with any --hash.

After --time, and after Ctrl-C, which ends the run, the bounds that are proved stand in
the place of a score, as LOWER..UPPER. A score other than the expected one, and a line that
holds no position, are reported with the number of the line, and the run continues.

Exit status: 0; 1 after a wrong score or a bad line; 2 on wrong usage or failure;
130 after Ctrl-C.`
}

func (c *solveCommand) Run(ctx context.Context, std *cli.Console) error {
	board, err := c.board()
	if err != nil {
		return err
	}
	s := &lineSolver{
		board:   board,
		Lines:   cli.NewLines(std),
		options: exact.Options{Board: board, Solver: c.Solver, Weak: c.Weak, Threads: int(c.Threads), Hash: exact.DefaultHash},
		limits:  exact.Limits{Time: time.Duration(c.Time)},
		analyze: c.Analyze, bookFile: c.Book,
	}
	s.Comments = true
	if c.Hash != nil {
		if c.Solver == exact.Tutorial {
			return fmt.Errorf("--hash %d: the tutorial's solver has a table of its own", *c.Hash)
		}
		s.options.Hash = int(*c.Hash)
	}
	s.load, s.save = c.Load, c.Save
	if err := c.checkFiles(); err != nil {
		return err
	}
	return s.Run(ctx, c.File, s)
}

// checkFiles refuses a --save that would overwrite a file without having loaded it, and files of the
// tutorial's solver.
func (c *solveCommand) checkFiles() error {
	switch {
	case c.Solver == exact.Tutorial && c.Save+c.Load != "":
		return errors.New("--save, --load: the table of the tutorial's solver is neither saved nor loaded")
	case c.Save != "" && c.Save != c.Load:
		if _, err := os.Stat(c.Save); err == nil {
			return fmt.Errorf("--save: %s exists: --load it too, or choose another name", c.Save)
		}
	}
	return nil
}

// lineSolver solves the lines of a run.
type lineSolver struct {
	*cli.Lines
	board    *rules.Board
	options  exact.Options
	limits   exact.Limits
	analyze  bool
	bookFile string
	load     string // file of the table, or ""
	save     string // likewise
	solver   *exact.Solver
	book     *book.Book

	unsolved int           // positions with bounds in place of a score
	nodes    uint64        // of those that are solved
	spent    time.Duration // likewise
}

// Open reads the book and allocates the table.
func (s *lineSolver) Open(ctx context.Context) (err error) {
	if s.bookFile != "" {
		if s.book, err = book.Open(s.bookFile); err != nil {
			return err
		}
		if s.book.Board() != s.board {
			return fmt.Errorf("--book: %s is of the board %v, not %v", s.bookFile, s.book.Board(), s.board)
		}
	}
	if s.save != "" {
		if err := exact.Writable(s.save); err != nil {
			return err
		}
	}
	if s.solver, err = exact.New(s.options); err != nil || s.load == "" {
		return err
	}
	if err := s.solver.Load(ctx, s.load); err != nil {
		s.save = "" // the file stays as it is
		return err
	}
	return nil
}

// Close saves the table, prints the summary and frees the table.
func (s *lineSolver) Close() (err error) {
	if s.solver == nil {
		return nil
	}
	if s.save != "" {
		err = s.solver.Save(context.Background(), s.save)
	}
	s.summary()
	return errors.Join(err, s.solver.Close())
}

// Line solves the position of one line and prints the answer.
func (s *lineSolver) Line(ctx context.Context, n int, text string) {
	moves, p, expected, err := parseLine(s.board, text)
	if err != nil {
		s.BadLine(n, text, err)
		return
	}
	if s.load+s.save == "" && s.solver.Clear(ctx) != nil {
		return // Ctrl-C
	}
	scores, r := s.score(ctx, p)
	s.Answer("%s %s %d %s", moves, scores, r.Nodes, microseconds(r.Time))
	if r.Exact {
		s.Solved++
		s.nodes += r.Nodes
		s.spent += r.Time
	} else {
		s.unsolved++
	}
	if expected == nil {
		return
	}
	want := *expected
	if s.options.Weak {
		want = sign(want)
	}
	if want < r.Lower || want > r.Upper {
		s.Wrong++
		s.Warnf("line %d: the score of %s is %s, not %d", n, moves, scoreText(r), want)
	}
}

// score solves one position and returns the score or scores as text.
func (s *lineSolver) score(ctx context.Context, p rules.Position) (string, exact.Result) {
	if !s.analyze {
		if r, ok := s.fromBook(p); ok {
			return strconv.Itoa(r.Score), r
		}
		r := s.solver.Solve(ctx, p, s.limits, func(r exact.Result) { s.report("", r) })
		return scoreText(r), r
	}
	if _, over := p.Over(); over {
		return strings.Repeat(" -", s.board.Width)[1:], s.solver.Solve(ctx, p, exact.Limits{}, nil)
	}
	start := time.Now()
	all := exact.Result{Lower: -s.board.Cells, Upper: -s.board.Cells}
	texts := make([]string, 0, s.board.Width)
	for _, c := range s.solver.Analyze(ctx, p, s.limits, func(c exact.Column) { s.report(rules.Text(c.Col)+" ", c.Result) }) {
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

// report shows what is known of the position, or of one of its columns.
func (s *lineSolver) report(column string, r exact.Result) {
	s.Report("%s%s, %d nodes, %.0f nodes/s", column, scoreText(r), r.Nodes, float64(r.Nodes)/max(r.Time, time.Millisecond).Seconds())
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
	text := fmt.Sprintf("# %d positions, %d wrong, %d bad lines", s.Solved, s.Wrong, s.Bad)
	if s.unsolved > 0 {
		text += fmt.Sprintf(", %d not solved", s.unsolved)
	}
	if s.Solved > 0 {
		seconds := max(s.spent, time.Nanosecond).Seconds()
		text += fmt.Sprintf(": mean time %v, mean nodes %.6g, %.0f nodes/s",
			s.spent/time.Duration(s.Solved), float64(s.nodes)/float64(s.Solved), float64(s.nodes)/seconds)
	}
	s.Answer("%s", text)
}

// parseLine reads MOVES [EXPECTED], a line that is not empty.
func parseLine(b *rules.Board, text string) (moves string, p rules.Position, expected *int, err error) {
	words := strings.Fields(text)
	moves = words[0]
	if p, err = parseSetup(b, moves); err != nil {
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
