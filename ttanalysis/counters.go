package ttanalysis

import (
	"fmt"

	"trefoil/cluster"
	"trefoil/search/alphabeta"
)

// Ages is how many ages of evicted entries are told apart: 0, 1, 2, and 3 searches or more.
const Ages = 4

// Counters are what one worker or all did with the table.
type Counters struct {
	Probes, Hits          uint64
	Cutoffs, Moves, Evals uint64 // hits that ended the node; that gave it a move; an evaluation

	Stores  uint64
	Filled  uint64       // empty places
	Same    uint64       // places of the same position
	Kept    uint64       // likewise, but what stood there was better
	Lost    uint64       // whose memory was not touched yet
	Evicted [Ages]uint64 // other positions, by age in searches
	Deeper  uint64       // of those, of this search and of more depth than what took their place

	// With an Audit:
	Compared uint64 // foreign entries that positions without an entry were compared with
	Merged   uint64 // stores that took the place of another position for that of the same
	Unknown  uint64 // hits on entries older than the audit
	False    [Uses]uint64
	// First counts the false hits but for those of a position on an entry that it has hit
	// before. A position that misses is stored and found from then on; one that
	// hits falsely may not be, and hits again whenever it is reached. So it is these
	// that Expected is about. Of more than a million in a game the rest are not told apart,
	// and are not counted here.
	First uint64
	// Clashes counts different reasons of false hits. Two positions clash because the words of what
	// they differ in cancel, so any two that differ in the same way clash too, and so do their
	// successors: Zobrist's clustering of errors.
	Clashes uint64
	Illegal uint64 // false hits whose move is not legal here
}

func (c *Counters) used(u alphabeta.Use) {
	switch {
	case u.Cutoff:
		c.Cutoffs++
	default:
		if u.Move {
			c.Moves++
		}
		if u.Eval {
			c.Evals++
		}
	}
}

func (c *Counters) stored(t *cluster.Table, r cluster.StoreResult, e cluster.Entry) {
	c.Stores++
	switch r.Outcome() {
	case cluster.Skipped:
		c.Lost++
	case cluster.Filled:
		c.Filled++
	case cluster.Updated:
		c.Same++
	case cluster.Kept:
		c.Kept++
	case cluster.Evicted:
		age := t.Age(r)
		c.Evicted[min(age, Ages-1)]++
		if age == 0 && r.Depth() > int(e.Depth) {
			c.Deeper++
		}
	}
}

// Add adds d to c.
func (c *Counters) Add(d *Counters) {
	for _, pair := range [][2]*uint64{
		{&c.Probes, &d.Probes}, {&c.Hits, &d.Hits}, {&c.Cutoffs, &d.Cutoffs}, {&c.Moves, &d.Moves}, {&c.Evals, &d.Evals},
		{&c.Stores, &d.Stores}, {&c.Filled, &d.Filled}, {&c.Same, &d.Same}, {&c.Kept, &d.Kept}, {&c.Lost, &d.Lost},
		{&c.Deeper, &d.Deeper}, {&c.Compared, &d.Compared}, {&c.Merged, &d.Merged}, {&c.Unknown, &d.Unknown}, {&c.Illegal, &d.Illegal},
		{&c.First, &d.First}, {&c.Clashes, &d.Clashes},
	} {
		*pair[0] += *pair[1]
	}
	for i := range c.Evicted {
		c.Evicted[i] += d.Evicted[i]
	}
	for i := range c.False {
		c.False[i] += d.False[i]
	}
}

// FalseHits returns how many hits were of another position.
func (c *Counters) FalseHits() (n uint64) {
	for _, f := range c.False {
		n += f
	}
	return n
}

// Expected returns how many First false hits are to be expected: one of the foreign entries
// compared in 2^bits.
func (c *Counters) Expected(bits int) float64 { return float64(c.Compared) / float64(uint64(1)<<bits) }

// Lines tells the counts in words.
func (c *Counters) Lines() []string {
	return []string{
		fmt.Sprintf("probes %d, hits %s, cutoffs %s, moves %s, evals %s", c.Probes,
			part(c.Hits, c.Probes), part(c.Cutoffs, c.Probes), part(c.Moves, c.Probes), part(c.Evals, c.Probes)),
		fmt.Sprintf("stores %d: empty %s, same position %s, kept %s; evicted of this search %s (deeper %s), older by 1 %s, by 2 %s, by more %s", c.Stores,
			part(c.Filled, c.Stores), part(c.Same, c.Stores), part(c.Kept, c.Stores),
			part(c.Evicted[0], c.Stores), part(c.Deeper, c.Stores), part(c.Evicted[1], c.Stores), part(c.Evicted[2], c.Stores), part(c.Evicted[3], c.Stores)),
	}
}

// FalseLine tells of the false hits of an audit with so many check bits in words.
func (c *Counters) FalseLine(bits int) string {
	line := fmt.Sprintf("false hits %d, first ones %d, expected %.3g of %d comparisons with %d key bits; for a cutoff %d, a move %d, an eval %d, nothing %d; illegal moves %d",
		c.FalseHits(), c.First, c.Expected(bits), c.Compared, bits, c.False[ForCutoff], c.False[ForMove], c.False[ForEval], c.False[ForNothing], c.Illegal)
	if c.Unknown > 0 {
		line += fmt.Sprintf("; %d hits on entries from before the audit", c.Unknown)
	}
	return line
}

// part is n, and its share of all.
func part(n, all uint64) string {
	if all == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(all))
}
