package command

import (
	"bytes"
	_ "embed"
	"encoding/csv"
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

const hashReportUsage = `trefoil hash report DIR: one page about the hash, from the figures of a run.

Reads DIR/audit.tsv, which hash audit --tsv writes, and DIR/replay.tsv, which hash replay --tsv
writes; one of them will do. Writes DIR/report.html, which needs nothing but itself.

`

// The files of a report.
const (
	auditFile  = "audit.tsv"
	replayFile = "replay.tsv"
	reportFile = "report.html"
)

//go:embed report.html
var reportPage string

// A reported is a page: sections, each with a picture and a table.
type reported struct {
	Title    string
	Sections []section
}

type section struct {
	Title, Text string
	Pictures    []template.HTML // SVG
	Head        []string
	Rows        [][]string
}

func hashReport(args []string, std streams) int {
	flags := newFlags("hash report")
	if status, ok := parseFlags(flags, args, 1, hashReportUsage, std); !ok {
		return status
	}
	dir := flags.Arg(0)
	if dir == "" {
		return misuse(std, "hash report: it goes: hash report DIR")
	}
	path, err := writeReport(dir)
	if err != nil {
		return misuse(std, "hash report: %v", err)
	}
	fmt.Fprintln(std.out, path)
	return 0
}

// writeReport writes the page of a directory and returns its name.
func writeReport(dir string) (string, error) {
	page := reported{Title: "The hash of Trefoil"}
	title, all, err := readSweep(filepath.Join(dir, auditFile))
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err == nil:
		page.Title += ": " + title
		err = in(auditFile, page.add(estimated, seen(all), audited(all)))
	case missing:
		err = page.add(estimated)
	}
	if err != nil {
		return "", err
	}
	rows, err := readReplay(filepath.Join(dir, replayFile))
	if errors.Is(err, fs.ErrNotExist) && missing {
		return "", fmt.Errorf("%s: neither %s nor %s is there", dir, auditFile, replayFile)
	}
	if err == nil {
		err = in(replayFile, page.add(replayed(rows)))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	t, err := template.New("report").Parse(reportPage)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		return "", err
	}
	path := filepath.Join(dir, reportFile)
	return path, os.WriteFile(path, b.Bytes(), 0o666)
}

// in names the file that an error is about.
func in(file string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", file, err)
}

// add makes sections.
func (p *reported) add(makers ...func() (section, []plot.Chart)) error {
	for _, make := range makers {
		s, charts := make()
		for _, c := range charts {
			svg, err := c.SVG()
			if err != nil {
				return err
			}
			s.Pictures = append(s.Pictures, template.HTML(svg)) // texts in it are escaped
		}
		p.Sections = append(p.Sections, s)
	}
	return nil
}

// estimated is what the formula says.
func estimated() (section, []plot.Chart) {
	s := section{
		Title: "What to expect",
		Text: "Zobrist 1970: keys of n+m bits and 2^n retrievals that are each compared with one key bring no error with the chance " +
			"(1 − 2^−(n+m))^(2^n), which for large n is e^(−2^−m).",
		Head: []string{"m", "n = 24", "any large n", "printed in 1970"},
	}
	c := plot.Chart{Title: "Chance of no error", X: "m", Y: "chance", Lines: []plot.Line{{Name: "n = 24"}}}
	for m, printed := range zobrist.Published {
		p := zobrist.NoError(24, m)
		s.Rows = append(s.Rows, []string{strconv.Itoa(m), fraction(p), fraction(zobrist.NoErrorLimit(m)), printed})
		c.Points, c.Lines[0].Values = append(c.Points, strconv.Itoa(m)), append(c.Lines[0].Values, p)
	}
	return s, []plot.Chart{c}
}

// seen is what the search did with the table.
func seen(all []swept) func() (section, []plot.Chart) {
	return func() (section, []plot.Chart) {
		s := section{Title: "What the search did with its table", Text: "Of the run with the most check bits.", Head: []string{"", "count", "share"}}
		run := slices.MaxFunc(all, func(a, b swept) int { return a.bits - b.bits })
		c := &run.counts
		for _, r := range []struct {
			name  string
			n, of uint64
			of2   string
		}{
			{"nodes", run.nodes, 0, ""},
			{"probes", c.Probes, 0, ""},
			{"hits", c.Hits, c.Probes, "probes"},
			{"cutoffs", c.Cutoffs, c.Probes, "probes"},
			{"moves", c.Moves, c.Probes, "probes"},
			{"evaluations", c.Evals, c.Probes, "probes"},
			{"stores", c.Stores, 0, ""},
			{"into empty places", c.Filled, c.Stores, "stores"},
			{"over the same position", c.Same, c.Stores, "stores"},
			{"kept what was there", c.Kept, c.Stores, "stores"},
			{"over another position", c.Evicted[0], c.Stores, "stores"},
			{"of that, over a deeper one", c.Deeper, c.Stores, "stores"},
		} {
			row := []string{r.name, strconv.FormatUint(r.n, 10), ""}
			if r.of > 0 {
				row[2] = fmt.Sprintf("%.2f %% of %s", percent(r.n, r.of), r.of2)
			}
			s.Rows = append(s.Rows, row)
		}
		return s, nil
	}
}

// audited is the false hits of a sweep.
func audited(all []swept) func() (section, []plot.Chart) {
	return func() (section, []plot.Chart) {
		s := section{
			Title: "False hits",
			Text: "Hits of another position, known by a second key beside each entry. First: without those of a position on an entry that it has hit before. Expected of them: one in 2^bits " +
				"of the foreign entries that a probe was compared with. " +
				"If two positions clash, so do all that differ in the same way; clashes counts the different ones.",
			Head: []string{"check bits", "probes", "false hits", "first", "expected", "clashes", "for a cutoff", "a move", "an eval", "nothing", "illegal moves", "other best move"},
		}
		for i := range all {
			r := &all[i]
			row := []string{strconv.Itoa(r.bits)}
			for _, n := range []uint64{r.counts.Probes, r.counts.FalseHits(), r.counts.First} {
				row = append(row, strconv.FormatUint(n, 10))
			}
			row = append(row, count(r.expected()))
			f := r.counts.False
			for _, n := range []uint64{r.counts.Clashes, f[ttanalysis.ForCutoff], f[ttanalysis.ForMove], f[ttanalysis.ForEval], f[ttanalysis.ForNothing], r.counts.Illegal, r.other} {
				row = append(row, strconv.FormatUint(n, 10))
			}
			s.Rows = append(s.Rows, row)
		}
		return s, []plot.Chart{sweepChart(all)}
	}
}

// A replayRow is a line of a file of hash replay.
type replayRow struct {
	design, mib           string
	probes, hits, cutoffs uint64
}

// readReplay reads what hash replay --tsv writes.
func readReplay(path string) (rows []replayRow, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	all, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	at := map[string]int{}
	if len(all) > 0 {
		for i, name := range all[0] {
			at[name] = i
		}
	}
	for _, name := range []string{"design", "MiB", "probes", "hits", "cutoffs"} {
		if _, ok := at[name]; !ok || len(all) < 2 {
			return nil, fmt.Errorf("%s: not what hash replay --tsv writes: no column %q, or no line", path, name)
		}
	}
	for n, line := range all[1:] {
		row := replayRow{design: line[at["design"]], mib: line[at["MiB"]]}
		for name, to := range map[string]*uint64{"probes": &row.probes, "hits": &row.hits, "cutoffs": &row.cutoffs} {
			if *to, err = strconv.ParseUint(line[at[name]], 10, 64); err != nil {
				return nil, fmt.Errorf("%s: line %d: %s %q is no count", path, n+2, name, line[at[name]])
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// replayed compares designs on a trace.
func replayed(rows []replayRow) func() (section, []plot.Chart) {
	return func() (section, []plot.Chart) {
		s := section{
			Title: "Designs of tables on the same search",
			Text: fmt.Sprintf("What tables of other designs would have hit of the probes of one recorded search, in %% of probes; trefoil is the table of this program, clusters of %d bytes.",
				cluster.BytesPerCluster),
			Head: []string{"design", "MiB", "probes", "hits", "%", "cutoffs", "%"},
		}
		hits := plot.Chart{Title: "Hits", X: "table, MiB", Y: "% of probes"}
		cutoffs := plot.Chart{Title: "Cutoffs", X: "table, MiB", Y: "% of probes"}
		for _, r := range rows {
			h, c := percent(r.hits, r.probes), percent(r.cutoffs, r.probes)
			s.Rows = append(s.Rows, []string{r.design, r.mib, strconv.FormatUint(r.probes, 10), strconv.FormatUint(r.hits, 10), fmt.Sprintf("%.3f", h),
				strconv.FormatUint(r.cutoffs, 10), fmt.Sprintf("%.3f", c)})
			if !slices.Contains(hits.Points, r.mib) {
				hits.Points, cutoffs.Points = append(hits.Points, r.mib), append(cutoffs.Points, r.mib)
			}
			join(&hits, r.design, h)
			join(&cutoffs, r.design, c)
		}
		return s, []plot.Chart{hits, cutoffs}
	}
}

// join appends a value to the line of a name.
func join(c *plot.Chart, name string, v float64) {
	i := slices.IndexFunc(c.Lines, func(l plot.Line) bool { return l.Name == name })
	if i < 0 {
		i = len(c.Lines)
		c.Lines = append(c.Lines, plot.Line{Name: name})
	}
	c.Lines[i].Values = append(c.Lines[i].Values, v)
}
