package cluster

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// Places in words 0 to 2.
const (
	keyShift        = 48
	moveShift       = 32
	valueShift      = 16
	depthShift      = 8
	generationShift = 3
	pvShift         = 2

	keyMask        = 0xFFFF << keyShift
	moveMask       = 0xFFFF << moveShift
	generationMask = 31 << generationShift
	boundMask      = 3
)

// Places in word 3.
const (
	evalBits = 16
	laneBits = evalBits + laneCheck
	laneAll  = 1<<laneBits - 1
)

// Check bits of a key.
const (
	wordCheck    = 16 // in its word
	laneCheck    = 5  // in its lane
	maxCheckBits = wordCheck + laneCheck
)

// IndexOf returns the number of the cluster that a key belongs to. Its bit 0 is
// that of the key.
//
//	mul32  ((key>>1 & 0xFFFFFFFF) × count) >> 32  with bit 0 of the key as its bit 0
//	mul64  (key × count) >> 64                    likewise
//	pow2   key & (count-1)
func (t *Table) IndexOf(key uint64) uint64 {
	at, _ := t.find(key)
	return at / BytesPerCluster
}

// find returns how many bytes into the table the cluster of a key begins, and the
// key with its check bits at the top.
//
// Two clusters, one for each side to move, fill 64 bytes. So shifting the product
// down to bytes instead of clusters, or multiplying with bytes at once where that
// cannot overflow, and clearing six bits, clears bit 0 of the index.
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

// laneOf returns the check bits that stand in a lane, at their place there.
func laneOf(check uint64) uint64 {
	const all = (1<<laneCheck - 1) << evalBits
	return check >> (64 - maxCheckBits - evalBits) & all
}

// Prefetch brings the cluster of a key close, for a Probe or Store soon after.
func (t *Table) Prefetch(key uint64) {
	at, _ := t.find(key)
	mem.Prefetch(unsafe.Add(t.base, at))
}

// Probe returns a copy of the entry of a key, if the table has one.
func (t *Table) Probe(key uint64) (Entry, bool) {
	at, check := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return Entry{}, false
	}
	// Words before lanes, as Store writes the lane before the word: who sees a
	// new word sees its lane.
	x0 := atomic.LoadUint64(&c[0]) ^ check
	x1 := atomic.LoadUint64(&c[1]) ^ check
	x2 := atomic.LoadUint64(&c[2]) ^ check
	// Check bits stand at the top of a word, so a word with those of this key
	// differs by less than the limit, and the least difference tells whether
	// there is one: a single branch instead of three that no processor can guess.
	x := min(x0, x1, x2)
	if x >= t.limit {
		return Entry{}, false
	}
	lanes := atomic.LoadUint64(&c[3])
	lane, want := lanes, laneOf(check)
	if x == x1 {
		lane = lanes >> laneBits
	}
	if x == x2 {
		lane = lanes >> (2 * laneBits)
	}
	if (lane^want)&t.laneMask != 0 || x == check {
		// Another key with the same bits in its word, or an empty entry: one
		// miss in twenty thousand. The right one may still stand beside it.
		switch {
		case x0 < t.limit && x0 != check && (lanes^want)&t.laneMask == 0:
			x, lane = x0, lanes
		case x1 < t.limit && x1 != check && (lanes>>laneBits^want)&t.laneMask == 0:
			x, lane = x1, lanes>>laneBits
		case x2 < t.limit && x2 != check && (lanes>>(2*laneBits)^want)&t.laneMask == 0:
			x, lane = x2, lanes>>(2*laneBits)
		default:
			return Entry{}, false
		}
	}
	w := x ^ check
	return Entry{
		Move:  uint16(w >> moveShift),
		Value: int16(w >> valueShift),
		Eval:  int16(lane),
		Quality: Quality{
			Depth: uint8(w >> depthShift),
			Bound: Bound(w & boundMask),
			PV:    w>>pvShift&1 != 0,
			Old:   w&generationMask != t.generation.Load(),
		},
	}, true
}

// Refresh makes the entry of a key one of the present generation: what is still asked for goes
// after what is not.
func (t *Table) Refresh(key uint64) {
	at, check := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return
	}
	now, lanes := t.generation.Load(), atomic.LoadUint64(&c[3])
	for i := range uint64(3) {
		w := atomic.LoadUint64(&c[i])
		if w != 0 && w^check < t.limit && (lanes>>(i*laneBits)^laneOf(check))&t.laneMask == 0 {
			atomic.CompareAndSwapUint64(&c[i], w, w&^generationMask|now)
			return
		}
	}
}
