package window

import (
	"context"
	"slices"
	"sync/atomic"
	"unsafe"
)

const (
	firstSlots = 1 << 9  // in use at first; their entries fit into a first-level cache
	growth     = 8       // times as many are in use after Grow
	lastSlots  = 1 << 23 // the most in use unless all are, because Grow copies them
)

// Growing makes a table that uses few slots at first, and more of them after each Grow. So a search
// touches, and Clear zeroes, only what the search needs. Such a table cannot be saved or loaded, and
// cannot inherit another.
func Growing() Option { return func(c *config) { c.growing = true } }

// use sets the number of slots in use.
func (t *Table) use(slots uint64) { t.slots, t.starts = slots, slots-(SlotsPerWindow-1) }

// first returns how many slots a cleared table uses.
func (t *Table) first() uint64 {
	if !t.growing {
		return t.whole
	}
	return min(firstSlots, t.whole)
}

// Room returns the number of slots in use, or 0 if Grow cannot add any.
func (t *Table) Room() uint64 {
	if t.slots == t.whole {
		return 0
	}
	return t.slots
}

// Grow uses eight times as many slots, if there are more and a sample shows that a quarter of the slots in
// use are full. The entries move along. No other method may run at the same time, except Full, InUse, Look
// and Prefault.
func (t *Table) Grow() {
	const sample = 128
	used := 0
	for n := range uint64(sample) {
		if atomic.LoadUint64(&t.entry(n*(t.slots/sample)).bounds) != 0 {
			used++
		}
	}
	if t.slots == t.whole || used < sample/4 {
		return
	}
	t.resizing.Lock()
	defer t.resizing.Unlock()
	t.looking.Lock()
	defer t.looking.Unlock()
	old := slices.Clone(unsafe.Slice(t.entry(0), t.slots))
	clear(unsafe.Slice(t.entry(0), t.slots))
	clear(unsafe.Slice((*byte)(t.index), t.slots))
	if next := growth * t.slots; next <= min(lastSlots, t.whole/2) {
		t.use(next)
	} else {
		t.use(t.whole)
	}
	h := t.Handle()
	for i := range old {
		if w, _ := old[i].read(); w.bounds != 0 {
			h.put(w)
		}
	}
}

// zero empties the slots in use.
func (t *Table) zero(ctx context.Context) error {
	if t.slots == t.whole {
		return t.region.Clear(ctx)
	}
	clear(unsafe.Slice((*byte)(t.index), t.slots))
	return t.region.ClearFirst(ctx, t.slots*BytesPerEntry)
}
