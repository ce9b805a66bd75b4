package table

import (
	"fmt"

	"trefoil/cluster"
	"trefoil/internal/mem"
	"trefoil/window"
)

// PlanCluster prints what a cluster.Table of a size and an index would be, and whether this machine
// has memory for it. Nothing is allocated.
func PlanCluster(mib uint64, index cluster.Index, pages mem.Pages, print func(string)) error {
	p, err := cluster.PlanFor(mib, index)
	if err != nil {
		return err
	}
	if p.Warning != "" {
		print("warning   " + p.Warning)
	}
	print(fmt.Sprintf("table     %d MiB of %d requested: %d clusters of %d bytes, three entries each", p.Allocated, p.MiB,
		p.Clusters, cluster.BytesPerCluster))
	all := mib * cluster.ClustersPerMiB
	percent := 100 * float64(p.Reach) / float64(all)
	if p.Reach < all {
		percent = min(percent, 99.9) // 100.0 would say all
	}
	print(fmt.Sprintf("index     %s; the 32-bit index would reach %d clusters (%.1f %%)", p.Index, p.Reach, percent))
	if p.Index != cluster.Pow2 && p.Clusters > cluster.MaxAutoMul32 && p.Clusters < cluster.MaxMul32 {
		least, most, cv := p.Spread()
		print(fmt.Sprintf("spread    mul32 gives a cluster %d or %d of its 2^32 values (coefficient of variation "+
			"%.2f): up to 0.6 %% fewer hits than with mul64, which auto takes beyond %d MiB",
			least, most, cv, cluster.MaxAutoMul32/cluster.ClustersPerMiB))
	}
	PrintMachine(p.Clusters*cluster.BytesPerCluster, pages, print)
	return nil
}

// PlanPair is PlanCluster for a Pair.
func PlanPair(mib uint64, pages mem.Pages, print func(string)) {
	bytes := mib << 20
	print(fmt.Sprintf("table     for proof search %d entries of %d bytes with an index byte each, in windows of %d",
		window.Slots(bytes-bytes/4), window.BytesPerEntry, window.SlotsPerWindow))
	print(fmt.Sprintf("table     for alpha-beta %d clusters of %d bytes, three entries each",
		bytes/4/cluster.BytesPerCluster, cluster.BytesPerCluster))
	PrintMachine(bytes, pages, print)
}

// PrintMachine prints this machine's memory and caches, whether a table of that many bytes fits, and
// on which pages it would lie.
func PrintMachine(bytes uint64, pages mem.Pages, print func(string)) {
	f := mem.Machine()
	const gib = 1 << 30
	fit, options := "fits", mem.Options{Pages: pages}
	if options.Fits(bytes) != nil { // what is available does not count reserved pages
		fit = "would be refused"
	}
	print(fmt.Sprintf("machine   %.1f GiB of memory, %.1f GiB available (%s): %s", float64(f.Total)/gib,
		float64(f.Available)/gib, f.Explain, fit))
	print(fmt.Sprintf("processor %s, cache line %d bytes, L2 %d KiB, L3 %d KiB", f.Processor, f.CacheLine,
		f.L2>>10, f.L3>>10))
	print(fmt.Sprintf("pages     %s; mode of transparent huge pages: %s", mem.Describe(bytes, pages), f.HugePages))
}
