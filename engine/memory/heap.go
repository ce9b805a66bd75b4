package memory

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// heapReserve is the part of the reserve that garbage on the Go heap may take.
const heapReserve = 16 << 20

// limitHeap makes the collector of Go run before the heap takes more than what is free. Otherwise it waits
// until there is as much garbage as data, which is twice as much memory as a full queue has. Where nothing is
// free, garbage has its part of the reserve already, and the limit stays.
func (b *Budget) limitHeap(free uint64) {
	if free == 0 && b.begun {
		return
	}
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	limit := sample[0].Value.Uint64() - sample[1].Value.Uint64() + heapReserve
	limit = min(limit+min(free, math.MaxInt64), math.MaxInt64)
	if !b.begun {
		b.userLimit = debug.SetMemoryLimit(-1) // GOMEMLIMIT
	}
	debug.SetMemoryLimit(min(int64(limit), b.userLimit))
}
