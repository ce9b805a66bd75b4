package ttanalysis_test

import (
	"fmt"
	"math/rand/v2"

	"trefoil/cluster"
	"trefoil/ttanalysis"
)

// An engine with a table of 1 MiB passes its probes and stores on to a Shadow, which says what half and
// twice the size would have hit. Here it looks up random positions of as many as the table has
// entries.
func ExampleShadow() {
	const bytes, positions = 1 << 20, cluster.EntriesPerCluster * cluster.ClustersPerMiB
	design := ttanalysis.DefaultDesign()
	table, err := design.New(bytes)
	if err != nil {
		fmt.Println(err)
		return
	}
	shadow, err := ttanalysis.NewShadow(design, bytes, []float64{0.5, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	keys := make([]uint64, positions)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range keys {
		keys[i] = random.Uint64()
	}
	var probes, hits uint64
	for range 5 * positions {
		key := keys[random.IntN(positions)]
		probe := ttanalysis.ProbeRecord(key, 1, 0, 1, false, false, false)
		probes++
		if _, hit := table.Probe(probe); hit {
			hits++
		}
		shadow.Probe(probe)
		stored := ttanalysis.StoreRecord(key, cluster.Entry{Move: 1})
		table.Store(stored)
		shadow.Store(stored)
	}
	fmt.Printf("size 1: %.0f %%\n", 100*float64(hits)/float64(probes))
	for _, p := range shadow.Predict(probes, hits) {
		fmt.Printf("size %g: %.0f %%\n", p.Size, 100*p.Share)
	}
	// Output:
	// size 1: 65 %
	// size 0.5: 45 %
	// size 2: 76 %
}
