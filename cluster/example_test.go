package cluster_test

import (
	"context"
	"fmt"

	"trefoil/cluster"
)

// Make a table, store an entry, find it again, close the table.
func Example() {
	table, err := cluster.New(2, cluster.Auto) // 2 MiB; any whole number of MiB will do
	if err != nil {
		fmt.Println(err)
		return
	}
	defer table.Close()

	const side = 1                       // bit 0 of a key is the side to move
	key := uint64(0x6c1f_93a4_d07e_285a) // of a position, for example a Zobrist key
	table.NewSearch()
	table.Store(key, cluster.Entry{
		Move: 0x1234, Value: 31, Eval: 25,
		Quality: cluster.Quality{Depth: 9, Bound: cluster.Lower},
	})

	// Probe returns a copy: it stays as it is while other goroutines store.
	if e, ok := table.Probe(key); ok {
		fmt.Printf("move %#x, value at least %d, depth %d\n", e.Move, e.Value, e.Depth)
	}
	if _, ok := table.Probe(key ^ side); !ok {
		fmt.Println("the other side to move is another position")
	}
	// Output:
	// move 0x1234, value at least 31, depth 9
	// the other side to move is another position
}

// What Store did: the first entry takes an empty one, a deeper one replaces it, and a much
// shallower one of the same search changes nothing but the move.
func ExampleTable_Store() {
	table, err := cluster.New(1, cluster.Auto)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer table.Close()
	store := func(depth uint8, move uint16) cluster.Outcome {
		return table.Store(42,
			cluster.Entry{Move: move, Quality: cluster.Quality{Depth: depth, Bound: cluster.Upper}}).Outcome()
	}
	fmt.Println(store(6, 1) == cluster.Filled, store(8, 2) == cluster.Updated, store(2, 3) == cluster.Kept)
	e, _ := table.Probe(42)
	fmt.Println(e.Depth, e.Move)
	// Output:
	// true true true
	// 8 3
}

// A search refreshes the entries that it uses, so that they are replaced after others.
func ExampleTable_Refresh() {
	table, err := cluster.New(1, cluster.Auto)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer table.Close()
	table.Store(42, cluster.Entry{Move: 7})
	for range 4 {
		e, _ := table.Probe(42)
		fmt.Println(e.Refreshed)
		if !e.Refreshed {
			table.Refresh(42)
		}
	}

	// Clear empties the table between games.
	if err := table.Clear(context.Background()); err != nil {
		fmt.Println(err)
	}
	_, ok := table.Probe(42)
	fmt.Println(ok)
	// Output:
	// false
	// false
	// false
	// true
	// false
}

// The size is exact: 3,000 MiB has 3,000 × 32,768 clusters. PlanFor allocates nothing.
func ExamplePlanFor() {
	p, err := cluster.PlanFor(3000, cluster.Auto)
	fmt.Println(p.Allocated, p.Clusters, p.Index, err)
	p, err = cluster.PlanFor(3000, cluster.Pow2)
	fmt.Println(p.Allocated, p.Clusters, p.Index, err)
	// Output:
	// 3000 98304000 mul32 <nil>
	// 2048 67108864 pow2 <nil>
}
