package ttanalysis

import (
	"context"
	"math"

	"trefoil/cluster"
	"trefoil/search"
)

// AuditOptions select an audited search of a suite.
type AuditOptions struct {
	Mode       AuditMode
	Accept     uint64          // see Audit.Accept
	OnFalseHit func(*FalseHit) // see Audit.OnFalseHit; may be nil
}

// AuditResult is the result of an audited suite.
type AuditResult struct {
	KeyBits  int
	Best     []string // best move of each position
	Nodes    uint64
	Counters Counters
	// OtherBest is the number of positions whose best move is not that of the search with all
	// check bits. Sweep sets it.
	OtherBest uint64
}

// Audit searches the suite under an audit.
func (s Suite) Audit(ctx context.Context, o AuditOptions) (result AuditResult, err error) {
	var audit *Audit
	defer func() {
		if audit != nil {
			_ = audit.Close()
		}
	}()
	result.KeyBits = s.KeyBits
	err = s.Run(ctx,
		func(t *cluster.Table) (*Observer, error) {
			if audit, err = NewAudit(t, o.Mode); err != nil {
				return nil, err
			}
			audit.Accept, audit.OnFalseHit = o.Accept, o.OnFalseHit
			return NewObserver(t, audit, nil), nil
		},
		func(_ int, r search.Result, o *Observer) {
			result.Best = append(result.Best, r.Best)
			result.Nodes += r.Nodes
			c := o.Counters()
			result.Counters.Add(&c)
		})
	return result, err
}

// Sweep audits the suite with each number of check bits and calls each with the result.
func (s Suite) Sweep(ctx context.Context, keyBits []int, each func(AuditResult)) error {
	s.KeyBits = cluster.MaxKeyBits
	full, err := s.Audit(ctx, AuditOptions{Mode: AuditCounts, Accept: AcceptAll})
	if err != nil {
		return err
	}
	for _, n := range keyBits {
		r := full
		if n != cluster.MaxKeyBits {
			s.KeyBits = n
			if r, err = s.Audit(ctx, AuditOptions{Mode: AuditCounts, Accept: AcceptAll}); err != nil {
				return err
			}
		}
		for i, best := range r.Best {
			if best != full.Best[i] {
				r.OtherBest++
			}
		}
		each(r)
	}
	return nil
}

// Expected returns the number of first false hits to expect.
func (r *AuditResult) Expected() float64 { return r.Counters.Expected(r.KeyBits) }

// Ratio returns first false hits divided by the expected number, with the 95 % interval for a
// Poisson count. It is NaN if none are expected.
func (r *AuditResult) Ratio() (ratio, low, high float64) {
	expected := r.Expected()
	if expected == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	n := float64(r.Counters.FirstFalseHits)
	low, high = poissonInterval(n)
	return n / expected, low / expected, high / expected
}

// poissonInterval returns the 95 % interval of the mean of a Poisson count, by Byar's
// approximation.
func poissonInterval(n float64) (low, high float64) {
	const z = 1.959964
	if n > 0 {
		low = n * math.Pow(1-1/(9*n)-z/(3*math.Sqrt(n)), 3)
	}
	m := n + 1
	return low, m * math.Pow(1-1/(9*m)+z/(3*math.Sqrt(m)), 3)
}
