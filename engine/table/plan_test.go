package table

import (
	"fmt"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/internal/mem"
	"trefoil/window"
)

// TestPlans: the sizes of planned tables, and what this machine is.
func TestPlans(t *testing.T) {
	var lines []string
	print := func(line string) { lines = append(lines, line) }
	planned := func(what string, fits bool, want ...string) {
		t.Helper()
		f := mem.Machine()
		fit := "fits"
		if !fits {
			fit = "would be refused"
		}
		want = append(want, fmt.Sprintf("machine   %.1f GiB of memory, ", float64(f.Total)/(1<<30)), " GiB available (", fit,
			fmt.Sprintf(", cache line %d bytes, L2 %d KiB, L3 %d KiB", f.CacheLine, f.L2/1024, f.L3/1024), "pages     ")
		text := strings.Join(lines, "\n")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in\n%s", what, w, text)
			}
		}
		var total, available float64
		_, machine, _ := strings.Cut(text, "machine   ")
		if _, err := fmt.Sscanf(machine, "%f GiB of memory, %f GiB", &total, &available); err != nil || available > total {
			t.Errorf("%s: %v, %s", what, err, machine)
		}
		lines = nil
	}
	plan := func(mib uint64, index cluster.Index) {
		t.Helper()
		if err := PlanCluster(mib, index, mem.SmallPages, print); err != nil {
			t.Fatal(err)
		}
	}
	plan(3, cluster.Auto)
	if strings.Contains(strings.Join(lines, "\n"), "spread") || strings.Contains(strings.Join(lines, "\n"), "warning") {
		t.Errorf("%q", lines)
	}
	planned("3 MiB", true, "table     3 MiB of 3 requested: 98304 clusters of 32 bytes, three entries each",
		"index     mul32; the 32-bit index would reach 98304 clusters (100.0 %)")
	plan(3, cluster.Pow2)
	planned("a power of two", true, "table     2 MiB of 3 requested: 65536 clusters")
	plan(100_000, cluster.Mul32)
	planned("mul32", mem.Fits(100_000<<20) == nil, "spread    mul32 gives a cluster 2 or 3 of its 2^32 values",
		"which auto takes beyond 65536 MiB")
	plan(65536, cluster.Mul32)
	if text := strings.Join(lines, "\n"); strings.Contains(text, "spread") {
		t.Errorf("as auto: %s", text)
	}
	planned("as auto", mem.Fits(65536<<20) == nil)
	plan(cluster.MaxMul32/cluster.ClustersPerMiB+1, cluster.Mul64)
	planned("just too large", false, "clusters (99.9 %)")
	plan(cluster.MaxMiB, cluster.Mul64)
	planned("too large", false, "warning   Hash of ", "clusters (0.4 %)")
	if err := PlanCluster(0, cluster.Auto, mem.SmallPages, print); err == nil || len(lines) > 0 {
		t.Errorf("%v, %q", err, lines)
	}
	PlanPair(8, mem.SmallPages, print)
	planned("a pair", true,
		fmt.Sprintf("for proof search %d entries of 32 bytes with an index byte each", window.Slots(6<<20)),
		"for alpha-beta 65536 clusters of 32 bytes, three entries each")
}
