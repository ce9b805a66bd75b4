package cluster

import (
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// Store writes the entry of a key and returns what it replaced. It overwrites the entry of
// the same position if the cluster has one, else an empty entry, else the one with the least
// depth - 8 × age, where age counts generations since the entry was stored or refreshed; among
// equals two bits of the key choose.
//
// If the new entry has no move, the old move of the same position stays. Everything but the
// move of the same position stays if it is of the current generation and the new value is not
// exact and shallower by four plies or more, where PV counts as two plies.
//
// Generations repeat after 31 searches without Clear: an entry that old then counts as new,
// and an empty entry may stay empty for some searches.
func (t *Table) Store(key uint64, e Entry) StoreResult {
	at, check := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return StoreResult(Skipped) << outcomeShift
	}
	now := t.generation.Load()
	pv := uint64(0)
	if e.PV {
		pv = 1
	}
	word := check&keyMask | uint64(e.Move)<<moveShift | uint64(uint16(e.Value))<<valueShift |
		uint64(e.Depth)<<depthShift | now | pv<<pvShift | uint64(e.Bound&boundMask)
	eval := evalCheckOf(check) | uint64(uint16(e.Eval))
	w0, w1, w2 := atomic.LoadUint64(&c[0]), atomic.LoadUint64(&c[1]), atomic.LoadUint64(&c[2])
	if min(w0^check, w1^check, w2^check) < t.limit {
		return t.update(c, check, word, eval)
	}
	t.markDirty()
	return replace(c, victim(w0, w1, w2, now, check), word, eval)
}

// update is Store for a cluster that may have the position. It is a function of its own to
// keep registers free in the common case.
func (t *Table) update(c *words, check, word, eval uint64) StoreResult {
	now := word & generationMask
	evals := atomic.LoadUint64(&c[3])
	for i := range uint64(EntriesPerCluster) {
		old := atomic.LoadUint64(&c[i])
		if old == 0 || old^check >= t.limit || (evals>>(i*evalSlotBits)^eval)&t.evalCheckMask != 0 {
			continue
		}
		if word&moveMask == 0 {
			word |= old & moveMask
		}
		if Bound(word&boundMask) != Exact && old&generationMask == now &&
			depthOf(word)+word>>pvShift&1*2+4 <= depthOf(old) {
			mem.StoreWord(&c[i], old&^moveMask|word&moveMask)
			return StoreResult(Kept) << outcomeShift
		}
		writeEntry(c, i, word, eval)
		return StoreResult(Updated) << outcomeShift
	}
	t.markDirty()
	return replace(c, victim(atomic.LoadUint64(&c[0]), atomic.LoadUint64(&c[1]), atomic.LoadUint64(&c[2]), now, check), word, eval)
}

// replace writes an entry over another position's, or over an empty one.
func replace(c *words, i, word, eval uint64) StoreResult {
	old := atomic.LoadUint64(&c[i&3])
	writeEntry(c, i, word, eval)
	return StoreResult(old &^ keyMask)
}

// markDirty records that Clear has work to do. It writes only once, because every probe of
// every worker reads the same cache line.
func (t *Table) markDirty() {
	if !t.dirty.Load() {
		t.dirty.Store(true)
	}
}

// writeEntry writes entry i of a cluster: its eval slot, then the word that makes it valid.
//
// Between the load and the store of word 3 another writer may change another eval slot; that
// change is lost, and the check bits reject the entry that it belonged to. Compare-and-swap
// would prevent this, but widens the gap between eval slot and word, in which a second writer
// of the same entry can come: two processors that only store into 64 clusters leave 3 to 5
// entries in a million inconsistent this way and 34 to 36 with compare-and-swap, which also
// costs 2 ns of a store of 17.
func writeEntry(c *words, i, word, eval uint64) {
	evals, shift := atomic.LoadUint64(&c[3]), i*evalSlotBits&63
	mem.StoreWord(&c[3], evals^(evals>>shift^eval)&evalSlotMask<<shift)
	mem.StoreWord(&c[i&3], word)
}

// victim returns the number of the word to replace: the one of least replacement value, and
// among equals one that the key of the new entry picks. If it were always the first of equals,
// that entry would take all stores, and the newest entry would be replaced while older ones stay.
func victim(w0, w1, w2, now, check uint64) uint64 {
	pick := check >> 62
	return min(replacementValue(w0, now)^pick, replacementValue(w1, now)^pick^1, replacementValue(w2, now)^pick^2)&3 ^ pick
}

// replacementValue is 4 × (depth + 8 × (31 - age)); the two low bits are free for the number
// of the word. The generation is stored three bits up, so the difference of two generations
// is already 8 × age. An empty word has the greatest age.
func replacementValue(w, now uint64) uint64 {
	return w>>(depthShift-2)&(255<<2) + (w+(now^generationMask))&generationMask*4
}

func depthOf(w uint64) uint64 { return w >> depthShift & 255 }

// A StoreResult says what a Store did. It is exact if no other goroutine stored into the same
// cluster meanwhile.
//
//	bit   63     48 47                                          0
//	      outcome    the replaced entry without its check bits; 0 if the outcome is not 0
type StoreResult uint64

const outcomeShift = keyShift

// Outcome is the kind of a StoreResult.
type Outcome uint8

// The outcomes of a Store.
const (
	Evicted Outcome = iota // it replaced another position
	Filled                 // it took an empty entry
	Updated                // it overwrote the entry of the same position
	Kept                   // the entry of the same position is deeper: at most its move changed
	Skipped                // nothing was stored: Prefault has not reached the cluster yet
)

// Outcome returns what happened to the stored entry.
func (r StoreResult) Outcome() Outcome {
	if r == 0 {
		return Filled
	}
	return Outcome(r >> outcomeShift)
}

// Depth returns the depth of the evicted entry.
func (r StoreResult) Depth() int { return int(depthOf(uint64(r))) }

// Age returns how many searches ago the evicted entry was stored or last refreshed.
func (t *Table) Age(r StoreResult) int {
	const span = generationMask >> generationShift
	now := int(t.generation.Load() >> generationShift)
	then := int(r & generationMask >> generationShift)
	return (now - then + span) % span
}
