package ttanalysis

import (
	"fmt"

	"trefoil/internal/mem"
)

// Replay stores again. Where the recorded search had a cutoff, its trace has no subtree and no store. A
// table in which the probe has no cutoff would have made the search go on below the node and store the node
// again, so without that store small tables would lose more entries than in a search, and tables that
// rarely replace an entry would gain. What the search would have stored is taken to be what it stored last
// for the position, with the depth of the node. The probes and stores below the node are not known.

// lastStores has the last store of each position since the last clear: an open-addressing table.
type lastStores struct {
	entries []lastStore // a power of two; empty ones have Word 0
	used    int
	open    openNodes
	probes  uint64
}

// A lastStore is a stored record, and the number of probes below its node.
type lastStore struct {
	Record
	nodes uint64
}

// find returns the entry of a key, or the empty one where it belongs.
func (l *lastStores) find(key uint64) *lastStore {
	mask := uint64(len(l.entries) - 1)
	for i := key * 0x9E3779B97F4A7C15 >> 20; ; i++ {
		if e := &l.entries[i&mask]; e.Word == 0 || e.Key == key {
			return e
		}
	}
}

// repeats applies records, and appends to list what is stored again at each probe with a cutoff, with Word
// 0 if there was no store.
func (l *lastStores) repeats(list []lastStore, records []Record) ([]lastStore, error) {
	for _, r := range records {
		switch r.Kind() {
		case KindClear:
			clear(l.entries)
			l.used, l.open = 0, l.open[:0]
		case KindSearch:
			l.open = l.open[:0]
		case KindProbe:
			l.probes++
			l.open.add(openNode{key: r.Key, probe: l.probes})
			if !r.Cutoff() {
				continue
			}
			var again lastStore
			if len(l.entries) > 0 {
				again = *l.find(r.Key)
			}
			if again.Word != 0 {
				again.Word = again.Word&^(255<<depthShift) | uint64(r.Depth())<<depthShift
			}
			list = append(list, again)
		case KindStore:
			if 4*l.used >= 3*len(l.entries) {
				if err := l.grow(); err != nil {
					return list, err
				}
			}
			e, nodes := l.find(r.Key), uint64(0)
			if p, ok := l.open.close(r.Key); ok {
				nodes = l.probes - p.probe
			}
			l.used += int(bit(e.Word == 0))
			*e = lastStore{r, nodes}
		}
	}
	return list, nil
}

// grow doubles the number of entries.
func (l *lastStores) grow() error {
	old, size := l.entries, max(1<<16, 2*len(l.entries))
	if err := mem.Fits(uint64(size) * 24); err != nil {
		return fmt.Errorf("the last stores of %d positions: %w", l.used, err)
	}
	l.entries = make([]lastStore, size)
	for _, e := range old {
		if e.Word != 0 {
			*l.find(e.Key) = e
		}
	}
	return nil
}
