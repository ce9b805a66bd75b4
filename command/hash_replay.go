package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"trefoil/internal/batch"
	"trefoil/internal/cli"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/report"
)

type hashReplay struct {
	Sizes   string  `default:"0.25,0.5,1,2,4,8,16" help:"Table sizes in MiB; fractions are allowed."`
	Designs string  `placeholder:"DESIGN,..." help:"Table designs, see above; presets stands for all presets. By default the presets and variants of trefoil."`
	Plot    string  `placeholder:"NAME" help:"Draw the rates: NAME-hits.svg, NAME-cutoffs.svg, NAME-ratio.svg; without --designs only those of the designs that differ most."`
	TSV     string  `name:"tsv" placeholder:"FILE" help:"Write the counts to this file, separated by tabs."`
	Bound   bool    `help:"Add the bound that no replacement policy can exceed (Belady's MIN), for tables with the geometry of trefoil. Takes about 100 bytes of memory per record."`
	Shadow  bool    `help:"Compare the predictions of HashStats for half, twice and four times each size with a replay."`
	Reuse   bool    `help:"Show how often entries are hit, by depth, hits and subtree, in an unlimited table."`
	Memory  cli.MiB `default:"1024" setting:"-" help:"Memory for tables in MiB. If it is too little, the trace is read several times, a trace from a pipe from a temporary copy."`
	batch.Flags
	File string `arg:"" setting:"-" help:"The trace; - is standard input."`
}

// Help is printed by -h.
func (*hashReplay) Help() string {
	return `Replays a trace, of hash trace or of another engine (docs/trace.md), against tables of other
designs and sizes, and prints their hit rates. A design is one of these presets, or a preset and
its changes, joined by +, as in stockfish+refresh=1:

` + ttanalysis.PresetHelp() + `
Without the name of a preset, they are changes of trefoil, which is:

` + ttanalysis.ParameterHelp() + `
--json prints a record for each design at each size. With --json, --shard, --jobs or --resume
these are replayed one by one, each in its own pass over the trace, and trefoil merge prints the
rates of all records.

With another table, the search would have searched other nodes: the rates compare designs under
the same load. A node whose recorded cutoff a table does not have is stored again, as a search would;
the tables of recorded stores only leave that out.`
}

// defaultDesigns are the presets, the design of this program's table with one parameter changed each,
// and clusters of other sizes with entries as large as its own.
const defaultDesigns = "presets,index=mul64,index=pow2,keybits=8,keybits=12,keybits=16," +
	"replace=always,replace=depth,replace=two-tier,age=0,age=1,age=4,search=1,search=8," +
	"turnover=0,turnover=100,turnover=500,refresh=0,ahead=0,ahead=1,ahead=2,deeper=0," +
	"weight=subtree,generations=32,keep=0,ties=first,ties=oldest,ties=unused," +
	"entries=2,entries=4+keybits=16+eval=0," +
	"entries=1+bytes=10+keybits=16,entries=2+bytes=21+keybits=20,entries=4+bytes=42+keybits=20"

func (r *hashReplay) Run(ctx context.Context, line *kong.Context, std *cli.Console) error {
	if r.Shadow || r.Reuse {
		if r.Shadow && r.Reuse || r.Bound || r.Designs+r.TSV+r.Plot != "" || r.JSON || r.Divided() {
			return errors.New("--shadow and --reuse cannot be used together, nor with --designs, --bound, --tsv, --plot " +
				"or flags for many positions")
		}
	} else if err := writable(r.outputs(), r.File); err != nil {
		return err
	}
	each := r.JSON || r.Divided()
	if each && (r.Bound || r.TSV+r.Plot != "") {
		return errors.New("--bound, --tsv and --plot cannot be used with --json, --shard, --jobs or --resume")
	}
	trace, err := ttanalysis.ReadTrace(std.Input(ctx, r.File)) // before the check of the designs, which takes seconds
	if err != nil {
		return err
	}
	defer trace.Close()
	switch {
	case r.Reuse:
		return r.showReuse(ctx, std, trace)
	case r.Shadow:
		return r.checkShadow(ctx, std, trace)
	}
	byDefault := r.Designs == ""
	if byDefault {
		r.Designs = defaultDesigns
	}
	c, err := ttanalysis.NewComparison(r.Designs, r.Sizes)
	if err != nil {
		return err
	}
	if each {
		return r.replayEach(ctx, c, trace, std)
	}
	progress, show := replayProgress(std)
	if r.Bound { // first, because it may not fit into memory
		err = c.Bound(ctx, trace, show)
	}
	if err == nil {
		err = c.Replay(ctx, trace, uint64(r.Memory)<<20, show)
	}
	progress.Clear()
	if err != nil {
		return err
	}
	if err := report.WriteComparison(std.Out, c); err != nil {
		return err
	}
	if r.TSV != "" {
		if err := report.SaveComparison(r.TSV, c, newOrigin(line.Args)); err != nil {
			return err
		}
	}
	if r.Plot != "" {
		return report.DrawComparison(r.Plot, c, byDefault)
	}
	return nil
}

// replayProgress returns a progress line, and what shows the progress of a replay on it.
func replayProgress(std *cli.Console) (*cli.Progress, func(ttanalysis.ReplayProgress)) {
	progress := cli.NewProgress(std.Err, 0)
	return progress, func(p ttanalysis.ReplayProgress) {
		progress.Total, progress.Note = int(p.Records), fmt.Sprintf("records, pass %d of %d", p.Pass, p.Passes)
		progress.Show(int(p.Done))
	}
}

// checkShadow compares predictions with replays.
func (r *hashReplay) checkShadow(ctx context.Context, std *cli.Console, trace *ttanalysis.TraceReader) error {
	c, err := ttanalysis.NewComparison(ttanalysis.DefaultDesign().String(), r.Sizes)
	if err != nil {
		return err
	}
	progress, show := replayProgress(std)
	checks, err := ttanalysis.CheckShadow(ctx, trace, c.MiB, show)
	progress.Clear()
	if err != nil {
		return err
	}
	return report.WriteShadowChecks(std.Out, checks)
}

// showReuse prints how often entries are hit.
func (r *hashReplay) showReuse(ctx context.Context, std *cli.Console, trace *ttanalysis.TraceReader) error {
	progress, show := replayProgress(std)
	groups, err := ttanalysis.ReadReuse(ctx, trace, show)
	progress.Clear()
	if err != nil {
		return err
	}
	return report.WriteReuse(std.Out, groups)
}

// outputs returns the files that will be written.
func (r *hashReplay) outputs() (paths []string) {
	if r.TSV != "" {
		paths = append(paths, r.TSV)
	}
	if r.Plot != "" {
		paths = slices.Concat(paths, report.ComparisonCharts(r.Plot))
	}
	return paths
}
