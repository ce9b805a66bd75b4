package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
)

// A rehash moves the entries of old tables into a new table of another size.
//
// A table does not store whole keys: besides the check bits of an entry only its cluster is known. The
// indices mul32 and mul64 preserve the order of the bits that they use, so a cluster is an interval of
// keys, and the entry belongs in a cluster of the new table whose interval overlaps the old interval:
//
//	old, 4 clusters   │     0     │     1     │     2     │     3     │
//	new, 3 clusters   │       0       │       1       │       2       │
//
// If there is one such cluster, the place of the entry is known. If there are several, the part of the old
// interval that a new one covers is the probability that the entry belongs there. The entry goes into the
// most probable cluster, its home, and a copy into each of the others. A copy causes no more false hits
// than another entry: its check bits are independent of the index bits in a table of any size, so a probe
// of a different key matches it with probability 2^-21.
//
// Copies have a generation that no entry has. They count as old, so stores replace them first, and not as
// entries of the table; a hit makes an entry of a copy. Copies of copies go only where they are at least half
// as probable as at home, so that many small changes of the size do not spread them.
//
// A new cluster keeps the three entries of the highest replacement value. For each halving of the
// probability the value is one ply less. The entries of a new cluster depend only on the old
// tables, so parts of the new table may be written in any order and at the same time.
type rehash struct {
	one     sync.Mutex   // held during Rehash
	mu      sync.RWMutex // held for reading while sources are read
	sources []source     // in the order of their keys; none unless the rehash is under way
	written uint64       // bytes of the new table

	count sync.Mutex // guards what follows
	kept  float64    // sum of the shares of the entries written and their copies
	read  uint64     // entries
	done  bool       // both are complete, and Clear was not called since
}

// A source is an old table, and a range of its pairs of clusters, first to end-1, that no earlier source covers. The
// two clusters of a pair, one for each side to move, have the same interval of keys.
type source struct {
	table *Table
	ratio
	first, end uint64
}

// accepts returns an error, with the reason, if the entries of a table with that index, number of
// clusters and number of key bits cannot be moved into this one.
func (t *Table) accepts(index Index, clusters uint64, keyBits int) error {
	switch {
	case index != t.index:
		return fmt.Errorf("index %s does not store the key bits that index %s needs", index, t.index)
	case index == Pow2 && clusters != t.plan.Clusters:
		return errors.New("index pow2 does not preserve the order of keys, so its entries fit only a table of the same size")
	case keyBits < t.keyBits:
		return fmt.Errorf("%d key bits were compared, expected at least %d", keyBits, t.keyBits)
	}
	return nil
}

// Inherit makes a new table the successor of an old one: Rehash moves the entries, and the new table
// continues in the generation of the old one. The old table must not be used any more; the new one closes
// it. If the old table has entries that cannot be moved, Inherit returns the reason and changes nothing.
//
// If the Rehash of the old table is unfinished, the new table takes the entries already moved from it, and
// the rest from the tables before it.
func (t *Table) Inherit(old *Table) error {
	if !old.written.any() {
		return old.Close()
	}
	if t.joinsAgain(old) {
		t.copied.Store(old.copied.Load())
		t.continueRehash(old)
		return old.Close()
	}
	if t.shared != nil && (!t.shared.Made() || t.rehashing()) {
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
	t.inheritAging(&old.aging)
	t.setAgeOfCopies(youngestCopy)
	t.written.set(true)
	t.setReady(uintptr(t.base))
	return nil
}

// joinsAgain reports whether an old table is the same shared table.
func (t *Table) joinsAgain(old *Table) bool {
	if t.shared == nil || t.shared.Made() || t.Name() != old.Name() {
		return false
	}
	_, err := old.Others() // an error if it was removed; then the other one is new
	return err == nil
}

// continueRehash takes over the unfinished rehash of a table, if there is one; both are the same
// shared table.
func (t *Table) continueRehash(old *Table) {
	if !old.rehashing() {
		return
	}
	from, to := &old.rehash, &t.rehash
	to.sources, to.written, to.kept, to.read = from.sources, from.written, from.kept, from.read
	from.sources = nil
	t.setReady(uintptr(t.base) + uintptr(to.written))
}

// rehashing reports whether there is an unfinished rehash.
func (t *Table) rehashing() bool {
	t.rehash.mu.RLock()
	defer t.rehash.mu.RUnlock()
	return len(t.rehash.sources) > 0
}

// handOver ends the rehash of a table that is replaced. It returns the table, with the pairs that have
// been written, and its sources, each with the pairs that none before it has. If nothing has been
// written, the table is closed instead.
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

// Rehash moves the entries of an inherited table, if there is one. It may run concurrently with
// whatever Prefault may, and ends with its context; another call continues. Meanwhile, as during a
// Prefault, only the part of the table that is complete is used, but Probe finds the other entries where
// they were. The memory of the old table is
// returned to the system piece by piece, so both together take little more than the larger one.
func (t *Table) Rehash(ctx context.Context) (err error) {
	t.rehash.one.Lock()
	defer t.rehash.one.Unlock()
	for t.Guard(func() { err = t.move(ctx) }) {
	}
	if t.Lost() { // with what has been moved
		return t.abandon()
	}
	return err
}

// move is Rehash. A fault ends it; what has been moved by then counts.
func (t *Table) move(ctx context.Context) error {
	r := &t.rehash
	r.mu.RLock()
	from, pending := r.written, len(r.sources) > 0
	r.mu.RUnlock()
	if !pending {
		return nil
	}
	written := from
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.sources) > 0 {
			r.written = written
		}
	}()
	_, err := t.region.Fill(ctx, from, func(at uint64, piece []byte) {
		t.fill(at/bytesPerPair, (at+uint64(len(piece)))/bytesPerPair)
	}, func(now uint64) { written = now; t.publish(now) })
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
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
		copies := s.table.copies()
		for pair := max(from, s.first); pair <= last && pair < s.end; pair++ {
			start, _ := s.targets(pair)
			count := start >= first || pair == s.first // else the piece before has counted it
			sides[0].add(s.ratio, pair, s.table.cluster(2*pair), copies, count)
			sides[1].add(s.ratio, pair, s.table.cluster(2*pair+1), copies, count)
		}
	}
	t.finish(&sides)
}

// probeSources is Probe for a cluster that a rehash has not reached yet: the entry is where it was.
func (t *Table) probeSources(key uint64) (f Found, ok bool) {
	t.rehash.mu.RLock()
	defer t.rehash.mu.RUnlock()
	for _, s := range t.rehash.sources {
		at, _ := s.table.find(key)
		if pair := at / bytesPerPair; pair < s.first || pair >= s.end {
			continue
		}
		// A source that is lost is replaced here: after the unlock the Guard of t may not know it any more.
		s.table.again(func() { s.table.region.Hold(at, func() { f, ok = s.table.Probe(key) }) })
		if ok {
			break
		}
	}
	f.Refreshed = true // Refresh reaches only the new table
	return f, ok
}

// publish makes the first part of the table available, and frees the memory of the old ones that it
// covers.
func (t *Table) publish(written uint64) {
	t.setReady(uintptr(t.base) + uintptr(written))
	t.rehash.mu.RLock()
	defer t.rehash.mu.RUnlock()
	for _, s := range t.rehash.sources {
		needed, _ := s.sources(written / bytesPerPair)
		_ = s.table.region.Discard(needed * bytesPerPair) // where it fails, Close does it
	}
}

// drop ends the rehash, done or not, and closes the old tables. rehash.mu is held.
func (t *Table) drop(done bool) error {
	r := &t.rehash
	var errs []error
	for _, s := range r.sources {
		errs = append(errs, s.table.Close())
	}
	if r.sources != nil {
		r.sources, r.written = nil, 0
		t.setReady(everything)
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

// Rehashed returns how many entries the last complete rehash, or Load of a file of another size, has
// read, and how many of them it is expected to have kept: each place of an entry counts as the probability
// that it is the right one. Copies that were read do not count. Entries that are moved again after an
// interruption count again. ok is false if there was none since the last Clear.
func (t *Table) Rehashed() (kept, read uint64, ok bool) {
	r := &t.rehash
	r.count.Lock()
	defer r.count.Unlock()
	return uint64(math.Round(r.kept)), r.read, r.done
}
