package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"trefoil/cluster"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/plot"
)

// The columns of a sweep as text.
const (
	sweepHeadFormat = "%4s %11s %11s %11s %11s %8s %8s %9s %6s %12s %8s %8s %7s %6s %6s %8s %8s %11s"
	sweepLineFormat = "%4d %11d %11d %11d %11d %8d %8d %9s %6s %12s %8s %8d %7d %6d %6d %8d %8d %11d"
)

// SweepHead returns the heading of the lines of SweepLine.
func SweepHead() string {
	return fmt.Sprintf(sweepHeadFormat, "bits", "nodes", "probes", "hits", "compared", "false", "first", "expected",
		"ratio", "95 %", "chi2/df",
		"distinct", "cutoff", "move", "eval", "nothing", "illegal", "other best")
}

// SweepLine formats one result of a sweep.
func SweepLine(r *ttanalysis.AuditResult) string {
	ratio, low, high := r.Ratio()
	chi2, degrees, _ := r.Dispersion()
	c, f := &r.Counters, &r.Counters.FalseHits
	return fmt.Sprintf(sweepLineFormat, r.KeyBits, r.Nodes, c.Probes, c.Hits, c.Compared, c.AllFalseHits(),
		c.FirstFalseHits,
		ttanalysis.ExpectedCount(r.Expected()), decimals(ratio, "%.3f", ratio), decimals(low, "%.3f-%.3f", low, high),
		decimals(chi2, "%.1f/%d", chi2, degrees), c.Distinct,
		f[ttanalysis.ForCutoff], f[ttanalysis.ForMove], f[ttanalysis.ForEval], f[ttanalysis.ForNothing], c.Illegal,
		r.OtherBest)
}

// clustering says why the counts of one key seed have no interval.
const clustering = "False hits of one key seed are not independent: " +
	"all pairs of positions that differ in the same key words collide together. " +
	"An interval from the counts of one run would be too narrow."

// nothingCompared is said of a sweep in which no false hit was possible.
const nothingCompared = "No probe was compared with an entry of another position, so nothing is measured: " +
	"search more nodes."

// comparedNothing reports whether no false hit was possible in a sweep.
func comparedNothing(results []ttanalysis.AuditResult) bool {
	return !slices.ContainsFunc(results, func(r ttanalysis.AuditResult) bool { return r.Counters.Compared > 0 })
}

// SweepNotes explains the intervals of a sweep, in lines of text.
func SweepNotes(results []ttanalysis.AuditResult) []string {
	r := &results[0]
	switch {
	case comparedNothing(results):
		return []string{nothingCompared}
	case len(r.Seeds) < 2:
		return []string{clustering,
			"--seeds N repeats the audit with other key seeds, each an independent sample, for an interval that holds."}
	}
	return []string{
		fmt.Sprintf("95 %%: by Student's distribution over %d key seeds, each an independent sample.", len(r.Seeds)),
		clustering,
		"chi2/df: chi squared of the first occurrences over the seeds, by degrees of freedom: near 1 if false hits " +
			"were independent.",
	}
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
	{"evicted older", func(r *ttanalysis.AuditResult) *uint64 { return &r.Counters.EvictedOlder }},
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

// SaveSweep writes the counts of a sweep, of each key seed, to a file of tab-separated values. title
// describes the suite.
func SaveSweep(path, title string, results []ttanalysis.AuditResult, made Origin) error {
	columns := []string{"bits", "seed"}
	for _, c := range sweepColumns {
		columns = append(columns, c.name)
	}
	var rows [][]string
	for i := range results {
		for j := range results[i].Seeds {
			r := &results[i].Seeds[j]
			row := []string{strconv.Itoa(r.KeyBits), strconv.Itoa(r.Seed)}
			for _, c := range sweepColumns {
				row = append(row, strconv.FormatUint(*c.value(r), 10))
			}
			rows = append(rows, row)
		}
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
	columns := []string{"bits", "seed"}
	for _, c := range sweepColumns {
		columns = append(columns, c.name)
	}
	if err := t.requireRows(columns...); err != nil {
		return nil, err
	}
	var rows []ttanalysis.AuditResult
	for i := range t.rows {
		var r ttanalysis.AuditResult
		bits := t.text(i, "bits")
		if r.KeyBits, err = strconv.Atoi(bits); err != nil || r.KeyBits < cluster.MinKeyBits ||
			r.KeyBits > cluster.MaxKeyBits {
			return nil, t.wrong(i, "bits %q, expected %d to %d", bits, cluster.MinKeyBits, cluster.MaxKeyBits)
		}
		seed, err := t.count(i, "seed")
		if err != nil {
			return nil, err
		}
		r.Seed = int(seed)
		for _, c := range sweepColumns {
			if *c.value(&r), err = t.count(i, c.name); err != nil {
				return nil, err
			}
		}
		rows = append(rows, r)
	}
	return &sweep{heading: t.heading, results: sums(rows)}, nil
}

// sums returns the sums over key seeds, by check bits, ascending. Only the first result of a number of
// bits and a seed counts.
func sums(rows []ttanalysis.AuditResult) (results []ttanalysis.AuditResult) {
	slices.SortStableFunc(rows, func(a, b ttanalysis.AuditResult) int {
		return cmp.Or(cmp.Compare(a.KeyBits, b.KeyBits), cmp.Compare(a.Seed, b.Seed))
	})
	rows = slices.CompactFunc(rows, func(a, b ttanalysis.AuditResult) bool {
		return a.KeyBits == b.KeyBits && a.Seed == b.Seed
	})
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r ttanalysis.AuditResult) bool { return r.KeyBits != rows[0].KeyBits })
		if n < 0 {
			n = len(rows)
		}
		results, rows = append(results, ttanalysis.Sum(rows[:n:n])), rows[n:]
	}
	return results
}

// byBits returns the results by check bits, ascending, the first of each number.
func byBits(results []ttanalysis.AuditResult) []ttanalysis.AuditResult {
	var rows []ttanalysis.AuditResult
	for i := range results {
		rows = append(rows, results[i].Seeds...)
	}
	return sums(rows)
}

// DrawSweep writes a chart of measured and expected false hits as SVG. It refuses results in which no
// false hit was possible.
func DrawSweep(path string, results []ttanalysis.AuditResult) error {
	if comparedNothing(results) {
		return fmt.Errorf("%s: not written: no probe was compared with an entry of another position", path)
	}
	svg, err := sweepChart(byBits(results)).SVG()
	if err != nil {
		return err
	}
	return writeFile(path, svg)
}

// sweepChart draws false hits by check bits, which ascend.
func sweepChart(results []ttanalysis.AuditResult) plot.Chart {
	expected := plot.Line{Name: "expected", Kind: plot.Reference}
	first := plot.Line{Name: "first occurrences", Kind: plot.Main}
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
		if !math.IsNaN(low) {
			first.Name = "first occurrences, 95 %"
		}
		all.Values = append(all.Values, float64(r.Counters.AllFalseHits())/million)
		cutoffs.Values = append(cutoffs.Values, float64(r.Counters.FalseHits[ttanalysis.ForCutoff])/million)
	}
	c.Lines = []plot.Line{expected, all, cutoffs, first}
	return c
}
