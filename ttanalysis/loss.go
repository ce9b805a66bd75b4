package ttanalysis

import (
	"context"
	"fmt"
	"slices"

	"trefoil/cluster"
	"trefoil/internal/mem"
)

// Losses are the probes of a replay that missed, and among them those of a position whose entry was stored
// and lost since the table was last cleared.
type Losses struct {
	Probes, Misses uint64
	Mismatches     uint64 // probes that hit here and missed when recorded, or the reverse
	ByCause        [LossCauses]LossCount
	Deepest        []LostProbe // whose lost entry would have had sufficient depth; the deepest probe first
}

// add counts a probe, and keeps it if it is one of the deepest.
func (s *Losses) add(p LostProbe, most int) {
	c := &s.ByCause[p.Loss.cause()]
	c.Probes++
	c.ThisSearch += bit(p.Loss.ThisSearch)
	if !p.Loss.suffices(p.Depth) {
		return
	}
	c.Sufficient++
	at := len(s.Deepest)
	for at > 0 && s.Deepest[at-1].Depth < p.Depth {
		at--
	}
	if at < most {
		s.Deepest = slices.Insert(s.Deepest, at, p)
		s.Deepest = s.Deepest[:min(most, len(s.Deepest))]
	}
}

// LossCause says how an entry was lost.
type LossCause uint8

// The causes of a loss. A store evicts the entry of least replacement value, even a deeper one. With the same
// check bits it overwrites the entry as if it were of its position.
const (
	ByShallower LossCause = iota // evicted by a store of less depth
	ByEqual
	ByDeeper
	BySameCheckBits
	LossCauses
)

// A LossCount counts the probes that missed for one cause.
type LossCount struct {
	Probes     uint64
	ThisSearch uint64 // the entry was stored or hit in the search that evicted it; 0 with BySameCheckBits
	Sufficient uint64 // the lost entry had at least the depth of the probe
}

// A LostProbe is a probe that missed, and the loss of the entry.
type LostProbe struct {
	Record, Key uint64
	Depth       int
	Loss        Use
}

// UseKind says what a probe or a store did in a replay.
type UseKind uint8

// The kinds of a Use. The last two are only in a history: its position lost its entry, or every one did.
const (
	UseMiss UseKind = iota
	UseHit
	UseFilled  // a store that took an empty entry
	UseUpdated // a store that overwrote the entry of its position, or of one with the same check bits
	UseKept    // a store that kept such an entry
	UseEvicted // a store that replaced the entry of another position
	UseLost
	UseCleared
)

// A Use is a probe or a store, and the entries of its cluster before it.
type Use struct {
	Record     uint64 // number in the trace, from 1
	Kind       UseKind
	Depth      uint8 // of the node, or of the stored entry
	Entry      int8  // that was hit, written or kept; -1 if there is none
	ThisSearch bool  // the evicted entry was stored or hit in this search
	Entries    [cluster.EntriesPerCluster]EntryState
}

// An EntryState is what the replacement value of an entry depends on.
type EntryState struct {
	Used  bool
	Depth uint8
	Age   int8 // in generations, negative if hits have put it ahead
}

// Value returns the replacement value in plies.
func (e EntryState) Value() int { return int(e.Depth) - cluster.TablePolicy().Age*int(e.Age) }

// cause returns how the Use made another position lose its entry.
func (u Use) cause() LossCause {
	switch old := u.Entries[u.Entry].Depth; {
	case u.Kind != UseEvicted:
		return BySameCheckBits
	case u.Depth < old:
		return ByShallower
	case u.Depth == old:
		return ByEqual
	}
	return ByDeeper
}

// suffices reports whether the entry that was lost by the Use had at least that depth.
func (u Use) suffices(depth int) bool {
	if u.Kind == UseKept { // it is the new one
		return int(u.Depth) >= depth
	}
	return int(u.Entries[u.Entry].Depth) >= depth
}

// lostBytes is about the memory of a lost position, with its place in the map.
const lostBytes = 64

// A LossReplay is a cluster.Table with the whole keys of its entries, and the positions that it has lost.
// Besides the table it takes 8 bytes for each entry and about 64 for each lost position.
type LossReplay struct {
	Table TraceHeader // of the trace, with the size, index and key bits of this table

	trace          *TraceReader
	table          *cluster.Table
	keys           []uint64       // of the entries in use, by their numbers
	lost           map[uint64]Use // by key, until the position is stored again
	record, search uint64
	mismatches     uint64
}

// NewLossReplay returns a replay of a trace against the recorded table, or one of mib MiB unless that is 0.
// For a trace of another program, the index and key bits are the defaults of this one.
func NewLossReplay(trace *TraceReader, mib uint64) (*LossReplay, error) {
	h := trace.TraceHeader
	if h.otherTable() {
		h.KeyBits = cluster.MaxKeyBits
	}
	if mib > 0 {
		h.MiB = mib
	}
	table, err := cluster.New(h.MiB, h.Index, cluster.KeyBits(h.KeyBits))
	if err != nil {
		return nil, err
	}
	plan, entries := table.Plan(), table.Capacity()
	if err := mem.Fits(plan.Clusters*cluster.BytesPerCluster + entries*8); err != nil {
		_ = table.Close()
		return nil, fmt.Errorf("a table of %d MiB with the keys of its entries: %w", h.MiB, err)
	}
	h.Index = plan.Index
	return &LossReplay{Table: h, trace: trace, table: table, keys: make([]uint64, entries), lost: map[uint64]Use{}}, nil
}

// Close frees the table.
func (l *LossReplay) Close() error { return l.table.Close() }

// Losses replays the trace and keeps the deepest probes, at most that many. progress may be nil.
func (l *LossReplay) Losses(ctx context.Context, most int, progress func(ReplayProgress)) (*Losses, error) {
	s := new(Losses)
	err := eachRecord(ctx, l.trace, lostBytes, progress, func(r Record) (int, error) {
		u, _, err := l.apply(ctx, r)
		s.Probes += bit(r.Kind() == KindProbe)
		if r.Kind() == KindProbe && u.Kind == UseMiss {
			s.Misses++
			if loss, ok := l.lost[r.Key]; ok {
				s.add(LostProbe{u.Record, r.Key, r.Depth(), loss}, most)
			}
		}
		return len(l.lost), err
	})
	s.Mismatches = l.mismatches
	return s, err
}

// A PositionUse is a probe or a store of one position, or a store by which it lost its entry.
type PositionUse struct {
	Use
	Search uint64 // from 1, 0 before the first
	Other  uint64 // whose entry was hit, overwritten or kept, or whose store overwrote the entry; else itself
}

// History replays the trace and calls each with all that happens to a position and its entry. Clears count if
// it was used since the one before. progress may be nil.
func (l *LossReplay) History(ctx context.Context, key uint64, progress func(ReplayProgress),
	each func(PositionUse)) error {
	used := false
	return eachRecord(ctx, l.trace, lostBytes, progress, func(r Record) (int, error) {
		u, owner, err := l.apply(ctx, r)
		switch k := r.Kind(); {
		case k == KindSearch:
		case k == KindClear && used:
			used = false
			each(PositionUse{u, l.search, key})
		case k != KindClear && r.Key == key:
			used = true
			each(PositionUse{u, l.search, owner})
		case k == KindStore && owner == key && u.Kind != UseKept:
			u.Kind = UseLost
			each(PositionUse{u, l.search, r.Key})
		}
		return len(l.lost), err
	})
}

// apply applies a record to the table. owner is the position whose entry was hit, overwritten or kept, else its own.
func (l *LossReplay) apply(ctx context.Context, r Record) (u Use, owner uint64, err error) {
	l.record++
	u = Use{Record: l.record, Depth: uint8(min(r.Depth(), cluster.MaxDepth)), Entry: -1}
	switch r.Kind() {
	case KindClear:
		u.Kind = UseCleared
		clear(l.lost)
		return u, 0, l.table.Clear(ctx)
	case KindSearch:
		l.search++
		l.table.NewSearch()
		return u, 0, nil
	}
	owner = r.Key
	c, _ := l.table.Look(l.table.IndexOf(r.Key))
	for i, e := range c.Entries {
		u.Entries[i] = EntryState{e.Used, e.Depth, int8(e.Age)}
	}
	if r.Kind() == KindStore {
		owner = l.store(r, &u)
		return u, owner, nil
	}
	found, hit := l.table.Probe(r.Key)
	l.mismatches += bit(hit != r.Hit())
	if at, ok := l.table.Locate(r.Key); ok {
		u.Kind, u.Entry, owner = UseHit, int8(at%cluster.EntriesPerCluster), l.keys[at]
		if !found.Refreshed { // as in a search
			l.table.Refresh(r.Key)
		}
	}
	return u, owner, nil
}

// store stores, completes u, and returns the owner of the entry.
func (l *LossReplay) store(r Record, u *Use) (owner uint64) {
	result := l.table.Store(r.Key, r.Entry())
	at, ok := l.table.Locate(r.Key)
	if !ok { // what was stored is taken for an empty entry, see package cluster
		u.Kind = UseFilled
		return r.Key
	}
	u.Entry, owner = int8(at%cluster.EntriesPerCluster), l.keys[at]
	switch result.Outcome() {
	case cluster.Filled:
		u.Kind, owner = UseFilled, r.Key
	case cluster.Updated:
		u.Kind = UseUpdated
	case cluster.Kept:
		if u.Kind = UseKept; owner != r.Key {
			l.lost[r.Key] = *u
		}
		return owner
	default:
		u.Kind, u.ThisSearch = UseEvicted, l.table.OfThisSearch(result)
	}
	l.keys[at] = r.Key
	delete(l.lost, r.Key)
	if owner != r.Key {
		l.lost[owner] = *u
	}
	return owner
}
