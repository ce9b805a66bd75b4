package ttanalysis

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// The quantiles are those of tables of Student's distribution.
func TestStudent(t *testing.T) {
	for degrees, want := range map[float64]float64{1: 12.706, 2: 4.303, 4: 2.776, 9: 2.262, 30: 2.042, 1000: 1.962} {
		if got := student95(degrees); math.Abs(got-want) > 0.0006 {
			t.Errorf("%g degrees of freedom: %.4f, want %.3f", degrees, got, want)
		}
	}
}

// counted returns the sum of key seeds with those first false hits, each with 100 expected.
func counted(first ...uint64) AuditResult {
	var seeds []AuditResult
	for i, n := range first {
		seeds = append(seeds, AuditResult{KeyBits: 8, Seed: i + 1, Counters: Counters{FirstFalseHits: n, Compared: 25600}})
	}
	return Sum(seeds)
}

func TestRatio(t *testing.T) {
	near := func(x, want float64) bool { return math.Abs(x-want) < 0.001 || math.IsNaN(x) && math.IsNaN(want) }
	none := math.NaN()
	for _, c := range []struct {
		first            []uint64
		ratio, low, high float64
		chi2, p          float64
	}{
		{[]uint64{80}, 0.8, none, none, none, none},
		{[]uint64{60, 140}, 1, 0, 6.082, 32, 1.5e-8},                    // 1 ± 12.706 × 0.4
		{[]uint64{100, 100}, 1, 0.102, 1.898, 0, 1},                     // 1 ± 12.706 × 0.1 / √2: that of Poisson counts
		{[]uint64{90, 100, 110, 120}, 1.05, 0.845, 1.255, 4.762, 0.190}, // 1.05 ± 3.182 × 0.0645
		{[]uint64{0, 0, 0}, 0, 0, 0.248, none, none},
	} {
		r := counted(c.first...)
		ratio, low, high := r.Ratio()
		chi2, degrees, p := r.Dispersion()
		if !near(ratio, c.ratio) || !near(low, c.low) || !near(high, c.high) || !near(chi2, c.chi2) || !near(p, c.p) || degrees != len(c.first)-1 {
			t.Errorf("%d: ratio %.3f, %.3f to %.3f, chi squared %.3f on %d, p %.3g", c.first, ratio, low, high, chi2, degrees, p)
		}
	}
	if ratio, _, _ := (&AuditResult{KeyBits: 21}).Ratio(); !math.IsNaN(ratio) {
		t.Errorf("nothing expected: ratio %v", ratio)
	}
}

// Key seeds give other false hits in other numbers, the same ones each time, and with all check bits
// the same search but for replacement.
func TestSeeds(t *testing.T) {
	s := someSuite(t)
	sweep := func() (all []AuditResult) {
		steps, total := 0, 0
		o := SweepOptions{KeyBits: []int{8, 21}, Seeds: 3, Progress: func(done, of int) { steps, total = done, of }}
		if err := s.Sweep(context.Background(), o, func(r AuditResult) { all = append(all, r) }); err != nil {
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
			if c != again[i].Seeds[j].Counters || r.Seeds[j].Seed != j+1 || r.Seeds[j].KeyBits != r.KeyBits || c.Unaudited > 0 {
				t.Errorf("%d bits, seed %d: %+v, then %+v", r.KeyBits, j, c, again[i].Seeds[j].Counters)
			}
		}
		if len(first) != 3 || r.KeyBits == 8 && r.Counters.FirstFalseHits < 30 || r.KeyBits == 21 && (r.Counters.FirstFalseHits > 0 || r.OtherBest > 0) {
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
		var all []AuditResult
		for seed := range seeds {
			r, err := s.Audit(context.Background(), AuditOptions{Mode: AuditCounts, Accept: AcceptAll, Seed: seed + 1})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		sum := Sum(all)
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
				drawn := Sum(all[:n])
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
