package search

import "runtime"

// ReserveProcessor sets GOMAXPROCS so that Go has a processor free while that many workers search. Other
// goroutines then start at once; with a worker on each processor they would wait for the end of a time
// slice of 10 ms.
func ReserveProcessor(workers int) {
	if want := min(workers, runtime.NumCPU()) + 1; want > runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(want)
	}
}
