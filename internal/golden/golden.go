// Package golden compares what tests compute with files in testdata.
package golden

import (
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// Lines compares lines with the lines of a file, skipping lines that begin with #. With update it writes
// the file instead: head, which consists of lines with #, then the lines.
func Lines(t testing.TB, update bool, file, head string, lines []string) {
	t.Helper()
	if update {
		filetest.Write(t, file, head+strings.Join(lines, "\n")+"\n")
		return
	}
	n := 0
	for want := range strings.Lines(string(filetest.Read(t, file))) {
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
