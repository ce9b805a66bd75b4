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
	table, err := cluster.New(1, cluster.Mul32)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer table.Close()
	shadow, err := ttanalysis.NewShadow(cluster.Mul32, cluster.MaxKeyBits, bytes, []float64{0.5, 2})
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
		probes++
		if _, hit := table.Probe(key); hit {
			hits++
		}
		shadow.Probe(key)
		entry := cluster.Entry{Move: 1}
		table.Store(key, entry)
		shadow.Store(key, entry)
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
