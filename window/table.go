// Package window is the transposition table of proof-number search, shared by all its
// workers: full keys, probe windows of four slots, one index byte per slot. The scheme is
// that of Nelson Elhage's solver of Ultimate Tic-Tac-Toe.
//
// # Layout
//
// A table of N slots is an array of N entries of 32 bytes and, apart from it, an array of
// N index bytes. An entry claims proof and disproof number of one key:
//
//	          63                  32 31                   0
//	word 0   │                   key 64                    │
//	word 1   │         φ 32        │         δ 32          │   both 0: the slot is empty
//	word 2   │     work 40     │ generation 8 │   move 16   │
//	word 3   │ plies 16 │ spare 16  │   synchronisation 32  │   sequence 31 · taken 1
//
// A key may lie in any of the four slots of its window, which begins at the high half of
// the product key × (N-3), so that no window runs over the end. The index byte of a slot
// is 1 to 255 by the lowest 16 bits of the key in it, which say nothing about the slot, and
// 0 if it is empty. A probe reads the four index bytes of the window, which lie in 4 bytes,
// and only those entries whose byte is the key's: of probes that miss, 63 of 64 touch no
// entry.
//
// # Replacement
//
// A store overwrites the entry of its own key, else it takes an empty slot of the window,
// else that of the least work, where everything of an earlier generation is less than
// anything of the present one. What happens to a newcomer of less work than that is the
// table's Policy. An entry that is solved is not overwritten by an unsolved one of its own
// key.
//
// # Concurrency
//
// A Handle belongs to one goroutine; any number of handles, Full and Save may be used at
// once. Readers never wait and never see half an entry: a reader that meets a writer tries
// again a few times and then reports a miss. Writers exclude one another by the lowest bit
// of the synchronisation word: a writer that finds the entry taken drops its store, so no
// goroutine waits for one that is not running. NewSearch, Clear, Load and Close are for the
// time between searches.
//
// A key may come to stand in two slots of its window when two workers store it at once.
// Both were claimed for the key, and both are true.
package window

import (
	"context"
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// MaxMiB is the largest table, 32 TiB.
const MaxMiB = 1 << 25

const (
	// Ways is how many slots a window has.
	Ways = 4
	// BytesPerEntry is the size of an entry, without its index byte.
	BytesPerEntry = 32

	wordBytes = 4 // index bytes are read by aligned words of so many
)

// Policy says what a Store does when every slot of the window holds more work.
type Policy uint8

// The policies. Overwrite takes the place of the least work all the same, so that the
// table follows the search; Keep drops the newcomer.
const (
	Overwrite Policy = iota
	Keep
)

// A Table is a transposition table. See the package comment for what may be called when.
type Table struct {
	base    unsafe.Pointer // of entry 0
	index   unsafe.Pointer // of index byte 0
	starts  uint64         // windows: slots - 3
	policy  Policy
	current atomic.Uint64 // generation, 1 to 255
	dirty   atomic.Bool

	slots  uint64
	region *mem.Region
}

// Slots returns how many entries a table of that many bytes has: the most that fit with
// their index bytes.
func Slots(size uint64) uint64 {
	// Two words more than the bytes: the last window is read by whole words.
	const spare = 2 * wordBytes
	if size < spare {
		return 0
	}
	return (size - spare) / (BytesPerEntry + 1)
}

// Option changes how a table is made.
type Option func(*config)

type config struct{ releasing *Table }

// Releasing counts what the old table will give back as available. The caller closes it
// once nobody uses it. A nil table is none.
func Releasing(old *Table) Option { return func(c *config) { c.releasing = old } }

// New returns an empty table of exactly that many MiB, none of it touched. It refuses,
// naming the numbers, a size outside 1 to MaxMiB and one beyond what the machine has.
func New(mib uint64, policy Policy, options ...Option) (*Table, error) {
	var c config
	for _, o := range options {
		o(&c)
	}
	if mib < 1 || mib > MaxMiB {
		return nil, fmt.Errorf("hash of %d MiB is outside 1 to %d", mib, MaxMiB)
	}
	var old *mem.Region
	if c.releasing != nil {
		old = c.releasing.region
	}
	if err := mem.Fits(mib<<20, old); err != nil {
		return nil, err
	}
	region, err := mem.Map(mib << 20)
	if err != nil {
		return nil, fmt.Errorf("hash of %d MiB refused: %w", mib, err)
	}
	return on(region, policy), nil
}

// on lays a table out on a region of at least 1 MiB.
func on(region *mem.Region, policy Policy) *Table {
	n := Slots(region.Size())
	t := &Table{
		base: region.Pointer(), index: unsafe.Add(region.Pointer(), n*BytesPerEntry),
		starts: n - (Ways - 1), policy: policy, slots: n, region: region,
	}
	t.current.Store(1)
	return t
}

// Slots returns how many entries the table has.
func (t *Table) Slots() uint64 { return t.slots }

// MiB returns the size that was asked for.
func (t *Table) MiB() uint64 { return t.region.Size() >> 20 }

// HugeBytes returns how many bytes of the table lie on huge pages now; false where the
// system does not tell.
func (t *Table) HugeBytes() (uint64, bool) { return t.region.HugeBytes() }

// Prefault touches all memory, so that a search does not have to wait for the system to do
// so page by page. It changes nothing that is stored, before or meanwhile, and returns nil
// when all is done, else why it stopped.
func (t *Table) Prefault(ctx context.Context) error { return t.region.Prefault(ctx, nil) }

// NewSearch begins the next generation: all that is stored so far still answers, but goes
// before anything that is stored from now on. After 255 of them ages begin again.
func (t *Table) NewSearch() {
	g := t.current.Load() + 1
	if g > generationMask {
		g = 1
	}
	t.current.Store(g)
}

// Clear empties the table in place. It does nothing when nothing has been stored since the
// last time. If the context ends first it returns its error, and the table is partly
// cleared.
func (t *Table) Clear(ctx context.Context) error {
	if !t.dirty.Load() {
		return nil
	}
	if err := t.region.Clear(ctx); err != nil {
		return err
	}
	t.current.Store(1)
	t.dirty.Store(false)
	return nil
}

// Close gives the memory back. Nobody may use the table any more, but a running Prefault
// ends by itself. A second call does nothing.
func (t *Table) Close() error { return t.region.Unmap() }

// Full returns how many of 1,000 slots, in a sample of as many or fewer, are of the present
// generation.
func (t *Table) Full() int {
	sample, now, n := min(1000, t.slots), t.current.Load(), uint64(0)
	for slot := range sample {
		effort := atomic.LoadUint64(&t.entry(slot).effort)
		if effort>>generationShift&generationMask == now {
			n++
		}
	}
	return int(n * 1000 / sample)
}

// start returns the first slot of the window of a key.
func (t *Table) start(key uint64) uint64 {
	hi, _ := bits.Mul64(key, t.starts)
	return hi
}

// mark returns the index byte of a key.
func mark(key uint64) uint32 { return 1 + uint32(key&0xffff)*255>>16 }

func (t *Table) entry(slot uint64) *entry {
	return (*entry)(unsafe.Add(t.base, slot*BytesPerEntry))
}

// marks returns the four index bytes of a window, the first one lowest.
func (t *Table) marks(start uint64) uint32 {
	at := unsafe.Add(t.index, start&^(wordBytes-1))
	low := atomic.LoadUint32((*uint32)(at))
	high := atomic.LoadUint32((*uint32)(unsafe.Add(at, wordBytes)))
	return uint32((uint64(high)<<32 | uint64(low)) >> (start % wordBytes * 8))
}

// setMark writes the index byte of a slot.
func (t *Table) setMark(slot uint64, m uint32) { mem.StoreByte(t.index, slot, byte(m)) }

// equal returns which of four bytes are m, by the highest bit of each. Above a byte that is
// m, one that differs from m in its lowest bit alone may be reported too.
func equal(four, m uint32) uint32 {
	x := four ^ m*0x01010101
	return (x - 0x01010101) & ^x & 0x80808080
}
