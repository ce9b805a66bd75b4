package window

import (
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// A StoredEntry is a copy of a slot, for inspection.
type StoredEntry struct {
	Entry           // the zero Entry if the slot is empty
	Used  bool      // not empty
	Key   uint64    // of the position
	Age   int       // how many searches ago it was stored
	Index byte      // the index byte
	Words [4]uint64 // the four words of the entry
}

// InUse returns the number of slots in use. Unless the table grows, that is all slots.
func (t *Table) InUse() uint64 {
	t.resizing.RLock()
	defer t.resizing.RUnlock()
	return t.slots
}

// Look returns a copy of a slot, 0 to InUse()-1. ok is false if the number is too large, if the slot is
// being written, or while the table grows or is cleared.
func (t *Table) Look(slot uint64) (e StoredEntry, ok bool) {
	if !t.looking.TryRLock() {
		return e, false
	}
	defer t.looking.RUnlock()
	if slot >= t.slots {
		return e, false
	}
	at := t.entry(slot)
	sync := atomic.LoadUint32(&at.sync)
	w, ok := at.read()
	index := atomic.LoadUint32((*uint32)(unsafe.Add(t.index, slot&^(wordBytes-1))))
	if !ok || atomic.LoadUint32(&at.sync) != sync { // a writer changes the index byte too
		return e, false
	}
	e.Words = [4]uint64{w.key, w.bounds, w.effort, uint64(w.tail)<<32 | uint64(sync)}
	if w.bounds == 0 {
		return e, true
	}
	generation := w.effort >> generationShift & generationMask
	e.Entry, e.Used, e.Key = w.unpack(), true, w.key
	e.Age = int(age(generation, t.current.Load()))
	e.Index = byte(index >> (slot % wordBytes * 8))
	return e, true
}

// age returns how many searches ago a generation was the current one. Generations are 1 to 255.
func age(generation, current uint64) uint64 {
	return (current + generationMask - generation) % generationMask
}

// Fields returns the fields of a slot, in the order in which the package comment draws them.
func Fields() []mem.Field {
	const word1, word2, word3 = 64, 128, 192
	return []mem.Field{
		mem.Bits("key", 0, 63),
		mem.Bits("φ", word1+phiShift, word1+63),
		mem.Bits("δ", word1, word1+phiShift-1),
		mem.Bits("work", word2+workShift, word2+63),
		mem.Bits("generation", word2+generationShift, word2+workShift-1),
		mem.Bits("move", word2, word2+generationShift-1),
		mem.Bits("plies", word3+32+pliesShift, word3+63),
		mem.Bits("sequence", word3+1, word3+31),
		mem.Bits("locked", word3, word3),
	}
}
