package ultimate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	rules "trefoil/game/ultimate"
	"trefoil/game/ultimate/certificate"
	"trefoil/internal/cli"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
	"trefoil/window"
)

// solveCommand is the subcommand solve ultimate.
type solveCommand struct {
	Threads cli.Threads    `default:"1" help:"Threads over one table."`
	Hash    cli.MiB        `default:"64" help:"Size of the table in MiB."`
	Time    cli.Timeout    `default:"0s" help:"Give up a position after this time, such as 90s or 1h30m; 0: never."`
	Analyze bool           `xor:"certificate" help:"The value of every move too."`
	Cert    string         `name:"certificate" xor:"certificate" placeholder:"FILE" help:"Write a proof of the value of the only position, for trefoil verify."`
	Fresh   bool           `help:"Clear the table before every position."`
	Save    string         `placeholder:"FILE" help:"Save the table in this file."`
	Every   *time.Duration `placeholder:"10m" help:"Time between two saves."`
	Load    string         `placeholder:"FILE" help:"Begin with the table that was saved in this file."`
	File    string         `arg:"" optional:"" help:"The positions; standard input if there is none or it is -."`
}

// Help is printed by -h.
func (*solveCommand) Help() string {
	return `Each line has a position, unless it is empty or begins with #:

    POSITION [EXPECTED]   side;nine boards of the big board;board 0/.../board 8, or
                          startpos; and win, draw or loss if that is expected

The answer to each has, with tabs between them: win, draw or loss for the side to move,
or unknown after --time or Ctrl-C; nodes; milliseconds; the main line. A move is the
letter of the board and that of the cell, a to i from left to right and from top to
bottom. Of an unknown position the line is the best move so far. The last line is a
summary.

With --analyze a line for every move follows, the best first, which begins with a tab: the
move, its value for the side that makes it, the main line. A value that is not known after
--time or Ctrl-C is written LOWER..UPPER, such as draw..win, that of the position too; then
proof number φ and disproof number δ take the place of the line.

With --certificate the input has one position. The file has a move for every position of a
proof: of the side that wins, or of both sides of a draw. It needs no solver to be checked.

Results stay in the table and help with the positions that follow, unless --fresh is
given. With --save they outlive the program: the file is replaced at every interval and
at the end, also after Ctrl-C, and is complete at any moment. --load continues from
there, also with another --hash.

A value other than the expected one, and a line that holds no position, are reported with
the number of the line, and the run continues.

Exit status: 0; 1 after a wrong value or a bad line; 2 on wrong usage or failure, also to save;
130 after Ctrl-C.`
}

func (c *solveCommand) Run(ctx context.Context, std *cli.Console) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Cert != "" {
		if err := certificate.Writable(c.Cert); err != nil {
			return err
		}
	}
	s := &lineSolver{Lines: cli.NewLines(std), solveCommand: c, failures: make(chan error, 1)}
	s.Comments = true
	return s.Lines.Run(ctx, c.File, s)
}

// check refuses flags that exclude each other, and a --save that would overwrite a file
// without having loaded it.
func (c *solveCommand) check() error {
	switch {
	case c.Every != nil && c.Save == "":
		return errors.New("--every: nothing is saved without --save")
	case c.Every != nil && *c.Every <= 0:
		return fmt.Errorf("--every %v: want more than 0", *c.Every)
	case c.Fresh && (c.Save != "" || c.Load != ""):
		return errors.New("--fresh: a table that is cleared is neither saved nor loaded")
	case c.Save != "" && c.Save != c.Load:
		if _, err := os.Stat(c.Save); err == nil {
			return fmt.Errorf("--save: %s exists: --load it too, or choose another name", c.Save)
		}
	}
	return nil
}

// solveLineNodes is lineNodes of the subcommand, which has more time.
const solveLineNodes = 1 << 20

// lineSolver solves the lines of a run.
type lineSolver struct {
	*cli.Lines
	*solveCommand

	table    *window.Table
	solver   *proof.Solver
	saver    *window.Saver
	failures chan error // of saving, the latest
	failed   error      // of the certificate
	searched bool       // something, since the generation began
	move     string     // that is being analysed
	unknown  int
	nodes    uint64
	spent    time.Duration
}

func (s *lineSolver) Open(ctx context.Context) (err error) {
	var growing []window.Option // so that a short search does not touch, or clear, all of the table
	if s.Load == "" && s.Save == "" {
		growing = append(growing, window.Growing())
	}
	if s.table, err = window.New(uint64(s.Hash), growing...); err != nil {
		return err
	}
	s.solver = proof.New(s.table, proof.Options{Threads: int(s.Threads), Report: s.report})
	if s.Load != "" {
		if err := s.table.Load(ctx, s.Load, label()); err != nil {
			return err
		}
	}
	if growing == nil {
		_ = s.table.Prefault(ctx) // its only error is that of ctx
	}
	if s.Save != "" {
		every := 10 * time.Minute
		if s.Every != nil {
			every = *s.Every
		}
		s.saver, err = s.table.SaveEvery(s.Save, label(), every, s.saved)
	}
	return err
}

// saved keeps the error of the latest save that failed, for warn.
func (s *lineSolver) saved(err error) {
	select {
	case <-s.failures:
	default:
	}
	if err != nil {
		s.failures <- err
	}
}

// warn prints the error of a save that has failed.
func (s *lineSolver) warn() {
	select {
	case err := <-s.failures:
		s.Warnf("%v", err)
	default:
	}
}

// Close saves the table, prints the summary and frees the table.
func (s *lineSolver) Close() (err error) {
	if s.table == nil {
		return nil
	}
	if s.saver != nil {
		err = s.saver.Close(context.Background())
	}
	if s.Solved+s.unknown+s.Bad > 0 || err != nil {
		s.summary()
	}
	return errors.Join(s.failed, err, s.table.Close())
}

// summary prints the last line.
func (s *lineSolver) summary() {
	seconds := max(s.spent, time.Nanosecond).Seconds()
	s.Answer("# %d solved, %d unknown, %d wrong, %d bad lines: %d nodes, %v, %.0f nodes/s",
		s.Solved, s.unknown, s.Wrong, s.Bad, s.nodes, s.spent.Round(time.Millisecond), float64(s.nodes)/seconds)
}

// report shows the state of the running proof.
func (s *lineSolver) report(p proof.Progress) {
	s.warn()
	what := "win"
	if p.Second {
		what = "no win; loss"
	}
	if s.move != "" {
		what = s.move + ": opponent's " + what
	}
	s.Report("%s? φ %d δ %d, %d nodes, %.0f nodes/s, hash %.1f %%",
		what, p.Phi, p.Delta, p.Nodes, float64(p.Nodes)/max(p.Time, time.Millisecond).Seconds(), float64(p.HashFull)/10)
}

// Line solves the position of one line and prints the answer.
func (s *lineSolver) Line(ctx context.Context, n int, text string) {
	p, expected, err := parsePosition(text)
	if err != nil {
		s.BadLine(n, text, err)
		return
	}
	if s.Cert != "" && s.Solved+s.unknown > 0 {
		s.BadLine(n, text, errors.New("--certificate is for one position"))
		return
	}
	switch {
	case s.Fresh:
		if s.table.Clear(ctx) != nil {
			return // Ctrl-C
		}
	case s.searched: // entries of a table that was only loaded keep their generation
		s.table.NewSearch()
		s.searched = false
	}
	var a answer
	if _, _, over := p.Over(); s.Analyze && !over {
		a = s.analyze(ctx, p)
	} else if a, err = s.decide(ctx, p); err != nil {
		s.BadLine(n, text, err)
		return
	}
	s.warn()
	s.nodes += a.nodes
	s.spent += a.time
	if !a.known {
		s.unknown++
		return
	}
	s.Solved++
	if s.Cert != "" {
		s.certify(ctx, p, a)
	}
	if expected != "" && expected != a.value {
		s.Wrong++
		s.Warnf("line %d: the value is %s, not %s: %q", n, a.value, expected, text)
	}
}

// answer is what is known of a position.
type answer struct {
	value string
	known bool
	nodes uint64
	time  time.Duration
}

// print prints the answer to a position with its main line.
func (s *lineSolver) print(a answer, line string) {
	s.Answer("%s\t%d\t%d\t%s", a.value, a.nodes, a.time.Milliseconds(), line)
}

// decide finds the value of a position and its main line, and prints them.
func (s *lineSolver) decide(ctx context.Context, p rules.Position) (a answer, err error) {
	wins, loses := goals(p)
	d, err := s.solver.Decide(ctx, wins, loses, proof.Limits{Time: time.Duration(s.Time)})
	if err != nil {
		return a, err
	}
	s.searched = s.searched || d.Nodes() > 0
	line, err := s.solver.MainLine(ctx, d, wins, loses, proof.Limits{Nodes: solveLineNodes})
	if err != nil {
		return a, err
	}
	a = answer{decisionText(d), d.Known, d.Nodes(), d.Time()}
	s.print(a, ultimategoal.Text(line))
	return a, nil
}

// parsePosition reads POSITION [EXPECTED].
func parsePosition(text string) (p rules.Position, expected string, err error) {
	words := strings.Fields(text)
	if p, err = parseSetup(words[0]); err != nil {
		return p, "", err
	}
	if len(words) > 1 {
		expected = words[1]
		switch {
		case len(words) > 2:
			return p, "", fmt.Errorf("unexpected word %.40q after the expected value", words[2])
		case expected != "win" && expected != "draw" && expected != "loss":
			return p, "", fmt.Errorf("expected value %.40q is not one of win, draw, loss", expected)
		}
	}
	return p, expected, nil
}
