// Package remainder is a transposition table that stores only a part of every key
// and still never answers for another one, as long as keys are numbers up to a known
// bound: the low bits of a key are stored, and where they are stored tells the rest.
// The idea is that of Pascal Pons, Solving Connect Four, part 11.
//
// # Why a part is enough
//
// A table of B buckets, B odd, keeps a key x in bucket x mod B and stores its low k
// bits, x mod 2^k. If B·2^k exceeds the largest key, no two keys agree in both:
//
//	If x and y do, x - y is a multiple of B and of 2^k. B is odd, so it shares no
//	factor with 2^k, and x - y is a multiple of B·2^k (the Chinese remainder
//	theorem). But x and y lie between 0 and B·2^k - 1, so x - y = 0.
//
// With an even B the pairs repeat after B·2^k / 2 keys at the latest: of 4 buckets and
// 2 bits, 0 and 4 have the same. And it has to be the number of buckets, not that of
// slots: if a key may also lie in the slot beside its own, the slot it is found in does
// not tell its remainder any more. Of 5 slots and 2 bits, 10 belongs to slot 0 and 6 to
// slot 1, and both store 2: 10 in slot 1 is 6. In a bucket all ways have one remainder.
//
// # Layout
//
// A slot is one 64-bit word, a bucket 1, 2 or 4 of them that never straddle a cache
// line. In 64 MiB, for keys of 49 bits as those of Connect Four, 28 of them are enough (its
// solver keeps 40, so that one choice fits every size down to 1 MiB):
//
//	bit    63                             28 27                          0
//	      ┌─────────────────────────────────┬─────────────────────────────┐
//	word  │ value, 64-k = 36 bits, never 0  │ the low k = 28 bits of key  │   0 is an empty word
//	      └─────────────────────────────────┴─────────────────────────────┘
//
//	word   0   1   2   3   4   5   6   7
//	     │   bucket 0    │   bucket 1    │ …    4 ways: 2,095,021 buckets
//	      └────────── cache line ───────┘
//
// The table knows nothing about values, but that of a full bucket the least goes first:
// who stores puts what an entry is worth into its highest bits.
//
// # Concurrency
//
// Probe, Store, Prefetch and Full may be called by any number of goroutines at once, and
// beside Prefault; they never wait for one another. A word is read and written whole,
// and nothing else has to agree with it: what Probe returns has been stored for this very
// key, though two goroutines that store one key at once may leave it in two words of its
// bucket. Clear and Close are for the time when nobody uses the table.
package remainder

import (
	"context"
	"fmt"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// A Table maps keys up to a bound to values of 64-k bits. See the package comment for
// what may be called when.
type Table struct {
	base    unsafe.Pointer // of bucket 0
	buckets modulus        // from keys to bytes after that
	mask    uint64         // the key bits that are stored
	shift   uint8          // how many they are
	ways    uint8
	dirty   atomic.Bool

	maxKey uint64
	region *mem.Region
	shape  Shape
}

// Option changes how a table is made.
type Option func(*config)

type config struct{ releasing *Table }

// Releasing counts what the old table will give back as available. The caller closes it
// once nobody uses it. A nil table is none.
func Releasing(old *Table) Option { return func(c *config) { c.releasing = old } }

// New returns an empty table of that shape for keys from 0 to maxKey. It refuses, and
// says with which numbers, a shape that could confuse two keys or is none of ours, and
// memory that is not there.
func New(shape Shape, maxKey uint64, options ...Option) (*Table, error) {
	var c config
	for _, o := range options {
		o(&c)
	}
	if err := shape.check(maxKey); err != nil {
		return nil, err
	}
	var old *mem.Region
	if c.releasing != nil {
		old = c.releasing.region
	}
	region, err := allocate(shape.Bytes(), old)
	if err != nil {
		return nil, err
	}
	return &Table{
		base: region.Pointer(), buckets: newModulus(shape.Buckets, wordBytes*uint64(shape.Ways)),
		mask: 1<<shape.KeyBits - 1, shift: uint8(shape.KeyBits), ways: uint8(shape.Ways),
		maxKey: maxKey, region: region, shape: shape,
	}, nil
}

// allocate returns that much memory, or an error that says how much there is, an old
// region's counted.
func allocate(bytes uint64, old *mem.Region) (*mem.Region, error) {
	if err := mem.Fits(bytes, old); err != nil {
		return nil, err
	}
	region, err := mem.Map(bytes)
	if err != nil {
		return nil, fmt.Errorf("hash of %d MiB refused: %w", bytes>>20, err)
	}
	return region, nil
}

// Shape returns the table's shape.
func (t *Table) Shape() Shape { return t.shape }

// MaxKey returns the largest key that may be used.
func (t *Table) MaxKey() uint64 { return t.maxKey }

// HugeBytes returns how many bytes of the table lie on huge pages now; false where the
// system does not tell.
func (t *Table) HugeBytes() (uint64, bool) { return t.region.HugeBytes() }

// Prefault touches all memory, so that a search does not have to wait for the system
// to do so page by page. It changes nothing that is stored, before or meanwhile, and
// returns nil when all is done, else why it stopped.
func (t *Table) Prefault(ctx context.Context) error { return t.region.Prefault(ctx, nil) }

// Clear empties the table in place, with as many goroutines as help. It does nothing
// when nothing has been stored since the last time. If the context ends first it returns
// its error, and the table is partly cleared.
func (t *Table) Clear(ctx context.Context) error {
	if !t.dirty.Load() {
		return nil
	}
	if err := t.region.Clear(ctx); err != nil {
		return err
	}
	t.dirty.Store(false)
	return nil
}

// Close gives the memory back. Nobody may use the table any more, but a running
// Prefault ends by itself. A second call does nothing.
func (t *Table) Close() error { return t.region.Unmap() }

// Full returns how many of 1,000 words are in use, by a sample of 1,000 buckets spread
// over the table.
func (t *Table) Full() int {
	sample := min(1000, t.shape.Buckets)
	words := sample * uint64(t.ways)
	used := uint64(0)
	for i := range sample {
		b := unsafe.Add(t.base, i*(t.shape.Buckets/sample)*t.buckets.scale)
		for way := range uint64(t.ways) {
			if load(b, way) != 0 {
				used++
			}
		}
	}
	return int(used * 1000 / words)
}
