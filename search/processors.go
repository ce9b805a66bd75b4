package search

import "runtime"

// ReserveProcessor sets GOMAXPROCS so that one processor is free while that many workers search,
// and other goroutines start at once. With a worker on each of Go's processors they would wait for
// the end of a time slice of 10 ms.
func ReserveProcessor(workers int) {
	if want := min(workers, runtime.NumCPU()) + 1; want > runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(want)
	}
}
