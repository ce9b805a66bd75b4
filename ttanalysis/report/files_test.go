package report

import (
	"os"
	"path/filepath"
	"testing"
)

// A regular file is replaced, so that another link to it keeps the old contents; what a symbolic link
// names is written in place. Nothing else is left in the directory.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path, other, link := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	read := func(path, want string) {
		t.Helper()
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v, want %q", path, text, err, want)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := writeFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write(path, "old")
	if err := os.Link(path, other); err != nil {
		t.Skip(err)
	}
	write(path, "new")
	read(path, "new")
	read(other, "old")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	write(link, "by the link")
	read(path, "by the link")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := writeFile(dir, nil); err == nil {
		t.Error("a directory was written")
	}
}
