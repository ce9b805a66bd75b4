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

	"trefoil/ttanalysis"
)

// cells returns the rows of all tables of a page.
func cells(page string) (rows [][]string) {
	for _, tr := range regexp.MustCompile(`(?s)<tr>(.*?)</tr>`).FindAllStringSubmatch(page, -1) {
		var row []string
		for _, td := range regexp.MustCompile(`<td>(.*?)</td>`).FindAllStringSubmatch(tr[1], -1) {
			row = append(row, td[1])
		}
		rows = append(rows, row)
	}
	return rows
}

// someResults returns results whose numbers are all different.
func someResults() []ttanalysis.AuditResult {
	n := uint64(1000)
	var all []ttanalysis.AuditResult
	for _, bits := range []int{8, 21} {
		r := ttanalysis.AuditResult{KeyBits: bits}
		for _, c := range sweepColumns {
			n += 17
			*c.value(&r) = n
		}
		all = append(all, r)
	}
	return all
}

// The page has the numbers of both files and no external references.
func TestWritePage(t *testing.T) {
	dir := t.TempDir()
	results := someResults()
	if err := SaveSweep(filepath.Join(dir, SweepFile), "some positions", results); err != nil {
		t.Fatal(err)
	}
	const design = "a<b>&c"
	replay := "design\tMiB\tprobes\tstores\thits\tcutoffs\tfalse hits\n" + design + "\t0.25\t1000\t9\t301\t77\t0\n" + design + "\t1\t1000\t9\t402\t88\t0\n"
	if err := os.WriteFile(filepath.Join(dir, ComparisonFile), []byte(replay), 0o666); err != nil {
		t.Fatal(err)
	}
	path, err := WritePage(dir)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := cells(string(page))
	has := func(want ...string) {
		t.Helper()
		for _, row := range rows {
			if len(row) >= len(want) && strings.Join(row[:len(want)], "\t") == strings.Join(want, "\t") {
				return
			}
		}
		t.Errorf("no row begins with %q", want)
	}
	title, loaded, err := loadSweep(filepath.Join(dir, SweepFile))
	if err != nil || title != "some positions" || !slices.EqualFunc(loaded, results, func(a, b ttanalysis.AuditResult) bool { return reflect.DeepEqual(a, b) }) {
		t.Errorf("loaded %q %+v, %v", title, loaded, err)
	}
	for i := range results {
		r := &results[i]
		has(strconv.Itoa(r.KeyBits), strconv.FormatUint(r.Counters.Probes, 10), strconv.FormatUint(r.Counters.AllFalseHits(), 10))
	}
	for name, n := range map[string]uint64{"nodes": results[1].Nodes, "hits": results[1].Counters.Hits, "stores": results[1].Counters.Stores} {
		has(name, strconv.FormatUint(n, 10))
	}
	has("0", ".36788", ".36788", ".36778")
	has("a&lt;b&gt;&amp;c", "0.25", "1000", "301", "30.100", "77", "7.700")
	has("a&lt;b&gt;&amp;c", "1", "1000", "402", "40.200", "88", "8.800")
	if n := strings.Count(string(page), "<svg "); n != 4 {
		t.Errorf("%d charts, want 4", n)
	}
	if found := regexp.MustCompile(`(src|href)=|url\(|@import|<script`).FindString(string(page)); found != "" {
		t.Errorf("the page has an external reference: %q", found)
	}
}

// Errors name the file and what is wrong in it.
func TestWritePageRefuses(t *testing.T) {
	empty := t.TempDir()
	bad := func(name, text string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	heads := []string{"bits"}
	for _, c := range sweepColumns {
		heads = append(heads, c.name)
	}
	head := strings.Join(heads, "\t")
	nothing := "21" + strings.Repeat("\t0", len(sweepColumns))
	for _, c := range []struct{ dir, want string }{
		{empty, "neither audit.tsv nor replay.tsv"},
		{filepath.Join(empty, "missing"), "neither"},
		{bad(SweepFile, "x\n"), "not a file of hash audit --tsv"},
		{bad(SweepFile, "x\n"+head+"\n"), "not a file of hash audit --tsv"},
		{bad(SweepFile, "x\n"+head+"\n"+nothing+"\n"), SweepFile + ": plot: no line has a value"},
		{bad(SweepFile, "\"\"\n"+head+"\n22"+nothing[2:]+"\n"), `line 3: bits "22"`},
		{bad(ComparisonFile, "design\tMiB\tprobes\thits\tcutoffs\na\t1\t9\t1\t1\nb\t2\t9\t1\t1\n"), ComparisonFile + ": plot: "},
		{bad(ComparisonFile, "x\ty\n1\t2\n"), `no column "design"`},
		{bad(ComparisonFile, "design\tMiB\tprobes\thits\tcutoffs\na\t1\tmany\t1\t1\n"), `"many" is not a count`},
	} {
		if _, err := WritePage(c.dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// A result with nothing expected has no ratio.
func TestSweepLineWithoutExpectation(t *testing.T) {
	if line := SweepLine(&ttanalysis.AuditResult{KeyBits: 21}); strings.Contains(line, "NaN") || strings.Contains(line, "Inf") {
		t.Error(line)
	}
}
