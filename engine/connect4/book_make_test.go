package connect4

import (
	"io"
	"testing"
	"time"

	"trefoil/internal/cli"
)

// TestBookProgress: the rate and the time left are of the positions that were solved since the start.
func TestBookProgress(t *testing.T) {
	p := BookProgress{Progress: cli.NewProgress(io.Discard, 0)}
	start := time.Now()
	for _, c := range []struct {
		done  int
		after time.Duration
		note  string
	}{
		{100, 0, ""},
		{110, 20 * time.Second, "0.5 positions/s, 29m40s left"},
		{500, 100 * time.Second, "4 positions/s, 2m5s left"},
		{1000, 1000 * time.Second, "0.9 positions/s, 0s left"},
	} {
		if p.solved(c.done, 1000, start.Add(c.after)); p.Note != c.note || p.Total != 1000 {
			t.Errorf("%d after %v: %q, want %q", c.done, c.after, p.Note, c.note)
		}
	}
}
