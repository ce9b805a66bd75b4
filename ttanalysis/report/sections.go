package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"

	"trefoil/cluster"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/plot"
	"trefoil/zobrist"
)

// addReplay adds the section of ComparisonFile.
func (p *page) addReplay(path string, o PageOptions) error {
	r, err := loadReplay(path)
	if err != nil {
		return err
	}
	size, err := r.sizeOf(o.MiB)
	if err != nil {
		return err
	}
	drawn, err := r.drawn(o.Designs, size)
	if err != nil {
		return err
	}
	s := section{
		Title: "Table designs on the same trace", From: r.heading,
		Text: fmt.Sprintf("Recorded probes and stores, replayed against tables of other designs and sizes. %s is the "+
			"table of this program, with clusters of %d bytes. "+
			"All designs have the same load; in a real search, a worse table also costs nodes that are not in the trace.",
			ours(), cluster.BytesPerCluster),
	}
	note := "One trace, so the figures have no intervals."
	if left := len(r.designs) - len(drawn); left > 0 {
		note += fmt.Sprintf(" The tables have %s more.", plural(uint64(left), "design"))
	}
	for _, m := range []measure{hits, cutoffs} {
		if err := p.addFigure(&s, r.chart(m, drawn), r.conclusion(m, size), note, r.bySize(m, size)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if chart, ok := r.ratioChart(drawn); ok && len(r.designs) > 1 {
		if err := p.addFigure(&s, chart, r.relativeConclusion(size), note); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	s.Tables = []pageTable{r.counts(size)}
	p.Sections = append(p.Sections, s)
	return nil
}

// sorted returns the bounds and then the designs, by a measure at a size, highest first.
func (r *replay) sorted(m measure, size int) []*design {
	bounds := slices.DeleteFunc(slices.Clone(r.designs), func(d *design) bool { return !d.bound })
	return append(bounds, r.ranking(m, size)...)
}

// class returns the class of the rows of a design.
func (d *design) class() string {
	switch {
	case d.bound:
		return "bound"
	case d.name == ours():
		return "main"
	}
	return ""
}

// bySize returns the table of a measure by design and size, sorted at one size.
func (r *replay) bySize(m measure, size int) pageTable {
	t := pageTable{Title: fmt.Sprintf("%s, by size; sorted at %s", capital(m.title), mebibytes(r.mib[size])),
		Head: []string{"design"}}
	for _, mib := range r.mib {
		t.Head = append(t.Head, mebibytes(mib))
	}
	us := r.find(ours())
	if us != nil {
		t.Head = append(t.Head, fmt.Sprintf("against %s at %s, %%", us.name, mebibytes(r.mib[size])))
	}
	for _, d := range r.sorted(m, size) {
		row := pageRow{Class: d.class(), Cells: []string{d.name}}
		for j := range r.mib {
			row.Cells = append(row.Cells, m.text(&d.runs[j]))
		}
		if us != nil {
			row.Cells = append(row.Cells, difference(m.of(&d.runs[size]), m.of(&us.runs[size])))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// counts returns the table of all counts.
func (r *replay) counts(size int) pageTable {
	t := pageTable{Title: "All counts", Fold: true,
		Head: []string{"design", "size, MiB", "probes", "hits", "% of probes", "cutoffs", "% of probes", falseHits.title}}
	for _, d := range r.sorted(hits, size) {
		for j, mib := range r.mib {
			c := &d.runs[j]
			t.Rows = append(t.Rows, pageRow{Class: d.class(), Cells: []string{
				d.name, strconv.FormatFloat(mib, 'f', -1, 64), grouped(c.Probes), grouped(c.Hits), hits.text(c),
				grouped(c.Cutoffs), cutoffs.text(c), falseHits.text(c),
			}})
		}
	}
	return t
}

// addSweep adds the sections of SweepFile.
func (p *page) addSweep(path string) error {
	w, err := loadSweep(path)
	if err != nil {
		return err
	}
	s := section{
		Title: "False hits", From: w.heading,
		Text: "Hits on an entry of another position, detected with a second key beside each entry. First: first " +
			"occurrences, without further hits of the same position on the same entry. " +
			"Expected: of the comparisons of a probe with an entry of another position, one in 2^(check bits). " +
			"Distinct: false hits by the difference of the two positions; any two positions with the same difference have " +
			"the same check bits.",
	}
	full := &w.results[len(w.results)-1]
	use := section{Title: "Use of the table", Text: usageConclusion(&full.Counters), Tables: []pageTable{usageTable(full)}}
	if comparedNothing(w.results) { // which leaves a chart empty
		s.Text += " " + nothingCompared
		s.Tables = []pageTable{falseHitsTable(w.results)}
		p.Sections = append(p.Sections, s, use)
		return nil
	}
	note := clustering + " Counts of 0 are not on the logarithmic axis."
	if n := len(w.results[0].Seeds); n > 1 {
		note = fmt.Sprintf("The bars are 95 %% intervals by Student's distribution over %d key seeds, each an "+
			"independent sample. ", n) + note
	}
	if err := p.addFigure(&s, sweepChart(w.results), falseHitsConclusion(w.results), note,
		falseHitsTable(w.results)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	p.Sections = append(p.Sections, s, use)
	return nil
}

// falseHitsTable returns the counts of a sweep.
func falseHitsTable(results []ttanalysis.AuditResult) pageTable {
	t := pageTable{Title: "False hits by check bits, counts", Head: []string{
		"check bits", "probes", "false hits", "first", "expected", "ratio", "95 %", "chi squared", "distinct",
		"for a cutoff", "for a move", "for an eval", "for nothing", "illegal moves", "other best move",
	}}
	for i := range results {
		r := &results[i]
		c, f := &r.Counters, &r.Counters.FalseHits
		row := []string{strconv.Itoa(r.KeyBits)}
		for _, n := range []uint64{c.Probes, c.AllFalseHits(), c.FirstFalseHits} {
			row = append(row, grouped(n))
		}
		row = append(row, ttanalysis.ExpectedCount(r.Expected()))
		ratio, low, high := r.Ratio()
		row = append(row, decimals(ratio, "%.3f", ratio), decimals(low, "%.3f to %.3f", low, high))
		chi2, degrees, _ := r.Dispersion()
		row = append(row, decimals(chi2, "%.1f on %d", chi2, degrees))
		for _, n := range []uint64{
			c.Distinct, f[ttanalysis.ForCutoff], f[ttanalysis.ForMove], f[ttanalysis.ForEval], f[ttanalysis.ForNothing],
			c.Illegal, r.OtherBest,
		} {
			row = append(row, grouped(n))
		}
		t.Rows = append(t.Rows, pageRow{Cells: row})
	}
	return t
}

// decimals formats values, or returns - if x, which is among them, is NaN.
func decimals(x float64, format string, values ...any) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf(format, values...)
}

// usageTable returns the counters of a search.
func usageTable(r *ttanalysis.AuditResult) pageTable {
	t := pageTable{Title: fmt.Sprintf("Probes and stores of the search with %d check bits", r.KeyBits),
		Head: []string{"", "count", "share"}}
	c := &r.Counters
	for _, row := range []struct {
		name     string
		n, total uint64
		unit     string // of total
	}{
		{"nodes", r.Nodes, 0, ""},
		{"probes", c.Probes, 0, ""},
		{"hits", c.Hits, c.Probes, "probes"},
		{"cutoffs", c.Cutoffs, c.Probes, "probes"},
		{"moves", c.Moves, c.Probes, "probes"},
		{"evaluations", c.Evals, c.Probes, "probes"},
		{"stores", c.Stores, 0, ""},
		{"into an empty entry", c.Filled, c.Stores, "stores"},
		{"over the same position", c.Updated, c.Stores, "stores"},
		{"old entry kept", c.Kept, c.Stores, "stores"},
		{"over another position", c.Evicted + c.EvictedOlder, c.Stores, "stores"},
		{"of these, of an earlier search", c.EvictedOlder, c.Stores, "stores"},
		{"of the same search and deeper", c.EvictedDeeper, c.Stores, "stores"},
	} {
		share := ""
		if row.total > 0 {
			share = fmt.Sprintf("%.2f %% of %s", percent(row.n, row.total), row.unit)
		}
		t.Rows = append(t.Rows, pageRow{Cells: []string{row.name, grouped(row.n), share}})
	}
	return t
}

// A boardFigure is a false hit with its two positions.
type boardFigure struct {
	Number           int
	Conclusion, Note string
	Root, Command    string
	Positions        []boardPosition
}

// A boardPosition is a position of a false hit: the probed or the stored one.
type boardPosition struct {
	Name, Text, Below string
	Board             template.HTML // empty if boards of the game are not drawn
	Key, Second       string
}

// addDecisive adds the section of DecisiveFile.
func (p *page) addDecisive(path string) error {
	t, err := loadDecisive(path)
	if err != nil {
		return err
	}
	s := section{
		Title: "Positions of false hits", From: t.heading,
		Text: "Each of these false hits alone changes the best move of a search. The probed position found the entry " +
			"of the stored one, because both have the same cluster and the same check bits. " +
			"The arrow is the move of the entry, broken where it is illegal.",
	}
	for i := range t.rows {
		p.figures++
		f := boardFigure{
			Number: p.figures, Root: t.text(i, "position"), Command: t.text(i, "command"),
			Conclusion: fmt.Sprintf("With false hit %s the best move is %s, without it %s.", t.text(i, "number"),
				t.text(i, "best with"), t.text(i, "best without")),
			Note: fmt.Sprintf("Used for %s: value %s, depth %s, eval %s.", t.text(i, "used for"), t.text(i, "value"),
				t.text(i, "depth"), t.text(i, "eval")),
		}
		for _, side := range []string{"probed", "stored"} {
			b := boardPosition{Name: side, Text: t.text(i, side+" position"), Key: t.text(i, side+" key"),
				Second: t.text(i, side+" second key")}
			illegal := side == "probed" && t.text(i, "illegal") == "true"
			if b.Board, b.Below, err = drawBoard(side, t.text(i, "game"), b.Text, t.text(i, "move"), illegal); err != nil {
				return t.wrong(i, "%w", err)
			}
			f.Positions = append(f.Positions, b)
		}
		s.Boards = append(s.Boards, f)
	}
	p.Sections = append(p.Sections, s)
	return nil
}

// addZobrist adds the section of the chance of an error by formula.
func (p *page) addZobrist() error {
	s := section{
		Title: "Chance of an error by formula",
		Text: "Zobrist 1970: 2^n retrievals with keys of n+m bits, each compared with one stored key, are free of " +
			"errors with probability " +
			"(1 − 2^−(n+m))^(2^n). For large n that is e^(−2^−m).",
		From: heading{Origin: Origin{Command: "trefoil hash errors"}},
	}
	t := pageTable{Title: "Chance of no error", Head: []string{"m", "n = 24", "any large n", "published in 1970"}}
	c := plot.Chart{Title: "Chance of no error", X: "m, bits of a key beyond those that retrievals use up",
		Y: "probability", Lines: []plot.Line{{Name: "n = 24", Kind: plot.Main}}}
	worst, worstAt := 0.0, 0
	for m, published := range zobrist.Published {
		chanceHere := zobrist.NoError(24, m)
		t.Rows = append(t.Rows,
			pageRow{Cells: []string{strconv.Itoa(m), chance(chanceHere), chance(zobrist.NoErrorLimit(m)), published}})
		c.At, c.Lines[0].Values = append(c.At, float64(m)), append(c.Lines[0].Values, chanceHere)
		if v, err := strconv.ParseFloat(published, 64); err == nil && math.Abs(v-chanceHere) > worst {
			worst, worstAt = math.Abs(v-chanceHere), m
		}
	}
	last := len(c.At) - 1
	conclusion := fmt.Sprintf("With m = %d the chance of an error is %s. The published values differ by at most "+
		"%.5f, at m = %d.", last, chance(1-c.Lines[0].Values[last]), worst, worstAt)
	if err := p.addFigure(&s, c, conclusion, "", t); err != nil {
		return err
	}
	p.Sections = append(p.Sections, s)
	return nil
}
