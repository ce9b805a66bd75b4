package ttanalysis

// AuditResult is the result of an audited suite, or the sum of the results with several key seeds.
type AuditResult struct {
	KeyBits  int
	Seed     int      // number of the key seed, from 1
	Best     []string // best move of each position
	Nodes    uint64
	Counters Counters
	// OtherBest is the number of searches with another best move than the search of the position with all check bits,
	// if observe.Suite.Sweep has made the result.
	OtherBest uint64
	Seeds     []AuditResult // of a sum: what was added, one result of each key seed
}

// Sum returns the sum of results with the same number of check bits, one result for each key seed.
func Sum(seeds []AuditResult) (sum AuditResult) {
	sum = AuditResult{KeyBits: seeds[0].KeyBits, Seeds: seeds}
	for i := range seeds {
		r := &seeds[i]
		sum.Best = append(sum.Best, r.Best...)
		sum.Nodes += r.Nodes
		sum.Counters.Add(&r.Counters)
		sum.OtherBest += r.OtherBest
	}
	return sum
}

// Expected returns the number of first false hits to expect.
func (r *AuditResult) Expected() float64 { return r.Counters.Expected(r.KeyBits) }

// A DecisiveHit is a false hit and its effect on the best move of a position.
type DecisiveHit struct {
	Setup         string // the root, in notation
	Hit           *FalseHit
	Without, With string // best move with no false hit, and with this one only
	Move          string // of the entry, in notation; "" if it has none
}
