package window

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"trefoil/internal/container"
	"trefoil/internal/tabletest"
)

// TestSaver: a table is saved at an interval beside a writer, and once more at the end.
func TestSaver(t *testing.T) {
	table, again := tiny(t, 5000), tiny(t, 5000)
	path := filepath.Join(t.TempDir(), "table")
	saves := make(chan error, 1000)
	s, err := table.SaveEvery(path, label, time.Millisecond, func(err error) { saves <- err })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("there is a file before anything was saved")
	}
	h, last := table.Handle(), uint64(0)
	for done := 0; done < 5; {
		last += 0x9e3779b97f4a7c15
		h.Store(last, whole(last, uint32(last>>40)))
		select {
		case err := <-saves:
			if err != nil {
				t.Fatal(err)
			}
			done++
			if _, err := again.Load(context.Background(), container.File(path), label, nil); err != nil {
				t.Fatal(err)
			}
		default:
		}
	}
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Load(context.Background(), container.File(path), label, nil); err != nil {
		t.Fatal(err)
	}
	if e, ok := again.Handle().Probe(last); !ok || !isWhole(last, e) {
		t.Errorf("the last save lacks the last entry: %+v %v", e, ok)
	}
	if left := tabletest.Beside(path); left != "" {
		t.Errorf("left behind: %s", left)
	}
}

func TestSaverRefuses(t *testing.T) {
	table := tiny(t, 500)
	dir := t.TempDir()
	for _, c := range []struct {
		path  string
		label Label
		every time.Duration
		says  string
	}{
		{filepath.Join(dir, "no", "where"), label, time.Hour, "where: "},
		{filepath.Join(dir, "x"), label, 0, "more than 0"},
	} {
		if _, err := table.SaveEvery(c.path, c.label, c.every, nil); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want something about %q", c.path, err, c.says)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}
