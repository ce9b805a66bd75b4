package ultimate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"trefoil/game/certificate"
	rules "trefoil/game/ultimate"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/internal/container"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
	"trefoil/window"
)

// solveCommand is the subcommand solve ultimate.
type solveCommand struct {
	Threads cli.Threads    `default:"1" setting:"-" help:"Search threads, which share one table."`
	Hash    cli.MiB        `default:"64" setting:"-" help:"Size of the table in MiB."`
	Time    cli.Timeout    `default:"0s" help:"Time limit for each position, such as 90s or 1h30m; 0: none."`
	Analyze bool           `xor:"certificate" help:"Print the value of every move, too."`
	Cert    string         `name:"certificate" xor:"certificate" placeholder:"FILE" setting:"-" help:"Write a proof of the value of the position, for trefoil verify; - is standard output."`
	Fresh   bool           `help:"Clear the table before every position."`
	Save    string         `placeholder:"FILE" setting:"-" help:"Save the table to this file; - is standard output."`
	Every   *time.Duration `placeholder:"10m" setting:"-" help:"Time between saves."`
	Load    string         `placeholder:"FILE" setting:"-" help:"Begin with the table saved in this file; - is standard input."`
	batch.Flags
	File string `arg:"" optional:"" setting:"-" help:"The positions; standard input if there is no file or it is -."`
}

// Help is printed by -h.
func (*solveCommand) Help() string {
	return `Each line holds a position, unless it is empty or begins with #:

    POSITION [EXPECTED]   side;nine boards of the big board;board 0/.../board 8, or
                          startpos; optionally win, draw or loss as expected

The answer to each position has these fields, separated by tabs: the number of the line; the
position; win, draw or loss for the side to move, or unknown after --time or Ctrl-C; nodes;
milliseconds; the main line. A move is the letter of the board and that of the cell, a to i from
left to right and from top to bottom. The main line of an unknown position is the best move so
far. The last line is a summary.

With --analyze, a line for every move follows, the best first. It begins with two tabs and has the
move, its value for the side that makes it, and the main line. A value that is not known after
--time or Ctrl-C, of a move or of the position, is written LOWER..UPPER, such as draw..win; for a
move the proof number φ and the disproof number δ then take the place of the line.

With --certificate, the input is a single position. The file has a move for every position of the
proof: of the side that wins, or of both sides of a draw. No solver is needed to check it. If the
position is not solved, no file is written.

Results stay in the table and help with later positions, unless --fresh is given. --shard, --jobs
above 1 and --resume imply --fresh, unless a table is saved or loaded, so that the answers do not
depend on the positions solved before. With --save, results outlive the program: the file is
replaced at every interval and at the end, also after Ctrl-C, and is complete at any moment.
--load continues from there, also with another --hash.

A pipe gets the table only at the end, so --every is refused. With --save - or --certificate - the
answers go to standard error.

A value other than the expected one, and a line that holds no position, are reported with the
number of the line, and the run continues.

Exit status: 0 on success; 1 after a wrong value or a bad line; 2 on wrong usage or failure, also
to save or to make a certificate; 130 after Ctrl-C.`
}

// Summary returns an empty summary of records, for trefoil merge.
func (*solveCommand) Summary() *batch.Summary { return batch.NewSummary(&totals{}) }

func (c *solveCommand) Run(ctx context.Context, std *cli.Console) error {
	out, cert, err := c.outputs(ctx, std)
	if err != nil {
		return err
	}
	if err := c.Fits(uint64(c.Hash)); err != nil {
		return err
	}
	if c.Divided() && c.Save+c.Load == "" && !c.Fresh {
		c.Fresh = true
		std.Command += " --fresh"
	}
	sum := &totals{}
	run := batch.Run[solved]{Flags: c.Flags, Console: std, Totals: sum}
	run.Open = func(ctx context.Context, screen *batch.Screen) (batch.Solver[solved], error) {
		s := &lineSolver{
			solveCommand: c, screen: screen, in: std.Input(ctx, c.Load), out: out, cert: cert,
			sum: sum, failures: make(chan error, 1),
		}
		return s, s.open(ctx)
	}
	return run.File(ctx, c.File)
}

// outputs returns where the table and the certificate are written.
func (c *solveCommand) outputs(ctx context.Context, std *cli.Console) (out, cert container.Output, err error) {
	if err := c.check(std); err != nil {
		return out, cert, err
	}
	if out, err = std.Output(context.Background(), c.Save); err != nil { // also after Ctrl-C
		return out, cert, err
	}
	if c.Every != nil && out.Open != nil {
		return out, cert, fmt.Errorf("--every: %s can be written only once, at the end", out.Name)
	}
	cert, err = std.Output(ctx, c.Cert)
	if err == nil && c.Cert != "" {
		err = certificate.Writable(cert)
	}
	return out, cert, err
}

// check refuses flags that exclude each other, a --save that would overwrite a file without having loaded it, and a
// standard stream that is named twice.
func (c *solveCommand) check(std *cli.Console) error {
	switch {
	case c.Every != nil && c.Save == "":
		return errors.New("--every needs --save")
	case c.Every != nil && *c.Every <= 0:
		return fmt.Errorf("--every %v: expected more than 0", *c.Every)
	case c.Fresh && (c.Save != "" || c.Load != ""):
		return errors.New("--fresh clears the table: it cannot be used with --save or --load")
	case c.Jobs > 1 && c.Save+c.Load != "":
		return batch.ErrOneTable
	case c.Cert != "" && c.Divided():
		return certificate.ErrDivided
	case c.Save != "" && c.Save != c.Load:
		if err := cli.CheckNew(c.Save); err != nil {
			return err
		}
	}
	return errors.Join(
		std.CheckInputs(cli.Use{What: "--load", Path: c.Load}, cli.Positions(c.File)),
		std.CheckOutputs(cli.Use{What: "--save", Path: c.Save}, cli.Use{What: "--certificate", Path: c.Cert},
			cli.Use{What: "--resume", Path: c.Resume}))
}

// solveLineNodes is lineNodes of the subcommand, which has more time.
const solveLineNodes = 1 << 20

// lineSolver solves the lines of a run.
type lineSolver struct {
	*solveCommand
	screen *batch.Screen
	in     container.Input  // of --load
	out    container.Output // of --save
	cert   container.Output // of --certificate

	table    *window.Table
	solver   *proof.Solver
	saver    *window.Saver
	sum      *totals
	failures chan error // of saving, the latest
	failed   error      // of the certificate
	searched bool       // something, since the generation began
	solved   int        // positions
	move     string     // that is being analysed
}

// open makes the table.
func (s *lineSolver) open(ctx context.Context) (err error) {
	var growing []window.Option // so that a short search does not touch, or clear, all of the table
	if s.Load == "" && s.Save == "" {
		growing = append(growing, window.Growing())
	}
	if s.table, err = window.New(uint64(s.Hash), growing...); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.table.Close())
		}
	}()
	s.solver = proof.New(s.table, proof.Options{Threads: int(s.Threads), Report: s.report})
	if s.Cert != "" {
		s.failed = certificate.ErrNone // until there is one
	}
	if s.Load != "" {
		if _, err := s.table.Load(ctx, s.in, label(), nil); err != nil {
			return err
		}
	}
	if growing == nil {
		_ = s.table.Prefault(ctx) // its only error is that of ctx
	}
	if s.Save != "" && s.out.Open == nil {
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
		s.screen.Warnf("%v", err)
	default:
	}
}

// Close saves and frees the table.
func (s *lineSolver) Close() (err error) {
	switch {
	case s.saver != nil:
		err = s.saver.Close(context.Background())
	case s.Save != "":
		_, err = s.table.Save(context.Background(), s.out, label(), nil)
	}
	return errors.Join(s.failed, err, s.table.Close())
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
	s.screen.Note("%s? φ %d δ %d, %d nodes, %.0f nodes/s, hash %.1f %%",
		what, p.Phi, p.Delta, p.Nodes, float64(p.Nodes)/max(p.Time, time.Millisecond).Seconds(), float64(p.HashFull)/10)
}

// solved is what a record says about a position.
type solved struct {
	Value    string   `json:"value"`
	Lower    string   `json:"lower,omitempty"` // bounds of a value that is not known, with --analyze
	Upper    string   `json:"upper,omitempty"`
	Expected string   `json:"expected,omitempty"`
	Nodes    uint64   `json:"nodes"`
	Seconds  float64  `json:"seconds"`
	PV       string   `json:"pv"`
	Moves    []valued `json:"moves,omitempty"` // with --analyze, the best first

	position string
}

// known reports whether the position is solved.
func (s *solved) known() bool { return s.Value != unknown }

// valued is a move with its value for the side that makes it.
type valued struct {
	Move  string `json:"move"`
	Value string `json:"value"` // or its bounds
	PV    string `json:"pv,omitempty"`
	Proof string `json:"proof,omitempty"` // the unfinished proof in place of the main line
}

// Text is the answer as a line, with --analyze further lines for the moves.
func (s solved) Text(l batch.Line) string {
	value := s.Value
	if s.Lower != "" {
		value = s.Lower + ".." + s.Upper
	}
	text := fmt.Sprintf("%d\t%s\t%s\t%d\t%d\t%s", l.Line, s.position, value, s.Nodes, int64(1000*s.Seconds), s.PV)
	for _, m := range s.Moves {
		text += fmt.Sprintf("\n\t\t%s\t%s\t%s", m.Move, m.Value, m.PV+m.Proof)
	}
	return text
}

// Solve answers a line.
func (s *lineSolver) Solve(ctx context.Context, l batch.Line) (*batch.Answer[solved], error) {
	p, expected, err := parsePosition(l.Text)
	if err != nil {
		return nil, err
	}
	if s.Cert != "" && s.solved > 0 {
		return nil, certificate.ErrSecond
	}
	s.solved++
	switch {
	case s.Fresh:
		if s.table.Clear(ctx) != nil {
			return nil, nil // Ctrl-C
		}
	case s.searched: // entries of a table that was only loaded keep their generation
		s.table.NewSearch()
		s.searched = false
	}
	a := &batch.Answer[solved]{}
	if _, _, over := p.Over(); s.Analyze && !over {
		a.Fields = s.analyze(ctx, p)
	} else if a.Fields, err = s.decide(ctx, p); err != nil {
		return nil, err
	}
	s.searched = s.searched || a.Fields.Nodes > 0
	s.warn()
	a.Fields.Expected, a.Fields.position = expected, strings.Fields(l.Text)[0]
	if a.Fields.known() {
		if s.Cert != "" {
			s.certify(ctx, p, a.Fields.Value)
		}
		if expected != "" && expected != a.Fields.Value {
			a.Wrong = fmt.Sprintf("the value is %s, not %s: %q", a.Fields.Value, expected, l.Text)
		}
	}
	return a, nil
}

// decide finds the value of a position and its main line.
func (s *lineSolver) decide(ctx context.Context, p rules.Position) (found solved, err error) {
	wins, loses := goals(p)
	d, err := s.solver.Decide(ctx, wins, loses, proof.Limits{Time: time.Duration(s.Time)})
	if err != nil {
		return found, err
	}
	line, err := s.solver.MainLine(ctx, d, wins, loses, proof.Limits{Nodes: solveLineNodes})
	if err != nil {
		return found, err
	}
	return solved{Value: decisionText(d), Nodes: d.Nodes(), Seconds: d.Time().Seconds(), PV: ultimategoal.Text(line)}, nil
}

// totals are the sums over the answers of a run.
type totals struct {
	solved, unknown int
	nodes           uint64
	seconds         float64
	certificate     string // what is said about it
}

// Add counts an answer.
func (t *totals) Add(s solved) {
	if s.known() {
		t.solved++
	} else {
		t.unknown++
	}
	t.nodes += s.Nodes
	t.seconds += s.Seconds
}

// Text is the last line of the output.
func (t *totals) Text(c batch.Counts) string {
	spent := time.Duration(t.seconds * float64(time.Second))
	return t.certificate + fmt.Sprintf("# %d solved, %d unknown, %d wrong, %s: %d nodes, %v, %.0f nodes/s",
		t.solved, t.unknown, c.Wrong, cli.Count(c.Bad, "bad line"), t.nodes, spent.Round(time.Millisecond),
		float64(t.nodes)/max(t.seconds, 1e-9))
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
