package report

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"trefoil/internal/filetest"
	"trefoil/ttanalysis"
)

// cells returns the rows of all tables of a page, without the commas in counts.
func cells(page string) (rows [][]string) {
	for _, tr := range regexp.MustCompile(`(?s)<tr[^>]*>(.*?)</tr>`).FindAllStringSubmatch(page, -1) {
		var row []string
		for _, cell := range regexp.MustCompile(`<(?:td|th scope="row")>(.*?)</t[dh]>`).FindAllStringSubmatch(tr[1],
			-1) {
			row = append(row, strings.ReplaceAll(cell[1], ",", ""))
		}
		rows = append(rows, row)
	}
	return rows
}

// someResults returns results of two key seeds whose numbers are all different.
func someResults() []ttanalysis.AuditResult {
	n := uint64(1000)
	var all []ttanalysis.AuditResult
	for _, bits := range []int{8, 21} {
		seeds := []ttanalysis.AuditResult{{KeyBits: bits, Seed: 1}, {KeyBits: bits, Seed: 2}}
		for i := range seeds {
			for _, c := range sweepColumns {
				n += 17
				*c.value(&seeds[i]) = n
			}
		}
		all = append(all, ttanalysis.Sum(seeds))
	}
	return all
}

// made is an origin whose texts a page must escape.
var made = Origin{Command: "trefoil <hash> 'a&b'", Version: "Trefoil <1>", Machine: "CPU & <memory>",
	Date: "2026-11-22"}

// falseHit returns a false hit of chess.
func falseHit() Decisive {
	h := ttanalysis.FalseHit{
		Number: 7, Use: ttanalysis.ForMove, Illegal: true,
		Probed: ttanalysis.Identity{Key: 0xABC, Second: 1, Text: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"},
		Stored: ttanalysis.Identity{Key: 0xABD, Second: 2, Text: "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1"},
	}
	h.Entry.Value, h.Entry.Eval, h.Entry.Depth = -31, 17, 5
	return Decisive{DecisiveHit: ttanalysis.DecisiveHit{Setup: "<root>", Hit: &h, Without: "e2e4", With: "e1f1",
		Move: "d2d4"}, Command: "trefoil <again>"}
}

// writeFiles writes the three files of a page to a directory.
func writeFiles(t testing.TB, dir, replay string) {
	t.Helper()
	if err := SaveSweep(filepath.Join(dir, SweepFile), "some <positions>", someResults(), made); err != nil {
		t.Fatal(err)
	}
	if err := SaveDecisive(filepath.Join(dir, DecisiveFile), "a search", "chess",
		[]Decisive{falseHit()}, made); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, filepath.Join(dir, ComparisonFile), replay)
}

// writePage returns the page of a directory.
func writePage(t *testing.T, dir string, o PageOptions) string {
	t.Helper()
	path, err := WritePage(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(filetest.Read(t, path))
}

const replayHead = "design\tMiB\tprobes\tstores\thits\tcutoffs\tfalse hits\tkind\n"

// The page has the numbers of all files and no external references; names are escaped.
func TestWritePage(t *testing.T) {
	dir := t.TempDir()
	const design = "a<b>&c"
	writeFiles(t, dir, replayHead+design+"\t0.25\t1000\t9\t301\t77\t0\tdesign\n"+design+
		"\t1\t1000\t9\t402\t88\t0\tdesign\n"+
		"MIN<\t0.25\t1000\t9\t500\t99\t0\tbound\nMIN<\t1\t1000\t9\t600\t100\t0\tbound\n")
	page := writePage(t, dir, PageOptions{Made: made})
	rows := cells(page)
	has := func(want ...string) {
		t.Helper()
		for _, row := range rows {
			if len(row) >= len(want) && strings.Join(row[:len(want)], "\t") == strings.Join(want, "\t") {
				return
			}
		}
		t.Errorf("no row begins with %q", want)
	}
	results := someResults()
	for i := range results {
		r := &results[i]
		has(strconv.Itoa(r.KeyBits), strconv.FormatUint(r.Counters.Probes, 10),
			strconv.FormatUint(r.Counters.AllFalseHits(), 10))
	}
	for i := range results {
		var want []string
		c := &results[i].Counters
		for _, n := range []uint64{c.Distinct, c.FalseHits[ttanalysis.ForCutoff], c.FalseHits[ttanalysis.ForMove],
			c.FalseHits[ttanalysis.ForEval], c.FalseHits[ttanalysis.ForNothing], c.Illegal, results[i].OtherBest} {
			want = append(want, strconv.FormatUint(n, 10))
		}
		if !slices.ContainsFunc(rows, func(row []string) bool {
			return len(row) > len(want) && slices.Equal(row[len(row)-len(want):], want)
		}) {
			t.Errorf("no row ends with %q", want)
		}
	}
	for name, n := range map[string]uint64{"nodes": results[1].Nodes, "hits": results[1].Counters.Hits,
		"stores": results[1].Counters.Stores} {
		has(name, strconv.FormatUint(n, 10))
	}
	has("0", ".36788", ".36788", ".36778")
	has("a&lt;b&gt;&amp;c", "30.100", "40.200")
	has("a&lt;b&gt;&amp;c", "7.700", "8.800")
	has("a&lt;b&gt;&amp;c", "0.25", "1000", "301", "30.100", "77", "7.700")
	has("a&lt;b&gt;&amp;c", "1", "1000", "402", "40.200", "88", "8.800")
	has("MIN&lt;", "50.000", "60.000")
	for _, want := range []string{
		"some &lt;positions&gt;", "trefoil &lt;hash&gt; &#39;a&amp;b&#39;", "Trefoil &lt;1&gt;", "CPU &amp; &lt;memory&gt;", "2026-11-22",
		"At 0.25 MiB a&lt;b&gt;&amp;c hits 30.10 % of probes.",
		"The published values differ by at most 0.00010, at m = 0.",
		"With false hit 7 the best move is e1f1, without it e2e4.", "&lt;root&gt;", "trefoil &lt;again&gt;", "0000000000000abd", "White to move",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	for what, want := range map[string]int{`<svg [^>]*class="chart"`: 4, `<svg [^>]*class="board"`: 2,
		`<g class="reference"`: 3, `stroke-dasharray="7 5"`: 1, `<figcaption>`: 5} {
		if n := len(regexp.MustCompile(what).FindAllString(page, -1)); n != want {
			t.Errorf("%d of %s, want %d", n, what, want)
		}
	}
	if found := regexp.MustCompile(`(src|href)=|url\(|@import|<script|NaN|[+-]Inf`).FindString(page); found != "" {
		t.Errorf("the page has %q", found)
	}
	if again := writePage(t, dir, PageOptions{Made: made}); again != page {
		t.Error("the page is not the same a second time")
	}
}

// TestUseOfTheTable: the kinds of stores add up to all stores, also if the table was kept between the positions.
func TestUseOfTheTable(t *testing.T) {
	dir := t.TempDir()
	r := ttanalysis.AuditResult{KeyBits: 21, Seed: 1, Nodes: 100, Best: []string{"e2e4"}}
	r.Counters = ttanalysis.Counters{Probes: 100, Compared: 1 << 21, Stores: 2000, Filled: 1000, Updated: 500,
		Kept: 40, Evicted: 160, EvictedOlder: 300, EvictedDeeper: 20}
	if err := SaveSweep(filepath.Join(dir, SweepFile), "one game",
		[]ttanalysis.AuditResult{ttanalysis.Sum([]ttanalysis.AuditResult{r})}, made); err != nil {
		t.Fatal(err)
	}
	page := writePage(t, dir, PageOptions{Made: made})
	for _, want := range []string{
		"stores</th><td>2,000<", "into an empty entry</th><td>1,000<", "over the same position</th><td>500<", "old entry kept</th><td>40<",
		"over another position</th><td>460</td><td>23.00 % of stores<", "of these, of an earlier search</th><td>300<", "of the same search and deeper</th><td>20<",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// What is saved is loaded, with its origin.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, "")
	s, err := loadSweep(filepath.Join(dir, SweepFile))
	if err != nil || s.Title != "some <positions>" || s.Origin != made || !reflect.DeepEqual(s.results, someResults()) {
		t.Errorf("loaded %+v, %v", s, err)
	}
	c, err := ttanalysis.NewComparison("trefoil,entries=2", "1,0.5")
	if err != nil {
		t.Fatal(err)
	}
	n := uint64(0)
	for _, runs := range c.Runs {
		for _, run := range runs {
			for _, column := range replayColumns {
				n++
				*column.count(&run.ReplayCounts) = 100 - n
			}
			run.Probes = 1000
		}
	}
	path := filepath.Join(dir, ComparisonFile)
	if err := SaveComparison(path, c, made); err != nil {
		t.Fatal(err)
	}
	r, err := loadReplay(path)
	if want := replayOf(c, made); err != nil || !reflect.DeepEqual(*r, want) {
		t.Errorf("loaded %+v, %v, want %+v", r, err, want)
	}
}

// With more designs than colours, those drawn are the best and the others that differ most; names
// select others.
func TestDrawn(t *testing.T) {
	r := someReplay(t, "trefoil 0", "a 10", "b 20", "c 100", "d 110", "e 300", "f 310", "g 600", "h 610",
		"best 1000", "*MIN 2000")
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "trefoil b d e g best MIN"},
		{[]string{"b", "h"}, "trefoil b h MIN"},
	} {
		drawn, err := r.drawn(c.names, 0)
		var got []string
		for _, d := range drawn {
			got = append(got, d.name)
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%v: drawn %v, %v, want %s", c.names, got, err, c.want)
		}
	}
	if _, err := r.drawn([]string{"z"}, 0); err == nil || !strings.Contains(err.Error(), `no design "z"`) {
		t.Error(err)
	}
}

// Errors name the file and what is wrong in it.
func TestWritePageRefuses(t *testing.T) {
	empty := t.TempDir()
	bad := func(name, text string) string {
		dir := t.TempDir()
		filetest.Write(t, filepath.Join(dir, name), text)
		return dir
	}
	heads := []string{"bits", "seed"}
	for _, c := range sweepColumns {
		heads = append(heads, c.name)
	}
	head := strings.Join(heads, "\t")
	nothing := "21\t1" + strings.Repeat("\t0", len(sweepColumns))
	for _, c := range []struct{ dir, want string }{
		{empty, "none of replay.tsv, audit.tsv and blame.tsv"},
		{filepath.Join(empty, "missing"), "none of"},
		{bad(SweepFile, "x\n"), "not a file of hash audit --tsv"},
		{bad(SweepFile, "x\n"+head+"\n"), "not a file of hash audit --tsv"},
		{bad(SweepFile, "\"\"\n"+head+"\n22"+nothing[2:]+"\n"), `line 3: bits "22"`},
		{bad(ComparisonFile, "design\tMiB\tprobes\thits\tcutoffs\na\t1\t9\t1\t1\nb\t2\t9\t1\t1\n"), ComparisonFile + `: no row of "a" with 2 MiB`},
		{bad(ComparisonFile, "design\tMiB\tprobes\thits\tcutoffs\na\t1\t9\t1\t1\na\t1.0\t9\t1\t1\n"), `line 3: "a" of 1.0 MiB a second time`},
		{bad(ComparisonFile, "design\tMiB\tprobes\thits\tcutoffs\na\tNaN\t9\t1\t1\n"), `line 2: MiB "NaN" is not a number`},
		{bad(ComparisonFile, "design\tMiB\tprobes\thits\tcutoffs\na\t1\t9\t10\t1\n"), "line 2: 10 hits and 1 cutoffs of 9 probes"},
		{bad(ComparisonFile, "design\tMiB\tprobes\thits\tcutoffs\na\t1\t9\n"), "line 2: 3 columns, expected 5"},
		{bad(ComparisonFile, "design\tMiB\tprobes\thits\tcutoffs\n\na\t1\t9\n"), "line 3: 3 columns, expected 5"},
		{bad(DecisiveFile, "x\ty\n"), `not a file of hash audit --blame --tsv: no column "game"`},
		{bad(DecisiveFile, strings.Join(decisiveColumns, "\t")+"\n"+"chess"+strings.Repeat("\tx", len(decisiveColumns)-1)+"\n"), `line 2: position "x" with 1 field`},
		{bad(ComparisonFile, "x\ty\n1\t2\n"), `no column "design"`},
		{bad(ComparisonFile, "design\tMiB\tprobes\thits\tcutoffs\na\t1\tmany\t1\t1\n"), `"many" is not a count`},
	} {
		if _, err := WritePage(c.dir, PageOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// A result with nothing expected has no ratio, and one of a single key seed no interval.
func TestSweepLineWithoutInterval(t *testing.T) {
	nothing := ttanalysis.Sum([]ttanalysis.AuditResult{{KeyBits: 21}})
	one := ttanalysis.Sum(someResults()[0].Seeds[:1])
	for r, dashes := range map[*ttanalysis.AuditResult]int{&nothing: 3, &one: 2} {
		if line := SweepLine(r); strings.Contains(line, "NaN") || strings.Contains(line, "Inf") ||
			strings.Count(line, " - ") != dashes {
			t.Error(line)
		}
	}
	notes := strings.Join(SweepNotes([]ttanalysis.AuditResult{one}), " ")
	if !strings.Contains(notes, "too narrow") || !strings.Contains(notes, "--seeds N") {
		t.Error(notes)
	}
}

// TestSweepChart: the lines are false hits per million probes.
func TestSweepChart(t *testing.T) {
	r := ttanalysis.AuditResult{KeyBits: 8, Seed: 1}
	r.Counters = ttanalysis.Counters{Probes: 2_000_000, Compared: 2560, FirstFalseHits: 8}
	r.Counters.FalseHits = [...]uint64{ttanalysis.ForCutoff: 4, ttanalysis.ForMove: 6, ttanalysis.ForNothing: 10}
	for i, l := range sweepChart([]ttanalysis.AuditResult{r}).Lines {
		if want := []float64{5, 10, 2, 4}[i]; len(l.Values) != 1 || l.Values[0] != want {
			t.Errorf("%s: %v, want %g", l.Name, l.Values, want)
		}
	}
}

// Of a sweep that compared nothing the page has the counts and says why there is no chart, and a chart
// of it is refused.
func TestSweepThatComparedNothing(t *testing.T) {
	dir := t.TempDir()
	results := []ttanalysis.AuditResult{
		ttanalysis.Sum([]ttanalysis.AuditResult{{KeyBits: 8, Seed: 1, Nodes: 71}}),
		ttanalysis.Sum([]ttanalysis.AuditResult{{KeyBits: 21, Seed: 1, Nodes: 71}}),
	}
	if err := SaveSweep(filepath.Join(dir, SweepFile), "a position", results, made); err != nil {
		t.Fatal(err)
	}
	const says = "No probe was compared with an entry of another position"
	if page := writePage(t, dir, PageOptions{}); strings.Count(page, says) != 1 || !strings.Contains(page, ">71<") ||
		!strings.Contains(page, "False hits by check bits, counts") {
		t.Error("the page does not say what it has")
	}
	if notes := strings.Join(SweepNotes(results), " "); !strings.HasPrefix(notes, says) {
		t.Error(notes)
	}
	chart := filepath.Join(dir, "chart.svg")
	if err := DrawSweep(chart, results); err == nil ||
		!strings.Contains(err.Error(), chart+": not written: no probe was compared") {
		t.Error(err)
	}
	if _, err := os.Lstat(chart); err == nil {
		t.Error("a chart was written")
	}
}

// Without hits at a size there is no ratio to the prediction.
func TestShadowCheckWithoutHits(t *testing.T) {
	var b strings.Builder
	err := WriteShadowChecks(&b, []ttanalysis.ShadowCheck{{MiB: 1,
		Predictions: []ttanalysis.Prediction{{Size: 2}, {Size: 4, Share: 0.5}}, Replayed: []float64{0, 0.25}}})
	lines := strings.Split(b.String(), "\n")
	if err != nil || !strings.HasSuffix(lines[1], " -") || !strings.HasSuffix(lines[2], " 2.0000") {
		t.Errorf("%v: %q", err, lines)
	}
}

// TestValidationOfOnePosition: one position gives no interval.
func TestValidationOfOnePosition(t *testing.T) {
	var b strings.Builder
	err := WriteValidations(&b, []*ttanalysis.Validation{{MiB: 2, Predicted: []float64{0.5}, Real: []float64{0.25}}})
	if got := strings.Join(strings.Fields(b.String()), " "); err != nil ||
		!strings.HasSuffix(got, " 2 50.00 25.00 -25.00 ± - - 0 of 1") {
		t.Errorf("%v: %q", err, got)
	}
}

// Of results with the same check bits and the same key seed the first counts; the others add up.
func TestSums(t *testing.T) {
	all := someResults()
	rows := append(slices.Clone(all[1].Seeds), all[0].Seeds...)
	for _, r := range all[0].Seeds {
		r.Nodes = 0
		rows = append(rows, r)
	}
	if got := sums(rows); !reflect.DeepEqual(got, all) {
		t.Errorf("%+v\nwant %+v", got, all)
	}
}

// FuzzWritePage: any files give a page or an error, and no picture has a coordinate that is not a
// number.
func FuzzWritePage(f *testing.F) {
	dir := f.TempDir()
	writeFiles(f, dir, "")
	sweep, _ := os.ReadFile(filepath.Join(dir, SweepFile))
	decisive, _ := os.ReadFile(filepath.Join(dir, DecisiveFile))
	replay := replayHead + "trefoil\t0.25\t1000\t9\t301\t77\t0\tdesign\ntrefoil\t1\t0\t9\t0\t0\t0\tdesign\nMIN\t0.25\t1000\t9\t500\t99\t0\tbound\nMIN\t1\t1\t9\t1\t1\t0\tbound\n"
	f.Add(sweep, []byte(replay), decisive)
	counts := regexp.MustCompile(`\t[0-9]+`)
	for _, n := range []string{"0", "1", "18446744073709551615"} {
		f.Add(counts.ReplaceAll(sweep, []byte("\t"+n)), []byte(strings.ReplaceAll(replay, "\t1000", "\t"+n)), []byte{})
		f.Add(counts.ReplaceAll(sweep, []byte("\t"+n)), []byte{}, []byte{})
	}
	bad := regexp.MustCompile(` (d|x|y|transform)="[^"]*(NaN|Inf)`)
	f.Fuzz(func(t *testing.T, sweep, replay, decisive []byte) {
		dir := t.TempDir()
		for name, data := range map[string][]byte{SweepFile: sweep, ComparisonFile: replay, DecisiveFile: decisive} {
			if len(data) > 0 {
				filetest.Write(t, filepath.Join(dir, name), data)
			}
		}
		path, err := WritePage(dir, PageOptions{})
		if err != nil {
			return
		}
		page, err := os.ReadFile(path)
		if found := bad.Find(page); err != nil || found != nil {
			t.Errorf("%v, %s", err, found)
		}
	})
}
