package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"trefoil/cluster"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/plot"
)

// A measure is a number computed from the counts of a run.
type measure struct {
	title  string
	of     func(c *ttanalysis.ReplayCounts) float64
	format string
}

var (
	hits      = measure{"hits, % of probes", func(c *ttanalysis.ReplayCounts) float64 { return 100 * c.HitRate() }, "%.3f"}
	cutoffs   = measure{"cutoffs, % of probes", func(c *ttanalysis.ReplayCounts) float64 { return 100 * c.CutoffRate() }, "%.3f"}
	falseHits = measure{"false hits per million probes", func(c *ttanalysis.ReplayCounts) float64 {
		return 1e6 * float64(c.FalseHits) / float64(max(1, c.Probes))
	}, "%.2f"}
)

// WriteComparison prints the rates of a comparison as tables by design and size.
func WriteComparison(w io.Writer, c *ttanalysis.Comparison) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	h, n := c.Trace, c.Recorded
	fmt.Fprintf(out, "trace    %s: %s\n", h.Game, h.Note)
	fmt.Fprintf(out, "recorded with %d MiB, index %s, %d key bits: %d searches, %d probes, %d hits (%.3f %%), %d cutoffs (%.3f %%), %d stores\n",
		h.MiB, h.Index, h.KeyBits, n.Searches, n.Probes, n.Hits, percent(n.Hits, n.Probes), n.Cutoffs, percent(n.Cutoffs, n.Probes), n.Stores)
	if run := c.RecordedRun(); run != nil {
		fmt.Fprintf(out, "replayed with the same table: %d hits; %d probes with another result than recorded\n", run.Hits+run.FalseHits, run.Mismatches)
	}
	for _, m := range []measure{hits, cutoffs, falseHits} {
		writeGrid(out, c, m.title, func(i, j int) string { return fmt.Sprintf(m.format, m.of(&c.Runs[i][j].ReplayCounts)) })
	}
	title := fmt.Sprintf("hits, %% of the best design with %d bytes per cluster and evals", cluster.BytesPerCluster)
	writeGrid(out, c, title, func(i, j int) string {
		r := c.RelativeHitRate(i, j)
		if math.IsNaN(r) {
			return "-"
		}
		return fmt.Sprintf("%.2f", 100*r)
	})
	return out.Flush()
}

func percent(n, total uint64) float64 { return 100 * float64(n) / float64(max(1, total)) }

// writeGrid prints a table of designs and sizes.
func writeGrid(out *tabwriter.Writer, c *ttanalysis.Comparison, title string, cell func(design, size int) string) {
	fmt.Fprintf(out, "\n%s, by MiB\n\n", title)
	row := []any{"design"}
	for _, mib := range c.MiB {
		row = append(row, mib)
	}
	writeRow(out, row...)
	for i, d := range c.Designs {
		row := []any{d}
		for j := range c.MiB {
			row = append(row, cell(i, j))
		}
		writeRow(out, row...)
	}
}

// SaveComparison writes the counts of a comparison to a file of tab-separated values.
func SaveComparison(path string, c *ttanalysis.Comparison) error {
	var b strings.Builder
	b.WriteString("design\tMiB\tprobes\tstores\thits\tcutoffs\tfalse hits\tfalse cutoffs\tmismatches\n")
	for i, d := range c.Designs {
		for j, mib := range c.MiB {
			n := c.Runs[i][j].ReplayCounts
			fmt.Fprintf(&b, "%s\t%g\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", d, mib, n.Probes, n.Stores, n.Hits, n.Cutoffs, n.FalseHits, n.FalseCutoffs, n.Mismatches)
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

// A replayRow is a line of a file of SaveComparison.
type replayRow struct {
	design, mib           string
	probes, hits, cutoffs uint64
}

// loadComparison reads a file of SaveComparison.
func loadComparison(path string) (rows []replayRow, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	at := map[string]int{}
	if len(lines) > 0 {
		for i, name := range lines[0] {
			at[name] = i
		}
	}
	for _, name := range []string{"design", "MiB", "probes", "hits", "cutoffs"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("%s: not a file of hash replay --tsv: no column %q", path, name)
		}
	}
	if len(lines) < 2 {
		return nil, fmt.Errorf("%s: not a file of hash replay --tsv: no rows", path)
	}
	for n, line := range lines[1:] {
		row := replayRow{design: line[at["design"]], mib: line[at["MiB"]]}
		for name, to := range map[string]*uint64{"probes": &row.probes, "hits": &row.hits, "cutoffs": &row.cutoffs} {
			if *to, err = strconv.ParseUint(line[at[name]], 10, 64); err != nil {
				return nil, fmt.Errorf("%s: line %d: %s %q is not a count", path, n+2, name, line[at[name]])
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// The charts of a comparison, by the end of their file names.
const (
	hitsChart    = "-hits.svg"
	cutoffsChart = "-cutoffs.svg"
	ratioChart   = "-ratio.svg"
)

// ComparisonCharts returns the names of the files that DrawComparison writes.
func ComparisonCharts(name string) []string {
	return []string{name + hitsChart, name + cutoffsChart, name + ratioChart}
}

// DrawComparison writes charts of hits and cutoffs as SVG, and of hits relative to DefaultDesign
// if that is among the designs.
func DrawComparison(name string, c *ttanalysis.Comparison) error {
	draw := func(suffix, title, y string, of func(design, size int) float64) error {
		svg, err := designChart(c, title, y, of).SVG()
		if err != nil {
			return err
		}
		return os.WriteFile(name+suffix, svg, 0o666)
	}
	for _, chart := range []struct {
		suffix, title string
		measure       measure
	}{
		{hitsChart, "Hits of table designs on one trace", hits},
		{cutoffsChart, "Cutoffs of table designs on one trace", cutoffs},
	} {
		if err := draw(chart.suffix, chart.title, chart.measure.title, func(i, j int) float64 { return chart.measure.of(&c.Runs[i][j].ReplayCounts) }); err != nil {
			return err
		}
	}
	reference := slices.Index(c.Designs, ttanalysis.DefaultDesign())
	if reference < 0 {
		return nil
	}
	return draw(ratioChart, "Hits of table designs relative to trefoil's", "hits, % of trefoil's", func(i, j int) float64 {
		return 100 * c.Runs[i][j].HitRate() / c.Runs[reference][j].HitRate() // NaN without hits
	})
}

// designChart returns a chart with a line for each design, sorted by the first value, highest
// first.
func designChart(c *ttanalysis.Comparison, title, y string, of func(i, j int) float64) plot.Chart {
	chart := plot.Chart{Title: title, X: "table, MiB", Y: y}
	for _, mib := range c.MiB {
		chart.Points = append(chart.Points, fmt.Sprintf("%g", mib))
	}
	for i, d := range c.Designs {
		line := plot.Line{Name: d.String()}
		for j := range c.MiB {
			line.Values = append(line.Values, of(i, j))
		}
		chart.Lines = append(chart.Lines, line)
	}
	slices.SortStableFunc(chart.Lines, func(a, b plot.Line) int { return cmp.Compare(b.Values[0], a.Values[0]) })
	return chart
}
