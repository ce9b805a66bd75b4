package report

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"trefoil/cluster"
	"trefoil/ttanalysis"
)

// A measure is a number computed from the counts of a run.
type measure struct {
	name, title string
	verb, verbs string // in a sentence about a design, about several
	of          func(c *ttanalysis.ReplayCounts) float64
	format      string
}

var (
	hits = measure{
		name: "Hits", title: "hits, % of probes", verb: "hits", verbs: "hit", format: "%.3f",
		of: func(c *ttanalysis.ReplayCounts) float64 { return 100 * c.HitRate() },
	}
	cutoffs = measure{
		name: "Cutoffs", title: "cutoffs, % of probes", verb: "allows a cutoff at", verbs: "allow a cutoff at",
		format: "%.3f",
		of:     func(c *ttanalysis.ReplayCounts) float64 { return 100 * c.CutoffRate() },
	}
	falseHits = measure{
		name: "False hits", title: "false hits per million probes", format: "%.2f",
		of: func(c *ttanalysis.ReplayCounts) float64 {
			return 1e6 * float64(c.FalseHits) / float64(max(1, c.Probes))
		},
	}
)

// text formats the measure of a run.
func (m measure) text(c *ttanalysis.ReplayCounts) string { return fmt.Sprintf(m.format, m.of(c)) }

// plain is a measure of runs that do not repeat stores.
func (m measure) plain() measure {
	m.title += ", recorded stores only"
	return m
}

// WriteComparison prints the rates of a comparison as tables by design and size.
func WriteComparison(w io.Writer, c *ttanalysis.Comparison) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	h, n := c.Trace, c.Recorded
	fmt.Fprintf(out, "trace    %s: %s\n", h.Game, h.Note)
	fmt.Fprintf(out, "recorded with %s: %d searches, %d probes, %d hits (%.3f %%), %d cutoffs (%.3f %%), %d stores\n",
		h.Table(), n.Searches, n.Probes, n.Hits, percent(n.Hits, n.Probes), n.Cutoffs, percent(n.Cutoffs, n.Probes), n.Stores)
	if run := c.RecordedRun(); run != nil {
		fmt.Fprintf(out, "replayed with the same table: %d hits; %d probes with another result than recorded\n",
			run.Hits+run.FalseHits, run.Mismatches)
	}
	designs := replayOf(c, Origin{}).designs // the bounds first
	for _, m := range []measure{hits, cutoffs, falseHits} {
		if m.name == falseHits.name {
			designs = designs[len(c.Bounds):]
		}
		writeGrid(out, m.title, c.MiB, namesOf(designs), func(i, j int) string { return m.text(&designs[i].runs[j]) })
	}
	names := namesOf(designs)
	for _, m := range []measure{hits.plain(), cutoffs.plain()} {
		writeGrid(out, m.title, c.MiB, names, func(i, j int) string { return m.text(&c.Plain[i][j].ReplayCounts) })
	}
	if len(c.Bounds) > 0 {
		title := fmt.Sprintf("hits, %% of the bound %s, where it is a bound", c.Bounds[0].Name)
		writeGrid(out, title, c.MiB, names, func(i, j int) string { return shareText(c.RelativeToBound(i, j)) })
	}
	title := fmt.Sprintf("hits, %% of the best design with %d bytes per cluster and evals", cluster.BytesPerCluster)
	writeGrid(out, title, c.MiB, names, func(i, j int) string { return shareText(c.RelativeHitRate(i, j)) })
	return out.Flush()
}

// shareText is a share in percent, - if it is NaN.
func shareText(share float64) string {
	if math.IsNaN(share) {
		return "-"
	}
	return fmt.Sprintf("%.2f", 100*share)
}

func percent(n, total uint64) float64 { return 100 * float64(n) / float64(max(1, total)) }

// writeGrid prints a table by design and size.
func writeGrid(out *tabwriter.Writer, title string, mib []float64, designs []string,
	cell func(design, size int) string) {
	fmt.Fprintf(out, "\n%s, by MiB\n\n", title)
	row := []any{"design"}
	for _, size := range mib {
		row = append(row, size)
	}
	writeRow(out, row...)
	for i, name := range designs {
		row := []any{name}
		for j := range mib {
			row = append(row, cell(i, j))
		}
		writeRow(out, row...)
	}
}
