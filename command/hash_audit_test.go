package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/cli"
	"trefoil/internal/filetest"
)

// Arguments that contradict each other and outputs that cannot be written are refused before the
// search, and files stay as they are.
func TestHashRefusesBeforeTheWork(t *testing.T) {
	dir := t.TempDir()
	old, missing := filepath.Join(dir, "old.tsv"), filepath.Join(dir, "no", "file")
	filetest.Write(t, old, "figures of a night")
	long := filepath.Join(dir, "long.epd")
	filetest.Write(t, long, strings.Repeat("x", 1<<17))
	for _, c := range []struct{ args, want string }{
		{"audit --keybits 8 --only 1 --blame 1 --fen x", "--only and --blame cannot be used together"},
		{"audit --keybits 8 --blame 1 --tsv " + old + " --plot p", "--plot cannot be used with --only or --blame"},
		{"audit --keybits 8 --only 1 --fen x --plot p", "--plot cannot be used with --only or --blame"},
		{"audit --keybits 8 --blame 1 --tsv " + missing, missing + ": no such file"},
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
		if status := Run(append([]string{"hash"}, strings.Fields(c.args)...), nil, &out,
			&err); status != cli.StatusFailed || out.Len() > 0 || !strings.Contains(err.String(), c.want) {
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
