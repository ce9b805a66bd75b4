package ttanalysis

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/internal/mem"
)

// large is a design that says it needs most of the available memory.
type large struct{ ClusterDesign }

func (d large) String() string { return "large " + d.ClusterDesign.String() }

func (d large) ReplayBytes(uint64) uint64 {
	available, _ := mem.Available()
	return available / 4 * 3
}

// compared returns a comparison of designs.
func compared(t *testing.T, designs, sizes string) *Comparison {
	t.Helper()
	c, err := NewComparison(designs, sizes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Tables that do not fit into memory together are replayed in several passes, however much memory may
// be used. A second replay has the same counts as the first.
func TestReplayWithinMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	record(t, path, 1000)
	c := compared(t, "trefoil", "1")
	for _, text := range []string{"entries=1", "entries=2"} {
		d := parsed(t, text)
		if err := c.Add(large{d}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		passes := 0
		err := c.Replay(context.Background(), opened(t, path), mem.Unlimited,
			func(p ReplayProgress) { passes = p.Passes })
		if err != nil || passes != 4 || c.Runs[0][0].Probes != 400 || c.Runs[2][0].Probes != 400 {
			t.Errorf("%v: %d passes, %d and %d probes", err, passes, c.Runs[0][0].Probes, c.Runs[2][0].Probes)
		}
	}
	if _, err := Replay(context.Background(), opened(t, path), []*Run{c.Runs[1][0], c.Runs[2][0]}, nil); err == nil ||
		!strings.Contains(err.Error(), "2 tables: ") {
		t.Errorf("more than is available: %v", err)
	}
}

// A design or a size given twice is replayed once.
func TestComparisonWithoutDuplicates(t *testing.T) {
	c, err := NewComparison("trefoil,replace=depth-age,entries=2", "1,0.5,1.0")
	if err != nil || len(c.MiB) != 2 || len(c.Designs) != 2 || len(c.Runs) != 2 || len(c.Runs[0]) != 2 {
		t.Errorf("%v: %+v", err, c)
	}
}

// Runs share a pass up to the memory limit; one that is larger has its own.
func TestComparisonPasses(t *testing.T) {
	c := compared(t, "trefoil,entries=2", "1,4")
	runs := 0
	for i, pass := range c.passes(3 << 20) {
		total := uint64(0)
		for _, run := range pass {
			total += run.Design.ReplayBytes(run.Bytes)
		}
		if len(pass) == 0 || len(pass) > 1 && total > 3<<20 {
			t.Errorf("pass %d: %d runs, %d bytes", i, len(pass), total)
		}
		runs += len(pass)
	}
	if runs != 8 {
		t.Errorf("%d runs in all passes, want 8", runs)
	}
}
