package ttanalysis

import (
	"context"

	"trefoil/cluster"
	"trefoil/search"
)

// AuditOptions select an audited search of a suite.
type AuditOptions struct {
	Mode       AuditMode
	Accept     uint64          // see Audit.Accept
	OnFalseHit func(*FalseHit) // see Audit.OnFalseHit; may be nil
	Seed       int             // number of the key seed; 0 and 1 are that of the positions
	Done       func()          // called after each position; may be nil
}

// AuditResult is the result of an audited suite, or the sum of the results with several key seeds.
type AuditResult struct {
	KeyBits  int
	Seed     int      // number of the key seed, from 1
	Best     []string // best move of each position
	Nodes    uint64
	Counters Counters
	// OtherBest is the number of positions whose best move is not that of the search with all
	// check bits. Sweep sets it.
	OtherBest uint64
	Seeds     []AuditResult // of a sum: what was added, one result of each key seed
}

// Audit searches the suite under an audit.
func (s Suite) Audit(ctx context.Context, o AuditOptions) (result AuditResult, err error) {
	var audit *Audit
	defer func() {
		if audit != nil {
			_ = audit.Close()
		}
	}()
	result.KeyBits, result.Seed = s.KeyBits, max(firstSeed, o.Seed)
	err = s.Run(ctx,
		func(t *cluster.Table) (*Observer, error) {
			if audit, err = NewAudit(t, o.Mode); err != nil {
				return nil, err
			}
			audit.Accept, audit.OnFalseHit = o.Accept, o.OnFalseHit
			audit.setSeed(o.Seed)
			return NewObserver(t, audit, nil), nil
		},
		func(_ int, r search.Result, observer *Observer) {
			result.Best = append(result.Best, r.Best)
			result.Nodes += r.Nodes
			c := observer.Counters()
			result.Counters.Add(&c)
			if o.Done != nil {
				o.Done()
			}
		})
	return result, err
}

// Sum returns the sum of results with the same number of check bits, one of each key seed.
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

// SweepOptions select the audits of a Sweep.
type SweepOptions struct {
	KeyBits  []int                 // numbers of check bits
	Seeds    int                   // key seeds; 0 counts as 1
	Progress func(done, total int) // called with numbers of searches; may be nil
}

// Sweep audits the suite with each number of check bits and each key seed, and calls each with the
// sum for a number of check bits.
func (s Suite) Sweep(ctx context.Context, o SweepOptions, each func(AuditResult)) error {
	seeds := max(1, o.Seeds)
	audits := seeds // with all check bits, always
	for _, n := range o.KeyBits {
		if n != cluster.MaxKeyBits {
			audits += seeds
		}
	}
	done := 0
	audit := func(keyBits int) (results []AuditResult, err error) {
		s.KeyBits = keyBits
		for seed := range seeds {
			r, err := s.Audit(ctx, AuditOptions{Mode: AuditCounts, Accept: AcceptAll, Seed: firstSeed + seed, Done: func() {
				if done++; o.Progress != nil {
					o.Progress(done, audits*len(s.Setups))
				}
			}})
			if err != nil {
				return nil, err
			}
			results = append(results, r)
		}
		return results, nil
	}
	full, err := audit(cluster.MaxKeyBits)
	if err != nil {
		return err
	}
	for _, n := range o.KeyBits {
		results := full
		if n != cluster.MaxKeyBits {
			if results, err = audit(n); err != nil {
				return err
			}
		}
		for i := range results {
			r := &results[i]
			r.OtherBest = 0
			for j, best := range r.Best {
				r.OtherBest += bit(best != full[i].Best[j])
			}
		}
		each(Sum(results))
	}
	return nil
}

// Expected returns the number of first false hits to expect.
func (r *AuditResult) Expected() float64 { return r.Counters.Expected(r.KeyBits) }
