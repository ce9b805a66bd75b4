package cluster

import (
	"context"
	"sync/atomic"
	"unsafe"
)

// Slot returns the number of the entry that Probe answers a key from: three to a cluster,
// counted from the first.
func (t *Table) Slot(key uint64) (slot uint64, ok bool) {
	at, check := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return 0, false
	}
	lanes := atomic.LoadUint64(&c[3])
	for i := range uint64(3) {
		w := atomic.LoadUint64(&c[i])
		if w != 0 && w^check < t.limit && (lanes>>(i*laneBits)^laneOf(check))&t.laneMask == 0 {
			return at/BytesPerCluster*3 + i, true
		}
	}
	return 0, false
}

// Slots returns how many entries the table has room for.
func (t *Table) Slots() uint64 { return t.plan.Clusters * 3 }

// Occupied returns how many entries stand in the cluster that a key belongs to, which are
// those that a Probe compares the key with.
func (t *Table) Occupied(key uint64) (n int) {
	at, _ := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return 0
	}
	for i := range 3 {
		if atomic.LoadUint64(&c[i]) != 0 {
			n++
		}
	}
	return n
}

// Census is what the entries of a table are.
type Census struct {
	Slots   uint64 // entries there is room for
	Used    uint64
	Current uint64 // stored or refreshed since the last NewSearch
	Exact   uint64 // of the used ones, those with an exact value
	Quiet   uint64 // likewise, of depth 0
}

// Census counts the entries one by one. Workers may go on. If the context ends first it
// returns its error.
func (t *Table) Census(ctx context.Context) (Census, error) {
	c, now := Census{Slots: t.Slots()}, t.generation.Load()
	end := min(t.plan.Clusters*BytesPerCluster, uint64(t.ready.Load()-uintptr(t.base)))
	for at := uint64(0); at < end; at += BytesPerCluster {
		if at%(1<<20) == 0 && ctx.Err() != nil {
			return c, ctx.Err()
		}
		for i := range 3 {
			w := atomic.LoadUint64(&(*words)(unsafe.Add(t.base, at))[i])
			if w == 0 {
				continue
			}
			c.Used++
			if w&generationMask == now {
				c.Current++
			}
			if Bound(w&boundMask) == Exact {
				c.Exact++
			}
			if plies(w) == 0 {
				c.Quiet++
			}
		}
	}
	return c, nil
}

// A Receipt tells what a Store did. It is right if nobody else stored into the same cluster
// meanwhile.
//
//	bit   63  48 47                                   0
//	      fate   what was displaced, without its key; 0 if the fate is not 0
type Receipt uint64

const fateShift = keyShift

// Fate is what became of an entry.
type Fate uint8

// What a Store can do.
const (
	Evicted Fate = iota // it took the place of another position
	Filled              // it took an empty place
	Same                // it took the place of the same position
	Kept                // the same position was known better; at most its move changed
	Lost                // nothing: its memory has not been touched yet
)

// Fate returns what became of the entry.
func (r Receipt) Fate() Fate {
	if r == 0 {
		return Filled
	}
	return Fate(r >> fateShift)
}

// Depth returns the depth of what was evicted.
func (r Receipt) Depth() int { return int(plies(uint64(r))) }

// Age returns how many searches ago was stored, or last refreshed, what was evicted.
func (t *Table) Age(r Receipt) int {
	const span = generationMask >> generationShift
	now := int(t.generation.Load() >> generationShift)
	then := int(r & generationMask >> generationShift)
	return (now - then + span) % span
}
