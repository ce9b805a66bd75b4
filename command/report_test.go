package command

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// cells are the rows of all tables of a page.
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

// TestReport: the page has the numbers of the run, and nothing from elsewhere.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	var out, err bytes.Buffer
	if status := Run([]string{"hash", "audit", "--keybits", "8,21", "--nodes", "3000", "--hash", "1", "--tsv", filepath.Join(dir, auditFile)}, nil, &out, &err); status != 0 {
		t.Fatal(err.String())
	}
	const design = "a<b>&c"
	replay := "design\tMiB\tprobes\tstores\thits\tcutoffs\tfalse hits\n" + design + "\t0.25\t1000\t9\t301\t77\t0\n" + design + "\t1\t1000\t9\t402\t88\t0\n"
	if err := os.WriteFile(filepath.Join(dir, replayFile), []byte(replay), 0o666); err != nil {
		t.Fatal(err)
	}
	if status := Run([]string{"hash", "report", dir}, nil, &out, &err); status != 0 {
		t.Fatal(err.String())
	}
	page, e := os.ReadFile(filepath.Join(dir, reportFile))
	if e != nil {
		t.Fatal(e)
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
	_, all, e := readSweep(filepath.Join(dir, auditFile))
	if e != nil || len(all) != 2 || all[0].counts.FalseHits() == 0 {
		t.Fatalf("%v: %+v", e, all)
	}
	tsv, _ := os.ReadFile(filepath.Join(dir, auditFile))
	for i, line := range strings.Split(strings.TrimSpace(string(tsv)), "\n")[2:] {
		field := strings.Split(line, "\t")
		column := func(name string) string {
			for j, c := range sweepColumns {
				if c.name == name {
					return field[j+1]
				}
			}
			t.Fatalf("no column %q", name)
			return ""
		}
		has(field[0], column("probes"))
		if i == 1 { // the run with the most check bits
			for _, name := range []string{"nodes", "probes", "hits", "cutoffs", "moves", "stores"} {
				has(name, column(name))
			}
		}
	}
	has("0", ".36788", ".36788", ".36778")
	has("a&lt;b&gt;&amp;c", "0.25", "1000", "301", "30.100", "77", "7.700")
	has("a&lt;b&gt;&amp;c", "1", "1000", "402", "40.200", "88", "8.800")
	if n := strings.Count(string(page), "<svg "); n != 4 {
		t.Errorf("%d pictures, want 4", n)
	}
	if found := regexp.MustCompile(`(src|href)=|url\(|@import|<script`).FindString(string(page)); found != "" {
		t.Errorf("the page needs something else: %q", found)
	}
}

// TestReportRefuses: what is not there or not a figure is named.
func TestReportRefuses(t *testing.T) {
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
		{bad(auditFile, "x\n"), "not what hash audit --tsv writes"},
		{bad(auditFile, "x\n"+head+"\n"), "not what hash audit --tsv writes"},
		{bad(auditFile, "x\n"+head+"\n"+nothing+"\n"), auditFile + ": plot: no line has a value"},
		{bad(auditFile, "\"\"\n"+head+"\n22"+nothing[2:]+"\n"), `line 3: bits "22"`},
		{bad(replayFile, "design\tMiB\tprobes\thits\tcutoffs\na\t1\t9\t1\t1\nb\t2\t9\t1\t1\n"), replayFile + ": plot: "},
		{bad(replayFile, "x\ty\n1\t2\n"), `no column "design"`},
		{bad(replayFile, "design\tMiB\tprobes\thits\tcutoffs\na\t1\tmany\t1\t1\n"), `"many" is no count`},
	} {
		if _, err := writeReport(c.dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
