// Package filetest writes and reads the files of tests, which end if that fails.
package filetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Write writes a file.
func Write[D string | []byte](t testing.TB, path string, data D) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

// New writes a file in a new folder, and returns its path.
func New[D string | []byte](t testing.TB, name string, data D) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	Write(t, path, data)
	return path
}

// Lines returns the lines of a file but comments, which begin with #, and empty lines.
func Lines(t testing.TB, path string) (lines []string) {
	t.Helper()
	for line := range strings.Lines(string(Read(t, path))) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// Further returns the path of a file in the folder of further test data. The test is skipped if it is not there.
func Further(t testing.TB, name string) (path string) {
	t.Helper()
	dir := os.Getenv("TREFOIL_TESTDATA")
	path = filepath.Join(dir, name)
	if _, err := os.Stat(path); dir == "" || err != nil {
		t.Skipf("TREFOIL_TESTDATA names no folder with %s", name)
	}
	return path
}

// Read returns the content of a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
