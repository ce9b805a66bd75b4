package ttanalysis

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"trefoil/cluster"
	"trefoil/internal/mem"
	"trefoil/search/alphabeta"
)

// What a false hit was used for; the first that applies counts.
const (
	ForCutoff  = iota // its value ended the node
	ForMove           // its move, legal by chance, was tried first
	ForEval           // its evaluation was taken
	ForNothing        // or refused
	Uses
)

// UseNames are the names of uses.
var UseNames = [Uses]string{"cutoff", "move", "eval", "nothing"}

// A Second position is one that an audit can tell apart from all others.
type second interface{ Second() uint64 }

// A FalseHit is a position that was taken for another.
type FalseHit struct {
	Number     uint64 // from 1, since the audit began
	At, Stored Identity
	Entry      cluster.Entry
	Use        int
	Illegal    bool // the move of the entry is not legal here
	Refused    bool // the search was told of a miss
}

// Identity is what an audit knows of a position.
type Identity struct {
	Key, Second uint64
	Text        string // FEN or SFEN, if pairs are kept
}

// String tells of a false hit on one line.
func (h *FalseHit) String() string {
	return fmt.Sprintf("false hit %d, for %s: at %s (key %016x, second %016x) stands the entry of %s (key %016x, second %016x)",
		h.Number, UseNames[h.Use], h.At.Text, h.At.Key, h.At.Second, h.Stored.Text, h.Stored.Key, h.Stored.Second)
}

// AuditMode is how much an Audit keeps.
type AuditMode uint8

const (
	AuditCounts AuditMode = iota // the second key of each entry: 8 bytes
	AuditPairs                   // both keys and the text of the position: about 150 bytes
)

// bytesPerEntry is what an Audit takes for each entry of the table.
var bytesPerEntry = [...]uint64{AuditCounts: 8, AuditPairs: 150}

// AuditBytes returns about how many bytes an audit of a table takes.
func AuditBytes(slots uint64, mode AuditMode) uint64 { return slots * bytesPerEntry[mode] }

// An Audit keeps a second, independent key beside each entry of a table (Zobrist 1970, the
// auxiliary method) and so knows which hits are false. It serialises what touches the same
// cluster: every 256th cluster is locked at each probe and store.
type Audit struct {
	table *cluster.Table
	locks [256]struct {
		sync.Mutex
		_ [56]byte
	}
	region *mem.Region // Count: of second keys
	second []uint64
	stored []*Identity // Pairs
	number atomic.Uint64
	met    sync.Map     // who was taken for whom: pairs of second keys, and their differences
	room   atomic.Int64 // for how many more of them

	// Accept chooses which false hits the search is given: All, or the one of that number
	// (0: none). The others are misses to it.
	Accept uint64
	// Tell, unless nil, is called with each false hit once it is known what it was used for,
	// by the goroutine of its worker.
	Tell func(*FalseHit)
}

// AcceptAll accepts every false hit.
const AcceptAll = ^uint64(0)

// NewAudit begins the audit of a table. What is in the table already is not known to it.
// It refuses what the machine has no memory for.
func NewAudit(t *cluster.Table, mode AuditMode) (*Audit, error) {
	bytes := AuditBytes(t.Capacity(), mode)
	if err := mem.Fits(bytes, nil); err != nil {
		return nil, fmt.Errorf("audit of %d entries: %w", t.Capacity(), err)
	}
	a := &Audit{table: t, Accept: AcceptAll}
	a.room.Store(mostMet)
	if mode == AuditPairs {
		a.stored = make([]*Identity, t.Capacity())
		return a, nil
	}
	region, err := mem.Map(bytes)
	if err != nil {
		return nil, fmt.Errorf("audit of %d entries: %w", t.Capacity(), err)
	}
	a.region, a.second = region, unsafe.Slice((*uint64)(region.Pointer()), t.Capacity())
	return a, nil
}

// Forget numbers false hits from 1 again, and takes each for the first of its pair.
// It is for a table that has been, or is being, emptied: whose entry stands where is
// still known.
func (a *Audit) Forget() {
	a.number.Store(0)
	a.met.Clear()
	a.room.Store(mostMet)
}

// Restart is Forget, and forgets what was stored, as Clear does to the table.
func (a *Audit) Restart(ctx context.Context) error {
	a.Forget()
	clear(a.stored)
	if a.region == nil {
		return nil
	}
	return a.region.Clear(ctx)
}

// Table returns what is audited.
func (a *Audit) Table() *cluster.Table { return a.table }

// Close gives the memory back.
func (a *Audit) Close() error {
	a.second, a.stored = nil, nil
	if a.region == nil {
		return nil
	}
	return a.region.Unmap()
}

// lock makes everybody else wait who wants this cluster.
func (a *Audit) lock(key uint64) *sync.Mutex {
	l := &a.locks[a.table.IndexOf(key)%uint64(len(a.locks))].Mutex
	l.Lock()
	return l
}

// identify is what is to be known of p.
func (a *Audit) identify(p alphabeta.Position) Identity {
	id := Identity{Key: p.Key(), Second: p.(second).Second()}
	if a.stored != nil {
		id.Text = text(p)
	}
	return id
}

// text is p in its game's notation.
func text(p alphabeta.Position) string {
	switch p := p.(type) {
	case interface{ FEN() string }:
		return p.FEN()
	case interface{ SFEN() string }:
		return p.SFEN()
	}
	return ""
}

// at returns whose entry stands in a slot; known is false if it is older than the audit.
func (a *Audit) at(slot uint64) (id Identity, known bool) {
	if a.stored != nil {
		if a.stored[slot] == nil {
			return id, false
		}
		return *a.stored[slot], true
	}
	return Identity{Second: a.second[slot]}, a.second[slot] != 0
}

// probe looks p up, and returns a hit of another position besides.
func (a *Audit) probe(t *cluster.Table, p alphabeta.Position, c *Counters) (cluster.Entry, bool, *FalseHit) {
	key := p.Key()
	defer a.lock(key).Unlock()
	e, hit := t.Probe(key)
	if !hit {
		c.Compared += uint64(t.Occupied(key))
		return e, false, nil
	}
	slot, _ := t.Locate(key)
	stored, known := a.at(slot)
	if !known {
		c.Unknown++
		return e, true, nil
	}
	at := p.(second).Second()
	if stored.Second == at {
		return e, true, nil
	}
	c.Compared += uint64(t.Occupied(key))
	c.First += a.meet([2]uint64{at, stored.Second})
	c.Clashes += a.meet(at ^ stored.Second)
	h := &FalseHit{Number: a.number.Add(1), At: a.identify(p), Stored: stored, Entry: e, Use: ForNothing}
	if e.Move != 0 {
		_, legal := p.FromMove16(e.Move)
		h.Illegal = !legal
	}
	if a.Accept != AcceptAll && a.Accept != h.Number {
		h.Refused = true
		a.used(h, alphabeta.Use{}, c)
		return cluster.Entry{}, false, nil
	}
	return e, true, h
}

// mostMet is how many pairs and differences are remembered, at about 120 bytes each. No search
// with 16 check bits comes near it, one with 8 in half an hour.
const mostMet = 1 << 21

// meet returns 1 if somebody is met for the first time, 0 if again or if no more can be remembered.
func (a *Audit) meet(who any) uint64 {
	if a.room.Load() <= 0 {
		return 0
	}
	if _, known := a.met.LoadOrStore(who, true); known {
		return 0
	}
	a.room.Add(-1)
	return 1
}

// used counts a false hit by what it was used for.
func (a *Audit) used(h *FalseHit, u alphabeta.Use, c *Counters) {
	switch {
	case u.Cutoff:
		h.Use = ForCutoff
	case u.Move:
		h.Use = ForMove
	case u.Eval:
		h.Use = ForEval
	}
	c.False[h.Use]++
	if h.Illegal {
		c.Illegal++
	}
	if a.Tell != nil {
		a.Tell(h)
	}
}

// store stores what is known of p, and who p is.
func (a *Audit) store(t *cluster.Table, p alphabeta.Position, e cluster.Entry, c *Counters) {
	key := p.Key()
	defer a.lock(key).Unlock()
	r := t.Store(key, e)
	c.stored(t, r, e)
	slot, ok := t.Locate(key)
	if !ok {
		return
	}
	id := a.identify(p)
	if outcome := r.Outcome(); outcome == cluster.Updated || outcome == cluster.Kept {
		if was, known := a.at(slot); known && was.Second != id.Second {
			c.Merged++
			if outcome == cluster.Kept {
				return // what stands there is still the other's, but for the move
			}
		}
	}
	if a.stored != nil {
		a.stored[slot] = &id
	} else {
		a.second[slot] = id.Second
	}
}
