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

// lastStores has the last store of each position since the last clear.
type lastStores struct {
	of      map[uint64]lastStore
	checked int // positions for which there is memory
	open    openNodes
	probes  uint64
}

// A lastStore is a stored record, and the number of probes below its node.
type lastStore struct {
	Record
	nodes uint64
}

// lastStoreBytes is about the memory of a position, with its place in the map.
const lastStoreBytes = 80

func newLastStores() *lastStores { return &lastStores{of: map[uint64]lastStore{}, checked: 1 << 20} }

// repeats applies records, and appends to list what is stored again at each probe with a cutoff, with Word
// 0 if there was no store.
func (l *lastStores) repeats(list []lastStore, records []Record) ([]lastStore, error) {
	for _, r := range records {
		switch r.Kind() {
		case KindClear:
			clear(l.of)
			l.open = l.open[:0]
		case KindSearch:
			l.open = l.open[:0]
		case KindProbe:
			l.probes++
			l.open.add(openNode{key: r.Key, probe: l.probes})
			if r.Cutoff() {
				again, ok := l.of[r.Key]
				if ok {
					again.Word = again.Word&^(255<<depthShift) | uint64(r.Depth())<<depthShift
				}
				list = append(list, again)
			}
		case KindStore:
			s := lastStore{Record: r}
			if p, ok := l.open.close(r.Key); ok {
				s.nodes = l.probes - p.probe
			}
			l.of[r.Key] = s
		}
	}
	if len(l.of) > l.checked {
		l.checked *= 2
		if err := mem.Fits(uint64(l.checked) * lastStoreBytes); err != nil {
			return list, fmt.Errorf("the last stores of %d positions: %w", len(l.of), err)
		}
	}
	return list, nil
}
