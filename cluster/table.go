// Package cluster is the transposition table of alpha-beta search, shared by all workers.
// It is lossy: in a full cluster every new entry replaces another, and two positions of a cluster
// whose check bits agree are taken for one.
//
// The size is any whole number of MiB, of 32,768 clusters each, not only a power of two. The index that
// makes this possible comes from YaneuraOu's general-size table (after Stockfish's), which keeps bit 0 of
// the key.
//
// # Layout
//
// A cluster is four 64-bit words, half a cache line, and holds three entries of 10 bytes.
// Sixteen check bits of an entry share a word with its move, value, depth and bound, which are
// therefore read and written together. The fourth word holds the three evals and, in the two
// bytes left over, five more check bits of each entry:
//
//	bit      63     48 47    32 31     16 15    9 8        3  2  1   0
//	word 0   check 16 | move 16 | value 16 | depth 7 | generation 6 | pv | bound 2
//	word 1   the second entry
//	word 2   the third entry
//
//	bit      62     58 57    42 41     37 36    21 20     16 15     0
//	word 3   check 5 | eval 16 | check 5 | eval 16 | check 5 | eval 16
//	        eval slot of word 2  eval slot of word 1  eval slot of word 0
//
// A zero word is an empty entry. An entry of depth 0 without move, value and bound whose check bits
// are zero, stored in generation 0, is therefore taken for an empty one. Generations are counted
// modulo 64.
//
// # Replacement
//
// A store overwrites the entry of the same position, else an empty entry, else the entry whose depth, less a
// factor times its age, is least. Hits make an entry younger. Policy says it in full.
//
// # Key, index, check bits
//
// A key is 64 random bits whose bit 0 is the side to move (see package zobrist). Every index
// keeps that bit, so the two sides never share a cluster and a false hit never returns a move
// of the other side. The number of clusters is even; with an odd one the last index would be out
// of range. None of the 21 check bits of a key takes part in choosing its cluster,
// except that those of mul64 decide between two neighbours where the bits above them leave it open:
//
//	index   reaches         chosen by key bits   check bits
//	mul32   2^32 clusters   1 to 32              63 to 43
//	mul64   all             63 downwards         21 to 1
//	pow2    all             the lowest           63 to 43
//
// # Concurrency
//
// Probe, Refresh, Store, Prefetch, Locate, Look, Occupied, Census, Full and Save may be called by any
// number of goroutines at once, also while Prefault or Rehash runs; they never wait for each other.
// NewSearch, Clear, Load, Inherit and Close must not run at the same time as these, except that Locate,
// Look, Occupied, Census and Full may run during NewSearch, Clear and Load; what they return is then an
// approximation.
//
// An entry is never torn: move, value, depth and bound always belong to the check bits in the same
// word. Only an eval can belong to another entry, if another goroutine writes to the cluster
// between the two writes or the two reads of an entry. Its check bits reject 31 of 32 such evals,
// and the probe is then a miss.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"trefoil/internal/mem"
)

// Bound says how a stored value relates to the true one.
type Bound uint8

// The bounds. With None the value has no meaning; move and eval are valid.
const (
	None Bound = iota
	Upper
	Lower
	Exact
)

// An Entry is what the table stores for a key. Move 0 is no move. Depth 0 is quiescence search,
// and a depth above MaxDepth is stored as MaxDepth. The units of Value and Eval are the caller's.
type Entry struct {
	Move        uint16
	Value, Eval int16
	Quality
}

// Quality says how reliable the value of an Entry is. It is a struct of its own because the
// compiler keeps structs of up to four fields in registers; a struct of six fields would go
// through memory, with a stalled load at every probe.
type Quality struct {
	Depth uint8
	Bound Bound
	PV    bool
}

// Found is a copy of an entry that Probe has found.
type Found struct {
	Entry
	Refreshed bool // Refresh would not change the entry
}

// words is one cluster. An index is written i&3 and a shift &63 where the compiler cannot see
// that it is in range: the mask changes no value and drops the bounds check.
type words [4]uint64

// A cluster has 32 bytes: otherwise a constant here overflows at compile time.
const (
	_ = uint(unsafe.Sizeof(words{}) - BytesPerCluster)
	_ = uint(BytesPerCluster - unsafe.Sizeof(words{}))
)

// A Table is a transposition table. The package comment says which methods may run at the
// same time.
type Table struct {
	base          unsafe.Pointer // of the first cluster
	factor        uint64         // clusters for mul32, else bytes of all clusters
	index         Index
	limit         uint64 // a word XOR key below it means equal check bits
	evalCheckMask uint64 // check bits that are compared in an eval slot
	keyBits       int    // check bits that are compared in all

	ready atomic.Uintptr // address of the first cluster that Prefault has not touched
	aging

	region *mem.Region
	plan   Plan
	rehash rehash
	shared *shared // nil unless other processes may use the memory

	written journal
}

type config struct {
	mem.Options
	sparse    bool // only in tests, see there
	checkBits int
	sharing   *Sharing
	ctx       context.Context
}

// An Option changes what New does.
type Option func(*config)

// Memory sets how the table gets its memory. A shared table has all of its size, and its pages are transparent.
func Memory(o MemoryOptions) Option { return func(c *config) { c.Options = o } }

// MinKeyBits and MaxKeyBits bound the number of check bits that a table compares.
const (
	MinKeyBits = 8
	MaxKeyBits = maxCheckBits
)

// KeyBits compares only n of the 21 check bits, for experiments with false hits. The default
// is MaxKeyBits.
func KeyBits(n int) Option { return func(c *config) { c.checkBits = n } }

// New returns an empty table as planned by PlanFor(mib, index); the system provides its pages when
// they are first touched. If the size is out of range, or more than the machine and its control
// groups have available, it returns an error with the numbers, and never a smaller table.
func New(mib uint64, index Index, opts ...Option) (*Table, error) {
	c := config{checkBits: maxCheckBits, ctx: context.Background()}
	for _, o := range opts {
		o(&c)
	}
	if c.checkBits < MinKeyBits || c.checkBits > MaxKeyBits {
		return nil, fmt.Errorf("hash with %d key bits refused: %d to %d can be compared", c.checkBits, MinKeyBits, MaxKeyBits)
	}
	if c.sharing != nil {
		return joinShared(mib, index, c)
	}
	plan, err := PlanFor(mib, index)
	if err != nil {
		return nil, err
	}
	if c.Bytes > 0 {
		plan = planOf(mib, c.Part(mib<<20)/BytesPerCluster, index)
	}
	bytes := plan.Clusters * BytesPerCluster
	var region *mem.Region
	if c.sparse {
		region, err = mem.MapSparse(bytes)
	} else {
		region, err = c.Allocate(bytes)
	}
	if err != nil {
		return nil, err
	}
	return tableOf(region, plan, c.checkBits), nil
}

// tableOf returns a table whose clusters are the memory of a region.
func tableOf(region *mem.Region, plan Plan, checkBits int) *Table {
	t := &Table{
		base: region.Pointer(), factor: factor(plan), index: plan.Index,
		limit:         1 << (64 - min(checkBits, wordCheck)),
		evalCheckMask: highBits(checkBits-wordCheck, evalCheck) << evalBits,
		keyBits:       checkBits,
		region:        region, plan: plan,
	}
	t.aging.init(t.Capacity())
	t.written.init(plan.Clusters)
	t.ready.Store(everything)
	return t
}

func (t *Table) cluster(i uint64) *words { return (*words)(unsafe.Add(t.base, i*BytesPerCluster)) }

// factor is the multiplier of the index: the size in bytes, or in clusters for mul32, whose
// 64-bit product would overflow with the bytes of the largest tables.
func factor(p Plan) uint64 {
	if p.Index == Mul32 {
		return p.Clusters
	}
	return p.Clusters * BytesPerCluster
}

// highBits masks the n highest bits of a field of that width; 0 if n is negative.
func highBits(n, of int) uint64 {
	n = max(n, 0)
	return (1<<n - 1) << (of - n)
}

// everything is the value of ready unless Prefault is running.
const everything = ^uintptr(0)

// Freed returns how many bytes of memory become available when the table is closed: its own and the memory
// of tables that it has inherited, except shared ones, which other processes may use. It returns 0 for a
// nil table.
func (t *Table) Freed() uint64 { return mem.Freed(t.regions()...) }

// regions returns the regions that Freed counts.
func (t *Table) regions() (regions []*mem.Region) {
	if t == nil {
		return nil
	}
	t.rehash.mu.RLock()
	defer t.rehash.mu.RUnlock()
	tables := []*Table{t}
	for _, s := range t.rehash.sources {
		tables = append(tables, s.table)
	}
	for _, table := range tables {
		if table.shared == nil || table.Lost() {
			regions = append(regions, table.region)
		}
	}
	return regions
}

// KeyBits returns how many check bits of a key are compared.
func (t *Table) KeyBits() int { return t.keyBits }

// Plan returns the size that was requested and allocated.
func (t *Table) Plan() Plan { return t.plan }

// Memory describes the present memory of the table. The figures for huge pages are final once Prefault has
// returned nil.
func (t *Table) Memory() Usage { return t.region.Usage() }

// Ordinary returns how many bytes the table has that are not on reserved pages, whether they have been touched or not.
func (t *Table) Ordinary() uint64 { return t.region.Ordinary() }

// Prefault finishes a Rehash and touches all memory, so that no search has to wait for the first
// touch of a page. It may run concurrently with anything but Clear, and ends with its context or at
// Close; it returns nil when all memory is touched.
//
// Meanwhile only the part already touched is used: in the rest Probe finds nothing and Store does
// nothing, because a search that touches new pages is a hundred times slower than one without a
// table. Stored entries stay. A search during Prefault is therefore not reproducible node by node;
// one that has to be must wait until Prefault returns.
func (t *Table) Prefault(ctx context.Context) error {
	if err := t.Rehash(ctx); err != nil {
		return err
	}
	err := errLost
	t.Guard(func() {
		if t.Lost() {
			return
		}
		err = t.region.Prefault(ctx, func(touched uint64) { t.setReady(uintptr(t.base) + uintptr(touched)) })
		t.setReady(everything)
	})
	return err
}

// Clear empties the table in place and resets the generation. It does nothing if nothing was stored since the last
// Clear, and takes little time if little was. If the context ends first it returns the context's error, and the table
// is partly cleared.
//
// A shared table is cleared for all its processes and keeps its generation. Their searches may
// continue meanwhile.
func (t *Table) Clear(ctx context.Context) error {
	if !t.written.any() {
		return nil
	}
	if t.shared != nil {
		return t.clearShared(ctx)
	}
	err := t.abandon()
	if err != nil {
		return err
	}
	if clusters, ok := t.written.listed(); ok {
		err = t.clearListed(ctx, clusters)
	} else {
		err = t.region.Clear(ctx)
	}
	if err != nil {
		return err
	}
	t.aging.reset(0)
	t.written.set(false)
	return nil
}

// Unused reports whether nothing was stored since the last Clear. Of a shared table that is not known.
func (t *Table) Unused() bool { return !t.written.any() }

// Close unmaps the memory. The table must not be used any more, except that a running Prefault
// ends by itself. A second call does nothing.
func (t *Table) Close() error {
	err := t.abandon()
	if t.shared != nil {
		return errors.Join(err, t.shared.Leave())
	}
	return errors.Join(err, t.region.Unmap())
}

// Full returns the permille of entries that were stored or hit in the present search, from a sample
// of 1,000 clusters: UCI's hashfull. An entry that no search of the last 15 stored or hit can count too, because
// generations repeat after 16 searches (in Stockfish after 32).
//
// In a shared table a search adds fewer generations than hits can put an entry ahead. So at first entries
// of the previous search that were hit often enough count as well: 7 to 21 % with two processes, 20 to 39 %
// with more.
func (t *Table) Full() int {
	var n int
	t.again(func() { n = t.full() })
	return n
}

func (t *Table) full() int {
	const sample = 1000
	now, copies, n := t.search(), t.copies(), 0
	for i := range uint64(sample) {
		c := t.cluster(i)
		for j := range EntriesPerCluster {
			if w := atomic.LoadUint64(&c[j]); w != 0 && now.has(w) && !copies.has(w) {
				n++
			}
		}
	}
	return n / EntriesPerCluster
}
