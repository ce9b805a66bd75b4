// Package cluster is the lossy transposition table of alpha-beta search, shared
// by all its workers: 32-byte clusters of three 10-byte entries.
//
// A cluster is four 64-bit words in half a cache line. The key of an entry stands
// in the same word as what it vouches for, so an entry is read and written whole,
// and the two bytes that three entries leave over hold five more key bits each:
//
//	bit      63     48 47    32 31     16 15    8 7        3  2  1   0
//	word 0   key 16   | move 16 | value 16 | depth 8 | generation 5 | pv | bound 2
//	word 1   the second entry
//	word 2   the third
//
//	bit      62     58 57    42 41     37 36    21 20     16 15     0
//	word 3   check 5 | eval 16 | check 5 | eval 16 | check 5 | eval 16
//	          lane of word 2      lane of word 1      lane of word 0
//
// A generation is 1 to 31; a word of zero is an empty entry.
//
// # Key, index, check bits
//
// A key is 64 random bits whose bit 0 is the side to move. Every index keeps that
// bit, so no position lies in a cluster of the other side; the number of clusters
// is even, or the last index would run off the end. The 21 check bits of a key
// are never bits that chose the cluster:
//
//	index   reaches         chosen by key bits   check bits
//	mul32   2^32 clusters   1 to 32              63 to 43
//	mul64   all             63 downwards         21 to 1
//	pow2    all             the lowest           63 to 43
//
// # Concurrency
//
// Probe, Refresh, Store, Prefetch and Full may be called by any number of goroutines
// at once, and beside one Prefault; they never wait for one another. An entry is never
// torn: move, value, depth and bound always belong to the key beside them. Only an
// eval can be out of step, when another goroutine writes to the cluster between the
// two writes or the two reads; then its check bits reject the pair 31 times in 32,
// and the entry is lost. NewSearch and Clear are for the time between searches.
package cluster

import (
	"context"
	"fmt"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// Bound says what a stored value is to the true one.
type Bound uint8

// None is no value at all: only move and eval of the entry count.
const (
	None Bound = iota
	Upper
	Lower
	Exact
)

// An Entry is a copy of what the table knows about a position. Depth 0 is
// quiescence search, Move 0 is none.
type Entry struct {
	Move        uint16
	Value, Eval int16
	Quality
}

// Quality is what the value of an Entry is worth. It is a struct of its own because
// the compiler keeps a struct of up to four fields in registers, and one of six in
// memory, field by field on the way in and in larger pieces on the way out, which
// costs a stalled load at every probe.
type Quality struct {
	Depth uint8
	Bound Bound
	PV    bool
	Old   bool // stored by an earlier search and not asked for by this one, see Refresh; not for Store
}

// words is one cluster.
type words [4]uint64

// The compiler checks the sizes: both lines overflow if a cluster is not 32 bytes.
const (
	_ = uint(unsafe.Sizeof(words{}) - BytesPerCluster)
	_ = uint(BytesPerCluster - unsafe.Sizeof(words{}))
)

// A Table is a transposition table. See the package comment for what may be
// called when.
type Table struct {
	base     unsafe.Pointer // of the first cluster
	factor   uint64         // clusters for mul32, else bytes of all clusters
	index    Index
	limit    uint64 // a word whose difference from the key is less has its check bits
	laneMask uint64 // check bits that are compared in a lane
	keyBits  int    // check bits that are compared

	ready      atomic.Uintptr // address where memory begins that is still to be touched
	generation atomic.Uint64  // 1 to 31, at its place in a word: 8 to 248
	dirty      atomic.Bool

	region *mem.Region
	plan   Plan
}

type config struct {
	sparse    bool
	releasing *Table
	checkBits int
}

// An Option changes what New does.
type Option func(*config)

// Sparse reserves address space only: no memory is charged until it is touched,
// and sizes are not held against what the machine has. It serves tests of tables
// larger than the machine; New fails where the system has no such thing.
func Sparse() Option { return func(c *config) { c.sparse = true } }

// Releasing counts what the old table will give back as available. The caller
// closes it once nobody uses it.
func Releasing(old *Table) Option { return func(c *config) { c.releasing = old } }

// MinKeyBits and MaxKeyBits are how few and how many check bits of a key a table compares.
const (
	MinKeyBits = 8
	MaxKeyBits = maxCheckBits
)

// KeyBits compares only so many of the 21 check bits: for experiments with false hits.
// All are compared without it.
func KeyBits(n int) Option { return func(c *config) { c.checkBits = n } }

// New returns an empty table of exactly that many MiB, none of it touched. It
// refuses, naming the numbers, a size outside the bounds and a size beyond what
// the machine and its control groups can give; it never takes less than asked.
func New(mib uint64, index Index, opts ...Option) (*Table, error) {
	c := config{checkBits: maxCheckBits}
	for _, o := range opts {
		o(&c)
	}
	if c.checkBits < MinKeyBits || c.checkBits > MaxKeyBits {
		return nil, fmt.Errorf("hash with %d key bits refused: %d to %d can be compared", c.checkBits, MinKeyBits, MaxKeyBits)
	}
	plan, err := PlanFor(mib, index)
	if err != nil {
		return nil, err
	}
	bytes := plan.Clusters * BytesPerCluster
	var how []mem.Option
	if c.sparse {
		how = append(how, mem.Sparse())
	} else if err := mem.Fits(bytes, c.releasing.memory()); err != nil {
		return nil, err
	}
	region, err := mem.Map(bytes, how...)
	if err != nil {
		return nil, fmt.Errorf("hash of %d MiB refused: %w", plan.Allocated, err)
	}
	t := &Table{
		base: region.Pointer(), factor: factor(plan), index: plan.Index,
		limit:    1 << (64 - min(c.checkBits, wordCheck)),
		laneMask: highBits(c.checkBits-wordCheck, laneCheck) << evalBits,
		keyBits:  c.checkBits,
		region:   region, plan: plan,
	}
	t.generation.Store(1 << generationShift)
	t.ready.Store(everything)
	return t, nil
}

// factor is what the index multiplies keys with. A product of 32 bits and the
// bytes of the largest table would overflow, one with its clusters cannot.
func factor(p Plan) uint64 {
	if p.Index == Mul32 {
		return p.Clusters
	}
	return p.Clusters * BytesPerCluster
}

// highBits is a mask of the n highest of so many bits, none if n is negative.
func highBits(n, of int) uint64 {
	n = max(n, 0)
	return (1<<n - 1) << (of - n)
}

// everything is ready but while Prefault runs.
const everything = ^uintptr(0)

// memory is what the table lies in, nil if there is no table.
func (t *Table) memory() *mem.Region {
	if t == nil {
		return nil
	}
	return t.region
}

// KeyBits returns how many check bits of a key are compared.
func (t *Table) KeyBits() int { return t.keyBits }

// Plan returns what was asked for and what it came to.
func (t *Table) Plan() Plan { return t.plan }

// HugeBytes returns how many bytes of the table lie on huge pages now, which is settled
// once Prefault has returned nil; false where the system does not tell.
func (t *Table) HugeBytes() (uint64, bool) { return t.region.HugeBytes() }

// NewSearch begins the next generation: what is stored or refreshed from now on is worth
// more than what was before and is not again.
func (t *Table) NewSearch() {
	g := t.generation.Load() + 1<<generationShift
	if g > generationMask {
		g = 1 << generationShift // 0 is an empty entry's
	}
	t.generation.Store(g)
}

// Prefault touches all memory in the background of anything but Close and Clear,
// until it is done or the context is. Meanwhile the table uses only what is touched
// already: to Probe the rest is empty, and Store leaves it alone, because a search
// that had to wait for untouched pages would be a hundred times slower than one
// without a table. What is stored is kept, before and meanwhile.
//
// So a search beside Prefault does not repeat itself to the node; for one that has
// to, wait until Prefault returns: nil when all is touched, else why it stopped.
func (t *Table) Prefault(ctx context.Context) error {
	err := t.region.Prefault(ctx, func(touched uint64) {
		t.ready.Store(uintptr(t.base) + uintptr(touched))
	})
	t.ready.Store(everything)
	return err
}

// Clear empties the table in place and starts at the first generation again. It
// does nothing when nothing has been stored since. If the context ends first it
// returns its error, and the table is partly cleared.
func (t *Table) Clear(ctx context.Context) error {
	if !t.dirty.Load() {
		return nil
	}
	if err := t.region.Clear(ctx); err != nil {
		return err
	}
	t.generation.Store(1 << generationShift)
	t.dirty.Store(false)
	return nil
}

// Close gives the memory back. Nobody may use the table any more, but a running
// Prefault ends by itself. A second call does nothing.
func (t *Table) Close() error { return t.region.Unmap() }

// Full returns how many of 1,000 entries, by a sample of 1,000 clusters, are of
// the current generation.
func (t *Table) Full() int {
	const sample = 1000
	now, n := t.generation.Load(), 0
	for i := range uint64(sample) {
		c := (*words)(unsafe.Add(t.base, i*BytesPerCluster))
		for j := range 3 {
			if atomic.LoadUint64(&c[j])&generationMask == now {
				n++
			}
		}
	}
	return n / 3
}
