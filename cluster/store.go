package cluster

import (
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// Store writes the entry of a key where the Policy says, and returns what it replaced. Among entries of equal
// replacement value two bits of the key choose. If the new entry has no move, the old move of the same position stays.
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
		uint64(min(e.Depth, MaxDepth))<<depthShift | now&generationMask | pv<<pvShift | uint64(e.Bound&boundMask)
	eval := evalCheckOf(check) | uint64(uint16(e.Eval))
	w0, w1, w2 := atomic.LoadUint64(&c[0]), atomic.LoadUint64(&c[1]), atomic.LoadUint64(&c[2])
	if min(w0^check, w1^check, w2^check) < t.limit {
		return t.update(c, check, word, eval)
	}
	if min(w0, w1, w2) == 0 {
		return t.storeEmpty(c, word, eval)
	}
	i, old := victim(w0, w1, w2, oldest(now), check>>62), w0
	// The old word is selected here, not loaded again: if i were part of the address of a load, the
	// compiler would turn the minimum in victim into branches that cannot be predicted.
	if i == 1 {
		old = w1
	}
	if i == 2 {
		old = w2
	}
	writeEntry(c, i, word, eval)
	result := StoreResult(old &^ keyMask)
	if check&evictionSample == 0 {
		t.countEviction()
	}
	return result
}

// storeEmpty stores an entry in a cluster that had an empty one.
func (t *Table) storeEmpty(c *words, word, eval uint64) StoreResult {
	i, old := uint64(0), atomic.LoadUint64(&c[0])
	for i < EntriesPerCluster-1 && old != 0 {
		i++
		old = atomic.LoadUint64(&c[i&3])
	}
	if i == 0 {
		t.written.add(uint64(uintptr(unsafe.Pointer(c))-uintptr(t.base)) / BytesPerCluster)
	}
	writeEntry(c, i, word, eval)
	if old != 0 { // other goroutines have filled the cluster meanwhile
		return StoreResult(old &^ keyMask)
	}
	return StoreResult(Filled) << outcomeShift
}

// update is Store for a cluster that may have the position. It is a function of its own to
// keep registers free in the common case.
func (t *Table) update(c *words, check, word, eval uint64) StoreResult {
	now := t.generation.Load()
	evals := atomic.LoadUint64(&c[3])
	for i := range uint64(EntriesPerCluster) {
		old := atomic.LoadUint64(&c[i])
		if !t.matches(old^check, evals>>(i*evalSlotBits), check, eval) {
			continue
		}
		if word&moveMask == 0 {
			word |= old & moveMask
		}
		if Bound(word&boundMask) != Exact && age(old, now) < perSearch &&
			depthOf(word)+word>>pvShift&1*keepPVPlies+keepPlies <= depthOf(old) {
			mem.StoreWord(&c[i], old&^moveMask|word&moveMask)
			return StoreResult(Kept) << outcomeShift
		}
		ahead := aheadOf(old, now)
		if depthOf(word) > depthOf(old) {
			ahead -= min(ahead, deeperGenerations<<generationShift)
		}
		writeEntry(c, i, word&^generationMask|(now+ahead)&generationMask, eval)
		return StoreResult(Updated) << outcomeShift
	}
	// As in Store, where a function for both would cost a call in the common case.
	w0, w1, w2 := atomic.LoadUint64(&c[0]), atomic.LoadUint64(&c[1]), atomic.LoadUint64(&c[2])
	if min(w0, w1, w2) == 0 {
		return t.storeEmpty(c, word, eval)
	}
	i := victim(w0, w1, w2, oldest(now), check>>62)
	old := atomic.LoadUint64(&c[i&3])
	writeEntry(c, i, word, eval)
	if check&evictionSample == 0 {
		t.countEviction()
	}
	return StoreResult(old &^ keyMask)
}

// writeEntry writes entry i of a cluster: its eval slot, then the word that makes it valid.
//
// Between the load and the store of word 3 another writer may change another eval slot; that
// change is lost, and the check bits reject the entry that it belonged to. Compare-and-swap
// would prevent this, but widens the gap between the two writes, in which a second writer of
// the same entry can come: two processors that only store into 64 clusters leave 3 to 5
// entries in a million inconsistent this way and 34 to 36 with compare-and-swap, which also
// costs 2 ns of a store of 17.
func writeEntry(c *words, i, word, eval uint64) {
	evals, shift := atomic.LoadUint64(&c[3]), i*evalSlotBits&63
	mem.StoreWord(&c[3], evals^(evals>>shift^eval)&evalSlotMask<<shift)
	mem.StoreWord(&c[i&3], word)
}

// victim returns the number of the word to replace, the word with the least replacement value. Among equals
// pick decides, two bits of the key of the new entry. If it were always the first of equals, that word
// would take all stores, and the newest entry would be replaced while older ones stay.
func victim(w0, w1, w2, oldest, pick uint64) uint64 {
	return min(replacementValue(w0, oldest)^pick, replacementValue(w1, oldest)^pick^1,
		replacementValue(w2, oldest)^pick^2)&3 ^ pick
}

// plyValue is the replacement value of a ply: 4 leaves the two lowest bits for the number of the word. A difference of
// generations is a multiple of 8 in a word, so its factor is whole if the age factor is even or plyValue is 8.
const (
	plyBits          = 2 + agePlies&1
	plyValue         = 1 << plyBits
	generationFactor = agePlies * plyValue >> generationShift
)

// replacementValue is plyValue × (depth - agePlies × age) and a constant that keeps it positive. oldest is the oldest
// generation that an entry can have.
func replacementValue(w, oldest uint64) uint64 {
	return w>>(depthShift-plyBits)&(MaxDepth*plyValue) + (w-oldest)&generationMask*generationFactor
}

func depthOf(w uint64) uint64 { return w >> depthShift & MaxDepth }

// A StoreResult says what a Store did. It is exact if no other goroutine stored into the same
// cluster meanwhile.
//
//	bit   63     48 47                                          0
//	      outcome    the evicted entry without its check bits; 0 if the outcome is another
type StoreResult uint64

const outcomeShift = keyShift

// Outcome is the kind of a StoreResult.
type Outcome uint8

// The outcomes of a Store.
const (
	Evicted Outcome = iota // it replaced the entry of another position
	Filled                 // it took an empty entry
	Updated                // it overwrote the entry of the same position
	Kept                   // the entry of the same position is deeper: at most its move changed
	Skipped                // nothing was stored: Prefault has not reached the cluster yet
)

// Outcome returns what happened to the stored entry.
func (r StoreResult) Outcome() Outcome { return Outcome(r >> outcomeShift) }

// Depth returns the depth of the evicted entry.
func (r StoreResult) Depth() int { return int(depthOf(uint64(r))) }

// OfThisSearch reports whether the evicted entry was stored or hit in the present search. In a shared
// table that includes some entries hit in the previous one.
func (t *Table) OfThisSearch(r StoreResult) bool { return t.search().has(uint64(r)) }
