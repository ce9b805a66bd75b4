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
	Current uint64 // stored since the last NewSearch
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

// Fate is what a Store did.
type Fate uint8

// What a Store can do.
const (
	Lost    Fate = iota // nothing: its memory has not been touched yet
	Filled              // it took an empty place
	Same                // it took the place of the same position
	Kept                // the same position was known better; at most its move changed
	Evicted             // it took the place of another position
)

// Stored tells where an entry went and what it cost.
type Stored struct {
	Slot uint64
	Fate
	Age   int // of what was evicted, in searches
	Depth int // likewise
}

// StoreTold is Store, and tells what it did. It is right if nobody else stores into the same
// cluster meanwhile.
func (t *Table) StoreTold(key uint64, e Entry) Stored {
	at, _ := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	old := [3]uint64{atomic.LoadUint64(&c[0]), atomic.LoadUint64(&c[1]), atomic.LoadUint64(&c[2])}
	before, was := t.Slot(key)
	t.Store(key, e)
	slot, ok := t.Slot(key)
	if !ok {
		return Stored{}
	}
	s := Stored{Slot: slot}
	word := old[slot%3]
	switch {
	case was && before == slot:
		s.Fate = Same
		if now := atomic.LoadUint64(&c[slot%3]); now&^uint64(moveMask) == word&^uint64(moveMask) &&
			(uint8(now>>depthShift) != e.Depth || int16(now>>valueShift) != e.Value) {
			s.Fate = Kept
		}
	case word == 0:
		s.Fate = Filled
	default:
		s.Fate, s.Depth = Evicted, int(plies(word))
		s.Age = t.age(word)
	}
	return s
}

// age is how many searches ago a word was stored.
func (t *Table) age(word uint64) int {
	const span = generationMask >> generationShift
	now := int(t.generation.Load() >> generationShift)
	then := int(word & generationMask >> generationShift)
	return (now - then + span) % span
}
