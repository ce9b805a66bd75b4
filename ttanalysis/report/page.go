package report

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"trefoil/cluster"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/plot"
	"trefoil/zobrist"
)

// The files of a report, in one directory.
const (
	SweepFile      = "audit.tsv"   // of SaveSweep
	ComparisonFile = "replay.tsv"  // of SaveComparison
	PageFile       = "report.html" // of WritePage
)

//go:embed page.html
var pageTemplate string

// A page is the data of pageTemplate.
type page struct {
	Title    string
	Sections []section
}

// A section is a text, charts and a table.
type section struct {
	Title, Text string
	Charts      []template.HTML // SVG
	Head        []string
	Rows        [][]string
}

// WritePage makes an HTML page of SweepFile and ComparisonFile in a directory, of which one may
// be missing, and returns its path. The page has no external references.
func WritePage(dir string) (path string, err error) {
	p := page{Title: "Transposition table report"}
	title, results, sweepErr := loadSweep(filepath.Join(dir, SweepFile))
	if sweepErr != nil && !errors.Is(sweepErr, fs.ErrNotExist) {
		return "", sweepErr
	}
	rows, comparisonErr := loadComparison(filepath.Join(dir, ComparisonFile))
	if comparisonErr != nil && !errors.Is(comparisonErr, fs.ErrNotExist) {
		return "", comparisonErr
	}
	if sweepErr != nil && comparisonErr != nil {
		return "", fmt.Errorf("%s: neither %s nor %s is there", dir, SweepFile, ComparisonFile)
	}
	if err := p.add(zobristSection()); err != nil {
		return "", err
	}
	if sweepErr == nil {
		p.Title += ": " + title
		if err := errors.Join(p.add(usageSection(results)), p.add(falseHitsSection(results))); err != nil {
			return "", fmt.Errorf("%s: %w", SweepFile, err)
		}
	}
	if comparisonErr == nil {
		if err := p.add(comparisonSection(rows)); err != nil {
			return "", fmt.Errorf("%s: %w", ComparisonFile, err)
		}
	}
	t, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return "", err
	}
	path = filepath.Join(dir, PageFile)
	return path, os.WriteFile(path, b.Bytes(), 0o666)
}

// add appends a section with its charts.
func (p *page) add(s section, charts ...plot.Chart) error {
	for _, c := range charts {
		svg, err := c.SVG()
		if err != nil {
			return err
		}
		s.Charts = append(s.Charts, template.HTML(svg)) // plot escapes the texts in it
	}
	p.Sections = append(p.Sections, s)
	return nil
}

// zobristSection returns the chance of an error by formula.
func zobristSection() (section, plot.Chart) {
	s := section{
		Title: "Chance of an error",
		Text: "Zobrist 1970: 2^n retrievals with keys of n+m bits, each compared with one stored key, are free of errors with probability " +
			"(1 − 2^−(n+m))^(2^n). For large n that is e^(−2^−m).",
		Head: []string{"m", "n = 24", "any large n", "published in 1970"},
	}
	c := plot.Chart{Title: "Chance of no error", X: "m", Y: "probability", Lines: []plot.Line{{Name: "n = 24"}}}
	for m, published := range zobrist.Published {
		p := zobrist.NoError(24, m)
		s.Rows = append(s.Rows, []string{strconv.Itoa(m), chance(p), chance(zobrist.NoErrorLimit(m)), published})
		c.Points, c.Lines[0].Values = append(c.Points, strconv.Itoa(m)), append(c.Lines[0].Values, p)
	}
	return s, c
}

// usageSection returns the counters of the search with the most check bits.
func usageSection(results []ttanalysis.AuditResult) section {
	s := section{
		Title: "Use of the table",
		Text:  "Probes and stores of the search with the most check bits.",
		Head:  []string{"", "count", "share"},
	}
	r := slices.MaxFunc(results, func(a, b ttanalysis.AuditResult) int { return a.KeyBits - b.KeyBits })
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
		{"over another position", c.Evicted[0], c.Stores, "stores"},
		{"of these, over a deeper entry", c.EvictedDeeper, c.Stores, "stores"},
	} {
		share := ""
		if row.total > 0 {
			share = fmt.Sprintf("%.2f %% of %s", percent(row.n, row.total), row.unit)
		}
		s.Rows = append(s.Rows, []string{row.name, strconv.FormatUint(row.n, 10), share})
	}
	return s
}

// falseHitsSection returns the false hits of a sweep.
func falseHitsSection(results []ttanalysis.AuditResult) (section, plot.Chart) {
	s := section{
		Title: "False hits",
		Text: "Hits on an entry of another position, detected with a second key beside each entry. First: first occurrences, without further hits of the same position on the same entry. " +
			"Expected: of the comparisons of a probe with an entry of another position, one in 2^(check bits). " +
			"Distinct: false hits by the difference of the two positions; any two positions with the same difference have the same check bits.",
		Head: []string{"check bits", "probes", "false hits", "first", "expected", "distinct", "used for a cutoff", "a move", "an eval", "nothing", "illegal moves", "other best move"},
	}
	for i := range results {
		r := &results[i]
		c, f := &r.Counters, &r.Counters.FalseHits
		row := []string{strconv.Itoa(r.KeyBits)}
		for _, n := range []uint64{c.Probes, c.AllFalseHits(), c.FirstFalseHits} {
			row = append(row, strconv.FormatUint(n, 10))
		}
		row = append(row, expectedCount(r.Expected()))
		for _, n := range []uint64{
			c.Distinct, f[ttanalysis.ForCutoff], f[ttanalysis.ForMove], f[ttanalysis.ForEval], f[ttanalysis.ForNothing], c.Illegal, r.OtherBest,
		} {
			row = append(row, strconv.FormatUint(n, 10))
		}
		s.Rows = append(s.Rows, row)
	}
	return s, sweepChart(results)
}

// comparisonSection returns the rates of designs on a trace.
func comparisonSection(rows []replayRow) (s section, hits, cutoffs plot.Chart) {
	s = section{
		Title: "Table designs on the same trace",
		Text: fmt.Sprintf("Hits and cutoffs of tables of other designs on the probes of one recorded search, in %% of probes. The design trefoil is the table of this program, with clusters of %d bytes.",
			cluster.BytesPerCluster),
		Head: []string{"design", "MiB", "probes", "hits", "%", "cutoffs", "%"},
	}
	hits = plot.Chart{Title: "Hits", X: "table, MiB", Y: "% of probes"}
	cutoffs = plot.Chart{Title: "Cutoffs", X: "table, MiB", Y: "% of probes"}
	for _, r := range rows {
		h, c := percent(r.hits, r.probes), percent(r.cutoffs, r.probes)
		s.Rows = append(s.Rows, []string{
			r.design, r.mib, strconv.FormatUint(r.probes, 10),
			strconv.FormatUint(r.hits, 10), fmt.Sprintf("%.3f", h), strconv.FormatUint(r.cutoffs, 10), fmt.Sprintf("%.3f", c),
		})
		if !slices.Contains(hits.Points, r.mib) {
			hits.Points, cutoffs.Points = append(hits.Points, r.mib), append(cutoffs.Points, r.mib)
		}
		appendValue(&hits, r.design, h)
		appendValue(&cutoffs, r.design, c)
	}
	return s, hits, cutoffs
}

// appendValue appends a value to the line of that name, which it adds if there is none.
func appendValue(c *plot.Chart, name string, v float64) {
	i := slices.IndexFunc(c.Lines, func(l plot.Line) bool { return l.Name == name })
	if i < 0 {
		i = len(c.Lines)
		c.Lines = append(c.Lines, plot.Line{Name: name})
	}
	c.Lines[i].Values = append(c.Lines[i].Values, v)
}
