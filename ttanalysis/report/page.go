package report

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"trefoil/ttanalysis/plot"
)

// The files of a report, in one directory.
const (
	SweepFile      = "audit.tsv"   // of SaveSweep
	ComparisonFile = "replay.tsv"  // of SaveComparison
	DecisiveFile   = "blame.tsv"   // of SaveDecisive
	PageFile       = "report.html" // of WritePage
)

//go:embed page.html
var pageTemplate string

//go:embed page.css
var pageStyle template.CSS

// Style returns the style sheet of pages with boards, tables and the charts of package plot.
func Style() template.CSS { return pageStyle + plot.Style }

// PageOptions select what a page shows.
type PageOptions struct {
	Made    Origin   // of the page itself
	MiB     float64  // size that the sentences are about and tables are sorted by; 0: the middle one
	Designs []string // to draw besides that of this program; nil: those that differ most, see replay.drawn
}

// A page is the data of pageTemplate.
type page struct {
	Title    string
	Style    template.CSS
	Made     Origin
	Sections []section
	figures  int
}

// A section has the figures and tables of one file. A section without an origin is computed.
type section struct {
	Title, Text string
	From        heading
	Figures     []figure
	Boards      []boardFigure
	Tables      []pageTable
}

// A figure is a chart below what it shows.
type figure struct {
	Number     int
	Conclusion string
	Chart      template.HTML
	Note       string
	Command    string
	Tables     []pageTable
}

// A pageTable is a table of numbers. The first cell of a row is its heading.
type pageTable struct {
	Title string
	Head  []string
	Rows  []pageRow
	Fold  bool // shown on demand
}

// A pageRow is a row of a table.
type pageRow struct {
	Class string // main, bound or ""
	Cells []string
}

// WritePage makes an HTML page from SweepFile, ComparisonFile and DecisiveFile in a directory, and returns
// its path. Files may be missing. The page has no external references.
func WritePage(dir string, o PageOptions) (path string, err error) {
	p := page{Title: "Transposition table report", Style: Style(), Made: o.Made}
	found := 0
	for _, part := range []struct {
		file string
		add  func(path string) error
	}{
		{ComparisonFile, func(path string) error { return p.addReplay(path, o) }},
		{SweepFile, p.addSweep},
		{DecisiveFile, p.addDecisive},
	} {
		switch err := part.add(filepath.Join(dir, part.file)); {
		case err == nil:
			found++
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	if found == 0 {
		return "", fmt.Errorf("%s: none of %s, %s and %s is there", dir, ComparisonFile, SweepFile, DecisiveFile)
	}
	if err := p.addZobrist(); err != nil {
		return "", err
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
	return path, writeFile(path, b.Bytes())
}

// addFigure appends a chart, and tables of its numbers, to a section.
func (p *page) addFigure(s *section, c plot.Chart, conclusion, note string, tables ...pageTable) error {
	svg, err := c.Inline()
	if err != nil {
		return err
	}
	p.figures++
	s.Figures = append(s.Figures, figure{Number: p.figures, Conclusion: conclusion, Chart: svg, Note: note,
		Command: s.From.Command, Tables: tables})
	return nil
}

// middle returns the index of the middle size.
func (r *replay) middle() int { return (len(r.mib) - 1) / 2 }

// sizeOf returns the index of a size, the middle one if mib is 0.
func (r *replay) sizeOf(mib float64) (int, error) {
	if mib == 0 {
		return r.middle(), nil
	}
	if i := slices.Index(r.mib, mib); i >= 0 {
		return i, nil
	}
	var sizes []string
	for _, m := range r.mib {
		sizes = append(sizes, strings.TrimSuffix(mebibytes(m), " MiB"))
	}
	return 0, fmt.Errorf("%s has no size %s, only %s", ComparisonFile, mebibytes(mib), strings.Join(sizes, ", "))
}
