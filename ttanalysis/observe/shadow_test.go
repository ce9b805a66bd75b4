package observe

import (
	"context"
	"flag"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/ttanalysis"
)

var long = flag.Bool("long", false, "also run the tests that take minutes")

// The predictions are within 2 % of the hits of a full replay.
func TestShadowPrediction(t *testing.T) {
	s := someSuite(t)
	s.OneGame, s.Nodes, s.Index, s.KeyBits = true, 60_000, cluster.Mul32, cluster.MaxKeyBits
	s.Setups = append(s.Setups, "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2QR1K1 b - - 1 10")
	sizes := []float64{0.25, 0.5}
	if *long {
		s.Nodes = 1_000_000
		sizes = append(sizes, 1, 2, 4)
	}
	path := filepath.Join(t.TempDir(), "t.trace")
	create := func(head ttanalysis.TraceHeader) (*ttanalysis.TraceWriter, error) {
		return ttanalysis.CreateTrace(path, head)
	}
	if _, _, err := s.Record(context.Background(), create, "a test", nil); err != nil {
		t.Fatal(err)
	}
	trace, err := ttanalysis.OpenTrace(path)
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	checks, err := ttanalysis.CheckShadow(context.Background(), trace, sizes, nil)
	if err != nil || len(checks) != len(sizes) {
		t.Fatal(checks, err)
	}
	for _, c := range checks {
		for i, p := range c.Predictions {
			t.Logf("%g MiB × %g: predicted %.3f %% ± %.3f, replayed %.3f %%", c.MiB, p.Size, 100*p.Share,
				100*p.Margin, 100*c.Replayed[i])
			if math.Abs(p.Share/c.Replayed[i]-1) > 0.02 {
				t.Errorf("%g MiB × %g: predicted %.4f, replayed %.4f", c.MiB, p.Size, p.Share, c.Replayed[i])
			}
		}
		if c.Replayed[0] > 0.98*c.HitRate {
			t.Errorf("%g MiB: half the size has %.3f of the hits: the test tests nothing", c.MiB,
				c.Replayed[0]/c.HitRate)
		}
	}
}

// monitored searches with a Monitor and returns the line with its predictions, "" if there is none.
func monitored(t *testing.T, m *Monitor, tt *cluster.Table, count bool, threads int) string {
	t.Helper()
	observe := m.Begin(tt, MonitorOptions{Count: count, Threads: threads}, func(line string) { t.Error(line) })
	if (observe != nil) != count {
		t.Fatalf("count is %v, observed is %v", count, observe != nil)
	}
	runObserved(t, tt, observe, threads, 40_000)
	for _, line := range m.Lines() {
		if strings.HasPrefix(line, "hash memory: ") {
			return line
		}
	}
	return ""
}

// A Monitor predicts the same for the same search of one thread: of a new Monitor, and after the
// table was cleared. A Monitor that does not count predicts nothing.
func TestMonitorPredicts(t *testing.T) {
	var m, other Monitor
	tt := newTable(t)
	want := monitored(t, &m, tt, true, 1)
	if !strings.Contains(want, "of these probes hit") {
		t.Fatalf("line %q", want)
	}
	if again := monitored(t, &m, tt, true, 1); again == want {
		t.Errorf("a search with an old table and one with a new one both have %q", want)
	}
	if err := tt.Clear(context.Background()); err != nil {
		t.Fatal(err)
	}
	m.Cleared()
	for _, m := range []*Monitor{&m, &other} {
		if err := tt.Clear(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := monitored(t, m, tt, true, 1); got != want {
			t.Errorf("%q after %q", got, want)
		}
	}
	if got := monitored(t, &m, tt, false, 1); got != "" || m.shadow != nil {
		t.Errorf("not counted: %q, shadow %v", got, m.shadow)
	}
	m.Close()
	if resized := newTable(t); monitored(t, &m, resized, true, 1) != want {
		t.Error("another table has another prediction")
	}
}

// Several workers share a shadow.
func TestShadowThreads(t *testing.T) {
	var m Monitor
	if line := monitored(t, &m, newTable(t), true, 4); !strings.Contains(line, "of these probes hit") {
		t.Errorf("line %q", line)
	}
}
