package window

import (
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// An Entry is a copy of what the table claims about a key.
type Entry struct {
	Phi, Delta uint32 // never both 0; an entry with a 0 is solved
	Work       uint64 // spent below the position; more than MaxWork is stored as that
	Move       uint16 // 0 is none
	Plies      uint16 // length of the line, for whoever wants to keep it
}

// MaxWork is the most work that an entry can hold.
const MaxWork = 1<<workBits - 1

// Solved reports whether the entry is proved or disproved.
func (e Entry) Solved() bool { return e.Phi == 0 || e.Delta == 0 }

// entry is an Entry in memory; see the package comment.
type entry struct {
	key    uint64
	bounds uint64 // φ, δ
	effort uint64 // work, generation, move
	sync   uint32 // sequence, and in bit 0 whether a writer is in it
	tail   uint32 // spare, plies
}

// The compiler checks the size: both lines overflow if an entry is not 32 bytes.
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

	taken = 1 // in the synchronisation word
)

// words are the contents of an entry, without its synchronisation.
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

func solved(bounds uint64) bool { return bounds>>phiShift == 0 || uint32(bounds) == 0 }

// read copies an entry. ok is false if a writer came between.
func (e *entry) read() (w words, ok bool) {
	before := atomic.LoadUint32(&e.sync)
	w = words{
		key: atomic.LoadUint64(&e.key), bounds: atomic.LoadUint64(&e.bounds),
		effort: atomic.LoadUint64(&e.effort), tail: atomic.LoadUint32(&e.tail),
	}
	return w, before&taken == 0 && atomic.LoadUint32(&e.sync) == before
}

// take makes this goroutine the only writer of the entry, if nobody else is one, and
// returns what release needs.
func (e *entry) take() (ticket uint32, ok bool) {
	s := atomic.LoadUint32(&e.sync)
	return s, s&taken == 0 && atomic.CompareAndSwapUint32(&e.sync, s, s|taken)
}

// write changes an entry that was taken.
func (e *entry) write(w words) {
	mem.StoreWord(&e.key, w.key)
	mem.StoreWord(&e.bounds, w.bounds)
	mem.StoreWord(&e.effort, w.effort)
	mem.StoreHalf(&e.tail, w.tail)
}

// release ends a take; readers that came meanwhile will see that the sequence went on.
func (e *entry) release(ticket uint32) { mem.StoreHalf(&e.sync, ticket+2) }

// worth orders entries by what is to go first: those of other generations, by their work,
// before those of this one.
func worth(effort, generation uint64) uint64 {
	w := effort >> workShift
	if effort>>generationShift&generationMask == generation {
		w |= 1 << workBits
	}
	return w
}
