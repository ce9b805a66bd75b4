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
	generationMask  = 31 << generationShift
	pvShift         = 2
	boundMask       = 3
)

// Places in word 3.
const (
	laneBits   = 21
	laneAll    = 1<<laneBits - 1
	laneCheck  = 5  // check bits in a lane
	checkShift = 16 // above the eval
	everyLane  = 1 | 1<<laneBits | 1<<(2*laneBits)
)

const (
	maxCheckBits = 16 + laneCheck
	minCheckBits = 8
)

// layOut sets what the arithmetic of index and check bits needs. All three
// indexes are the high word of a product with the number of clusters: mul32 puts
// 32 key bits at the top of the first factor, mul64 takes the key as it is, and
// pow2 shifts it until its product with a power of two is the masked key.
func (t *Table) layOut(p Plan, check int) {
	switch p.Index {
	case Mul32:
		t.indexShift, t.indexMask = 31, 0xFFFFFFFF<<32
	case Mul64:
		t.indexMask = ^uint64(1)
		t.checkShift = 64 - 1 - maxCheckBits
	case Pow2:
		t.indexShift = uint64(64 - bits.TrailingZeros64(p.Clusters))
		t.indexMask = ^uint64(0)
	}
	check = min(max(check, minCheckBits), maxCheckBits)
	t.wordMask = ^uint64(0) << (64 - min(check, 16))
	t.laneMask = (1<<max(check-16, 0) - 1) << (maxCheckBits - check) << checkShift
}

// IndexOf returns the number of the cluster that a key belongs to. Its bit 0 is
// that of the key.
//
//	mul32  ((key>>1 & 0xFFFFFFFF) × count) >> 32  with bit 0 of the key as its bit 0
//	mul64  (key × count) >> 64                    likewise
//	pow2   key & (count-1)
func (t *Table) IndexOf(key uint64) uint64 {
	hi, _ := bits.Mul64(key<<(t.indexShift&63)&t.indexMask, t.count)
	return hi&^1 | key&1
}

// at returns the cluster of a key.
func (t *Table) at(key uint64) *words {
	return (*words)(unsafe.Add(t.base, t.IndexOf(key)*BytesPerCluster))
}

// Prefetch brings the cluster of a key close, for a Probe or Store soon after.
func (t *Table) Prefetch(key uint64) { mem.Prefetch(unsafe.Pointer(t.at(key))) }

// Probe returns a copy of the entry of a key, if the table has one.
func (t *Table) Probe(key uint64) (Entry, bool) {
	c := t.at(key)
	check := key << (t.checkShift & 63)
	// Words before lanes, as Store writes lanes before words: a reader that
	// sees a new word sees its lane.
	w0, w1, w2 := atomic.LoadUint64(&c[0]), atomic.LoadUint64(&c[1]), atomic.LoadUint64(&c[2])
	lanes := atomic.LoadUint64(&c[3])
	d0, d1, d2 := t.differ(check, w0, w1, w2, lanes)
	w, lane, d := w2, lanes>>(2*laneBits), d2
	if d1 == 0 {
		w, lane, d = w1, lanes>>laneBits, 0
	}
	if d0 == 0 {
		w, lane, d = w0, lanes, 0
	}
	if d != 0 || w == 0 {
		return Entry{}, false
	}
	return Entry{
		Move:  uint16(w >> moveShift),
		Value: int16(w >> valueShift),
		Eval:  int16(lane),
		Depth: uint8(w >> depthShift),
		Bound: Bound(w & boundMask),
		PV:    w>>pvShift&1 != 0,
	}, true
}

// differ compares the check bits with those of the three entries: zero is equal.
func (t *Table) differ(check, w0, w1, w2, lanes uint64) (d0, d1, d2 uint64) {
	x := lanes ^ check<<16>>(64-laneCheck)<<checkShift*everyLane
	d0 = (w0^check)&t.wordMask | x&t.laneMask
	d1 = (w1^check)&t.wordMask | x>>laneBits&t.laneMask
	d2 = (w2^check)&t.wordMask | x>>(2*laneBits)&t.laneMask
	return d0, d1, d2
}

// Store writes an entry. It takes the place of the same position if that is in
// the cluster, else of an empty entry, else of the one with the least
// depth - 8 × age in generations. The same position keeps its old move if the
// new entry has none; and it keeps all else if the new entry is of the same
// generation, not exact, and shallower by four plies or more, a PV node counting
// two plies more.
func (t *Table) Store(key uint64, e Entry) {
	c := t.at(key)
	check := key << (t.checkShift & 63)
	w0, w1, w2 := atomic.LoadUint64(&c[0]), atomic.LoadUint64(&c[1]), atomic.LoadUint64(&c[2])
	lanes := atomic.LoadUint64(&c[3])
	d0, d1, d2 := t.differ(check, w0, w1, w2, lanes)
	now := t.generation.Load()

	worst, i, old := worth(w0, d0, now), 0, w0
	if q := worth(w1, d1, now); q < worst {
		worst, i, old = q, 1, w1
	}
	if q := worth(w2, d2, now); q < worst {
		worst, i, old = q, 2, w2
	}

	word := check&(0xFFFF<<keyShift) | uint64(e.Move)<<moveShift | uint64(uint16(e.Value))<<valueShift |
		uint64(e.Depth)<<depthShift | now | uint64(e.Bound&boundMask)
	if e.PV {
		word |= 1 << pvShift
	}
	lane := check<<16>>(64-laneCheck)<<checkShift | uint64(uint16(e.Eval))
	if worst < 0 && old != 0 {
		if e.Move == 0 {
			word |= old & (0xFFFF << moveShift)
		}
		if e.Bound != Exact && old&generationMask == now && int(e.Depth)+int(word>>pvShift&1)*2 <= int(uint8(old>>depthShift))-4 {
			atomic.StoreUint64(&c[i], old&^(0xFFFF<<moveShift)|word&(0xFFFF<<moveShift))
			return
		}
	}
	if !t.dirty.Load() {
		t.dirty.Store(true)
	}
	shift := uint(i) * laneBits
	for lanes>>shift&laneAll != lane {
		if atomic.CompareAndSwapUint64(&c[3], lanes, lanes&^(laneAll<<shift)|lane<<shift) {
			break
		}
		lanes = atomic.LoadUint64(&c[3])
	}
	atomic.StoreUint64(&c[i], word)
}

// worth is what an entry is to Store: -1 for the same position, 0 for an empty
// one, else depth + 8 × (31 - age). A generation stands three bits up in its
// word, so that the difference of two of them is eight times the age as it is.
func worth(w, differ, now uint64) int {
	q := int(uint8(w>>depthShift)) + int((w-now-1<<generationShift)&generationMask)
	if w == 0 {
		q = 0
	}
	if differ == 0 {
		q = -1
	}
	return q
}
