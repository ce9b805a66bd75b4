package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

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
	{"evicted", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.Evicted[0] }},
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

// titlePrefix begins the first line of a saved sweep, the title of the suite.
const titlePrefix = "# "

// SaveSweep writes the counts of a sweep to a file of tab-separated values.
func SaveSweep(path, title string, results []ttanalysis.AuditResult) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = '\t'
	head := []string{"bits"}
	for _, c := range sweepColumns {
		head = append(head, c.name)
	}
	_ = w.Write([]string{titlePrefix + title})
	_ = w.Write(head)
	for i := range results {
		row := []string{strconv.Itoa(results[i].KeyBits)}
		for _, c := range sweepColumns {
			row = append(row, strconv.FormatUint(*c.value(&results[i]), 10))
		}
		_ = w.Write(row)
	}
	w.Flush()
	return os.WriteFile(path, b.Bytes(), 0o666)
}

// loadSweep reads a file of SaveSweep.
func loadSweep(path string) (title string, results []ttanalysis.AuditResult, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord = '\t', -1
	rows, err := r.ReadAll()
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) < 3 || len(rows[0]) != 1 || len(rows[1]) != len(sweepColumns)+1 {
		return "", nil, fmt.Errorf("%s: not a file of hash audit --tsv", path)
	}
	for n, row := range rows[2:] {
		var r ttanalysis.AuditResult
		if len(row) != len(sweepColumns)+1 {
			return "", nil, fmt.Errorf("%s: line %d has %d columns, want %d", path, n+3, len(row), len(sweepColumns)+1)
		}
		if r.KeyBits, err = strconv.Atoi(row[0]); err != nil || r.KeyBits < cluster.MinKeyBits || r.KeyBits > cluster.MaxKeyBits {
			return "", nil, fmt.Errorf("%s: line %d: bits %q", path, n+3, row[0])
		}
		for i, c := range sweepColumns {
			if *c.value(&r), err = strconv.ParseUint(row[i+1], 10, 64); err != nil {
				return "", nil, fmt.Errorf("%s: line %d: %s %q is not a count", path, n+3, c.name, row[i+1])
			}
		}
		results = append(results, r)
	}
	return strings.TrimPrefix(rows[0][0], titlePrefix), results, nil
}

// DrawSweep writes a chart of measured and expected false hits as SVG.
func DrawSweep(path string, results []ttanalysis.AuditResult) error {
	svg, err := sweepChart(results).SVG()
	if err != nil {
		return err
	}
	return os.WriteFile(path, svg, 0o666)
}

func sweepChart(results []ttanalysis.AuditResult) plot.Chart {
	c := plot.Chart{Title: "False hits by check bits", X: "check bits", Y: "per million probes", Log: true,
		Lines: []plot.Line{{Name: "measured"}, {Name: "first occurrences"}, {Name: "expected"}, {Name: "used for a cutoff"}}}
	for i := range results {
		r := &results[i]
		million := float64(r.Counters.Probes) / 1e6
		c.Points = append(c.Points, strconv.Itoa(r.KeyBits))
		for j, n := range []float64{
			float64(r.Counters.AllFalseHits()), float64(r.Counters.FirstFalseHits), r.Expected(), float64(r.Counters.FalseHits[ttanalysis.ForCutoff]),
		} {
			if n == 0 {
				n = math.NaN() // has no place on a logarithmic axis
			}
			c.Lines[j].Values = append(c.Lines[j].Values, n/million)
		}
	}
	return c
}
