package observe

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"trefoil/cluster"
	"trefoil/internal/mem"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
	"trefoil/zobrist"
)

// AuditMode is how much an Audit keeps for each entry.
type AuditMode uint8

// The modes of an audit.
const (
	AuditOff    AuditMode = iota
	AuditCounts           // the second key: 8 bytes
	AuditPairs            // both keys and the position as text: about 150 bytes
)

// String is the value of HashAudit.
func (m AuditMode) String() string { return [...]string{"off", "count", "pairs"}[m] }

// auditBytesPerEntry is the memory that an Audit needs for each entry of the table.
var auditBytesPerEntry = [...]uint64{AuditCounts: 8, AuditPairs: 150}

// AuditBytes returns about how much memory an audit of that many entries needs.
func AuditBytes(entries uint64, mode AuditMode) uint64 { return entries * auditBytesPerEntry[mode] }

// SecondKeyer is a position whose hits an Audit can check. Hits of other positions count as
// Counters.Unaudited. In mode AuditPairs a position is shown by its method FEN or SFEN.
type SecondKeyer interface {
	// SecondKey returns a key of the position that is independent of Key, and not 0.
	SecondKey() uint64
}

// secondKey returns the second key of p, 0 if it has none.
func secondKey(p alphabeta.Position) uint64 {
	if s, ok := p.(SecondKeyer); ok {
		return s.SecondKey()
	}
	return 0
}

// AcceptAll as Audit.Accept passes every false hit to the search.
const AcceptAll = ^uint64(0)

// An Audit detects false hits: hits on an entry of another position. It keeps a second,
// independent key beside each entry of a table (the auxiliary key of Zobrist 1970) and compares
// it at every hit.
//
// Probe and Store of the same cluster exclude each other under an audit. 256 mutexes serve all
// clusters.
type Audit struct {
	table *cluster.Table
	locks [256]struct {
		sync.Mutex
		_ [56]byte
	}
	region *mem.Region            // of second; nil in mode AuditPairs
	second []uint64               // mode AuditCounts, by entry
	pairs  []*ttanalysis.Identity // mode AuditPairs, by entry
	number atomic.Uint64
	seen   sync.Map     // pairs of second keys ([2]uint64) and differences (uint64) of false hits
	left   atomic.Int64 // how many more seen may take

	reseed *zobrist.Reseeding // nil: the table has the keys of the positions

	// Accept selects the false hits that are passed to the search: AcceptAll, or the number of one false hit;
	// 0 selects none. All others are misses to the search.
	Accept uint64
	// OnFalseHit, unless nil, is called for each false hit once its use is known, on the goroutine
	// of the worker.
	OnFalseHit func(*ttanalysis.FalseHit)
}

// maxSeen limits the pairs and differences that an Audit remembers, at about 120 bytes each. No
// search with 16 check bits comes near it; with 8 check bits it takes half an hour.
const maxSeen = 1 << 21

// NewAudit begins the audit of a table. Hits on entries that are already in the table are counted
// as Unaudited. The mode is AuditCounts or AuditPairs. It refuses an audit that does not fit into
// memory.
func NewAudit(t *cluster.Table, mode AuditMode) (*Audit, error) {
	bytes := AuditBytes(t.Capacity(), mode)
	if err := mem.Fits(bytes); err != nil {
		return nil, fmt.Errorf("audit of %d entries: %w", t.Capacity(), err)
	}
	a := &Audit{table: t, Accept: AcceptAll}
	a.left.Store(maxSeen)
	if mode == AuditPairs {
		a.pairs = make([]*ttanalysis.Identity, t.Capacity())
		return a, nil
	}
	region, err := mem.Map(bytes)
	if err != nil {
		return nil, fmt.Errorf("audit of %d entries: %w", t.Capacity(), err)
	}
	a.region, a.second = region, unsafe.Slice((*uint64)(region.Pointer()), t.Capacity())
	return a, nil
}

// firstSeed is the number of the key seed that the positions have.
const firstSeed = 1

// setSeed makes the audit probe and store by keys of another seed: number 1 is the seed of the positions,
// zobrist.Reseeding draws the others. It must be called while the table is empty.
//
// Parts of the search that bypass the Observer keep the old keys: prefetching, which then only costs time,
// and the search for a ponder move.
func (a *Audit) setSeed(number int) {
	if number > firstSeed {
		a.reseed = zobrist.NewReseeding(fmt.Sprintf("trefoil audit %d", number))
	}
}

// key returns the key by which the table has p.
func (a *Audit) key(p alphabeta.Position) uint64 { return a.reseed.Key(p.Key()) }

// ResetCounts numbers false hits from 1 again and counts each pair as a first occurrence again.
// The second keys stay, so it may be called before the table is cleared.
func (a *Audit) ResetCounts() {
	a.number.Store(0)
	a.seen.Clear()
	a.left.Store(maxSeen)
}

// Clear resets the counts and empties all second keys. It belongs to Clear of the table.
func (a *Audit) Clear(ctx context.Context) error {
	a.ResetCounts()
	clear(a.pairs)
	if a.region == nil {
		return nil
	}
	return a.region.Clear(ctx)
}

// Close releases the memory.
func (a *Audit) Close() error {
	a.second, a.pairs = nil, nil
	if a.region == nil {
		return nil
	}
	return a.region.Unmap()
}

// lock locks the cluster of a key and returns its mutex.
func (a *Audit) lock(key uint64) *sync.Mutex {
	l := &a.locks[a.table.IndexOf(key)%uint64(len(a.locks))].Mutex
	l.Lock()
	return l
}

// identify returns both keys of p, and its text in mode AuditPairs.
func (a *Audit) identify(p alphabeta.Position) ttanalysis.Identity {
	id := ttanalysis.Identity{Key: a.key(p), Second: secondKey(p)}
	if a.pairs != nil {
		id.Text = Notation(p)
	}
	return id
}

// Notation returns p in the notation of its game, "" if it has none.
func Notation(p alphabeta.Position) string {
	switch p := p.(type) {
	case interface{ FEN() string }:
		return p.FEN()
	case interface{ SFEN() string }:
		return p.SFEN()
	}
	return ""
}

// stored returns the position that an entry was stored for; ok is false if the entry is older
// than the audit, or the position has no second key.
func (a *Audit) stored(entry uint64) (id ttanalysis.Identity, ok bool) {
	if a.pairs != nil {
		if a.pairs[entry] == nil {
			return id, false
		}
		return *a.pairs[entry], a.pairs[entry].Second != 0
	}
	return ttanalysis.Identity{Second: a.second[entry]}, a.second[entry] != 0
}

// compared returns how many entries a probe of key is compared with in which a false hit would be seen:
// entries in use and not older than the audit.
//
// One of these sets contains the other: second keys of entries that are not in use remain only if
// the table was cleared after ResetCounts, and then all entries are newer than the audit.
func (a *Audit) compared(t *cluster.Table, key uint64) uint64 {
	first, known := t.IndexOf(key)*cluster.EntriesPerCluster, 0
	for i := range uint64(cluster.EntriesPerCluster) {
		if _, ok := a.stored(first + i); ok {
			known++
		}
	}
	return uint64(min(known, t.Occupied(key)))
}

// probe looks p up. If the hit is false and accepted it also returns the false hit, which the
// caller passes to countUse when its use is known.
func (a *Audit) probe(t *cluster.Table, p alphabeta.Position,
	c *ttanalysis.Counters) (cluster.Found, bool, *ttanalysis.FalseHit) {
	key := a.key(p)
	defer a.lock(key).Unlock()
	e, hit := t.Probe(key)
	if hit && !e.Refreshed && a.reseed != nil {
		t.Refresh(key) // the search would refresh the entry of the key of the position
		e.Refreshed = true
	}
	if !hit {
		c.Compared += a.compared(t, key)
		return e, false, nil
	}
	entry, moved := t.Locate(key)
	stored, known := a.stored(entry)
	second := secondKey(p)
	if !moved || !known || second == 0 { // a Rehash may not have moved the entry yet
		c.Unaudited++
		return e, true, nil
	}
	if stored.Second == second {
		return e, true, nil
	}
	c.Compared += a.compared(t, key)
	if a.isNew([2]uint64{second, stored.Second}) {
		c.FirstFalseHits++
	}
	if a.isNew(second ^ stored.Second) {
		c.Distinct++
	}
	h := &ttanalysis.FalseHit{Number: a.number.Add(1), Probed: a.identify(p), Stored: stored, Entry: e.Entry,
		Use: ttanalysis.ForNothing}
	if e.Move != 0 {
		_, legal := p.FromMove16(e.Move)
		h.Illegal = !legal
	}
	if a.Accept != AcceptAll && a.Accept != h.Number {
		h.Refused = true
		a.countUse(h, alphabeta.Use{}, c)
		return cluster.Found{}, false, nil
	}
	return e, true, h
}

// isNew reports whether an event has not been seen before, and remembers it. When maxSeen is
// reached it returns false.
func (a *Audit) isNew(event any) bool {
	if a.left.Load() <= 0 {
		return false
	}
	if _, seen := a.seen.LoadOrStore(event, true); seen {
		return false
	}
	a.left.Add(-1)
	return true
}

// countUse counts a false hit by its use.
func (a *Audit) countUse(h *ttanalysis.FalseHit, u alphabeta.Use, c *ttanalysis.Counters) {
	switch {
	case u.Cutoff:
		h.Use = ttanalysis.ForCutoff
	case u.Move:
		h.Use = ttanalysis.ForMove
	case u.Eval:
		h.Use = ttanalysis.ForEval
	}
	c.FalseHits[h.Use]++
	if h.Illegal {
		c.Illegal++
	}
	if a.OnFalseHit != nil {
		a.OnFalseHit(h)
	}
}

// store stores an entry of p and its second key.
func (a *Audit) store(t *cluster.Table, p alphabeta.Position, e cluster.Entry, c *ttanalysis.Counters) {
	key := a.key(p)
	defer a.lock(key).Unlock()
	r := t.Store(key, e)
	addStore(c, t, r, e)
	entry, ok := t.Locate(key)
	if !ok {
		return
	}
	id := a.identify(p)
	if r.Outcome() == cluster.Kept {
		if old, known := a.stored(entry); known && old.Second != id.Second {
			return // a false match: all but the move is still the other position's
		}
	}
	if a.pairs != nil {
		a.pairs[entry] = &id
	} else {
		a.second[entry] = id.Second
	}
}
