package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"trefoil/cluster"
	"trefoil/internal/cli"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/plot"
)

const hashReplayUsage = `usage: trefoil hash replay FILE [FLAGS]

Does to tables of other designs and sizes what the search that hash trace recorded did to its
own, and prints how often they would have hit. A design is "trefoil", the table of this
program, or what differs from it, joined by +:

  index=mul32|mul64|pow2        from key to cluster
  ties=key|first|oldest|unused  which of entries of equal worth goes
  ways=N                        entries in a cluster
  bytes=N                       of a cluster, 32
  keybits=N                     compared, 21
  eval=0                        entries without static evaluation, 16 bits less
  replace=always|depth|depth-age|two-tier
  age=N                         plies that a search of age is worth, 8
  keep=N                        the same position stays if it is deeper by so many plies, 4; 0 = never
  refresh=0                     a hit does not make an entry one of the present search

What a replay cannot know: after a hit that it did not have the search would have gone on
otherwise. So the rates compare designs, and the differences of real searches are larger.

`

// defaultDesigns are those that are compared if nobody says which: one choice changed at a
// time, and then clusters of other sizes with entries as large as ours.
const defaultDesigns = "trefoil,index=mul64,index=pow2,keybits=8,keybits=12,keybits=16," +
	"replace=always,replace=depth,replace=two-tier,age=0,age=2,age=16,keep=0,refresh=0,ties=first,ties=oldest,ties=unused,ways=2,ways=4+keybits=16+eval=0," +
	"ways=1+bytes=10+keybits=16,ways=2+bytes=21+keybits=20,ways=4+bytes=42+keybits=20,ways=6+bytes=64"

const defaultSizes = "0.25,0.5,1,2,4,8,16"

// replaying is one run of hash replay.
type replaying struct {
	file, sizes, designs string
	plots, tsv           string
	memory               uint64 // MiB that tables may take at once

	mib  []float64
	list []ttanalysis.Clusters
	runs [][]*ttanalysis.Run // by design and size
	seen ttanalysis.Recorded
	head ttanalysis.TraceHeader
}

func hashReplay(args []string, std streams) int {
	flags, r := newFlags("hash replay"), replaying{}
	flags.StringVar(&r.sizes, "sizes", defaultSizes, "`MIB,…` of the tables, fractions too")
	flags.StringVar(&r.designs, "designs", defaultDesigns, "`DESIGN,…`")
	flags.StringVar(&r.plots, "plot", "", "draw the rates: `NAME`-hits.svg, NAME-cutoffs.svg, NAME-ratio.svg")
	flags.StringVar(&r.tsv, "tsv", "", "write the counts to `FILE` too, with tabs between them")
	flags.Uint64Var(&r.memory, "memory", 1024, "`MIB` that tables may take at once; more passes of the trace if they need more")
	if status, ok := parseFlags(flags, args, 1, hashReplayUsage, std); !ok {
		return status
	}
	if r.file = flags.Arg(0); r.file == "" {
		return misuse(std, "hash replay: it goes: hash replay FILE [FLAGS]")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := r.run(ctx, std)
	switch {
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	case err != nil:
		return misuse(std, "hash replay: %v", err)
	}
	return 0
}

func (r *replaying) run(ctx context.Context, std streams) error {
	if err := r.parse(); err != nil {
		return err
	}
	for _, path := range r.outputs() {
		if err := writable(path); err != nil {
			return err
		}
	}
	if err := r.replay(ctx, std); err != nil {
		return err
	}
	out := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	r.print(out)
	if err := out.Flush(); err != nil {
		return err
	}
	if r.tsv != "" {
		if err := r.save(); err != nil {
			return err
		}
	}
	if r.plots != "" {
		return r.draw()
	}
	return nil
}

// parse reads designs and sizes.
func (r *replaying) parse() error {
	for text := range strings.SplitSeq(r.sizes, ",") {
		mib, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || mib < 1.0/1024 || mib > 1<<20 || math.IsNaN(mib) {
			return fmt.Errorf("size %q is not a number of MiB from 0.001 to 1048576", text)
		}
		r.mib = append(r.mib, mib)
	}
	slices.Sort(r.mib)
	r.mib = slices.Compact(r.mib)
	for text := range strings.SplitSeq(r.designs, ",") {
		d, err := ttanalysis.ParseDesign(strings.TrimSpace(text))
		if err != nil {
			return err
		}
		runs := make([]*ttanalysis.Run, len(r.mib))
		for i, mib := range r.mib {
			runs[i] = &ttanalysis.Run{Design: d, Bytes: uint64(mib * (1 << 20))}
			if err := d.Check(runs[i].Bytes); err != nil {
				return err
			}
		}
		if slices.Contains(r.list, d) {
			continue
		}
		r.list, r.runs = append(r.list, d), append(r.runs, runs)
	}
	return nil
}

// replay replays the trace, as many runs at once as there is memory for.
func (r *replaying) replay(ctx context.Context, std streams) error {
	var passes [][]*ttanalysis.Run
	left := uint64(0)
	for _, run := range slices.Concat(r.runs...) {
		need := run.Design.Footprint(run.Bytes)
		if need > left || len(passes) == 0 {
			passes, left = append(passes, nil), max(r.memory<<20, need)
		}
		passes[len(passes)-1] = append(passes[len(passes)-1], run)
		left -= need
	}
	for i, runs := range passes {
		trace, err := ttanalysis.OpenTrace(r.file)
		if err != nil {
			return err
		}
		r.head = trace.TraceHeader
		bar := cli.NewProgress(std.err, int(trace.Records))
		bar.Note = fmt.Sprintf("records, pass %d of %d", i+1, len(passes))
		r.seen, err = ttanalysis.Replay(ctx, trace, runs, func(done uint64) { bar.Show(int(done)) })
		bar.Clear()
		if err = errors.Join(err, trace.Close()); err != nil {
			return err
		}
	}
	return nil
}

// outputs are the files that will be written.
func (r *replaying) outputs() (paths []string) {
	if r.tsv != "" {
		paths = append(paths, r.tsv)
	}
	if r.plots != "" {
		paths = append(paths, r.pictureFile("hits"), r.pictureFile("cutoffs"), r.pictureFile("ratio"))
	}
	return paths
}

// pictureFile is the name of a picture.
func (r *replaying) pictureFile(name string) string { return r.plots + "-" + name + ".svg" }

// A figure is something of a run that is printed for all of them.
type figure struct {
	title  string
	of     func(c *ttanalysis.ReplayCounts) float64
	format string
}

var figures = []figure{
	{"hits, % of probes", func(c *ttanalysis.ReplayCounts) float64 { return 100 * c.HitRate() }, "%.3f"},
	{"cutoffs, % of probes", func(c *ttanalysis.ReplayCounts) float64 { return 100 * c.CutoffRate() }, "%.3f"},
	{"false hits, in a million probes", func(c *ttanalysis.ReplayCounts) float64 { return 1e6 * float64(c.False) / float64(max(1, c.Probes)) }, "%.2f"},
}

func (r *replaying) print(out *tabwriter.Writer) {
	h, s := r.head, r.seen
	fmt.Fprintf(out, "trace    %s: %s\n", h.Game, h.Note)
	fmt.Fprintf(out, "recorded with %d MiB, index %s, %d key bits: %d searches, %d probes, %d hits (%.3f %%), %d cutoffs (%.3f %%), %d stores\n",
		h.MiB, h.Index, h.KeyBits, s.Searches, s.Probes, s.Hits, percent(s.Hits, s.Probes), s.Cutoffs, percent(s.Cutoffs, s.Probes), s.Stores)
	r.repeat(out)
	for _, f := range figures {
		r.table(out, f.title, func(i, j int) string { return fmt.Sprintf(f.format, f.of(&r.runs[i][j].ReplayCounts)) })
	}
	best := make([]float64, len(r.mib))
	for j := range r.mib {
		for i, d := range r.list {
			if d.Bytes == cluster.BytesPerCluster && d.Eval > 0 {
				best[j] = max(best[j], r.runs[i][j].HitRate())
			}
		}
	}
	r.table(out, fmt.Sprintf("hits, %% of the best design of %d bytes a cluster with evals", cluster.BytesPerCluster), func(i, j int) string {
		if best[j] == 0 {
			return "-"
		}
		return fmt.Sprintf("%.2f", 100*r.runs[i][j].HitRate()/best[j])
	})
}

func percent(n, of uint64) float64 { return 100 * float64(n) / float64(max(1, of)) }

// repeat tells whether the table that was recorded, if it is among the runs, hit the same probes.
func (r *replaying) repeat(out *tabwriter.Writer) {
	same := ttanalysis.Shipped()
	same.Index, same.KeyBits = r.head.Index, r.head.KeyBits
	for i, d := range r.list {
		for j := range r.mib {
			if run := r.runs[i][j]; d == same && run.Bytes == r.head.MiB<<20 {
				fmt.Fprintf(out, "replayed with the same table: %d hits, %d of all probes otherwise than recorded\n", run.Hits+run.False, run.Unlike)
				return
			}
		}
	}
}

func (r *replaying) table(out *tabwriter.Writer, title string, cell func(i, j int) string) {
	fmt.Fprintf(out, "\n%s, by MiB\n\n", title)
	fmt.Fprint(out, "design\t")
	for _, mib := range r.mib {
		fmt.Fprintf(out, "%g\t", mib)
	}
	fmt.Fprintln(out)
	for i, d := range r.list {
		fmt.Fprintf(out, "%s\t", d)
		for j := range r.mib {
			fmt.Fprintf(out, "%s\t", cell(i, j))
		}
		fmt.Fprintln(out)
	}
}

// draw writes the pictures.
func (r *replaying) draw() error {
	if err := r.picture("hits", "Hits of table designs on one trace", figures[0].title, func(i, j int) float64 {
		return figures[0].of(&r.runs[i][j].ReplayCounts)
	}); err != nil {
		return err
	}
	if err := r.picture("cutoffs", "Cutoffs of table designs on one trace", figures[1].title, func(i, j int) float64 {
		return figures[1].of(&r.runs[i][j].ReplayCounts)
	}); err != nil {
		return err
	}
	shipped := slices.Index(r.list, ttanalysis.Shipped())
	if shipped < 0 {
		return nil
	}
	return r.picture("ratio", "Hits of table designs beside those of the one we ship", "hits, % of trefoil's", func(i, j int) float64 {
		return 100 * r.runs[i][j].HitRate() / r.runs[shipped][j].HitRate() // NaN if there are none
	})
}

// picture draws a line for each design, the highest first.
func (r *replaying) picture(name, title, y string, of func(i, j int) float64) error {
	c := plot.Chart{Title: title, X: "table, MiB", Y: y}
	for _, mib := range r.mib {
		c.Points = append(c.Points, fmt.Sprintf("%g", mib))
	}
	for i, d := range r.list {
		line := plot.Line{Name: d.String()}
		for j := range r.mib {
			line.Values = append(line.Values, of(i, j))
		}
		c.Lines = append(c.Lines, line)
	}
	slices.SortStableFunc(c.Lines, func(a, b plot.Line) int { return cmp.Compare(b.Values[0], a.Values[0]) })
	svg, err := c.SVG()
	if err != nil {
		return err
	}
	return os.WriteFile(r.pictureFile(name), svg, 0o666)
}

// save writes the counts for other programs.
func (r *replaying) save() error {
	var b strings.Builder
	b.WriteString("design\tMiB\tprobes\tstores\thits\tcutoffs\tfalse hits\tfalse cutoffs\tunlike the recorded\n")
	for i, d := range r.list {
		for j, mib := range r.mib {
			c := r.runs[i][j].ReplayCounts
			fmt.Fprintf(&b, "%s\t%g\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", d, mib, c.Probes, c.Stores, c.Hits, c.Cutoffs, c.False, c.FalseCutoffs, c.Unlike)
		}
	}
	return os.WriteFile(r.tsv, []byte(b.String()), 0o666)
}
