package ttanalysis

import (
	"fmt"
)

// Counters count what one worker, or all workers of a search, did with the table.
type Counters struct {
	Probes, Hits uint64

	// What hits were used for. A cutoff ended the node; the others may come together.
	Cutoffs, Moves, Evals uint64

	Stores        uint64
	Filled        uint64 // into empty entries
	Updated       uint64 // over an entry of the same position
	Kept          uint64 // refused: the entry of the same position was deeper
	Skipped       uint64 // refused: Prefault had not reached the memory yet
	Evicted       uint64 // over the entry of another position, of the same search
	EvictedOlder  uint64 // over the entry of another position, of an earlier search
	EvictedDeeper uint64 // of Evicted, those whose entry was deeper than the new one

	// Counted by an Audit only:

	// Compared is the number of entries of other positions that probes were compared with, without entries
	// older than the audit: a false hit on them cannot be seen.
	Compared  uint64
	FalseHits [4]uint64 // by FalseHitUse
	// FirstFalseHits leaves out repetitions: false hits of a position on an entry that it has
	// hit before. A position that misses is stored and found from then on; a position with a
	// false hit may not be stored, and then hits again on every visit. So this is the counter that
	// Expected estimates. An Audit remembers about a million pairs; later ones are not counted.
	FirstFalseHits uint64
	// Distinct is the number of different causes of false hits. Two positions collide because
	// the key words in which they differ cancel out. Any two positions with the same difference
	// collide as well, and so do their successors: Zobrist's clustering of errors.
	Distinct  uint64
	Illegal   uint64 // false hits whose move is illegal in the probing position
	Unaudited uint64 // hits on entries that are older than the audit
}

// Add adds d to c.
func (c *Counters) Add(d *Counters) {
	for _, pair := range [][2]*uint64{
		{&c.Probes, &d.Probes}, {&c.Hits, &d.Hits}, {&c.Cutoffs, &d.Cutoffs}, {&c.Moves, &d.Moves}, {&c.Evals, &d.Evals},
		{&c.Stores, &d.Stores}, {&c.Filled, &d.Filled}, {&c.Updated, &d.Updated}, {&c.Kept, &d.Kept},
		{&c.Skipped, &d.Skipped},
		{&c.Evicted, &d.Evicted}, {&c.EvictedOlder, &d.EvictedOlder}, {&c.EvictedDeeper, &d.EvictedDeeper},
		{&c.Compared, &d.Compared}, {&c.FirstFalseHits, &d.FirstFalseHits},
		{&c.Distinct, &d.Distinct}, {&c.Illegal, &d.Illegal}, {&c.Unaudited, &d.Unaudited},
	} {
		*pair[0] += *pair[1]
	}
	for i := range c.FalseHits {
		c.FalseHits[i] += d.FalseHits[i]
	}
}

// AllFalseHits returns the number of false hits of any use.
func (c *Counters) AllFalseHits() (n uint64) {
	for _, f := range c.FalseHits {
		n += f
	}
	return n
}

// Expected returns the number of FirstFalseHits to expect of independent keys: Compared /
// 2^keyBits.
func (c *Counters) Expected(keyBits int) float64 {
	return float64(c.Compared) / float64(uint64(1)<<keyBits)
}

// Lines returns the counters of probes and stores as two lines of text.
func (c *Counters) Lines() []string {
	return []string{
		fmt.Sprintf("probes %d, hits %s, cutoffs %s, moves %s, evals %s", c.Probes,
			withShare(c.Hits, c.Probes), withShare(c.Cutoffs, c.Probes), withShare(c.Moves, c.Probes),
			withShare(c.Evals, c.Probes)),
		fmt.Sprintf("stores %d: empty %s, same position %s, kept %s; evicted of this search %s (deeper %s), of earlier "+
			"searches %s", c.Stores,
			withShare(c.Filled, c.Stores), withShare(c.Updated, c.Stores), withShare(c.Kept, c.Stores),
			withShare(c.Evicted, c.Stores), withShare(c.EvictedDeeper, c.Stores), withShare(c.EvictedOlder, c.Stores)),
	}
}

// AuditLine returns the counters of an audit of a table with keyBits check bits as a line of text.
func (c *Counters) AuditLine(keyBits int) string {
	line := fmt.Sprintf("false hits %d, first occurrences %d, expected %s of %d comparisons with %d key bits; "+
		"used for a cutoff %d, a move %d, an eval %d, nothing %d; illegal moves %d",
		c.AllFalseHits(), c.FirstFalseHits, ExpectedCount(c.Expected(keyBits)), c.Compared, keyBits,
		c.FalseHits[ForCutoff], c.FalseHits[ForMove], c.FalseHits[ForEval], c.FalseHits[ForNothing], c.Illegal)
	if c.Unaudited > 0 {
		line += fmt.Sprintf("; %d hits on entries older than the audit", c.Unaudited)
	}
	return line
}

// ExpectedCount formats an expected number with three or more digits.
func ExpectedCount(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// withShare formats n and its share of total.
func withShare(n, total uint64) string {
	if total == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(total))
}
