package ttanalysis

import "testing"

// A design or a size given twice is replayed once.
func TestComparisonWithoutDuplicates(t *testing.T) {
	c, err := NewComparison("trefoil,replace=depth-age,entries=2", "1,0.5,1.0")
	if err != nil || len(c.MiB) != 2 || len(c.Designs) != 2 || len(c.Runs) != 2 || len(c.Runs[0]) != 2 {
		t.Errorf("%v: %+v", err, c)
	}
}

// Runs share a pass up to the memory limit; one that is larger has its own.
func TestComparisonPasses(t *testing.T) {
	c, err := NewComparison("trefoil,entries=2", "1,4")
	if err != nil {
		t.Fatal(err)
	}
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
	if runs != 4 {
		t.Errorf("%d runs in all passes, want 4", runs)
	}
}
