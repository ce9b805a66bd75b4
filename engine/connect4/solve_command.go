package connect4

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	rules "trefoil/game/connect4"
	"trefoil/game/connect4/book"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/search/exact"
)

// solveCommand is the subcommand solve connect4.
type solveCommand struct {
	Solver string `default:"best" enum:"best,tutorial" help:"best; or tutorial, which repeats part 11 of Pascal Pons' tutorial node by node."`
	Weak   bool   `help:"Print only whether a position is won (1), drawn (0) or lost (-1)."`
	boardFlags
	Threads cli.Threads `default:"1" setting:"-" help:"Search threads, which share one table."`
	Hash    *cli.MiB    `placeholder:"64" setting:"-" help:"Size of the table in MiB; tutorial has a fixed one."`
	Time    cli.Timeout `default:"0s" help:"Time limit for each position, such as 90s or 1h30m; 0: none."`
	Save    string      `placeholder:"FILE" setting:"-" help:"Save the table to this file at the end; - is standard output."`
	Load    string      `placeholder:"FILE" setting:"-" help:"Begin with the table saved in this file; - is standard input."`
	Analyze bool        `xor:"book" help:"Print the scores of all columns."`
	Book    string      `xor:"book" placeholder:"FILE" setting:"-" help:"Look up positions in a book made by book connect4; - is standard input."`
	batch.Flags
	File string `arg:"" optional:"" setting:"-" help:"The positions; standard input if there is no file or it is -."`
}

// Help is printed by -h.
func (*solveCommand) Help() string {
	return `Each line holds a position, unless it is empty or begins with #:

    MOVES [EXPECTED]   the columns played from the empty board, 1 to 9, then a to
                       p, or startpos; optionally the expected score

The answer to each position is MOVES SCORE NODES MICROSECONDS LINE; with --analyze, the scores of
the columns (- if full) replace SCORE. A score is one more than the stones that the winner has
left at the end (on 7x6: 22 minus those it has played), negative if the side to move loses, and 0
for a draw; with --weak it is only the sign. The last line is a summary.

The table is cleared before every position, which is not timed, unless --save or --load is given:
then results help with later positions and outlive the program. --save also writes after Ctrl-C;
--load takes a file of the same board, with any --hash. With --save - the answers go to standard
error.

After --time, and after Ctrl-C, which ends the run, the proved bounds take the place of a score,
as LOWER..UPPER. A score other than the expected one, and a line that holds no position, are
reported with the number of the line, and the run continues.

Exit status: 0 on success; 1 after a wrong score or a bad line; 2 on wrong usage or failure; 130
after Ctrl-C.`
}

// Summary returns an empty summary of records, for trefoil merge.
func (*solveCommand) Summary() *batch.Summary { return batch.NewSummary(&totals{}) }

func (c *solveCommand) Run(ctx context.Context, std *cli.Console) error {
	board, err := c.Board()
	if err != nil {
		return err
	}
	if err := c.check(std); err != nil {
		return err
	}
	out, err := std.Output(context.Background(), c.Save) // also after Ctrl-C
	if err != nil {
		return err
	}
	s := &lineSolver{solveCommand: c, board: board, in: std.Input(ctx, c.Load), out: out,
		limits: exact.Limits{Time: time.Duration(c.Time)}}
	s.options = exact.Options{Board: board, Solver: c.Solver, Weak: c.Weak, Threads: int(c.Threads),
		Hash: exact.DefaultHash}
	if c.Hash != nil {
		s.options.Hash = int(*c.Hash)
	}
	if err := c.Fits(uint64(s.options.Hash)); err != nil {
		return err
	}
	if c.Book != "" {
		if s.book, err = book.OpenFrom(std.Input(ctx, c.Book)); err != nil {
			return err
		}
		if s.book.Board() != board {
			return fmt.Errorf("--book: %s is for the board %v, not %v", c.Book, s.book.Board(), board)
		}
	}
	run := batch.Run[solved]{Flags: c.Flags, Console: std, Totals: &totals{}}
	run.Open = func(ctx context.Context, screen *batch.Screen) (batch.Solver[solved], error) {
		return s.open(ctx, screen)
	}
	return run.File(ctx, c.File)
}

// check refuses flags that exclude each other, a --save that would overwrite a file without having loaded it, and a
// standard stream that is named twice.
func (c *solveCommand) check(std *cli.Console) error {
	switch {
	case c.Hash != nil && c.Solver == exact.Tutorial:
		return fmt.Errorf("--hash %d: the tutorial's solver has a table of its own", *c.Hash)
	case c.Solver == exact.Tutorial && c.Save+c.Load != "":
		return errors.New("--save, --load: the table of the tutorial's solver cannot be saved or loaded")
	case c.Jobs > 1 && c.Save+c.Load != "":
		return batch.ErrOneTable
	case c.Save != "" && c.Save != c.Load:
		if err := cli.CheckNew(c.Save); err != nil {
			return err
		}
	}
	return errors.Join(
		std.CheckInputs(cli.Use{What: "--load", Path: c.Load}, cli.Use{What: "--book", Path: c.Book},
			cli.Positions(c.File)),
		std.CheckOutputs(cli.Use{What: "--save", Path: c.Save}, cli.Use{What: "--resume", Path: c.Resume}))
}

// lineSolver solves the lines of a run.
type lineSolver struct {
	*solveCommand
	board   *rules.Board
	in      container.Input  // of --load
	out     container.Output // of --save
	options exact.Options
	limits  exact.Limits
	book    *book.Book
	keep    bool // the table from one position to the next

	screen *batch.Screen
	solver *exact.Solver
}

// open returns a solver with a table of its own.
func (s lineSolver) open(ctx context.Context, screen *batch.Screen) (_ *lineSolver, err error) {
	s.screen = screen
	if s.Save != "" {
		if err := exact.Writable(s.out); err != nil {
			return nil, err
		}
	}
	if s.solver, err = exact.New(s.options); err != nil {
		return nil, err
	}
	if s.Load != "" {
		if err := s.solver.Load(ctx, s.in); err != nil {
			return nil, errors.Join(err, s.solver.Close())
		}
	}
	return &s, nil
}

// Close saves and frees the table.
func (s *lineSolver) Close() (err error) {
	if s.Save != "" {
		err = s.solver.Save(context.Background(), s.out)
	}
	return errors.Join(err, s.solver.Close())
}

// solved is what a record says about a position. Unknown fields are left out; the bounds stand in place of
// an unknown score.
type solved struct {
	Score    *int    `json:"score,omitempty"`
	Lower    *int    `json:"lower,omitempty"`
	Upper    *int    `json:"upper,omitempty"`
	Scores   []*int  `json:"scores,omitempty"` // of the columns, null if full
	Lowers   []*int  `json:"lowers,omitempty"`
	Uppers   []*int  `json:"uppers,omitempty"`
	Expected *int    `json:"expected,omitempty"`
	Nodes    uint64  `json:"nodes"`
	Seconds  float64 `json:"seconds"`

	moves, text string // of the answer without --json
	time        time.Duration
}

// Text is the line of the tutorial, and the number of the line.
func (s solved) Text(l batch.Line) string {
	return fmt.Sprintf("%s %s %d %s %d", s.moves, s.text, s.Nodes, microseconds(s.time), l.Line)
}

// Solve answers a line.
func (s *lineSolver) Solve(ctx context.Context, l batch.Line) (*batch.Answer[solved], error) {
	moves, p, expected, err := parseLine(s.board, l.Text)
	if err != nil {
		return nil, err
	}
	if s.Load+s.Save == "" && !s.keep && s.solver.Clear(ctx) != nil {
		return nil, nil // Ctrl-C
	}
	a := &batch.Answer[solved]{}
	var r exact.Result
	if a.Fields, r = s.score(ctx, p); r.Exact {
		a.Fields.Score = &r.Score
	} else {
		a.Fields.Lower, a.Fields.Upper = &r.Lower, &r.Upper
	}
	a.Fields.moves, a.Fields.Nodes, a.Fields.time, a.Fields.Seconds = moves, r.Nodes, r.Time, r.Time.Seconds()
	if expected == nil {
		return a, nil
	}
	want := *expected
	if s.Weak {
		want = sign(want)
	}
	a.Fields.Expected = &want
	if want < r.Lower || want > r.Upper {
		a.Wrong = fmt.Sprintf("the score of %s is %s, not %d", moves, scoreText(r), want)
	}
	return a, nil
}

// score solves one position and returns the text of its score, with --analyze the scores of its columns.
func (s *lineSolver) score(ctx context.Context, p rules.Position) (solved, exact.Result) {
	if s.Analyze {
		return s.analyze(ctx, p)
	}
	r, known := s.fromBook(p)
	if !known {
		r = s.solver.Solve(ctx, p, s.limits, func(r exact.Result) { s.report("", r) })
	}
	return solved{text: scoreText(r)}, r
}

// analyze solves all columns of a position.
func (s *lineSolver) analyze(ctx context.Context, p rules.Position) (found solved, all exact.Result) {
	if _, over := p.Over(); over {
		return solved{text: strings.Repeat(" -", s.board.Width)[1:]}, s.solver.Solve(ctx, p, exact.Limits{}, nil)
	}
	start := time.Now()
	all = exact.Result{Lower: -s.board.Cells, Upper: -s.board.Cells}
	texts, known := make([]string, 0, s.board.Width), true
	for _, c := range s.solver.Analyze(ctx, p, s.limits, func(c exact.Column) {
		s.report(rules.Text(c.Col)+" ", c.Result)
	}) {
		if c.Full {
			texts = append(texts, "-")
			found.Lowers, found.Uppers = append(found.Lowers, nil), append(found.Uppers, nil)
			continue
		}
		texts = append(texts, scoreText(c.Result))
		found.Lowers, found.Uppers = append(found.Lowers, &c.Lower), append(found.Uppers, &c.Upper)
		all.Lower, all.Upper = max(all.Lower, c.Lower), max(all.Upper, c.Upper)
		all.Nodes += c.Nodes
		known = known && c.Exact
	}
	if known {
		found.Scores, found.Lowers, found.Uppers = found.Lowers, nil, nil
	}
	found.text = strings.Join(texts, " ")
	all.Score, all.Exact, all.Time = all.Lower, all.Lower == all.Upper, time.Since(start)
	return found, all
}

// report shows what is known of the position or of a column.
func (s *lineSolver) report(column string, r exact.Result) {
	s.screen.Note("%s%s, %d nodes, %.0f nodes/s", column, scoreText(r), r.Nodes,
		float64(r.Nodes)/max(r.Time, time.Millisecond).Seconds())
}

// fromBook is the result that the book has of p.
func (s *lineSolver) fromBook(p rules.Position) (r exact.Result, ok bool) {
	if s.book == nil {
		return r, false
	}
	start := time.Now()
	score, ok := s.book.Score(p)
	if s.Weak {
		score = sign(score)
	}
	return exact.Result{Score: score, Lower: score, Upper: score, Exact: true, Time: time.Since(start)}, ok
}

// totals are the sums over the answers of a run.
type totals struct {
	solved, unsolved int // positions with a score, and with bounds in its place
	nodes            uint64
	seconds          float64 // of those that are solved, as nodes
}

// Add counts an answer.
func (t *totals) Add(s solved) {
	if s.Score == nil {
		t.unsolved++
		return
	}
	t.solved++
	t.nodes += s.Nodes
	t.seconds += s.Seconds
}

// Text is the last line of the output.
func (t *totals) Text(c batch.Counts) string {
	text := fmt.Sprintf("# %s, %d wrong, %s", cli.Count(t.solved, "position"), c.Wrong, cli.Count(c.Bad, "bad line"))
	if t.unsolved > 0 {
		text += fmt.Sprintf(", %d not solved", t.unsolved)
	}
	if t.solved > 0 {
		mean := time.Duration(t.seconds / float64(t.solved) * float64(time.Second))
		text += fmt.Sprintf(": mean time %v, mean nodes %.6g, %.0f nodes/s",
			mean, float64(t.nodes)/float64(t.solved), float64(t.nodes)/max(t.seconds, 1e-9))
	}
	return text
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
