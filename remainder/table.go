// Package remainder is an exact transposition table that stores only part of a key: the low bits are
// stored, and the bucket that a key is stored in determines the rest. As long as no key exceeds a known
// bound, a probe never returns the value of another key. The idea comes from Pascal Pons, Solving Connect
// Four, part 11.
//
// # Why part of a key is enough
//
// A table of B buckets, B odd, stores a key x in bucket x mod B, as its low k bits, x mod 2^k.
// If B·2^k exceeds the largest key, no two keys agree in both (the Chinese remainder theorem):
//
//	If x and y agree, x - y is a multiple of B and of 2^k. B is odd, so it has no
//	factor in common with 2^k, and x - y is a multiple of B·2^k. But x and y are
//	between 0 and B·2^k - 1, so x - y = 0.
//
// Nothing depends on the length of a key: a wide table (option Wide) has keys of more than 64 bits, which need
// more buckets or more key bits. The keys of Connect Four on 8×8 have 72 bits, of which 52 suffice in 64 MiB. With
// keys of up to 128 bits one word has no room for the value: a Table128 stores k = 64 bits or more in two words.
//
// With an even B the pairs repeat after B·2^k / 2 keys at the latest: with 4 buckets and 2
// bits, 0 and 4 agree. B must be the number of buckets, not of entries. In open addressing, where
// a key may also be stored in the next entry, the entry does not determine the remainder: with 5
// entries and 2 bits, 10 belongs to entry 0 and 6 to entry 1, and both are stored as 2. The keys
// of one bucket all have the same remainder.
//
// # Layout
//
// An entry is one 64-bit word. A bucket has 1, 2 or 4 of them and never straddles a cache
// line. For the 49-bit keys of Connect Four 28 bits are enough in 64 MiB (its solver stores 40,
// the same number for all sizes down to 1 MiB):
//
//	bit    63                             28 27                          0
//	      ┌─────────────────────────────────┬─────────────────────────────┐
//	entry │ value, 64-k = 36 bits, never 0  │ the low k = 28 bits of key  │   0: empty
//	      └─────────────────────────────────┴─────────────────────────────┘
//
//	entry  0   1   2   3   4   5   6   7
//	     │   bucket 0    │   bucket 1    │ …    4 per bucket: 2,095,021 buckets
//	      └────────── cache line ───────┘
//
// The bucket of a Table128 is a cache line. Its first word counts the beginnings and ends of stores, the second is
// not used. Its entries have a word with the value and the high key bits, k - 64 of them, and one with the low 64:
//
//	word   0       1    2     3       4     5       6     7
//	     │ count │    │ value, low  │ value, low  │ value, low  │
//
// Values are the caller's. A full bucket replaces its entry of least value, so the replacement
// value of an entry belongs in the highest bits of its value.
//
// # Growing
//
// A large table should not slow down a short search. So a growing table (option Growing) uses only
// the beginning of its memory at first: about 16 KiB, which stay in the cache. Each Grow takes eight
// times as much and moves the entries, whose keys follow from their buckets, until all is in use.
// Clear zeroes only what is in use.
//
// # Concurrency
//
// Probe, Store, Prefetch, Full and Look may be called by any number of goroutines at once, also while
// Prefault runs; they never wait for each other. Clear, Grow and Close must not run at the same time as
// these, except that Full and Look may run during Clear and Grow.
//
// An entry of one word is read and written by one operation, so Probe returns only values that were stored for
// its key. Two goroutines that store the same key at once may leave it in two entries of its bucket.
//
// A Store of a Table128 makes the count of the bucket odd, by compare-and-swap, writes the entry and makes the count
// even again. If the count is odd already, another goroutine is storing there, and nothing is stored. A Probe that
// finds the count odd, or another one at its end than at its beginning, finds nothing. An equal even count means that
// no store has written in between, because 64 bits do not overflow: so the two words that it has read belong together.
package remainder

import (
	"context"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// A Table maps keys up to a bound to values of 64-k bits. The package comment says which methods
// may run at the same time.
type Table struct {
	base             unsafe.Pointer // of bucket 0
	buckets          modulus        // from a key to the byte offset of its bucket; that of the level in use
	mask             uint64         // of the key bits that are stored
	shift            uint8          // their number, at most 56; of a Table128 those in the word with the value
	entriesPerBucket uint8
	dirty            atomic.Bool

	maxKey Key
	wrap   uint64 // 2^64 modulo the buckets in use; only keys with a High need it
	region *mem.Region
	shape  Shape
	levels []level
	used   atomic.Int32 // index of the level in use

	looking sync.RWMutex // held by Grow and Clear; Look tries
}

// A Key is the number High·2^64 + Low. High is 0 unless the table is wide.
type Key struct{ High, Low uint64 }

// String is the number in decimal.
func (k Key) String() string {
	n := new(big.Int).SetUint64(k.High)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(k.Low)).String()
}

// Less reports whether k is the smaller number.
func (k Key) Less(than Key) bool {
	return k.High < than.High || k.High == than.High && k.Low < than.Low
}

// An Option changes what New and Plan do.
type Option func(*config)

type config struct {
	mem.Options
	growing bool
	maxHigh uint64
}

// configOf applies options.
func configOf(options []Option) (c config) {
	for _, o := range options {
		o(&c)
	}
	return c
}

// maxKey returns the largest key, given its low word.
func (c *config) maxKey(low uint64) Key { return Key{c.maxHigh, low} }

// Wide makes a table for keys with a High from 0 to maxHigh. The maxKey of New and Plan is then the Low of the
// largest key. A maxHigh of 0 changes nothing.
func Wide(maxHigh uint64) Option { return func(c *config) { c.maxHigh = maxHigh } }

// Memory sets how the table gets its memory. More bytes than the shape takes are allocated too, so that Memory, and the
// error if they are not available, name the size that was asked for.
func Memory(o mem.Options) Option { return func(c *config) { c.Options = o } }

// Growing makes a table that uses few buckets at first, and more of them after each Grow. Clear then zeroes
// only buckets that were in use.
func Growing() Option { return func(c *config) { c.growing = true } }

// New returns an empty table for keys from 0 to maxKey. It returns an error, with the numbers,
// if the shape is not valid or could confuse two keys, and if there is not enough memory.
func New(shape Shape, maxKey uint64, options ...Option) (*Table, error) {
	if shape.two() {
		return nil, fmt.Errorf("remainder: %d entries per bucket: New128 makes that table", shape.EntriesPerBucket)
	}
	c := configOf(options)
	return c.table(shape, c.maxKey(maxKey))
}

// table returns an empty table for keys up to most.
func (c *config) table(shape Shape, most Key) (*Table, error) {
	if err := shape.check(most); err != nil {
		return nil, err
	}
	region, err := c.Allocate(max(shape.Bytes(), c.Bytes))
	if err != nil {
		return nil, err
	}
	t := &Table{
		base: region.Pointer(),
		mask: 1<<shape.highBits() - 1, shift: uint8(shape.highBits()), entriesPerBucket: uint8(shape.EntriesPerBucket),
		maxKey: most, region: region, shape: shape, levels: levels(shape, most, c.growing),
	}
	t.use(0)
	return t, nil
}

// Shape returns the table's shape.
func (t *Table) Shape() Shape { return t.shape }

// Memory describes the present memory of the table. The figures for huge pages are final once Prefault has
// returned nil.
func (t *Table) Memory() mem.Usage { return t.region.Usage() }

// Ordinary returns how many bytes the table has that are not on reserved pages.
func (t *Table) Ordinary() uint64 { return t.region.Ordinary() }

// Freed returns how many bytes of memory become available when the table is closed.
func (t *Table) Freed() uint64 { return mem.Freed(t.region) }

// Prefault touches all memory, so that no search has to wait for the first touch of a page.
// Entries stay, including those stored meanwhile. It returns nil when all memory is touched,
// or the error that ended it.
func (t *Table) Prefault(ctx context.Context) error { return t.region.Prefault(ctx, nil) }

// Clear empties the table in place: it zeroes the buckets in use, in parallel if the table is large. A
// growing table then uses few buckets again. Clear does nothing if nothing was stored since the last one.
// If the context ends first it returns the context's error, and the table is partly cleared.
func (t *Table) Clear(ctx context.Context) error {
	if !t.dirty.Load() {
		return nil
	}
	t.looking.Lock()
	defer t.looking.Unlock()
	if err := t.region.ClearFirst(ctx, t.level().span); err != nil {
		return err
	}
	t.use(0)
	t.dirty.Store(false)
	return nil
}

// Close unmaps the memory. The table must not be used any more, except that a running Prefault
// ends by itself. A second call does nothing.
func (t *Table) Close() error { return t.region.Unmap() }

// Full returns the permille of the table's entries that are in use, from a sample of 1,000 buckets spread
// over the buckets in use.
func (t *Table) Full() int {
	l := t.level()
	sample := min(1000, l.buckets)
	entries := sample * uint64(t.entriesPerBucket)
	used := uint64(0)
	for n := range sample {
		b := unsafe.Add(t.base, n*(l.buckets/sample)*l.scale)
		for i := range uint64(t.entriesPerBucket) {
			if w, _ := t.entry(b, i); w != 0 {
				used++
			}
		}
	}
	return int(used * 1000 / entries * l.buckets / t.shape.Buckets)
}
