package window

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// patience is how often a reader looks at an entry that is being written.
const patience = 4

// Counters are what one worker has asked of a table.
type Counters struct {
	Lookups   uint64 // probes
	Hits      uint64 // probes that found their key
	Reads     uint64 // entries whose index byte was the key's
	Retries   uint64 // entries that were read again because a writer was in them
	Stores    uint64 // entries written
	Evictions uint64 // entries of another key that had to go for them
	Dropped   uint64 // stores given up: a writer was there, or the policy is Keep
}

// Add adds another worker's.
func (c *Counters) Add(d Counters) {
	c.Lookups += d.Lookups
	c.Hits += d.Hits
	c.Reads += d.Reads
	c.Retries += d.Retries
	c.Stores += d.Stores
	c.Evictions += d.Evictions
	c.Dropped += d.Dropped
}

// A Handle is the table for one worker, who counts for itself: a counter that all of them
// shared would cost more than the probe that it counts.
type Handle struct {
	*Table
	Counters
}

// Handle returns a new handle.
func (t *Table) Handle() *Handle { return &Handle{Table: t} }

// Prefetch brings the index bytes of a key close, for a Probe soon after.
func (t *Table) Prefetch(key uint64) {
	mem.Prefetch(unsafe.Add(t.index, t.start(key)))
}

// PrefetchEntries brings the entries of a key's window close, for a Store soon after.
func (t *Table) PrefetchEntries(key uint64) {
	p := unsafe.Pointer(t.entry(t.start(key)))
	mem.Prefetch(p)
	mem.Prefetch(unsafe.Add(p, 2*BytesPerEntry))
	mem.Prefetch(unsafe.Add(p, Ways*BytesPerEntry-1))
}

// MayHold reports false if a Probe of the key is sure to miss; otherwise it brings what the
// Probe will read close. A false counts as a lookup: it answers it.
func (h *Handle) MayHold(key uint64) bool {
	start := h.start(key)
	found := equal(h.marks(start), mark(key))
	if found == 0 {
		h.Lookups++
		return false
	}
	mem.Prefetch(unsafe.Pointer(h.entry(start + uint64(bits.TrailingZeros32(found))/8)))
	return true
}

// Probe returns a copy of the entry of a key. It reports false if there is none, and if it
// is being written just now.
func (h *Handle) Probe(key uint64) (Entry, bool) {
	h.Lookups++
	start := h.start(key)
	for found := equal(h.marks(start), mark(key)); found != 0; found &= found - 1 {
		if w, ok := h.look(h.entry(start+uint64(bits.TrailingZeros32(found))/8), key); ok {
			h.Hits++
			return w.unpack(), true
		}
	}
	return Entry{}, false
}

// look reads an entry whole if it is that of the key.
func (h *Handle) look(e *entry, key uint64) (words, bool) {
	h.Reads++
	for range patience {
		w, ok := e.read()
		if ok {
			return w, w.key == key && w.bounds != 0
		}
		h.Retries++
	}
	return words{}, false
}

// Store writes the entry of a key, unless another worker is just writing where it belongs.
func (h *Handle) Store(key uint64, what Entry) {
	if !h.dirty.Load() {
		h.dirty.Store(true)
	}
	now := h.current.Load()
	w := what.pack(key, now)
	slot := h.choose(key, w.effort, now)
	if slot == none {
		h.Dropped++
		return
	}
	e := h.entry(slot)
	ticket, ok := e.take()
	if !ok {
		h.Dropped++
		return
	}
	// Nobody else writes now: what stands here is what will be lost.
	old, bounds := atomic.LoadUint64(&e.key), atomic.LoadUint64(&e.bounds)
	own := old == key && bounds != 0
	if own && solved(bounds) && !what.Solved() {
		e.release(ticket)
		return
	}
	e.write(w)
	h.setMark(slot, mark(key))
	e.release(ticket)
	h.Stores++
	if !own && bounds != 0 {
		h.Evictions++
	}
}

const none = ^uint64(0) // no slot

// choose returns the slot where an entry of so much work goes, none if it is to be dropped.
func (h *Handle) choose(key, effort, now uint64) uint64 {
	start := h.start(key)
	marks := h.marks(start)
	for found := equal(marks, mark(key)); found != 0; found &= found - 1 {
		slot := start + uint64(bits.TrailingZeros32(found))/8
		e := h.entry(slot)
		if atomic.LoadUint64(&e.key) == key && atomic.LoadUint64(&e.bounds) != 0 {
			return slot
		}
	}
	if empty := equal(marks, 0); empty != 0 {
		return start + uint64(bits.TrailingZeros32(empty))/8
	}
	slot, least := start, worth(atomic.LoadUint64(&h.entry(start).effort), now)
	for i := start + 1; i < start+Ways; i++ {
		if w := worth(atomic.LoadUint64(&h.entry(i).effort), now); w < least {
			slot, least = i, w
		}
	}
	if h.policy == Keep && least > worth(effort, now) {
		return none
	}
	return slot
}
