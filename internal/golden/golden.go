// Package golden compares what tests compute with files in testdata.
package golden

import (
	"os"
	"strings"
	"testing"
)

// Lines compares lines with the lines of a file, skipping lines that begin with #. With update it writes
// the file instead: head, which consists of lines with #, then the lines.
func Lines(t testing.TB, update bool, file, head string, lines []string) {
	t.Helper()
	if update {
		if err := os.WriteFile(file, []byte(head+strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for want := range strings.Lines(string(text)) {
		if strings.HasPrefix(want, "#") {
			continue
		}
		if want = strings.TrimRight(want, "\r\n"); n < len(lines) && lines[n] != want {
			t.Errorf("%s\n%s says\n%s", lines[n], file, want)
		}
		n++
	}
	if n != len(lines) {
		t.Errorf("%d lines, %d in %s", len(lines), n, file)
	}
}
