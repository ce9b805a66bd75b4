package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"trefoil/ttanalysis"
)

// someReplay returns a replay of sizes 1, 2, 4 ... MiB. Each text is a design and its hits of 10,000
// probes by size; the name of a bound begins with *.
func someReplay(t *testing.T, designs ...string) *replay {
	t.Helper()
	r := &replay{}
	for _, text := range designs {
		fields := strings.Fields(text)
		name, bound := strings.CutPrefix(fields[0], "*")
		d := &design{name: name, bound: bound}
		for _, field := range fields[1:] {
			c := ttanalysis.ReplayCounts{Probes: 10000}
			if _, err := fmt.Sscan(field, &c.Hits); err != nil {
				t.Fatal(err)
			}
			d.runs = append(d.runs, c)
		}
		r.designs = append(r.designs, d)
	}
	for i := range r.designs[0].runs {
		r.mib = append(r.mib, float64(int(1)<<i))
	}
	return r
}

// The sentences say what the numbers say: best, level, worse, alone, without this program's table.
func TestConclusion(t *testing.T) {
	for _, c := range []struct {
		designs []string
		want    string
	}{
		{[]string{"two-tier 2586 2900", "trefoil 2635 3000", "always 2000 2950"},
			"At 1 MiB trefoil hits 26.35 % of probes, 1.9 % more than the next design (two-tier). It is first at both sizes."},
		{[]string{"trefoil 2635"}, "At 1 MiB trefoil hits 26.35 % of probes."},
		{[]string{"trefoil 2635 2700"}, "At 1 MiB trefoil hits 26.35 % of probes."},
		{[]string{"a 2000", "b 2500"}, "At 1 MiB b hits 25.00 % of probes, 25 % more than the next design (a)."},
		{[]string{"a 2635", "trefoil 2635", "b 2635"}, "At 1 MiB trefoil, a and b hit 26.35 % of probes each."},
		{[]string{"a 2635 5", "trefoil 2635 5", "b 2600 4"},
			"At 1 MiB trefoil and a hit 26.35 % of probes each, 1.3 % more than the next design (b). It is level with the best other design at both sizes."},
		{[]string{"a 3000", "trefoil 2700"},
			"At 1 MiB trefoil hits 27.00 % of probes, 10 % fewer than the best design (a, 30.00 %); the other design is better."},
		{[]string{"a 3000 10 9", "trefoil 2700 30 9", "b 2800 0 9", "c 1 1 1"},
			"At 1 MiB trefoil hits 27.00 % of probes, 10 % fewer than the best design (a, 30.00 %); 2 of 3 other designs are better. " +
				"It is first at 1 of 3 sizes and level with the best other design at 1; it is furthest behind at 1 MiB, where a has 11 % more."},
		{[]string{"a 2701 2800", "trefoil 2700 2700", "b 1 1"},
			"At 1 MiB trefoil hits 27.00 % of probes, 0.04 % fewer than the best design (a, 27.01 %); 1 of 2 other designs is better. " +
				"It is first at none of 2 sizes; it is furthest behind at 2 MiB, where a has 3.7 % more."},
		{[]string{"a 3", "trefoil 0", "b 1"},
			"At 1 MiB trefoil hits 0.00 % of probes, 100 % fewer than the best design (a, 0.03 %); all 2 other designs are better."},
		{[]string{"trefoil 100", "a 0"}, "At 1 MiB trefoil hits 1.00 % of probes, 1.00 percentage points more than the next design (a)."},
		{[]string{"trefoil 0", "a 0"}, "At 1 MiB trefoil and a hit 0.00 % of probes each."},
		{[]string{"trefoil 2000 3000 3300", "*MIN 2700 3000 3340"},
			"At 1 MiB trefoil hits 20.00 % of probes. The bound (MIN) has 35 % more than trefoil and 1.2 % more at 4 MiB."},
		{[]string{"trefoil 2000 3000 3300", "*MIN 2000 3000 3300"},
			"At 1 MiB trefoil hits 20.00 % of probes. The bound (MIN) has as many as trefoil and as many at 4 MiB."},
		{[]string{"trefoil 2000 0", "*MIN 2700 3000"}, "At 1 MiB trefoil hits 20.00 % of probes. The bound (MIN) has 35 % more than trefoil."},
		{[]string{"trefoil 2000", "*MIN 0"}, "At 1 MiB trefoil hits 20.00 % of probes."},
		{[]string{"stockfish 2000 3000", "*MIN 2700 3000"}, "At 1 MiB stockfish hits 20.00 % of probes."}, // of another geometry
		{[]string{"*MIN 5"}, ""},
	} {
		if got := someReplay(t, c.designs...).conclusion(hits, 0); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.designs, got, c.want)
		}
	}
	r := someReplay(t, "trefoil 1")
	r.designs[0].runs[0].Cutoffs = 1234
	if got, want := r.conclusion(cutoffs, 0), "At 1 MiB trefoil allows a cutoff at 12.34 % of probes."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestRelativeConclusion(t *testing.T) {
	for _, c := range []struct {
		designs []string
		want    string
	}{
		{[]string{"trefoil 2000", "a 1900"}, "At 1 MiB a has 95.0 % of the hits of trefoil."},
		{[]string{"b 2100", "trefoil 2000", "a 1900", "c 2000"}, "At 1 MiB the other designs have from 95.0 % (a) to 105.0 % (b) of the hits of trefoil."},
		{[]string{"trefoil 0", "a 1900"}, ""},
		{[]string{"trefoil 1"}, ""},
		{[]string{"a 1"}, ""},
	} {
		if got := someReplay(t, c.designs...).relativeConclusion(0); got != c.want {
			t.Errorf("%q: %s, want %s", c.designs, got, c.want)
		}
	}
}

// TestRatioChart: hits are drawn in percent of the hits of this program's table, if that has any.
func TestRatioChart(t *testing.T) {
	r := someReplay(t, "trefoil 2000 4000", "a 1900 5000")
	c, ok := r.ratioChart(r.designs)
	if !ok || c.Title != "Hits relative to trefoil" || c.Y != "hits, % of those of trefoil" || len(c.Lines) != 2 ||
		!slices.Equal(c.Lines[0].Values, []float64{100, 100}) || !slices.Equal(c.Lines[1].Values, []float64{95, 125}) {
		t.Errorf("%+v, %v", c, ok)
	}
	for _, designs := range [][]string{{"trefoil 0 0", "a 1 2"}, {"a 1 2"}} {
		r := someReplay(t, designs...)
		if c, ok := r.ratioChart(r.designs); ok {
			t.Errorf("%q: %+v", designs, c)
		}
	}
}

// TestSizeOf: a size is found by its MiB; another is refused with the sizes that there are.
func TestSizeOf(t *testing.T) {
	r := someReplay(t, "trefoil 1 2 3 4")
	for mib, want := range map[float64]int{0: 1, 1: 0, 8: 3} {
		if got, err := r.sizeOf(mib); got != want || err != nil {
			t.Errorf("%g: %d, %v, want %d", mib, got, err, want)
		}
	}
	const want = "replay.tsv has no size 3 MiB, only 1, 2, 4, 8"
	if _, err := r.sizeOf(3); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestDifference: differences have a sign, and no sign where they round to 0.
func TestDifference(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want string
	}{
		{110, 100, "+10.00"}, {80, 100, "−20.00"}, {100, 100, "0.00"}, {100.001, 100, "0.00"}, {99.999, 100, "0.00"}, {1, 0, "–"},
	} {
		if got := difference(c.a, c.b); got != c.want {
			t.Errorf("%g against %g: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

func TestFalseHitsConclusion(t *testing.T) {
	// result returns the sum of two key seeds with these counts together.
	result := func(bits int, falseHits, first, compared, otherBest uint64) ttanalysis.AuditResult {
		var seeds []ttanalysis.AuditResult
		for i := range uint64(2) {
			r := ttanalysis.AuditResult{KeyBits: bits, Seed: int(i) + 1, OtherBest: (otherBest + i) / 2}
			r.Counters = ttanalysis.Counters{Probes: 1_000_000, Compared: compared / 2, FirstFalseHits: (first + i) / 2}
			r.Counters.FalseHits[ttanalysis.ForCutoff] = (falseHits + i) / 2
			seeds = append(seeds, r)
		}
		return ttanalysis.Sum(seeds)
	}
	one := ttanalysis.Sum(result(21, 0, 0, 2<<21, 0).Seeds[:1])
	for _, c := range []struct {
		results []ttanalysis.AuditResult
		want    string
	}{
		{[]ttanalysis.AuditResult{result(8, 120, 100, 25600, 6), result(21, 0, 0, 25600, 0)},
			"With 21 check bits 2,000,000 probes had no false hits. The 95 % interval of first occurrences contains the expected number for every number of check bits. " +
				"With 8 check bits 6 best moves differ from those with all bits."},
		{[]ttanalysis.AuditResult{result(8, 3000, 20000, 2560000, 0), result(16, 1, 1, 65536, 0)},
			"With 16 check bits 2,000,000 probes had 1 false hit (0.5 per million), which ended 1 node. " +
				"The 95 % interval of first occurrences misses the expected number for 1 of 2 numbers of check bits: with 8 bits they are 2.00 times the expected number (1.87 to 2.13). " +
				"With 8 check bits no best moves differ from those with all bits."},
		{[]ttanalysis.AuditResult{result(8, 0, 100, 25600, 1), one},
			"With 21 check bits 1,000,000 probes had no false hits. The 95 % interval of first occurrences contains the expected number for every number of check bits. " +
				"With 8 check bits 1 best move differs from those with all bits."},
		{[]ttanalysis.AuditResult{result(8, 23438, 100, 25600, 0)},
			"With 8 check bits 2,000,000 probes had 23,438 false hits (11719 per million), which ended 23,438 nodes. " +
				"The 95 % interval of first occurrences contains the expected number for every number of check bits."},
		{[]ttanalysis.AuditResult{one}, "With 21 check bits 1,000,000 probes had no false hits."},
		{[]ttanalysis.AuditResult{result(21, 0, 0, 0, 0)}, "With 21 check bits 2,000,000 probes had no false hits."},
	} {
		if got := falseHitsConclusion(c.results); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}
