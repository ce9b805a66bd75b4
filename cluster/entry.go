package cluster

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// Bit positions and masks of words 0 to 2.
const (
	keyShift        = 48
	moveShift       = 32
	valueShift      = 16
	depthShift      = 9
	generationShift = 3
	pvShift         = 2

	keyMask        = 0xFFFF << keyShift
	moveMask       = 0xFFFF << moveShift
	generationMask = (generations - 1) << generationShift
	boundMask      = 3
)

// MaxDepth is the greatest depth of an entry.
const MaxDepth = 127

// The three eval slots of word 3.
const (
	evalBits     = 16
	evalSlotBits = evalBits + evalCheck
	evalSlotMask = 1<<evalSlotBits - 1
)

// Check bits of a key.
const (
	wordCheck    = 16 // in the entry's word
	evalCheck    = 5  // in its eval slot
	maxCheckBits = wordCheck + evalCheck
)

// IndexOf returns the number of the cluster that a key belongs to, 0 to
// Plan().Clusters-1. Bit 0 of the index is bit 0 of the key.
//
//	mul32  ((key>>1 & 0xFFFFFFFF) × count) >> 32, bit 0 replaced by bit 0 of the key
//	mul64  ((key &^ 1) × count) >> 64, likewise
//	pow2   key & (count-1)
//
// Multiplying instead of masking allows any even count; YaneuraOu has the 32-bit form.
func (t *Table) IndexOf(key uint64) uint64 {
	at, _ := t.find(key)
	return at / BytesPerCluster
}

// find returns the byte offset of a key's cluster, and the key shifted so that its
// check bits are the highest.
//
// Two clusters, one for each side to move, fill 64 bytes. The product is shifted down
// to a byte offset, or, where that cannot overflow, the factor is in bytes. Clearing the
// low six bits then also clears bit 0 of the index, which bit 0 of the key replaces.
func (t *Table) find(key uint64) (at, check uint64) {
	switch t.index {
	case Mul32:
		at, check = uint64(uint32(key>>1))*t.factor>>(32-5), key
	case Mul64:
		at, _ = bits.Mul64(key&^1, t.factor)
		check = key << (64 - 1 - maxCheckBits)
	default:
		at, check = key*BytesPerCluster&(t.factor-1), key
	}
	return at&^(2*BytesPerCluster-1) | key&1*BytesPerCluster, check
}

// evalCheckOf returns the check bits of an eval slot, in their position in the slot.
func evalCheckOf(check uint64) uint64 {
	const all = (1<<evalCheck - 1) << evalBits
	return check >> (64 - maxCheckBits - evalBits) & all
}

// Prefetch loads the cluster of a key into the cache for a later Probe or Store.
func (t *Table) Prefetch(key uint64) {
	at, _ := t.find(key)
	mem.Prefetch(unsafe.Add(t.base, at))
}

// Probe returns a copy of the entry of a key, and whether there is one. The copy does not
// change when another goroutine overwrites the entry.
//
// Two positions of one cluster whose check bits agree cannot be distinguished: in a full table three
// in 2^21 of the probes for positions that were never stored are false hits. A move from the table
// must therefore be tested for legality.
func (t *Table) Probe(key uint64) (Found, bool) {
	at, check := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return t.probeSources(key)
	}
	// Store writes the eval slot before the word, so the words are read first: an eval
	// read after a new word is at least as new.
	x0 := atomic.LoadUint64(&c[0]) ^ check
	x1 := atomic.LoadUint64(&c[1]) ^ check
	x2 := atomic.LoadUint64(&c[2]) ^ check
	// Check bits are the highest of a word, so a word with the check bits of this key differs from the key's
	// check bits by less than the limit. The least difference decides with one branch instead of three
	// unpredictable ones.
	x := min(x0, x1, x2)
	if x >= t.limit {
		return Found{}, false
	}
	evals := atomic.LoadUint64(&c[3])
	eval, want := evals, evalCheckOf(check)
	if x == x1 {
		eval = evals >> evalSlotBits
	}
	if x == x2 {
		eval = evals >> (2 * evalSlotBits)
	}
	if (eval^want)&t.evalCheckMask != 0 || x == check { // what is left of matches for x < limit
		// Another key with the same 16 bits in its word, or an empty entry: one miss in twenty thousand. The
		// right entry may still be in another word.
		switch {
		case t.matches(x0, evals, check, want):
			x, eval = x0, evals
		case t.matches(x1, evals>>evalSlotBits, check, want):
			x, eval = x1, evals>>evalSlotBits
		case t.matches(x2, evals>>(2*evalSlotBits), check, want):
			x, eval = x2, evals>>(2*evalSlotBits)
		default:
			return Found{}, false
		}
	}
	w := x ^ check
	return Found{
		Entry: Entry{
			Move:    uint16(w >> moveShift),
			Value:   int16(w >> valueShift),
			Eval:    int16(eval),
			Quality: Quality{Depth: uint8(depthOf(w)), Bound: Bound(w & boundMask), PV: w>>pvShift&1 != 0},
		},
		Refreshed: (w-t.generation.Load()-maxAhead)&generationMask == 0,
	}, true
}

// matches reports whether an entry is of a key: its word is x ^ check and not 0, its eval slot eval. want are the check
// bits that the slot must have.
func (t *Table) matches(x, eval, check, want uint64) bool {
	return x < t.limit && x != check && (eval^want)&t.evalCheckMask == 0
}

// Refresh records a hit on the entry of a key: it puts the entry one generation ahead of the present,
// or one further if it is ahead already, up to three. It does nothing if the key is not in the table.
// It may undo a store by another goroutine at the same moment.
func (t *Table) Refresh(key uint64) {
	at, check := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return
	}
	now, evals := t.generation.Load(), atomic.LoadUint64(&c[3])
	for i := range uint64(EntriesPerCluster) {
		w := atomic.LoadUint64(&c[i])
		if t.matches(w^check, evals>>(i*evalSlotBits), check, evalCheckOf(check)) {
			next := now + min(aheadOf(w, now)+1<<generationShift, maxAhead)
			mem.StoreWord(&c[i], w&^generationMask|next&generationMask)
			return
		}
	}
}
