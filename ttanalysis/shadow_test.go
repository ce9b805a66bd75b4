package ttanalysis

import (
	"context"
	"flag"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"trefoil/cluster"
)

var long = flag.Bool("long", false, "also run the tests that take minutes")

// A shadow that samples all clusters of a table has its hits at each size, with each index.
func TestShadowOfAllClusters(t *testing.T) {
	for _, index := range []cluster.Index{cluster.Mul32, cluster.Mul64, cluster.Pow2} {
		const bytes = minSampled * cluster.BytesPerCluster
		d := DefaultDesign()
		d.Index = index
		s, err := NewShadow(d, bytes, hashStatsSizes)
		if err != nil || s.shift != 0 {
			t.Fatalf("1 in 2^%d sampled, %v", s.shift, err)
		}
		runs := []*Run{{Design: shadowDesign{d, s}, Bytes: bytes}, {Design: d, Bytes: bytes}}
		for _, m := range hashStatsSizes {
			runs = append(runs, &Run{Design: d, Bytes: multipleOf(bytes, m)})
		}
		path := filepath.Join(t.TempDir(), "t.trace")
		table, err := d.New(bytes)
		if err != nil {
			t.Fatal(err)
		}
		synthesise(t, path, table, 60, 3_000)
		replayAll(t, path, runs)
		for i, p := range s.Predict(runs[1].Probes, runs[1].Hits) {
			got, want := p.Share, runs[2+i].HitRate()
			// Other bits of a key break ties with mul64.
			if exact := index != cluster.Mul64; exact && math.Abs(got-want) > 1e-9 || math.Abs(got/want-1) > 0.005 {
				t.Errorf("%s, size %g: predicted %.6f, replayed %.6f", index, p.Size, got, want)
			}
		}
	}
}

// The sampled clusters are 1 in 64, and more of a small table.
func TestShadowSample(t *testing.T) {
	for mib, want := range map[float64]int{0.0625: 0, 0.25: 2, 1: 4, 3: 5, 4: 6, 64: 6, 100: 7, 128: 7, 65536: 16} {
		s, err := NewShadow(DefaultDesign(), uint64(mib*(1<<20)), nil)
		if err != nil || s.shift != want {
			t.Errorf("%v MiB: 1 in 2^%d, %v, want 2^%d", mib, s.shift, err, want)
		}
	}
	for _, index := range []cluster.Index{cluster.Mul32, cluster.Mul64, cluster.Pow2} {
		s := Shadow{index: index, shift: 6, mask: firstBits(index, 6)}
		keys, seen := 0, map[uint64]bool{}
		for i := range uint64(1 << 16) {
			key := mix(i)
			if !s.samples(key) {
				continue
			}
			keys++
			k := s.rescale(key)
			seen[k] = true
			if k&1 != key&1 {
				t.Fatalf("%s: key %x is that of the other side, %x", index, k, key)
			}
		}
		if keys != len(seen) || math.Abs(float64(keys)-1024) > 5*32 {
			t.Errorf("%s: %d keys of %d sampled, %d different, want about 1024", index, keys, 1<<16, len(seen))
		}
	}
}

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
	if _, _, err := s.Record(context.Background(), path, "a test", nil); err != nil {
		t.Fatal(err)
	}
	checks, err := CheckShadow(context.Background(), path, sizes, nil)
	if err != nil || len(checks) != len(sizes) {
		t.Fatal(checks, err)
	}
	for _, c := range checks {
		for i, p := range c.Predictions {
			t.Logf("%g MiB × %g: predicted %.3f %% ± %.3f, replayed %.3f %%", c.MiB, p.Size, 100*p.Share, 100*p.Margin, 100*c.Replayed[i])
			if math.Abs(p.Share/c.Replayed[i]-1) > 0.02 {
				t.Errorf("%g MiB × %g: predicted %.4f, replayed %.4f", c.MiB, p.Size, p.Share, c.Replayed[i])
			}
		}
		if c.Replayed[0] > 0.98*c.HitRate {
			t.Errorf("%g MiB: half the size has %.3f of the hits: the test tests nothing", c.MiB, c.Replayed[0]/c.HitRate)
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
	if !strings.Contains(want, "of probes hit") {
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
	if line := monitored(t, &m, newTable(t), true, 4); !strings.Contains(line, "of probes hit") {
		t.Errorf("line %q", line)
	}
}
