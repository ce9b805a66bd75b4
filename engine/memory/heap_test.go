package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestLimitHeap: the collector's limit is what is free beside what the heap has, never more than the user's limit,
// and stays where nothing is free.
func TestLimitHeap(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	const user = 1 << 40
	debug.SetMemoryLimit(user)
	b := new(Budget)
	limit := func(free uint64) int64 {
		b.limitHeap(free)
		b.begun = true
		return debug.SetMemoryLimit(-1)
	}
	const gib = 1 << 30
	garbage := make([]byte, gib/16) // it is released, and does not count
	for i := range garbage {
		garbage[i] = 1
	}
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	first := limit(0)
	if want := int64(m.Sys-m.HeapReleased) + heapReserve; first < want-4<<20 || first > want+4<<20 {
		t.Errorf("nothing is free: %d, want about %d", first, want)
	}
	if more := limit(64 * gib); more < 64*gib || more > 65*gib {
		t.Errorf("64 GiB are free: %d", more)
	}
	if kept := limit(0); kept < 64*gib {
		t.Errorf("nothing is free any more: %d", kept)
	}
	for _, free := range []uint64{user, math.MaxInt64, math.MaxUint64} {
		limit(gib)
		if most := limit(free); most != user {
			t.Errorf("%d bytes are free: %d", free, most)
		}
	}
	b = new(Budget)
	debug.SetMemoryLimit(math.MaxInt64) // there is none
	for _, free := range []uint64{math.MaxInt64, math.MaxUint64} {
		limit(gib)
		if most := limit(free); most != math.MaxInt64 {
			t.Errorf("%d bytes are free, no limit of the user: %d", free, most)
		}
	}
}
