package mate

import "trefoil/search/proof"

// crowdedBits leave eight slots of a table of 1 MiB in use.
const crowdedBits = 12

// A crowded goal has keys whose highest bits are 0, so that all of them share the first slots of a table. There
// entries are replaced again and again, and parts of a proof have to be proved again when it is replayed.
type crowded struct{ Goal }

// crowd makes the goals of a problem crowded.
func crowd(p Problem) Problem {
	plain := p.Goal
	p.Goal = func(opponent bool, moves int) Goal { return crowded{plain(opponent, moves)} }
	return p
}

func (c crowded) Key() uint64 { return c.Goal.Key() >> crowdedBits }

func (c crowded) Evaluate(to *proof.Child) {
	c.Goal.Evaluate(to)
	to.Key >>= crowdedBits
}

func (c crowded) Expand(to []proof.Child, table proof.Prefetcher) []proof.Child {
	from := len(to)
	to = c.Goal.Expand(to, table)
	for i := range to[from:] {
		to[from+i].Key >>= crowdedBits
	}
	return to
}
