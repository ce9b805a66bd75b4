package observe

import (
	"context"

	"trefoil/cluster"
	"trefoil/search"
	"trefoil/ttanalysis"
)

// AuditOptions select an audited search of a suite.
type AuditOptions struct {
	Mode       AuditMode
	Accept     uint64                     // see Audit.Accept
	OnFalseHit func(*ttanalysis.FalseHit) // see Audit.OnFalseHit; may be nil
	Seed       int                        // number of the key seed; 0 and 1 are that of the positions
	Done       func()                     // called after each position; may be nil
}

// Audit searches the suite under an audit.
func (s Suite) Audit(ctx context.Context, o AuditOptions) (result ttanalysis.AuditResult, err error) {
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

// SweepOptions select the audits of a Sweep.
type SweepOptions struct {
	KeyBits  []int                 // numbers of check bits
	Seeds    int                   // key seeds; 0 counts as 1
	Progress func(done, total int) // called with numbers of searches; may be nil
}

// Sweep audits the suite with each number of check bits and each key seed, and calls each with the
// sum for a number of check bits.
func (s Suite) Sweep(ctx context.Context, o SweepOptions, each func(ttanalysis.AuditResult)) error {
	seeds := max(1, o.Seeds)
	audits := seeds // with all check bits, always
	for _, n := range o.KeyBits {
		if n != cluster.MaxKeyBits {
			audits += seeds
		}
	}
	done := 0
	audit := func(keyBits int) (results []ttanalysis.AuditResult, err error) {
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
				if best != full[i].Best[j] {
					r.OtherBest++
				}
			}
		}
		each(ttanalysis.Sum(results))
	}
	return nil
}
