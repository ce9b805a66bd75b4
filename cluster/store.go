package cluster

import (
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// Store writes an entry. It takes the place of the same position if the cluster
// has it, else of an empty entry, else of the one with the least
// depth - 8 × age, age in generations since it was stored or refreshed; of equals two
// bits of the key pick one.
//
// The same position keeps its old move if the new entry has none. It keeps
// everything but the move if the new entry is of the same generation, not exact,
// and shallower by four plies or more, where PV counts as two plies.
//
// After 31 searches without Clear ages begin again: an older entry then looks young,
// and an empty one may stay empty for a while.
func (t *Table) Store(key uint64, e Entry) Receipt {
	at, check := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return Receipt(Lost) << fateShift
	}
	now := t.generation.Load()
	pv := uint64(0)
	if e.PV {
		pv = 1
	}
	word := check&keyMask | uint64(e.Move)<<moveShift | uint64(uint16(e.Value))<<valueShift |
		uint64(e.Depth)<<depthShift | now | pv<<pvShift | uint64(e.Bound&boundMask)
	lane := laneOf(check) | uint64(uint16(e.Eval))
	w0, w1, w2 := atomic.LoadUint64(&c[0]), atomic.LoadUint64(&c[1]), atomic.LoadUint64(&c[2])
	if min(w0^check, w1^check, w2^check) < t.limit {
		return t.update(c, check, word, lane)
	}
	t.soil()
	return replace(c, worst(w0, w1, w2, now, check), word, lane)
}

// update is Store for a cluster that may have the position. It stands apart to
// leave the registers to the common case.
func (t *Table) update(c *words, check, word, lane uint64) Receipt {
	now := word & generationMask
	lanes := atomic.LoadUint64(&c[3])
	for i := range uint64(3) {
		old := atomic.LoadUint64(&c[i])
		if old == 0 || old^check >= t.limit || (lanes>>(i*laneBits)^lane)&t.laneMask != 0 {
			continue
		}
		if word&moveMask == 0 {
			word |= old & moveMask
		}
		if Bound(word&boundMask) != Exact && old&generationMask == now &&
			plies(word)+word>>pvShift&1*2+4 <= plies(old) {
			mem.StoreWord(&c[i], old&^moveMask|word&moveMask)
			return Receipt(Kept) << fateShift
		}
		put(c, i, word, lane)
		return Receipt(Same) << fateShift
	}
	t.soil()
	return replace(c, worst(atomic.LoadUint64(&c[0]), atomic.LoadUint64(&c[1]), atomic.LoadUint64(&c[2]), now, check), word, lane)
}

// replace puts an entry where another position or none is.
func replace(c *words, i, word, lane uint64) Receipt {
	old := atomic.LoadUint64(&c[i&3])
	put(c, i, word, lane)
	return Receipt(old &^ keyMask)
}

// soil notes that there is something to clear. It writes once only: the line it
// writes is one that every probe of every worker reads.
func (t *Table) soil() {
	if !t.dirty.Load() {
		t.dirty.Store(true)
	}
}

// put writes entry i of a cluster: its lane, and then the word that makes it valid.
//
// A writer of another entry may overwrite the lane between our load and our store;
// its owner is then out of step and lost. Compare-and-swap would prevent that, but
// it also holds lane and word apart for longer, and two writers of one entry get
// between: two processors that do nothing but fight over 64 clusters leave 3 to 5
// entries in a million out of step this way and 34 to 36 with it, which costs 2 ns
// of a store of 17 besides.
func put(c *words, i, word, lane uint64) {
	lanes, shift := atomic.LoadUint64(&c[3]), i*laneBits&63
	mem.StoreWord(&c[3], lanes^(lanes>>shift^lane)&laneAll<<shift)
	mem.StoreWord(&c[i&3], word)
}

// worst returns which of three words is to go first: that of the least worth, and of equals
// one that the key of the newcomer picks. Were it always the first, one entry of a cluster would take
// all that passes through, and the newest would go for the next while older ones stay.
func worst(w0, w1, w2, now, check uint64) uint64 {
	pick := check >> 62
	return min(worth(w0, now)^pick, worth(w1, now)^pick^1, worth(w2, now)^pick^2)&3 ^ pick
}

// worth is four times depth + 8 × (31 - age), which leaves room for a number of two
// bits. A generation stands three bits up in its word, so that the difference of two
// is eight times the age as it is. An empty word is as old as can be.
func worth(w, now uint64) uint64 {
	return w>>(depthShift-2)&(255<<2) + (w+(now^generationMask))&generationMask*4
}

func plies(w uint64) uint64 { return w >> depthShift & 255 }
