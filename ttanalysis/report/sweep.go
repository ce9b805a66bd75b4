package report

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"trefoil/cluster"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/plot"
)

// The columns of a sweep as text.
const (
	sweepHeadFormat = "%4s %11s %11s %11s %11s %8s %8s %9s %6s %12s %8s %7s %6s %6s %8s %8s %11s"
	sweepLineFormat = "%4d %11d %11d %11d %11d %8d %8d %9s %6s %12s %8d %7d %6d %6d %8d %8d %11d"
)

// SweepHead returns the heading of the lines of SweepLine.
func SweepHead() string {
	return fmt.Sprintf(sweepHeadFormat, "bits", "nodes", "probes", "hits", "compared", "false", "first", "expected", "ratio", "95 %",
		"distinct", "cutoff", "move", "eval", "nothing", "illegal", "other best")
}

// SweepLine formats one result of a sweep.
func SweepLine(r *ttanalysis.AuditResult) string {
	ratio, interval := "-", "-"
	if x, low, high := r.Ratio(); !math.IsNaN(x) {
		ratio, interval = fmt.Sprintf("%.3f", x), fmt.Sprintf("%.3f-%.3f", low, high)
	}
	c, f := &r.Counters, &r.Counters.FalseHits
	return fmt.Sprintf(sweepLineFormat, r.KeyBits, r.Nodes, c.Probes, c.Hits, c.Compared, c.AllFalseHits(), c.FirstFalseHits,
		expectedCount(r.Expected()), ratio, interval, c.Distinct,
		f[ttanalysis.ForCutoff], f[ttanalysis.ForMove], f[ttanalysis.ForEval], f[ttanalysis.ForNothing], c.Illegal, r.OtherBest)
}

// A sweepColumn is a column of a saved sweep.
type sweepColumn struct {
	name  string
	value func(r *ttanalysis.AuditResult) *uint64
}

// sweepColumns are the columns of a saved sweep after the check bits.
var sweepColumns = []sweepColumn{
	{"nodes", func(r *ttanalysis.AuditResult) *uint64 { return &r.Nodes }},
	{"probes", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Probes }},
	{"hits", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Hits }},
	{"cutoffs", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Cutoffs }},
	{"moves", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Moves }},
	{"evals", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Evals }},
	{"stores", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Stores }},
	{"empty", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Filled }},
	{"same position", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Updated }},
	{"kept", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Kept }},
	{"evicted", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Evicted }},
	{"evicted deeper", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.EvictedDeeper }},
	{"compared", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Compared }},
	{"false for cutoff", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.FalseHits[ttanalysis.ForCutoff] }},
	{"false for move", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.FalseHits[ttanalysis.ForMove] }},
	{"false for eval", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.FalseHits[ttanalysis.ForEval] }},
	{"false for nothing", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.FalseHits[ttanalysis.ForNothing] }},
	{"illegal moves", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Illegal }},
	{"first", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.FirstFalseHits }},
	{"distinct", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Distinct }},
	{"other best", func(r *ttanalysis.AuditResult) *uint64 { return &r.OtherBest }},
}

// SaveSweep writes the counts of a sweep to a file of tab-separated values. title describes the
// suite.
func SaveSweep(path, title string, results []ttanalysis.AuditResult, made Origin) error {
	columns := []string{"bits"}
	for _, c := range sweepColumns {
		columns = append(columns, c.name)
	}
	var rows [][]string
	for i := range results {
		row := []string{strconv.Itoa(results[i].KeyBits)}
		for _, c := range sweepColumns {
			row = append(row, strconv.FormatUint(*c.value(&results[i]), 10))
		}
		rows = append(rows, row)
	}
	return saveTable(path, heading{Title: title, Origin: made}, columns, rows)
}

// A sweep is a file of SaveSweep.
type sweep struct {
	heading
	results []ttanalysis.AuditResult // by check bits, ascending
}

// loadSweep reads a file of SaveSweep.
func loadSweep(path string) (*sweep, error) {
	t, err := loadTable(path, "hash audit --tsv")
	if err != nil {
		return nil, err
	}
	columns := []string{"bits"}
	for _, c := range sweepColumns {
		columns = append(columns, c.name)
	}
	if err := t.requireRows(columns...); err != nil {
		return nil, err
	}
	s := &sweep{heading: t.heading}
	for i := range t.rows {
		var r ttanalysis.AuditResult
		bits := t.text(i, "bits")
		if r.KeyBits, err = strconv.Atoi(bits); err != nil || r.KeyBits < cluster.MinKeyBits || r.KeyBits > cluster.MaxKeyBits {
			return nil, t.wrong(i, "bits %q, want %d to %d", bits, cluster.MinKeyBits, cluster.MaxKeyBits)
		}
		for _, c := range sweepColumns {
			if *c.value(&r), err = t.count(i, c.name); err != nil {
				return nil, err
			}
		}
		s.results = append(s.results, r)
	}
	s.results = byBits(s.results)
	return s, nil
}

// byBits returns the results by check bits, ascending, the first of each number.
func byBits(results []ttanalysis.AuditResult) []ttanalysis.AuditResult {
	results = slices.Clone(results)
	slices.SortStableFunc(results, func(a, b ttanalysis.AuditResult) int { return a.KeyBits - b.KeyBits })
	return slices.CompactFunc(results, func(a, b ttanalysis.AuditResult) bool { return a.KeyBits == b.KeyBits })
}

// DrawSweep writes a chart of measured and expected false hits as SVG.
func DrawSweep(path string, results []ttanalysis.AuditResult) error {
	svg, err := sweepChart(byBits(results)).SVG()
	if err != nil {
		return err
	}
	return os.WriteFile(path, svg, 0o666)
}

// sweepChart draws false hits by check bits, which ascend.
func sweepChart(results []ttanalysis.AuditResult) plot.Chart {
	expected := plot.Line{Name: "expected", Kind: plot.Reference}
	first := plot.Line{Name: "first occurrences, 95 %", Kind: plot.Main}
	all, cutoffs := plot.Line{Name: "all false hits"}, plot.Line{Name: "used for a cutoff"}
	c := plot.Chart{Title: "False hits by check bits", X: "check bits", Y: "false hits per million probes", LogY: true}
	for i := range results {
		r := &results[i]
		million := float64(r.Counters.Probes) / 1e6
		_, low, high := r.Ratio()
		c.At = append(c.At, float64(r.KeyBits))
		expected.Values = append(expected.Values, r.Expected()/million)
		first.Values = append(first.Values, float64(r.Counters.FirstFalseHits)/million)
		first.Low, first.High = append(first.Low, low*r.Expected()/million), append(first.High, high*r.Expected()/million)
		all.Values = append(all.Values, float64(r.Counters.AllFalseHits())/million)
		cutoffs.Values = append(cutoffs.Values, float64(r.Counters.FalseHits[ttanalysis.ForCutoff])/million)
	}
	c.Lines = []plot.Line{expected, all, cutoffs, first}
	return c
}
