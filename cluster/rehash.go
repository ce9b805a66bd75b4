package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
	"unsafe"

	"trefoil/internal/mem"
)

// A rehash moves the entries of old tables into a new one of another size.
//
// A table does not store whole keys: beside the check bits of an entry only its cluster is known. The
// indices mul32 and mul64 preserve the order of the bits that they use, so a cluster is an interval
// of keys, and the entry belongs into one of the clusters of the new table whose intervals overlap
// that one:
//
//	old, 4 clusters   │     0     │     1     │     2     │     3     │
//	new, 3 clusters   │       0       │       1       │       2       │
//
// If there is one such cluster, the place of the entry is known. If there are several, a copy goes
// into each; the part of the old interval that a new one covers is the probability that the copy is
// in its place. A copy elsewhere is a wasted slot, but no worse for false hits than another entry: its
// check bits are independent of the index bits in a table of any size, so a probe for a different key
// matches it with the probability 2^-21.
//
// A new cluster keeps the three entries of the highest replacement value. For each halving of the
// probability of a copy its value is one ply less. What a new cluster gets depends on nothing but the old
// tables, so parts of the new table may be written in any order and at the same time.
type rehash struct {
	one     sync.Mutex   // held during Rehash
	mu      sync.RWMutex // held for reading while sources are read
	sources []source     // in the order of their keys; none unless the rehash is under way
	written uint64       // bytes of the new table

	count sync.Mutex // guards what follows
	kept  float64    // sum of the shares of the entries written
	read  uint64     // entries
	done  bool       // both are complete, and Clear was not called since
}

// A source is an old table and the pairs of clusters of it, from first to before end, that no source
// before it has: one pair has the same interval of keys for both sides to move.
type source struct {
	table *Table
	ratio
	first, end uint64
}

// A ratio is that of the sizes of two tables in lowest terms. On a scale on which a pair of the old
// table has the length new, a pair of the new one has the length old:
//
//	old pair i   i × new to (i+1) × new
//	new pair i   i × old to (i+1) × old
type ratio struct{ old, new uint64 }

// ratioOf is the ratio of two numbers of clusters, which are whole numbers of MiB. No product of one
// of its terms with a number of a pair overflows.
func ratioOf(old, new uint64) ratio {
	a, b := old, new
	for b > 0 {
		a, b = b, a%b
	}
	return ratio{old / a, new / a}
}

// targets are the pairs of the new table that overlap a pair of the old one.
func (r ratio) targets(pair uint64) (first, last uint64) {
	return pair * r.new / r.old, ((pair+1)*r.new - 1) / r.old
}

// sources are the pairs of the old table that overlap a pair of the new one.
func (r ratio) sources(target uint64) (first, last uint64) {
	return target * r.old / r.new, ((target+1)*r.old - 1) / r.new
}

// share is the part of an old pair that a new one covers.
func (r ratio) share(pair, target uint64) float64 {
	overlap := min((pair+1)*r.new, (target+1)*r.old) - max(pair*r.new, target*r.old)
	return float64(overlap) / float64(r.new)
}

// A sweep fills the clusters of one side to move, of pairs from a first to before end, in ascending
// order.
type sweep struct {
	table *Table
	side  uint64
	at    uint64 // the pair being filled; all before it are complete
	end   uint64
	best  [EntriesPerCluster]candidate // for that pair; empty ones last

	read uint64  // entries
	kept float64 // sum of the shares of the entries written
}

// A candidate is an entry for a cluster.
type candidate struct {
	word  uint64 // 0: none
	eval  uint64 // its eval slot
	share float64
	worth float64
}

// sweeps are those of both sides.
func (t *Table) sweeps(from, end uint64) [2]sweep {
	return [2]sweep{{table: t, side: 0, at: from, end: end}, {table: t, side: 1, at: from, end: end}}
}

// add reads a cluster of an old table of that ratio, number pair of its side. The clusters of a table
// have to be added in ascending order. count is whether its entries count as read.
func (s *sweep) add(r ratio, pair uint64, c *words, count bool) {
	now := s.table.generation.Load()
	first, last := r.targets(pair)
	s.advance(first)
	for i := s.at; i <= last && i < s.end; i++ {
		s.advance(i)
		share, less := r.share(pair, i), 0.0
		if share < 1 {
			less = plies(now) * math.Log2(share)
		}
		for slot, w := range c[:EntriesPerCluster] {
			if w != 0 {
				eval := c[3] >> (uint(slot) * evalSlotBits) & evalSlotMask
				s.insert(candidate{w, eval, share, float64(replacementValue(w, now)) + less})
			}
		}
	}
	for _, w := range c[:EntriesPerCluster] {
		if w != 0 && count {
			s.read++
		}
	}
}

// plies is the replacement value of a ply.
func plies(now uint64) float64 {
	return float64(replacementValue(2<<depthShift, now) - replacementValue(1<<depthShift, now))
}

// insert adds a candidate to the best of the cluster, unless all of them are worth more. Of two
// entries of the same position the better one stays.
func (s *sweep) insert(c candidate) {
	least := &s.best[0]
	for i := range s.best {
		b := &s.best[i]
		switch {
		case b.word == 0:
			*b = c
			return
		case b.word^c.word < s.table.limit && (b.eval^c.eval)&s.table.evalCheckMask == 0:
			share := b.share + c.share
			if c.worth > b.worth {
				*b = c
			}
			b.share = share
			return
		case b.worth < least.worth:
			least = b
		}
	}
	if c.worth > least.worth {
		*least = c
	}
}

// advance writes all clusters before that of a pair.
func (s *sweep) advance(pair uint64) {
	for ; s.at < pair; s.at++ {
		s.write()
	}
}

// write writes the cluster being filled.
func (s *sweep) write() {
	c := s.table.cluster(2*s.at + s.side)
	evals := uint64(0)
	for i, b := range s.best {
		evals |= b.eval << (uint(i) * evalSlotBits)
		mem.StoreWord(&c[i], b.word)
		s.kept += b.share
	}
	mem.StoreWord(&c[3], evals)
	s.best = [EntriesPerCluster]candidate{}
}

func (t *Table) cluster(i uint64) *words { return (*words)(unsafe.Add(t.base, i*BytesPerCluster)) }

// pairs is how many pairs of clusters the table has.
func (t *Table) pairs() uint64 { return t.plan.Clusters / 2 }

// accepts returns an error, with the reason, if entries of a table with another index, number of
// clusters and of key bits cannot be moved into this one.
func (t *Table) accepts(index Index, clusters uint64, keyBits int) error {
	switch {
	case index != t.index:
		return fmt.Errorf("index %s does not store the key bits that index %s needs", index, t.index)
	case index == Pow2 && clusters != t.plan.Clusters:
		return errors.New("index pow2 does not preserve the order of keys, so its entries fit only a table of the same size")
	case keyBits < t.keyBits:
		return fmt.Errorf("%d key bits were compared, want at least %d", keyBits, t.keyBits)
	}
	return nil
}

// Inherit makes a new table the successor of an old one: Rehash moves the entries, and the generation
// is that of the old table. The old one must not be used any more, and is closed by the new one. If
// there are entries and they cannot be moved, Inherit returns the reason and changes nothing.
//
// The old table may have an unfinished Rehash itself. Then the new table takes from it what it has,
// and the rest from where it would have come from.
func (t *Table) Inherit(old *Table) error {
	if !old.dirty.Load() {
		return old.Close()
	}
	if t.shared != nil && !t.shared.Made() {
		if t.joinsAgain(old) {
			return old.Close()
		}
		return errors.New("the shared table has its own")
	}
	if err := t.accepts(old.index, old.plan.Clusters, old.keyBits); err != nil {
		return err
	}
	if old.shared != nil {
		if err := old.shared.Resign(); err != nil {
			return err
		}
	}
	sources := old.handOver()
	for i := range sources {
		s := &sources[i]
		s.ratio = ratioOf(s.table.plan.Clusters, t.plan.Clusters)
	}
	t.rehash.mu.Lock()
	t.rehash.sources = sources
	t.rehash.mu.Unlock()
	t.inheritClock(&old.clock)
	t.dirty.Store(true)
	t.ready.Store(uintptr(t.base))
	return nil
}

// joinsAgain reports whether an old table is the same shared one, and has all its entries.
func (t *Table) joinsAgain(old *Table) bool {
	if t.Name() != old.Name() {
		return false
	}
	old.rehash.mu.RLock()
	complete := len(old.rehash.sources) == 0
	old.rehash.mu.RUnlock()
	_, err := old.Others() // an error if it was removed; then the other one is new
	return complete && err == nil
}

// handOver ends the rehash of a table that is replaced. It returns the table, with the pairs that have
// been written, and its sources, each with those that none before it has. A table of which nothing has
// been written is closed.
func (t *Table) handOver() (list []source) {
	r := &t.rehash
	r.mu.Lock()
	sources, end := r.sources, t.pairs()
	if len(sources) > 0 {
		end = r.written / bytesPerPair
	}
	r.sources = nil
	r.mu.Unlock()
	if end > 0 {
		list = append(list, source{table: t, end: end})
	} else {
		_ = t.Close() // which fails only if the memory is gone
	}
	for _, s := range sources {
		first, _ := s.sources(end)
		s.first = max(s.first, first)
		list = append(list, s)
	}
	return list
}

const bytesPerPair = 2 * BytesPerCluster

// Rehash moves the entries of an inherited table, if there is one. It may run beside anything that
// Prefault may run beside, and ends with its context; another call continues. Meanwhile, as during a
// Prefault, only the part of the table that is complete is used. The memory of the old table is
// returned to the system piece by piece, so that both together take little more than the larger one.
func (t *Table) Rehash(ctx context.Context) error {
	r := &t.rehash
	r.one.Lock()
	defer r.one.Unlock()
	r.mu.RLock()
	from, pending := r.written, len(r.sources) > 0
	r.mu.RUnlock()
	if !pending {
		return nil
	}
	written, err := t.region.Fill(ctx, from, func(at uint64, piece []byte) {
		t.fill(at/bytesPerPair, (at+uint64(len(piece)))/bytesPerPair)
	}, t.publish)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.written = written
	if err != nil {
		return err
	}
	return t.drop(true)
}

// fill writes pairs from a first to before end.
func (t *Table) fill(first, end uint64) {
	t.rehash.mu.RLock()
	defer t.rehash.mu.RUnlock()
	sides := t.sweeps(first, end)
	for _, s := range t.rehash.sources {
		from, _ := s.sources(first)
		_, last := s.sources(end - 1)
		for pair := max(from, s.first); pair <= last && pair < s.end; pair++ {
			start, _ := s.targets(pair)
			count := start >= first || pair == s.first // else the piece before has counted it
			sides[0].add(s.ratio, pair, s.table.cluster(2*pair), count)
			sides[1].add(s.ratio, pair, s.table.cluster(2*pair+1), count)
		}
	}
	t.finish(&sides)
}

// finish completes two sweeps.
func (t *Table) finish(sides *[2]sweep) {
	sides[0].advance(sides[0].end)
	sides[1].advance(sides[1].end)
	t.rehash.count.Lock()
	defer t.rehash.count.Unlock()
	t.rehash.kept += sides[0].kept + sides[1].kept
	t.rehash.read += sides[0].read + sides[1].read
}

// publish makes the first part of the table available, and frees the memory of the old ones as far as
// all they have is in it.
func (t *Table) publish(written uint64) {
	t.ready.Store(uintptr(t.base) + uintptr(written))
	t.rehash.mu.RLock()
	defer t.rehash.mu.RUnlock()
	for _, s := range t.rehash.sources {
		needed, _ := s.sources(written / bytesPerPair)
		_ = s.table.region.Discard(needed * bytesPerPair) // where it fails, Close does it
	}
}

// drop ends the rehash, which is done or not, and closes the old tables. rehash.mu is held.
func (t *Table) drop(done bool) error {
	r := &t.rehash
	var errs []error
	for _, s := range r.sources {
		errs = append(errs, s.table.Close())
	}
	if r.sources != nil {
		r.sources, r.written = nil, 0
		t.ready.Store(everything)
	}
	r.count.Lock()
	defer r.count.Unlock()
	if r.done = done; !done {
		r.kept, r.read = 0, 0
	}
	return errors.Join(errs...)
}

// abandon ends an unfinished rehash; what has not been moved is lost. Rehashed forgets the last one.
func (t *Table) abandon() error {
	t.rehash.mu.Lock()
	defer t.rehash.mu.Unlock()
	return t.drop(false)
}

// A blockRehash fills a table with the entries of another one, block by block.
type blockRehash struct {
	ratio
	sides [2]sweep
}

// rehashBlocks begins to fill the table with the entries of another one of that many clusters.
func (t *Table) rehashBlocks(clusters uint64) *blockRehash {
	return &blockRehash{ratioOf(clusters, t.plan.Clusters), t.sweeps(0, t.pairs())}
}

// add reads the next block, which begins at a byte of the other table. It reports whether there was an
// entry in it or before it.
func (r *blockRehash) add(b []byte, at uint64) bool {
	for i := uint64(0); i < uint64(len(b)); i += BytesPerCluster {
		var c words
		for j := range c {
			c[j] = binary.LittleEndian.Uint64(b[i+8*uint64(j):])
		}
		n := (at + i) / BytesPerCluster
		r.sides[n&1].add(r.ratio, n>>1, &c, true)
	}
	return r.sides[0].read+r.sides[1].read > 0
}

// finish writes what is left.
func (r *blockRehash) finish() {
	t := r.sides[0].table
	t.finish(&r.sides)
	t.rehash.count.Lock()
	defer t.rehash.count.Unlock()
	t.rehash.done = true
}

// Rehashed returns how many entries the last complete rehash, or Load of a file of another size, has
// read, and how many of them it is expected to have kept: a copy counts as the probability that it is
// in its place. What is moved again after an interruption counts again. ok is false if there was none
// since Clear.
func (t *Table) Rehashed() (kept, read uint64, ok bool) {
	r := &t.rehash
	r.count.Lock()
	defer r.count.Unlock()
	return uint64(math.Round(r.kept)), r.read, r.done
}
