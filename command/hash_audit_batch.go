package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"trefoil/cluster"
	"trefoil/engine"
	"trefoil/engine/analysis"
	enginebench "trefoil/engine/bench"
	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/observe"
	"trefoil/ttanalysis/report"
)

// Summary returns an empty summary of records, for trefoil merge.
func (*hashAudit) Summary() *batch.Summary { return batch.NewSummary(&auditTotals{}) }

// sweepPositions is sweep, position by position: with records, for a shard, or by several jobs.
func (a *hashAudit) sweepPositions(ctx context.Context, made report.Origin, std *cli.Console) error {
	totals := &auditTotals{}
	run := batch.Run[audited]{Flags: a.Flags, Console: std, Totals: totals}
	if format := analysis.FormatOf(a.File); format != nil {
		if a.Variant != format.Variant && a.Variant != engine.Games().Names()[0] {
			return fmt.Errorf("--variant %s: the games are of %s", a.Variant, format.Variant)
		}
		a.Variant, run.Source = format.Variant, gamePositions(format)
	}
	g, err := engine.Games().FindAlphaBeta(a.Variant)
	if err != nil {
		return err
	}
	switch {
	case a.FEN != "":
		run.Lines = []string{a.FEN}
	case a.File == "":
		run.Lines = g.AlphaBeta.Setups
	}
	suite, err := enginebench.NewSuite(g, nil)
	if err != nil {
		return err
	}
	a.configure(&suite)
	totals.title = func(positions int) string {
		suite.Setups = make([]string, positions)
		return a.title(suite)
	}
	if err := a.Fits(uint64(a.Hash)); err != nil {
		return err
	}
	run.Open = func(_ context.Context, screen *batch.Screen) (batch.Solver[audited], error) {
		table, err := cluster.New(suite.MiB, suite.Index) // is there memory for it?
		if err != nil {
			return nil, err
		}
		s := &auditSolver{suite: suite, options: a.sweepOptions(), screen: screen}
		s.suite.NewRoot = g.AlphaBeta.NewRoots() // they share an evaluator
		return s, table.Close()
	}
	err = run.File(ctx, a.File)
	if wrong := (*cli.Status)(nil); err != nil && (!errors.As(err, &wrong) || wrong.Code != cli.StatusWrong) {
		return err
	}
	return errors.Join(a.save(totals.results, totals.title(totals.positions), made), err)
}

// gamePositions returns a source of all positions of the games of a file.
func gamePositions(format *analysis.Format) batch.Source {
	return func(in io.Reader) func() (string, error) {
		next := format.Open(in)
		return batch.Positions(func() ([]string, error) {
			record, err := next()
			if _, ok := errors.AsType[*analysis.RecordError](err); ok {
				err = &batch.BadInput{Err: err}
			}
			if err != nil {
				return nil, err
			}
			return record.Positions(), nil
		})
	}
}

// auditSolver audits positions one at a time.
type auditSolver struct {
	suite   observe.Suite
	options observe.SweepOptions
	screen  *batch.Screen
}

// audited is what a record says about a position.
type audited struct {
	Audits  []report.AuditRecord `json:"audits"` // by check bits, in the order of --keybits, and key seed
	Seconds float64              `json:"seconds"`
}

// Text is nothing: without --json only the sums are printed.
func (audited) Text(batch.Line) string { return "" }

func (s *auditSolver) Close() error { return nil }

// Solve audits a position.
func (s *auditSolver) Solve(ctx context.Context, l batch.Line) (*batch.Answer[audited], error) {
	if _, err := s.suite.NewRoot(l.Text); err != nil {
		return nil, err
	}
	a, start := &batch.Answer[audited]{}, time.Now()
	s.suite.Setups = []string{l.Text}
	s.options.Progress = func(done, total int) { s.screen.Note("line %d: %d of %d searches", l.Line, done, total) }
	err := s.suite.Sweep(ctx, s.options, func(r ttanalysis.AuditResult) {
		for _, seed := range r.Seeds {
			a.Fields.Audits = append(a.Fields.Audits, report.AuditRecord{AuditResult: seed})
		}
	})
	switch {
	case ctx.Err() != nil:
		return nil, nil
	case err != nil:
		return nil, &batch.Failure{Err: err}
	}
	a.Fields.Seconds = time.Since(start).Seconds()
	return a, nil
}

// auditTotals are the sums over the positions of a run.
type auditTotals struct {
	positions int
	results   []ttanalysis.AuditResult
	title     func(positions int) string // nil in trefoil merge
}

// Add adds the audits of a position.
func (t *auditTotals) Add(a audited) {
	t.positions++
	t.results = report.AddAudits(t.results, a.Audits)
}

// Text is the table of the sums.
func (t *auditTotals) Text(c batch.Counts) string {
	title := "# " + cli.Count(t.positions, "position") + ", " + cli.Count(c.Bad, "bad line")
	if len(t.results) == 0 {
		return title
	}
	if t.title != nil {
		title = t.title(t.positions)
	}
	lines := []string{title, "", report.SweepHead()}
	for i := range t.results {
		lines = append(lines, report.SweepLine(&t.results[i]))
	}
	return strings.Join(append(append(lines, ""), report.SweepNotes(t.results)...), "\n")
}
