package observe

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"trefoil/ttanalysis"
)

// Key seeds give other false hits in other numbers, the same ones each time, and with all check bits
// the same search but for replacement.
func TestSeeds(t *testing.T) {
	s := someSuite(t)
	sweep := func() (all []ttanalysis.AuditResult) {
		steps, total := 0, 0
		o := SweepOptions{KeyBits: []int{8, 21}, Seeds: 3, Progress: func(done, of int) { steps, total = done, of }}
		if err := s.Sweep(context.Background(), o,
			func(r ttanalysis.AuditResult) { all = append(all, r) }); err != nil {
			t.Fatal(err)
		}
		if steps != 2*3*2 || total != steps {
			t.Errorf("%d of %d searches done, want 12", steps, total)
		}
		return all
	}
	all, again := sweep(), sweep()
	for i, r := range all {
		first := map[uint64]bool{}
		for j := range r.Seeds {
			c := r.Seeds[j].Counters
			first[c.Compared] = true
			if c != again[i].Seeds[j].Counters || r.Seeds[j].Seed != j+1 || r.Seeds[j].KeyBits != r.KeyBits ||
				c.Unaudited > 0 {
				t.Errorf("%d bits, seed %d: %+v, then %+v", r.KeyBits, j, c, again[i].Seeds[j].Counters)
			}
		}
		if len(first) != 3 || r.KeyBits == 8 && r.Counters.FirstFalseHits < 30 ||
			r.KeyBits == 21 && (r.Counters.FirstFalseHits > 0 || r.OtherBest > 0) {
			t.Errorf("%d bits: %+v", r.KeyBits, r)
		}
	}
}

// The 95 % interval from n key seeds contains the ratio of many seeds about as often as it says. The
// interval of one seed, if its count were a Poisson count, does so less often.
func TestRatioCovers(t *testing.T) {
	if !*long {
		t.Skip("needs -long")
	}
	const seeds, draws = 200, 4000
	s := someSuite(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, keyBits := range []int{8, 11} {
		s.KeyBits = keyBits
		var all []ttanalysis.AuditResult
		for seed := range seeds {
			r, err := s.Audit(context.Background(), AuditOptions{Mode: AuditCounts, Accept: AcceptAll, Seed: seed + 1})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		sum := ttanalysis.Sum(all)
		truth, low, high := sum.Ratio()
		chi2, degrees, _ := sum.Dispersion()
		poisson := 0
		for i := range all {
			n, expected := float64(all[i].Counters.FirstFalseHits), all[i].Expected()
			if math.Abs(n-truth*expected) <= 1.96*math.Sqrt(truth*expected) {
				poisson++
			}
		}
		t.Logf("%d check bits, %d seeds with %.1f expected each: ratio %.4f, %.4f to %.4f; chi squared by degrees of freedom %.3f; a Poisson interval of one seed covers %.1f %%",
			keyBits, seeds, sum.Expected()/seeds, truth, low, high, chi2/float64(degrees), 100*float64(poisson)/seeds)
		for _, n := range []int{3, 5, 10, 20} {
			covered := 0
			for range draws {
				random.Shuffle(seeds, func(i, j int) { all[i], all[j] = all[j], all[i] })
				drawn := ttanalysis.Sum(all[:n])
				if _, low, high := drawn.Ratio(); low <= truth && truth <= high {
					covered++
				}
			}
			t.Logf("  the interval from %2d seeds covers %.1f %%", n, 100*float64(covered)/draws)
			if share := float64(covered) / draws; share < 0.9 {
				t.Errorf("%d check bits: the 95 %% interval from %d seeds covers %.3f", keyBits, n, share)
			}
		}
	}
}
