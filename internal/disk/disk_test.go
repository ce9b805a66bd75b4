package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/disk"
	"trefoil/internal/filetest"
)

// TestFaults: each operation fails with the fault, named and with the path, and does nothing; without a
// fault it does what package os does.
func TestFaults(t *testing.T) {
	defer disk.Inject(nil)
	errFault := errors.New("fault")
	path := filetest.New(t, "file", "text")
	f, err := disk.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 2)
	for _, c := range []struct {
		op  string
		run func() (any, error)
	}{
		{"stat", func() (any, error) { return disk.Stat(path) }},
		{"lstat", func() (any, error) { return disk.Lstat(path) }},
		{"readdir", func() (any, error) { return disk.ReadDir(filepath.Dir(path)) }},
		{"open", func() (any, error) { return disk.Open(path) }},
		{"open", func() (any, error) { return disk.OpenFile(path, os.O_WRONLY, 0) }},
		{"create", func() (any, error) { return disk.OpenFile(path+"2", os.O_CREATE|os.O_RDWR, 0o666) }},
		{"create", func() (any, error) { return disk.CreateTemp("disk*") }},
		{"read", func() (any, error) { return f.Read(b) }},
		{"read", func() (any, error) { return f.ReadAt(b, 2) }},
		{"write", func() (any, error) { return f.Write([]byte("yz")) }},
		{"write", func() (any, error) { return f.WriteString("yz") }},
		{"chmod", func() (any, error) { return nil, f.Chmod(0o600) }},
		{"truncate", func() (any, error) { return nil, f.Truncate(3) }},
		{"sync", func() (any, error) { return nil, f.Sync() }},
		{"close", func() (any, error) { return nil, f.Close() }},
		{"rename", func() (any, error) { return nil, disk.Rename(path, path+"3") }},
		{"remove", func() (any, error) { return nil, disk.Remove(path + "3") }},
	} {
		before := state(t, path)
		named, size := "", 0
		disk.Inject(func(op, path string, n int) (int, error) {
			named, size = op+" "+path, n
			return n / 2, errFault
		})
		got, err := c.run()
		after := state(t, path)
		switch {
		case c.op == "read" && got != 0:
			t.Errorf("%v bytes are read", got)
		case c.op != "write" && (after != before || size != 0):
			t.Errorf("%s: size %d, %q after %q", c.op, size, after, before)
		case c.op == "write" && (after == before || size != 2 || got != 1): // one byte is written
			t.Errorf("write: size %d, %v bytes, %q after %q", size, got, after, before)
		}
		wrong := (*fs.PathError)(nil)
		if !errors.Is(err, errFault) || !errors.As(err, &wrong) || wrong.Op != c.op || !strings.HasPrefix(named, c.op+" ") {
			t.Errorf("%s: %v, %s", c.op, err, named)
		}
		disk.Inject(nil)
		if c.op == "close" { // it is closed all the same
			if _, err := f.Stat(); !errors.Is(err, os.ErrClosed) {
				t.Errorf("close: %v", err)
			}
			if _, err := c.run(); !errors.Is(err, os.ErrClosed) {
				t.Errorf("close once more: %v", err)
			}
			continue
		}
		if got, err = c.run(); err != nil {
			t.Errorf("%s: %v", c.op, err)
		}
		if opened, ok := got.(*disk.File); ok {
			defer os.Remove(opened.Name())
			if err := opened.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := disk.Stat(path + "3"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("renamed and removed: %v", err)
	}
	if _, err := disk.Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := disk.Check("open", path); err != nil {
		t.Error(err)
	}
}

// state is the text of a file, and what is beside it.
func state(t *testing.T, path string) string {
	t.Helper()
	text, _ := os.ReadFile(path)
	names, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	mode := fs.FileMode(0)
	if err == nil {
		mode = info.Mode()
	}
	return string(text) + strings.Join(names, " ") + mode.String()
}
