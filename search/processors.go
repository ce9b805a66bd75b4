package search

import "runtime"

// ReserveProcessor sets GOMAXPROCS so that one processor is free while that many workers search:
// whatever else runs then starts at once. With a worker on each of Go's processors it
// would wait until one of them has had its 10 ms.
func ReserveProcessor(workers int) {
	if want := min(workers, runtime.NumCPU()) + 1; want > runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(want)
	}
}
