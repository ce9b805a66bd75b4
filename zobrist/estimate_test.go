package zobrist

import (
	"fmt"
	"math"
	"strconv"
	"testing"
)

// TestPublishedTable: the formula gives what the paper prints, but for its misprint at m = 0 and six values
// that are off by one in the last digit.
func TestPublishedTable(t *testing.T) {
	right := [...]string{
		".36788", ".60653", ".77880", ".88250", ".93941", ".96923", ".98450", ".99222", ".99610", ".99805", ".99902",
	}
	rounding := 0
	for m, want := range right {
		for _, p := range []float64{NoErrorLimit(m), NoError(24, m)} {
			if got := fmt.Sprintf("%.5f", p)[1:]; got != want {
				t.Errorf("m = %d: %s, want %s", m, got, want)
			}
		}
		printed, err := strconv.ParseFloat(Published[m], 64)
		if err != nil {
			t.Fatal(err)
		}
		limit := 1.01e-5
		if m == 0 {
			limit = 10.01e-5
		}
		rounded, _ := strconv.ParseFloat(want, 64)
		if off := math.Abs(rounded - printed); off > limit {
			t.Errorf("m = %d: the paper has %s, the formula %s", m, Published[m], want)
		}
		if m > 0 && Published[m] != want {
			rounding++
		}
	}
	if rounding != 6 {
		t.Errorf("%d values differ by one in the last digit, want 6", rounding)
	}
}

// Intervals of a normal deviate: of 95 %, and of what nine of them together keep to in 95 %.
const (
	one  = 1.959964
	nine = 2.7658
)

// TestNoErrorBySimulation: 10^6 runs of 2^8 retrievals, with keys of 12 to 20 bits. A
// retrieval errs if its key and the stored one agree, which is to say that
// their difference, uniform as they are, is 0.
func TestNoErrorBySimulation(t *testing.T) {
	const n, least, most = 8, 12, 20
	const runs = 1_000_000 / (most - least + 1)
	src := NewSource("simulation")
	found, expected, variance := 0.0, 0.0, 0.0
	for bits := least; bits <= most; bits++ {
		right := 0
		for range runs {
			if errorless(src, 1<<n, 1<<bits-1) {
				right++
			}
		}
		got, want := float64(right)/runs, NoError(n, bits-n)
		low, high := wilson(got, runs, nine)
		t.Logf("%d bits: %.5f without error in %d runs, interval %.5f to %.5f, formula %.5f", bits, got,
			runs, low, high, want)
		if want < low || want > high {
			t.Errorf("%d bits: the formula's %.5f is outside %.5f to %.5f", bits, want, low, high)
		}
		found += runs - float64(right)
		expected += runs * (1 - want)
		variance += runs * got * (1 - got)
	}
	t.Logf("all: %.0f with an error, 95 %% interval %.0f to %.0f, formula %.1f", found,
		found-one*math.Sqrt(variance), found+one*math.Sqrt(variance), expected)
	if d := found - expected; d*d > one*one*variance {
		t.Errorf("%.0f of all runs with an error, expected %.1f", found, expected)
	}
}

// errorless reports whether none of retrievals random differences is 0 under a mask of at
// most 20 bits. A word holds three of them above its bit 0, each with a bit above the mask
// that stays if there is anything to borrow from below it.
func errorless(src *Source, retrievals int, mask uint64) bool {
	const ones = 1 | 1<<21 | 1<<42
	const guards = ones << 20
	left := uint64(guards)
	for range retrievals / 3 {
		left &= (src.Word()>>1&(mask*ones) | guards) - ones
	}
	w := src.Word() >> 1
	for range retrievals % 3 {
		if w&mask == 0 {
			return false
		}
		w >>= 21
	}
	return left&guards == guards
}

// wilson is the interval of z deviations of a share p found in n trials.
func wilson(p, n, z float64) (low, high float64) {
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return middle - half, middle + half
}

// TestFalseHitsBySimulation: a small table that fills up, with short checks.
func TestFalseHitsBySimulation(t *testing.T) {
	src := NewSource("filling")
	for _, c := range []struct {
		Check
		misses int
	}{
		{Check{12, 3, 1 << 14}, 20_000},    // hardly filled
		{Check{12, 3, 1 << 14}, 100_000},   // about full
		{Check{14, 3, 1 << 12}, 1_000_000}, // 80 times over
		{Check{13, 1, 1 << 12}, 200_000},
		{Check{16, 4, 1 << 12}, 1_000_000},
	} {
		hits := 0
		table := make([][]uint64, c.Clusters)
		met := 0
		for range c.misses {
			w := src.Word() >> 1
			at, check := w%c.Clusters, w>>20&(1<<c.Bits-1)
			hit := false
			met += len(table[at])
			for _, other := range table[at] {
				hit = hit || other == check
			}
			switch {
			case hit:
				hits++
			case len(table[at]) < c.EntriesPerCluster:
				table[at] = append(table[at], check)
			default:
				table[at][w>>60%uint64(c.EntriesPerCluster)] = check
			}
		}
		want := c.FalseHits(float64(c.misses), float64(c.misses))
		if d := float64(hits) - want; d*d > nine*nine*want {
			t.Errorf("%+v: %d false hits of %d probes, expected %.1f", c.Check, hits, c.misses, want)
		}
		if mean := float64(met) / float64(c.misses); math.Abs(math.Ldexp(float64(met), -c.Bits)/want-1) > 0.02 {
			t.Errorf("%+v: probes met %.3f entries, expected %.3f", c.Check, mean,
				math.Ldexp(want, c.Bits)/float64(c.misses))
		}
		t.Logf("%+v: %d false hits of %d probes, expected %.1f", c.Check, hits, c.misses, want)
	}
}

// TestFalseHitsOfAFullTable: 24 in 2^24, as the design says; and less before it is full.
func TestFalseHitsOfAFullTable(t *testing.T) {
	c := Check{21, 3, 32768}
	if got := c.PerMiss() * (1 << 24); got != 24 {
		t.Errorf("%v in 2^24 misses, want 24", got)
	}
	if got := c.FalseHits(1<<24, 1<<40); math.Abs(got-24) > 0.001 {
		t.Errorf("stored 2^40: %v", got)
	}
	if got := c.FalseHits(1<<24, 0); got != 0 {
		t.Errorf("stored none: %v", got)
	}
	last := 0.0
	for stored := 1.0; stored < 1e9; stored *= 1.5 {
		met, hits := c.Compared(stored), c.FalseHits(1, stored)
		if met < last || met > 3 || hits > math.Ldexp(met, -21)*(1+1e-9) || hits < math.Ldexp(met, -22)*(1-1e-4) {
			t.Errorf("%g stored: a probe meets %g, false hits %g", stored, met, hits*(1<<21))
		}
		last = met
	}
	// The two formulas of FalseHits agree where they meet.
	a, b := c.FalseHits(1, 32768*0.99e-4), c.FalseHits(1, 32768*1.01e-4)
	if math.Abs(b/a-1.01/0.99) > 1e-4 {
		t.Errorf("%g and %g do not meet", a, b)
	}
}
