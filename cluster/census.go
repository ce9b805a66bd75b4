package cluster

import (
	"context"
	"sync/atomic"
	"unsafe"
)

// Locate returns the number of the entry that answers a Probe of a key, 0 to Capacity()-1,
// counting through all clusters. ok is false if the key is not in the table.
func (t *Table) Locate(key uint64) (entry uint64, ok bool) {
	t.again(func() { entry, ok = t.locate(key) })
	return entry, ok
}

func (t *Table) locate(key uint64) (entry uint64, ok bool) {
	at, check := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return 0, false
	}
	evals := atomic.LoadUint64(&c[3])
	for i := range uint64(EntriesPerCluster) {
		w := atomic.LoadUint64(&c[i])
		if t.matches(w^check, evals>>(i*evalSlotBits), check, evalCheckOf(check)) {
			return at/BytesPerCluster*EntriesPerCluster + i, true
		}
	}
	return 0, false
}

// Capacity returns how many entries the table can hold.
func (t *Table) Capacity() uint64 { return t.plan.Clusters * EntriesPerCluster }

// Occupied returns how many entries of a key's cluster are in use, 0 to EntriesPerCluster:
// the number of entries that a Probe compares the key with.
func (t *Table) Occupied(key uint64) (n int) {
	t.again(func() { n = t.occupied(key) })
	return n
}

func (t *Table) occupied(key uint64) (n int) {
	at, _ := t.find(key)
	c := (*words)(unsafe.Add(t.base, at))
	if uintptr(unsafe.Pointer(c)) >= t.ready.Load() {
		return 0
	}
	for i := range EntriesPerCluster {
		if atomic.LoadUint64(&c[i]) != 0 {
			n++
		}
	}
	return n
}

// Census counts the entries of a table by kind.
type Census struct {
	Capacity   uint64 // all entries, in use or not
	Used       uint64
	Current    uint64 // used, and stored or refreshed since the last NewSearch
	Exact      uint64 // used, with an exact value
	Quiescence uint64 // used, of depth 0
}

// Census counts the entries of the table, without the copies of a rehash. During a Prefault or Rehash it
// counts only the part in use. It may run during a search. If the context ends first it returns the
// context's error.
func (t *Table) Census(ctx context.Context) (c Census, err error) {
	t.again(func() { c, err = t.census(ctx) })
	return c, err
}

func (t *Table) census(ctx context.Context) (Census, error) {
	c, now, copies := Census{Capacity: t.Capacity()}, t.search(), t.copies()
	end := min(t.plan.Clusters, uint64(t.ready.Load()-uintptr(t.base))/BytesPerCluster)
	for i := range end {
		if i%ClustersPerMiB == 0 && ctx.Err() != nil {
			return c, ctx.Err()
		}
		for j := range EntriesPerCluster {
			w := atomic.LoadUint64(&t.cluster(i)[j])
			if w == 0 || copies.has(w) {
				continue
			}
			c.Used++
			if now.has(w) {
				c.Current++
			}
			if Bound(w&boundMask) == Exact {
				c.Exact++
			}
			if depthOf(w) == 0 {
				c.Quiescence++
			}
		}
	}
	return c, nil
}
