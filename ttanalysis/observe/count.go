package observe

import (
	"trefoil/cluster"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// addUse counts the use of a hit.
func addUse(c *ttanalysis.Counters, u alphabeta.Use) {
	if u.Cutoff {
		c.Cutoffs++
		return
	}
	if u.Move {
		c.Moves++
	}
	if u.Eval {
		c.Evals++
	}
}

// addStore counts a store.
func addStore(c *ttanalysis.Counters, t *cluster.Table, r cluster.StoreResult, e cluster.Entry) {
	c.Stores++
	switch r.Outcome() {
	case cluster.Skipped:
		c.Skipped++
	case cluster.Filled:
		c.Filled++
	case cluster.Updated:
		c.Updated++
	case cluster.Kept:
		c.Kept++
	case cluster.Evicted:
		if !t.OfThisSearch(r) {
			c.EvictedOlder++
			break
		}
		c.Evicted++
		if r.Depth() > int(e.Depth) {
			c.EvictedDeeper++
		}
	}
}
