package report

import (
	"fmt"
	"slices"
	"strconv"

	"trefoil/ttanalysis"
)

// A replay is a comparison as the page and the charts show it.
type replay struct {
	heading
	mib     []float64 // sizes, ascending
	designs []*design
}

// A design is the counts of a design by size.
type design struct {
	name  string
	bound bool // no table, but what none can exceed
	runs  []ttanalysis.ReplayCounts
}

// namesOf returns the names of designs.
func namesOf(designs []*design) (names []string) {
	for _, d := range designs {
		names = append(names, d.name)
	}
	return names
}

// replayOf returns the figures of a comparison.
func replayOf(c *ttanalysis.Comparison, made Origin) replay {
	h := c.Trace
	title := fmt.Sprintf("%s: %s; recorded with %s", h.Game, h.Note, h.Table())
	r := replay{heading: heading{Title: title, Origin: made}, mib: c.MiB}
	for _, b := range c.Bounds {
		r.designs = append(r.designs, &design{name: b.Name, bound: true, runs: b.Runs})
	}
	for i, d := range c.Designs {
		entry := &design{name: d.String()}
		for _, run := range c.Runs[i] {
			entry.runs = append(entry.runs, run.ReplayCounts)
		}
		r.designs = append(r.designs, entry)
	}
	return r
}

// The kinds of rows in a file of SaveComparison.
const (
	kindDesign = "design"
	kindBound  = "bound"
)

// replayColumns are the counts in a file of SaveComparison, after design and size.
var replayColumns = []struct {
	name  string
	count func(c *ttanalysis.ReplayCounts) *uint64
}{
	{"probes", func(c *ttanalysis.ReplayCounts) *uint64 { return &c.Probes }},
	{"stores", func(c *ttanalysis.ReplayCounts) *uint64 { return &c.Stores }},
	{"hits", func(c *ttanalysis.ReplayCounts) *uint64 { return &c.Hits }},
	{"cutoffs", func(c *ttanalysis.ReplayCounts) *uint64 { return &c.Cutoffs }},
	{"false hits", func(c *ttanalysis.ReplayCounts) *uint64 { return &c.FalseHits }},
	{"false cutoffs", func(c *ttanalysis.ReplayCounts) *uint64 { return &c.FalseCutoffs }},
	{"mismatches", func(c *ttanalysis.ReplayCounts) *uint64 { return &c.Mismatches }},
}

// SaveComparison writes the counts of a comparison to a file of tab-separated values.
func SaveComparison(path string, c *ttanalysis.Comparison, made Origin) error {
	r := replayOf(c, made)
	columns := []string{"design", "MiB"}
	for _, column := range replayColumns {
		columns = append(columns, column.name)
	}
	columns = append(columns, "kind")
	var rows [][]string
	for _, d := range r.designs {
		kind := kindDesign
		if d.bound {
			kind = kindBound
		}
		for j, mib := range r.mib {
			row := []string{d.name, strconv.FormatFloat(mib, 'g', -1, 64)}
			for _, column := range replayColumns {
				row = append(row, strconv.FormatUint(*column.count(&d.runs[j]), 10))
			}
			rows = append(rows, append(row, kind))
		}
	}
	return saveTable(path, r.heading, columns, rows)
}

// loadReplay reads a file of SaveComparison.
func loadReplay(path string) (*replay, error) {
	t, err := loadTable(path, "hash replay --tsv")
	if err != nil {
		return nil, err
	}
	if err := t.requireRows("design", "MiB", "probes", "hits", "cutoffs"); err != nil {
		return nil, err
	}
	type run struct {
		design string
		mib    float64
	}
	r := &replay{heading: t.heading}
	counts := map[run]ttanalysis.ReplayCounts{}
	for i := range t.rows {
		name, size := t.text(i, "design"), t.text(i, "MiB")
		mib, err := strconv.ParseFloat(size, 64)
		if err != nil || !(mib >= 1.0/1024 && mib <= 1<<20) {
			return nil, t.wrong(i, "MiB %q is not a number from 0.001 to 1048576", size)
		}
		c, err := t.replayCounts(i)
		if err != nil {
			return nil, err
		}
		if _, twice := counts[run{name, mib}]; twice {
			return nil, t.wrong(i, "%q of %s MiB a second time", name, size)
		}
		counts[run{name, mib}] = c
		if !slices.Contains(r.mib, mib) {
			r.mib = append(r.mib, mib)
		}
		if !slices.ContainsFunc(r.designs, func(d *design) bool { return d.name == name }) {
			r.designs = append(r.designs, &design{name: name, bound: t.text(i, "kind") == kindBound})
		}
	}
	slices.Sort(r.mib)
	for _, d := range r.designs {
		for _, mib := range r.mib {
			c, ok := counts[run{d.name, mib}]
			if !ok {
				return nil, fmt.Errorf("%s: no row of %q with %g MiB", path, d.name, mib)
			}
			d.runs = append(d.runs, c)
		}
	}
	return r, nil
}

// replayCounts returns the counts of a row.
func (t *table) replayCounts(row int) (c ttanalysis.ReplayCounts, err error) {
	for _, column := range replayColumns {
		n, err := t.count(row, column.name)
		if err != nil {
			return c, err
		}
		*column.count(&c) = n
	}
	if c.Hits > c.Probes || c.Cutoffs > c.Probes {
		return c, t.wrong(row, "%d hits and %d cutoffs of %d probes, expected at most as many", c.Hits, c.Cutoffs, c.Probes)
	}
	return c, nil
}
