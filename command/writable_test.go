package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/filetest"
)

// TestWritable: an output that is the input, by whatever name, is refused; a link to a file
// that does not exist stays, and a device is not
// replaced.
func TestWritable(t *testing.T) {
	dir := t.TempDir()
	input, link, dangling := filepath.Join(dir, "input"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	filetest.Write(t, input, "input")
	if err := os.Symlink(input, link); err != nil {
		t.Skip("this system makes no links: ", err)
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere"), dangling); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{input, link, filepath.Join(dir, ".", "input")} {
		if err := writable([]string{path}, input); err == nil || !strings.Contains(err.Error(), path+": not replaced") {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "new"), dangling, os.DevNull} {
		if err := writable([]string{path}, input); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(dangling); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"new", "nowhere"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s: an empty file is left", name)
		}
	}
}
