package window

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// readAttempts is how often a reader tries to copy an entry that is being written.
const readAttempts = 4

// Counters count the operations of one Handle.
type Counters struct {
	Lookups   uint64 // probes
	Hits      uint64 // probes that found their key
	Reads     uint64 // entries read, because their index byte was that of the key
	Retries   uint64 // reads that a concurrent writer made invalid
	Stores    uint64 // entries written
	Evictions uint64 // entries of other keys overwritten by them
	Dropped   uint64 // stores dropped because another writer had locked the entry
}

// Add adds the counters of another Handle.
func (c *Counters) Add(d Counters) {
	c.Lookups += d.Lookups
	c.Hits += d.Hits
	c.Reads += d.Reads
	c.Retries += d.Retries
	c.Stores += d.Stores
	c.Evictions += d.Evictions
	c.Dropped += d.Dropped
}

// A Handle is one worker's access to the table, with its own counters: a shared counter would
// cost more than the probe that it counts.
type Handle struct {
	*Table
	Counters
}

// Handle returns a new handle with counters of 0.
func (t *Table) Handle() *Handle { return &Handle{Table: t} }

// Prefetch loads the index bytes of a key's window into the cache for a later Probe.
func (t *Table) Prefetch(key uint64) {
	mem.Prefetch(unsafe.Add(t.index, t.start(key)))
}

// PrefetchEntries loads the entries of a key's window into the cache for a later Store.
func (t *Table) PrefetchEntries(key uint64) {
	p := unsafe.Pointer(t.entry(t.start(key)))
	mem.Prefetch(p)
	mem.Prefetch(unsafe.Add(p, 2*BytesPerEntry))
	mem.Prefetch(unsafe.Add(p, SlotsPerWindow*BytesPerEntry-1))
}

// MayHold reports whether a Probe of the key can hit, by the index bytes alone. If so, it prefetches
// the entry that the Probe will read; if not, it counts as a lookup, since no Probe is needed.
func (h *Handle) MayHold(key uint64) bool {
	start := h.start(key)
	found := matches(h.indexBytes(start), indexByte(key))
	if found == 0 {
		h.Lookups++
		return false
	}
	mem.Prefetch(unsafe.Pointer(h.entry(start + uint64(bits.TrailingZeros32(found))/8)))
	return true
}

// Probe returns a copy of the entry of a key, and whether there is one. An entry that a writer keeps
// changing counts as none.
func (h *Handle) Probe(key uint64) (Entry, bool) {
	h.Lookups++
	start := h.start(key)
	for found := matches(h.indexBytes(start), indexByte(key)); found != 0; found &= found - 1 {
		if w, ok := h.readEntry(h.entry(start+uint64(bits.TrailingZeros32(found))/8), key); ok {
			h.Hits++
			return w.unpack(), true
		}
	}
	return Entry{}, false
}

// readEntry copies an entry if it belongs to the key.
func (h *Handle) readEntry(e *entry, key uint64) (words, bool) {
	h.Reads++
	for range readAttempts {
		w, ok := e.read()
		if ok {
			return w, belongs(w.key, w.bounds, key)
		}
		h.Retries++
	}
	return words{}, false
}

// Store writes the entry of a key, or drops it if another worker is writing to the same slot. An unsolved
// entry never overwrites a solved entry of the same key.
func (h *Handle) Store(key uint64, what Entry) {
	if !h.dirty.Load() {
		h.dirty.Store(true)
	}
	now := h.current.Load()
	w := what.pack(key, now)
	slot := h.slotFor(key, now)
	e := h.entry(slot)
	sequence, ok := e.tryLock()
	if !ok {
		h.Dropped++
		return
	}
	// This goroutine is the only writer now: what is read here is what is overwritten.
	old, bounds := atomic.LoadUint64(&e.key), atomic.LoadUint64(&e.bounds)
	own := belongs(old, bounds, key)
	if own && solved(bounds) && !what.Solved() {
		e.unlock(sequence)
		return
	}
	e.write(w)
	h.setIndexByte(slot, indexByte(key))
	e.unlock(sequence)
	h.Stores++
	if !own && bounds != 0 {
		h.Evictions++
	}
}

// slotFor returns the slot where the entry of a key goes: the slot that already has the key, else an empty
// slot, else the victim, the slot with the least replacement value.
func (h *Handle) slotFor(key, now uint64) uint64 {
	start := h.start(key)
	four := h.indexBytes(start)
	for found := matches(four, indexByte(key)); found != 0; found &= found - 1 {
		slot := start + uint64(bits.TrailingZeros32(found))/8
		e := h.entry(slot)
		if belongs(atomic.LoadUint64(&e.key), atomic.LoadUint64(&e.bounds), key) {
			return slot
		}
	}
	if empty := matches(four, 0); empty != 0 {
		return start + uint64(bits.TrailingZeros32(empty))/8
	}
	victim, least := start, replacementValue(atomic.LoadUint64(&h.entry(start).effort), now)
	for slot := start + 1; slot < start+SlotsPerWindow; slot++ {
		if v := replacementValue(atomic.LoadUint64(&h.entry(slot).effort), now); v < least {
			victim, least = slot, v
		}
	}
	return victim
}
