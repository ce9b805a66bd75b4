package window

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"trefoil/internal/mem"
)

// A rehash moves the entries of old tables into a new table of another size. Entries have whole keys, so
// the window of each is known.
type rehash struct {
	mu      sync.Mutex
	sources []source // newest entries first; none unless the rehash is under way
}

// A source is an old table and the first slot of it that is still to be read.
type source struct {
	table *Table
	next  uint64
}

// Inherit makes a new table the successor of an old one: Rehash moves the entries, and the new table
// continues in the generation of the old one. The old table must not be used any more; the new one closes
// it. The Rehash of the old table may be unfinished. Inherit fails only if closing an empty old table
// fails.
func (t *Table) Inherit(old *Table) error {
	old.rehash.mu.Lock()
	sources := old.rehash.sources
	old.rehash.sources = nil
	old.rehash.mu.Unlock()
	var err error
	if old.dirty.Load() {
		sources = append([]source{{table: old}}, sources...)
	} else {
		err = old.Close()
	}
	t.rehash.mu.Lock()
	t.rehash.sources = sources
	t.rehash.mu.Unlock()
	t.current.Store(old.current.Load())
	return err
}

// Rehash moves the entries of an inherited table, if there is one. It may run while handles and Full
// are used, and ends with its context; another call continues. Where there is no room for all, the
// entries of least replacement value are lost. The memory of the old table is returned to the system
// piece by piece.
func (t *Table) Rehash(ctx context.Context) error {
	h := t.Handle()
	for t.rehashing() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := h.rehashPiece(); err != nil {
			return err
		}
	}
	return nil
}

// rehashing reports whether there is an unfinished Rehash.
func (t *Table) rehashing() bool {
	t.rehash.mu.Lock()
	defer t.rehash.mu.Unlock()
	return len(t.rehash.sources) > 0
}

// rehashPiece moves the entries of some slots. It fails only if closing an old table fails.
func (h *Handle) rehashPiece() error {
	r := &h.rehash
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.sources) == 0 {
		return nil
	}
	s := &r.sources[0]
	end := min(s.next+pieceSlots, s.table.slots)
	for ; s.next < end; s.next++ {
		if w := s.table.entry(s.next).wait(); w.bounds != 0 {
			h.put(w)
		}
	}
	if s.next < s.table.slots {
		_ = s.table.region.Discard(s.next * BytesPerEntry) // where it fails, Close does it
		return nil
	}
	old := s.table
	r.sources = r.sources[1:]
	return old.Close()
}

// put stores an entry of another table, unless the table has its key already, or all entries of its
// window are worth more.
func (h *Handle) put(w words) {
	now := h.current.Load()
	h.dirty.Store(true)
	slot := h.slotFor(w.key, now)
	e := h.entry(slot)
	sequence, ok := e.tryLock()
	if !ok {
		return
	}
	defer e.unlock(sequence)
	if atomic.LoadUint64(&e.bounds) != 0 &&
		(atomic.LoadUint64(&e.key) == w.key ||
			replacementValue(atomic.LoadUint64(&e.effort), now) > replacementValue(w.effort, now)) {
		return
	}
	e.write(w)
	h.setIndexByte(slot, indexByte(w.key))
}

// abandon ends an unfinished rehash; what has not been moved is lost.
func (t *Table) abandon() error {
	t.rehash.mu.Lock()
	defer t.rehash.mu.Unlock()
	var errs []error
	for _, s := range t.rehash.sources {
		errs = append(errs, s.table.Close())
	}
	t.rehash.sources = nil
	return errors.Join(errs...)
}

// Freed returns how many bytes of memory become available when the table is closed: its own and the memory of tables
// that it has inherited.
func (t *Table) Freed() uint64 { return mem.Freed(t.regions()...) }

// regions returns the regions that Freed counts.
func (t *Table) regions() (regions []*mem.Region) {
	t.rehash.mu.Lock()
	defer t.rehash.mu.Unlock()
	for _, s := range t.rehash.sources {
		regions = append(regions, s.table.region)
	}
	return append(regions, t.region)
}
