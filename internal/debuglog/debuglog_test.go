package debuglog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLog(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	var l Log
	record := func(input bool, lines ...string) {
		t.Helper()
		if err := l.Record(input, lines...); err != nil {
			t.Fatal(err)
		}
	}
	open := func(path string) {
		t.Helper()
		if err := l.Open(path); err != nil {
			t.Fatal(err)
		}
	}
	record(true, "before")
	open(first)
	record(true, "uci")
	record(false, "id", "uciok")
	open(second)
	record(true, "go")
	for _, bad := range []string{dir, filepath.Join(dir, "none", "log")} {
		if err := l.Open(bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	record(false, "bestmove")
	open(first) // which is appended to
	record(true, "quit")
	open("")
	record(true, "after")
	for path, want := range map[string]string{
		first:  ">> uci\n<< id\n<< uciok\n>> quit\n",
		second: ">> go\n<< bestmove\n",
	} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}

// A file that cannot be written is reported once.
func TestLogFails(t *testing.T) {
	var l Log
	if err := l.Open(filepath.Join(t.TempDir(), "log")); err != nil {
		t.Fatal(err)
	}
	if info, err := l.file.Stat(); err != nil || info.Mode()&0o111 != 0 {
		t.Error("it is executable:", info, err)
	}
	_ = l.file.Close()
	if err := l.Record(true, "uci"); err == nil || !strings.HasPrefix(err.Error(), "the debug log is closed: ") {
		t.Error(err)
	}
	if err := l.Record(true, "uci"); err != nil {
		t.Error(err)
	}
}
