package cluster

import (
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// A Content is a copy of a cluster, for inspection.
type Content struct {
	Words   [4]uint64
	Entries [EntriesPerCluster]StoredEntry
}

// A StoredEntry is a decoded entry of a cluster, for inspection.
type StoredEntry struct {
	Entry            // the zero Entry if the entry is empty
	Used      bool   // not empty
	CheckBits uint32 // the 21 of the key, those of the word above those of the eval slot
	Age       int    // in generations since it was stored, negative if hits have put it ahead
}

// Look returns a copy of the cluster with a number, 0 to Plan().Clusters-1. ok is false if the number is
// too large, or if Prefault has not reached the cluster yet. Each word is read atomically, but not all four
// together: while a search stores into the cluster, an eval may belong to another entry.
func (t *Table) Look(index uint64) (c Content, ok bool) {
	if index >= t.plan.Clusters {
		return c, false
	}
	t.again(func() {
		p := t.cluster(index)
		if ok = uintptr(unsafe.Pointer(p)) < t.ready.Load(); !ok {
			return
		}
		for i := range c.Words {
			c.Words[i] = atomic.LoadUint64(&p[i])
		}
	})
	if !ok {
		return Content{}, false
	}
	now := t.generation.Load()
	for i := range c.Entries {
		w, slot := c.Words[i], c.Words[3]>>(i*evalSlotBits)&evalSlotMask
		if w == 0 {
			continue
		}
		c.Entries[i] = StoredEntry{
			Entry: Entry{
				Move: uint16(w >> moveShift), Value: int16(w >> valueShift), Eval: int16(slot),
				Quality: Quality{Depth: uint8(depthOf(w)), Bound: Bound(w & boundMask), PV: w>>pvShift&1 != 0},
			},
			Used:      true,
			CheckBits: uint32(w>>keyShift<<evalCheck | slot>>evalBits),
			Age:       int(age(w, now)>>generationShift) - int(aheadOf(w, now)>>generationShift),
		}
	}
	return c, true
}

// Fields returns the fields of the entry of a number, 0 to EntriesPerCluster-1, in the order in which the package
// comment draws them.
func Fields(entry int) []Field {
	word, slot := 64*entry, 64*3+evalSlotBits*entry
	return []Field{
		mem.Bits("check", word+keyShift, word+63),
		mem.Bits("move", word+moveShift, word+keyShift-1),
		mem.Bits("value", word+valueShift, word+moveShift-1),
		mem.Bits("depth", word+depthShift, word+valueShift-1),
		mem.Bits("generation", word+generationShift, word+depthShift-1),
		mem.Bits("pv", word+pvShift, word+pvShift),
		mem.Bits("bound", word, word+pvShift-1),
		mem.Bits("eval check", slot+evalBits, slot+evalSlotBits-1),
		mem.Bits("eval", slot, slot+evalBits-1),
	}
}
