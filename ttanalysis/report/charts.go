package report

import (
	"fmt"
	"math"
	"slices"

	"trefoil/ttanalysis"
	"trefoil/ttanalysis/plot"
)

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
// if that is among the designs and has hits. They have all designs, or the few of them that differ
// most.
func DrawComparison(name string, c *ttanalysis.Comparison, few bool) error {
	r := replayOf(c, Origin{})
	designs := r.designs
	if few {
		designs = r.named(r.distinct(r.middle()))
	}
	charts := map[string]plot.Chart{hitsChart: r.chart(hits, designs), cutoffsChart: r.chart(cutoffs, designs)}
	if chart, ok := r.ratioChart(designs); ok {
		charts[ratioChart] = chart
	}
	for suffix, chart := range charts {
		svg, err := chart.SVG()
		if err != nil {
			return err
		}
		if err := writeFile(name+suffix, svg); err != nil {
			return err
		}
	}
	return nil
}

// ours is the name of the design of this program's table.
func ours() string { return ttanalysis.DefaultDesign().String() }

// find returns the design of a name, nil if there is none.
func (r *replay) find(name string) *design {
	for _, d := range r.designs {
		if d.name == name {
			return d
		}
	}
	return nil
}

// chart returns a chart of a measure by size.
func (r *replay) chart(m measure, designs []*design) plot.Chart {
	return r.draw(plot.Chart{Title: m.name + " by size of the table", Y: m.title}, designs,
		func(d *design, size int) float64 {
			v := m.of(&d.runs[size])
			if d.bound && v == 0 {
				return math.NaN() // not computed for this measure
			}
			return v
		})
}

// ratioChart returns a chart of hits relative to the hits of this program's table. ok is false if that
// table is not among the designs, or has no hits.
func (r *replay) ratioChart(designs []*design) (c plot.Chart, ok bool) {
	reference := r.find(ours())
	if reference == nil || !slices.ContainsFunc(reference.runs, func(c ttanalysis.ReplayCounts) bool {
		return c.Hits > 0
	}) {
		return c, false
	}
	c = plot.Chart{Title: "Hits relative to " + reference.name, Y: "hits, % of those of " + reference.name}
	return r.draw(c, designs, func(d *design, size int) float64 {
		return 100 * d.runs[size].HitRate() / reference.runs[size].HitRate()
	}), true
}

// draw adds a line for each design.
func (r *replay) draw(c plot.Chart, designs []*design, of func(d *design, size int) float64) plot.Chart {
	c.X, c.At, c.LogX = "size of the table, MiB", r.mib, true
	for _, d := range designs {
		l := plot.Line{Name: d.name}
		switch {
		case d.bound:
			l.Kind = plot.Reference
		case d.name == ours():
			l.Kind = plot.Main
		}
		for j := range r.mib {
			l.Values = append(l.Values, of(d, j))
		}
		c.Lines = append(c.Lines, l)
	}
	return c
}

// drawn returns the designs that are drawn: the bounds, this program's table, and the designs of names;
// without names the designs that distinct chooses.
func (r *replay) drawn(names []string, size int) ([]*design, error) {
	for _, name := range names {
		if r.find(name) == nil {
			return nil, fmt.Errorf("%s has no design %q", ComparisonFile, name)
		}
	}
	if names == nil {
		names = r.distinct(size)
	}
	return r.named(names), nil
}

// named returns the bounds, this program's table and the designs of names.
func (r *replay) named(names []string) (designs []*design) {
	for _, d := range r.designs {
		if d.bound || d.name == ours() || slices.Contains(names, d.name) {
			designs = append(designs, d)
		}
	}
	return designs
}

// distinct chooses designs besides this program's, at most as many as there are colours: the best at a size, and then
// each time the design whose hit rates differ most from all before. It returns their names.
func (r *replay) distinct(size int) (names []string) {
	left := slices.DeleteFunc(r.ranking(hits, size), func(d *design) bool { return d.name == ours() })
	var chosen []*design
	if us := r.find(ours()); us != nil {
		chosen = append(chosen, us)
	}
	for next := 0; len(names) < plot.MaxDistinct && len(left) > 0; {
		names, chosen = append(names, left[next].name), append(chosen, left[next])
		left = slices.Delete(left, next, next+1)
		next = 0
		for i := range left {
			if left[i].distance(chosen) > left[next].distance(chosen) {
				next = i
			}
		}
	}
	return names
}

// distance returns the difference between a design and the nearest of others. The difference between two
// designs is the largest difference of their hit rates at any size.
func (d *design) distance(others []*design) float64 {
	least := math.Inf(1)
	for _, other := range others {
		most := 0.0
		for j := range d.runs {
			most = max(most, math.Abs(d.runs[j].HitRate()-other.runs[j].HitRate()))
		}
		least = min(least, most)
	}
	return least
}
