package window

import (
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// An Entry is a copy of an entry in the table.
type Entry struct {
	Phi, Delta uint32 // proof and disproof number, never both 0; if one is 0 the entry is solved
	Work       uint64 // effort spent on the position, in the caller's unit; stored up to MaxWork
	Move       uint16 // 0: no move
	Plies      uint16 // length of the line, if the caller stores one
}

// MaxWork is the largest Work that is stored.
const MaxWork = 1<<workBits - 1

// Solved reports whether the entry is proved or disproved.
func (e Entry) Solved() bool { return e.Phi == 0 || e.Delta == 0 }

// entry is an Entry in memory; see the package comment.
type entry struct {
	key    uint64
	bounds uint64 // φ, δ
	effort uint64 // work, generation, move
	sync   uint32 // sequence number, and in bit 0 the lock of a writer
	tail   uint32 // spare, plies
}

// An entry has 32 bytes: otherwise a constant here overflows at compile time.
const (
	_ = uint(unsafe.Sizeof(entry{}) - BytesPerEntry)
	_ = uint(BytesPerEntry - unsafe.Sizeof(entry{}))
)

const (
	phiShift        = 32
	moveMask        = 1<<16 - 1
	generationShift = 16
	generationMask  = 1<<8 - 1
	workShift       = 24
	workBits        = 40
	pliesShift      = 16

	locked = 1 // bit of the synchronisation word
)

// words are the contents of an entry without its synchronisation word.
type words struct {
	key, bounds, effort uint64
	tail                uint32
}

func (e Entry) pack(key, generation uint64) words {
	return words{
		key:    key,
		bounds: uint64(e.Phi)<<phiShift | uint64(e.Delta),
		effort: min(e.Work, MaxWork)<<workShift | generation<<generationShift | uint64(e.Move),
		tail:   uint32(e.Plies) << pliesShift,
	}
}

func (w words) unpack() Entry {
	return Entry{
		Phi: uint32(w.bounds >> phiShift), Delta: uint32(w.bounds),
		Work: w.effort >> workShift, Move: uint16(w.effort & moveMask),
		Plies: uint16(w.tail >> pliesShift),
	}
}

// belongs reports whether an entry, not an empty one, has a key.
func belongs(stored, bounds, key uint64) bool { return stored == key && bounds != 0 }

func solved(bounds uint64) bool { return bounds>>phiShift == 0 || uint32(bounds) == 0 }

// read copies an entry. It is not ok if a writer changed the entry meanwhile.
func (e *entry) read() (w words, ok bool) {
	before := atomic.LoadUint32(&e.sync)
	w = words{
		key: atomic.LoadUint64(&e.key), bounds: atomic.LoadUint64(&e.bounds),
		effort: atomic.LoadUint64(&e.effort), tail: atomic.LoadUint32(&e.tail),
	}
	return w, before&locked == 0 && atomic.LoadUint32(&e.sync) == before
}

// tryLock makes this goroutine the only writer of the entry, unless there is one already, and
// returns what unlock needs.
func (e *entry) tryLock() (sequence uint32, ok bool) {
	s := atomic.LoadUint32(&e.sync)
	return s, s&locked == 0 && atomic.CompareAndSwapUint32(&e.sync, s, s|locked)
}

// write changes a locked entry.
func (e *entry) write(w words) {
	mem.StoreWord(&e.key, w.key)
	mem.StoreWord(&e.bounds, w.bounds)
	mem.StoreWord(&e.effort, w.effort)
	mem.StoreHalf(&e.tail, w.tail)
}

// unlock ends a tryLock and advances the sequence number, by which concurrent readers notice the
// write.
func (e *entry) unlock(sequence uint32) { mem.StoreHalf(&e.sync, sequence+2) }

// replacementValue orders entries: the least is replaced first. Entries of other generations count less
// than all entries of the current one. Within a generation work counts.
func replacementValue(effort, generation uint64) uint64 {
	w := effort >> workShift
	if effort>>generationShift&generationMask == generation {
		w |= 1 << workBits
	}
	return w
}
