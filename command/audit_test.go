package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an audit or a replay would not do, or could not write, is refused before any work,
// and what stands in a file meanwhile stays there.
func TestHashRefusesBeforeTheWork(t *testing.T) {
	dir := t.TempDir()
	old, missing := filepath.Join(dir, "old.tsv"), filepath.Join(dir, "no", "file")
	if err := os.WriteFile(old, []byte("figures of a night"), 0o666); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(dir, "long.epd")
	if err := os.WriteFile(long, bytes.Repeat([]byte("x"), 1<<17), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"audit --keybits 8 --only 1 --blame 1 --fen x", "--only and --blame: one of them"},
		{"audit --keybits 8 --blame 1 --tsv " + old, "count nothing for --tsv or --plot"},
		{"audit --keybits 8 --only 1 --fen x --plot p", "count nothing for --tsv or --plot"},
		{"audit --tsv " + dir, "is a directory"},
		{"audit --plot " + missing, missing + ".svg: no such file"},
		{"audit --tsv " + old + " --fen x", "position 1"},
		{"audit " + long, long},
		{"audit " + dir, dir},
		{"replay --tsv " + missing + " no.trace", missing + ": no such file"},
		{"replay --plot " + missing + " no.trace", missing + "-hits.svg: no such file"},
		{"replay --tsv " + old + " no.trace", "no.trace: no such file"},
	} {
		var out, err bytes.Buffer
		if status := Run(append([]string{"hash"}, strings.Fields(c.args)...), nil, &out, &err); status != statusMisuse || out.Len() > 0 || !strings.Contains(err.String(), c.want) {
			t.Errorf("hash %s: status %d, %q, %q, want %q", c.args, status, out.String(), err.String(), c.want)
		}
	}
	if text, err := os.ReadFile(old); err != nil || string(text) != "figures of a night" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("files were left behind: %v", files)
	}
}

// A line of a sweep in which nothing was to be expected has no ratio, and a design or a size
// that is named twice is replayed once.
func TestHashHasNoFiguresOfNothing(t *testing.T) {
	if line := (&swept{bits: 21}).line(); strings.Contains(line, "NaN") || strings.Contains(line, "Inf") {
		t.Error(line)
	}
	r := replaying{sizes: "1,0.5,1.0", designs: "trefoil,age=8,ways=2"}
	if err := r.parse(); err != nil || len(r.mib) != 2 || len(r.list) != 2 || len(r.runs) != 2 || len(r.runs[0]) != 2 {
		t.Errorf("%v: sizes %v, designs %v", err, r.mib, r.list)
	}
}
