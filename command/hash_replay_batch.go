package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/report"
)

// Summary returns an empty summary of records, for trefoil merge.
func (*hashReplay) Summary() *batch.Summary { return batch.NewSummary(&replayTotals{}) }

// replayEach replays the trace against each design at each size alone: with records, for a shard, or by several jobs.
func (r *hashReplay) replayEach(ctx context.Context, c *ttanalysis.Comparison, trace *ttanalysis.TraceReader,
	std *cli.Console) error {
	if err := trace.ReadAhead(ctx); err != nil {
		return err
	}
	std.Command += fmt.Sprintf(" trace:%08x", trace.Checksum()) // records of another trace do not belong to these
	var largest uint64
	for _, run := range slices.Concat(c.Runs...) {
		largest = max(largest, 2*run.Design.ReplayBytes(run.Bytes))
	}
	if err := r.Fits(largest >> 20); err != nil {
		return err
	}
	run := batch.Run[replayed]{Flags: r.Flags, Console: std, Totals: &replayTotals{}}
	for _, d := range c.Designs {
		for _, mib := range c.MiB {
			run.Lines = append(run.Lines, fmt.Sprintf("%v %v", d, mib))
		}
	}
	run.Open = func(_ context.Context, screen *batch.Screen) (batch.Solver[replayed], error) {
		return &replaySolver{c, trace, screen}, nil
	}
	return run.File(ctx, "")
}

// replaySolver replays designs one at a time.
type replaySolver struct {
	*ttanalysis.Comparison
	trace  *ttanalysis.TraceReader
	screen *batch.Screen
}

// replayed is what a record says about a design at a size.
type replayed struct {
	Design       string  `json:"design"`
	MiB          float64 `json:"mib"`
	Probes       uint64  `json:"probes"`
	Stores       uint64  `json:"stores"`
	Hits         uint64  `json:"hits"`
	Cutoffs      uint64  `json:"cutoffs"`
	FalseHits    uint64  `json:"false_hits"`
	FalseCutoffs uint64  `json:"false_cutoffs"`
	Mismatches   uint64  `json:"mismatches"`
	PlainHits    uint64  `json:"plain_hits"` // with the recorded stores only
	PlainCutoffs uint64  `json:"plain_cutoffs"`
	Seconds      float64 `json:"seconds"`
}

// Text is nothing: without --json only the tables are printed.
func (replayed) Text(batch.Line) string { return "" }

func (s *replaySolver) Close() error { return nil }

// Solve replays the design of a line.
func (s *replaySolver) Solve(ctx context.Context, l batch.Line) (*batch.Answer[replayed], error) {
	start, i := time.Now(), l.Number-1
	design, mib := s.Designs[i/len(s.MiB)], s.MiB[i%len(s.MiB)]
	run := &ttanalysis.Run{Design: design, Bytes: uint64(mib * (1 << 20)), Repeats: true}
	plain := &ttanalysis.Run{Design: design, Bytes: run.Bytes}
	trace, err := s.trace.Again()
	if err != nil {
		return nil, &batch.Failure{Err: err}
	}
	_, err = ttanalysis.Replay(ctx, trace, []*ttanalysis.Run{run, plain}, func(done uint64) {
		s.screen.Note("%s: %d of %d records", l.Text, done, trace.Records)
	})
	err = errors.Join(err, trace.Close())
	switch {
	case ctx.Err() != nil:
		return nil, nil
	case err != nil:
		return nil, &batch.Failure{Err: err}
	}
	c := &run.ReplayCounts
	return &batch.Answer[replayed]{Fields: replayed{
		design.String(), mib, c.Probes, c.Stores, c.Hits, c.Cutoffs, c.FalseHits, c.FalseCutoffs, c.Mismatches,
		plain.Hits, plain.Cutoffs, time.Since(start).Seconds(),
	}}, nil
}

// replayTotals are the counts of a run.
type replayTotals struct {
	report.Replays
	plain report.Replays
	n     int
}

// Add notes the counts of a design at a size.
func (t *replayTotals) Add(r replayed) {
	t.n++
	t.Replays.Add(r.Design, r.MiB, ttanalysis.ReplayCounts{
		Probes: r.Probes, Stores: r.Stores, Hits: r.Hits, Cutoffs: r.Cutoffs,
		FalseHits: r.FalseHits, FalseCutoffs: r.FalseCutoffs, Mismatches: r.Mismatches,
	})
	t.plain.Add(r.Design, r.MiB, ttanalysis.ReplayCounts{Probes: r.Probes, Hits: r.PlainHits, Cutoffs: r.PlainCutoffs})
}

// Text is the tables of rates.
func (t *replayTotals) Text(batch.Counts) string {
	title := "# " + cli.Count(t.n, "replay")
	if t.n == 0 {
		return title
	}
	return title + "\n" + strings.TrimRight(t.Replays.Text(true)+t.plain.Text(false), "\n")
}
