// Package window is the transposition table of proof-number search, shared by all its workers:
// full keys, probe windows of four slots and one index byte per slot. It is the table of Nelson
// Elhage's df-pn solver of Ultimate Tic-Tac-Toe, with windows that do not wrap around and writers
// that never wait.
//
// # Layout
//
// A table of N slots is an array of N entries of 32 bytes and, apart from it, an array of N
// index bytes. An entry holds proof number φ and disproof number δ of one key:
//
//	          63                  32 31                   0
//	word 0   │                   key 64                    │
//	word 1   │         φ 32        │         δ 32          │   both 0: the slot is empty
//	word 2   │     work 40     │ generation 8 │   move 16   │
//	word 3   │ plies 16 │ spare 16  │  sequence 31 · locked 1  │
//
// A key may be in any of the four slots of its window, which begins at the high 64 bits of the product key
// × (N-3), so no window exceeds the table. The index byte of a slot is 1 to 255, from the lowest 16 bits of
// its key, which do not influence the slot; 0 means empty. A probe reads the four index bytes of the
// window, which are contiguous, and then only the entries whose index byte belongs to the key: 63 in 64
// probes that miss read no entry.
//
// # Replacement
//
// A store overwrites the entry of its own key, else an empty slot of the window, else the entry of least
// work, where entries of an earlier generation count less than all entries of the current one. It does so
// even if the new entry has less work, so that the table follows the search. An unsolved entry never
// overwrites a solved entry of its own key.
//
// # Growing
//
// A growing table (option Growing) uses 512 slots at first. Grow uses eight times as many once a quarter of
// them is full. So a short search in a large table neither touches nor clears the whole table.
//
// # Concurrency
//
// A Handle belongs to one goroutine; any number of handles, Full, Look and Save may be used at once,
// also while Prefault or Rehash runs. NewSearch, Clear, Grow, Load, Inherit and Close must not run at
// the same time as these, except that Full and Look may run during NewSearch, Clear and Grow, and Save
// during NewSearch.
//
// The sequence number and the locked bit of an entry are a seqlock. A reader that meets a writer tries
// again a few times and then reports a miss, so it never waits and never returns a torn entry.
// Writers exclude one another by the locked bit; a writer that finds an entry locked drops its
// store, so no goroutine waits for another.
//
// Two workers that store the same key at once may leave it in two slots of its window. Both
// entries were computed for the key, and both are valid.
package window

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// MaxMiB is the size of the largest table: 32 TiB.
const MaxMiB = 1 << 25

const (
	// SlotsPerWindow is the number of slots that a key may be in.
	SlotsPerWindow = 4
	// BytesPerEntry is the size of an entry, without its index byte.
	BytesPerEntry = 32
	// BytesPerSlot is the size of an entry with its index byte.
	BytesPerSlot = BytesPerEntry + 1

	wordBytes = 4 // index bytes are read as aligned 32-bit words
)

// A Table is a transposition table. The package comment says which methods may run at the same
// time.
type Table struct {
	base    unsafe.Pointer // of entry 0
	index   unsafe.Pointer // of index byte 0
	starts  uint64         // number of windows: slots - 3
	current atomic.Uint64  // generation, 1 to 255
	dirty   atomic.Bool

	slots  uint64 // in use
	whole  uint64 // of all memory
	region *mem.Region
	rehash rehash

	growing  bool
	resizing sync.RWMutex // held while slots changes
	looking  sync.RWMutex // held by Grow and Clear; Look tries
}

// Slots returns the number of slots of a table of that many bytes: the most that fit with their
// index bytes.
func Slots(size uint64) uint64 {
	// The index has two words more than it needs: the last window is read as whole words.
	const spare = 2 * wordBytes
	if size < spare {
		return 0
	}
	return (size - spare) / BytesPerSlot
}

// An Option changes what New does.
type Option func(*config)

type config struct {
	mem.Options
	growing bool
}

// Memory sets how the table gets its memory.
func Memory(o mem.Options) Option { return func(c *config) { c.Options = o } }

// New returns an empty table of exactly mib MiB; the system provides its pages when they are
// first touched. It returns an error, with the numbers, if mib is not from 1 to MaxMiB, or is more
// than the machine has available.
func New(mib uint64, options ...Option) (*Table, error) {
	var c config
	for _, o := range options {
		o(&c)
	}
	if mib < 1 || mib > MaxMiB {
		return nil, fmt.Errorf("hash of %d MiB is outside 1 to %d", mib, MaxMiB)
	}
	region, err := c.Allocate(c.Part(mib << 20))
	if err != nil {
		return nil, err
	}
	t := layOut(region)
	t.growing = c.growing
	t.use(t.first())
	return t, nil
}

// layOut makes an empty table in a region that is large enough for one window.
func layOut(region *mem.Region) *Table {
	n := Slots(region.Size())
	t := &Table{
		base: region.Pointer(), index: unsafe.Add(region.Pointer(), n*BytesPerEntry),
		whole: n, region: region,
	}
	t.use(n)
	t.current.Store(1)
	return t
}

// Slots returns the number of slots of the table.
func (t *Table) Slots() uint64 { return t.whole }

// MiB returns the size of the table, rounded down.
func (t *Table) MiB() uint64 { return t.region.Size() >> 20 }

// Memory describes the present memory of the table. The figures for huge pages are final once Prefault has
// returned nil.
func (t *Table) Memory() mem.Usage { return t.region.Usage() }

// Ordinary returns how many bytes the table has that are not on reserved pages.
func (t *Table) Ordinary() uint64 { return t.region.Ordinary() }

// Prefault touches all memory, so that no search has to wait for the first touch of a page.
// Entries stay, including those stored meanwhile. It returns nil when all memory is touched,
// or the error that ended it.
func (t *Table) Prefault(ctx context.Context) error { return t.region.Prefault(ctx, nil) }

// NewSearch begins the next generation: older entries are still found, but are replaced before
// all that are stored from now on. Generations repeat after 255 searches.
func (t *Table) NewSearch() {
	g := t.current.Load() + 1
	if g > generationMask {
		g = 1
	}
	t.current.Store(g)
}

// Clear empties the table in place. It does nothing if nothing was stored since the last Clear.
// If the context ends first it returns the context's error, and the table is partly cleared.
func (t *Table) Clear(ctx context.Context) error {
	if err := t.abandon(); err != nil || !t.dirty.Load() {
		return err
	}
	t.looking.Lock()
	defer t.looking.Unlock()
	if err := t.zero(ctx); err != nil {
		return err
	}
	t.resizing.Lock()
	t.use(t.first())
	t.resizing.Unlock()
	t.current.Store(1)
	t.dirty.Store(false)
	return nil
}

// Close unmaps the memory. The table must not be used any more, except that a running Prefault
// ends by itself. A second call does nothing.
func (t *Table) Close() error { return errors.Join(t.abandon(), t.region.Unmap()) }

// Full returns the permille of slots that hold an entry of the current generation, from a sample
// of at most 1,000 slots.
func (t *Table) Full() int {
	t.resizing.RLock()
	defer t.resizing.RUnlock()
	sample, now, n := min(1000, t.slots), t.current.Load(), uint64(0)
	for slot := range sample {
		effort := atomic.LoadUint64(&t.entry(slot).effort)
		if effort>>generationShift&generationMask == now {
			n++
		}
	}
	return int(n * 1000 / sample * t.slots / t.whole)
}

// start returns the first slot of the window of a key.
func (t *Table) start(key uint64) uint64 {
	hi, _ := bits.Mul64(key, t.starts)
	return hi
}

// indexByte returns the index byte of a key, 1 to 255.
func indexByte(key uint64) uint32 { return 1 + uint32(key&0xffff)*255>>16 }

func (t *Table) entry(slot uint64) *entry {
	return (*entry)(unsafe.Add(t.base, slot*BytesPerEntry))
}

// indexBytes returns the four index bytes of a window, the byte of the first slot lowest.
func (t *Table) indexBytes(start uint64) uint32 {
	at := unsafe.Add(t.index, start&^(wordBytes-1))
	low := atomic.LoadUint32((*uint32)(at))
	high := atomic.LoadUint32((*uint32)(unsafe.Add(at, wordBytes)))
	return uint32((uint64(high)<<32 | uint64(low)) >> (start % wordBytes * 8))
}

// setIndexByte writes the index byte of a slot.
func (t *Table) setIndexByte(slot uint64, b uint32) { mem.StoreByte(t.index, slot, byte(b)) }

// matches returns which of four bytes equal b, as the highest bit of each. A byte above a match
// that differs from b only in its lowest bit may be reported too, so callers must compare keys;
// the lowest match is always right.
func matches(four, b uint32) uint32 {
	x := four ^ b*0x01010101
	return (x - 0x01010101) & ^x & 0x80808080
}
