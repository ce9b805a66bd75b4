package command

import (
	"bytes"
	"context"
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

// A swept is the outcome of one number of check bits, beside that of all.
type swept struct {
	outcome
	bits  int
	other uint64 // positions in which another move was best than with all bits
}

// sweep prints a line for each number of check bits.
func (a *auditing) sweep(ctx context.Context) error {
	full, err := a.run(ctx, cluster.MaxKeyBits, ttanalysis.AuditCounts, ttanalysis.AcceptAll, nil)
	if err != nil {
		return err
	}
	a.out("%s; the audit keeps 8 bytes an entry, %.1f MiB\n", a.title(len(full.best)), float64(a.suite.MiB)*3/4)
	a.out(sweepHead, "bits", "nodes", "probes", "hits", "compared", "false", "first", "expected", "ratio", "95 %", "clashes", "cutoff", "move", "eval", "nothing", "illegal", "other best")
	var all []swept
	for _, bits := range a.bits {
		s := swept{outcome: full, bits: bits}
		if bits != cluster.MaxKeyBits {
			if s.outcome, err = a.run(ctx, bits, ttanalysis.AuditCounts, ttanalysis.AcceptAll, nil); err != nil {
				return err
			}
		}
		for i, best := range s.best {
			if best != full.best[i] {
				s.other++
			}
		}
		a.out("%s", s.line())
		all = append(all, s)
	}
	if a.tsv != "" {
		if err := a.save(all); err != nil {
			return err
		}
	}
	if a.plot == "" {
		return nil
	}
	svg, err := sweepChart(all).SVG()
	if err != nil {
		return err
	}
	return os.WriteFile(a.plot+".svg", svg, 0o666)
}

// title says what is searched.
func (a *auditing) title(positions int) string {
	limit := fmt.Sprintf("%d nodes", a.suite.Nodes)
	if a.suite.Nodes == 0 {
		limit = fmt.Sprintf("depth %d", a.suite.Depth)
	}
	return fmt.Sprintf("%d positions of %s, hash %d MiB, %s each", positions, a.suite.Variant, a.suite.MiB, limit)
}

// The columns of a sweep.
const (
	sweepHead = "%4s %11s %11s %11s %11s %8s %8s %9s %6s %12s %8s %7s %6s %6s %8s %8s %11s"
	sweepLine = "%4d %11d %11d %11d %11d %8d %8d %9s %6s %12s %8d %7d %6d %6d %8d %8d %11d"
)

func (s *swept) expected() float64 { return s.counts.Expected(s.bits) }

func (s *swept) line() string {
	c, n := &s.counts, float64(s.counts.First)
	ratio, interval := "-", "-" // where nothing was to be expected
	if e := s.expected(); e > 0 {
		low, high := poisson(n)
		ratio, interval = fmt.Sprintf("%.3f", n/e), fmt.Sprintf("%.3f-%.3f", low/e, high/e)
	}
	return fmt.Sprintf(sweepLine, s.bits, s.nodes, c.Probes, c.Hits, c.Compared, c.FalseHits(), c.First, count(s.expected()), ratio, interval,
		c.Clashes, c.False[ttanalysis.ForCutoff], c.False[ttanalysis.ForMove],
		c.False[ttanalysis.ForEval], c.False[ttanalysis.ForNothing], c.Illegal, s.other)
}

// poisson returns the 95 % interval of the mean of a count, by Byar's approximation of the exact one.
func poisson(n float64) (low, high float64) {
	const z = 1.959964
	if n > 0 {
		low = n * math.Pow(1-1/(9*n)-z/(3*math.Sqrt(n)), 3)
	}
	m := n + 1
	return low, m * math.Pow(1-1/(9*m)+z/(3*math.Sqrt(m)), 3)
}

// A column is a figure of a swept in a file.
type column struct {
	name string
	at   func(s *swept) *uint64
}

// sweepColumns are those of a file, after the check bits.
var sweepColumns = []column{
	{"nodes", func(s *swept) *uint64 { return &s.nodes }},
	{"probes", func(s *swept) *uint64 { return &s.counts.Probes }},
	{"hits", func(s *swept) *uint64 { return &s.counts.Hits }},
	{"cutoffs", func(s *swept) *uint64 { return &s.counts.Cutoffs }},
	{"moves", func(s *swept) *uint64 { return &s.counts.Moves }},
	{"evals", func(s *swept) *uint64 { return &s.counts.Evals }},
	{"stores", func(s *swept) *uint64 { return &s.counts.Stores }},
	{"empty places", func(s *swept) *uint64 { return &s.counts.Filled }},
	{"same position", func(s *swept) *uint64 { return &s.counts.Same }},
	{"kept", func(s *swept) *uint64 { return &s.counts.Kept }},
	{"evicted", func(s *swept) *uint64 { return &s.counts.Evicted[0] }},
	{"evicted deeper", func(s *swept) *uint64 { return &s.counts.Deeper }},
	{"compared", func(s *swept) *uint64 { return &s.counts.Compared }},
	{"false for cutoff", func(s *swept) *uint64 { return &s.counts.False[ttanalysis.ForCutoff] }},
	{"false for move", func(s *swept) *uint64 { return &s.counts.False[ttanalysis.ForMove] }},
	{"false for eval", func(s *swept) *uint64 { return &s.counts.False[ttanalysis.ForEval] }},
	{"false for nothing", func(s *swept) *uint64 { return &s.counts.False[ttanalysis.ForNothing] }},
	{"illegal moves", func(s *swept) *uint64 { return &s.counts.Illegal }},
	{"first", func(s *swept) *uint64 { return &s.counts.First }},
	{"clashes", func(s *swept) *uint64 { return &s.counts.Clashes }},
	{"other best", func(s *swept) *uint64 { return &s.other }},
}

// titleMark begins the line that says what was searched.
const titleMark = "# "

// save writes the counts for other programs, under a line that says what was searched.
func (a *auditing) save(all []swept) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = '\t'
	head := []string{"bits"}
	for _, c := range sweepColumns {
		head = append(head, c.name)
	}
	_ = w.Write([]string{titleMark + a.title(len(all[0].best))})
	_ = w.Write(head)
	for i := range all {
		row := []string{strconv.Itoa(all[i].bits)}
		for _, c := range sweepColumns {
			row = append(row, strconv.FormatUint(*c.at(&all[i]), 10))
		}
		_ = w.Write(row)
	}
	w.Flush()
	return os.WriteFile(a.tsv, b.Bytes(), 0o666)
}

// readSweep reads what save has written.
func readSweep(path string) (title string, all []swept, err error) {
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
		return "", nil, fmt.Errorf("%s: not what hash audit --tsv writes", path)
	}
	title = strings.TrimPrefix(rows[0][0], titleMark)
	for n, row := range rows[2:] {
		var s swept
		if len(row) != len(sweepColumns)+1 {
			return "", nil, fmt.Errorf("%s: line %d has %d columns, want %d", path, n+3, len(row), len(sweepColumns)+1)
		}
		if s.bits, err = strconv.Atoi(row[0]); err != nil || s.bits < cluster.MinKeyBits || s.bits > cluster.MaxKeyBits {
			return "", nil, fmt.Errorf("%s: line %d: bits %q", path, n+3, row[0])
		}
		for i, c := range sweepColumns {
			if *c.at(&s), err = strconv.ParseUint(row[i+1], 10, 64); err != nil {
				return "", nil, fmt.Errorf("%s: line %d: %s %q is no count", path, n+3, c.name, row[i+1])
			}
		}
		all = append(all, s)
	}
	return title, all, nil
}

// sweepChart draws measured and expected false hits.
func sweepChart(all []swept) plot.Chart {
	c := plot.Chart{Title: "False hits by check bits", X: "check bits", Y: "in a million probes", Log: true,
		Lines: []plot.Line{{Name: "measured"}, {Name: "first of a pair"}, {Name: "expected"}, {Name: "for a cutoff"}}}
	for i := range all {
		s, million := &all[i], float64(all[i].counts.Probes)/1e6
		c.Points = append(c.Points, strconv.Itoa(s.bits))
		for j, n := range []float64{float64(s.counts.FalseHits()), float64(s.counts.First), s.expected(), float64(s.counts.False[ttanalysis.ForCutoff])} {
			if n == 0 {
				n = math.NaN()
			}
			c.Lines[j].Values = append(c.Lines[j].Values, n/million)
		}
	}
	return c
}
