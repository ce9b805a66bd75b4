package window_test

import (
	"fmt"

	"trefoil/window"
)

// Make a table, store proof and disproof number of a position, find them again, close the table.
func Example() {
	table, err := window.New(3) // 3 MiB
	if err != nil {
		fmt.Println(err)
		return
	}
	defer table.Close()

	worker := table.Handle() // one for each goroutine
	const key = 0x6c1f_93a4_d07e_285a
	worker.Store(key, window.Entry{Phi: 2, Delta: 7, Work: 1500, Move: 12})

	// Probe returns a copy: it stays as it is while other workers store.
	e, ok := worker.Probe(key)
	fmt.Println(e.Phi, e.Delta, e.Solved(), ok)

	// A proof replaces the numbers, and no estimate replaces the proof.
	worker.Store(key, window.Entry{Phi: 0, Delta: 1 << 30, Work: 2100, Move: 12})
	worker.Store(key, window.Entry{Phi: 3, Delta: 3, Work: 9000})
	e, ok = worker.Probe(key)
	fmt.Println(e.Phi, e.Solved(), ok)

	fmt.Printf("%d lookups, %d hits, %d stores\n", worker.Lookups, worker.Hits, worker.Stores)
	// Output:
	// 2 7 false true
	// 0 true true
	// 2 lookups, 2 hits, 2 stores
}

// How many entries, each of 32 bytes and an index byte, fit into 1 GiB.
func ExampleSlots() {
	fmt.Println(window.Slots(1 << 30))
	// Output: 32537630
}
