package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"trefoil/ttanalysis"
)

// conclusion says which design is best at a size, how this program's is placed there and at the
// other sizes, and how far the bounds are above it.
func (r *replay) conclusion(m measure, size int) string {
	return strings.Join(slices.DeleteFunc([]string{
		r.placing(m, size), r.otherSizes(m), r.belowBounds(m, size),
	}, func(s string) bool { return s == "" }), " ")
}

// ranking returns the designs that are no bounds by a measure at a size, highest first, this
// program's before others that are level with it.
func (r *replay) ranking(m measure, size int) []*design {
	all := slices.DeleteFunc(slices.Clone(r.designs), func(d *design) bool { return d.bound })
	slices.SortStableFunc(all, func(a, b *design) int {
		switch x, y := m.of(&a.runs[size]), m.of(&b.runs[size]); {
		case x > y || x == y && a.name == ours() && b.name != ours():
			return -1
		case x < y || x == y && b.name == ours() && a.name != ours():
			return 1
		}
		return 0
	})
	return all
}

// placing is the sentence about one size.
func (r *replay) placing(m measure, size int) string {
	ranking := r.ranking(m, size)
	if len(ranking) == 0 {
		return ""
	}
	at := func(d *design) float64 { return m.of(&d.runs[size]) }
	best := at(ranking[0])
	level := 0 // designs that share the first place
	for level < len(ranking) && at(ranking[level]) == best {
		level++
	}
	if place := slices.IndexFunc(ranking, func(d *design) bool { return d.name == ours() }); place >= level {
		us, better := ranking[place], 0
		for at(ranking[better]) > at(us) {
			better++
		}
		return fmt.Sprintf("At %s %s %s %s of probes, %s the best design (%s, %s); %s better.",
			mebibytes(r.mib[size]), us.name, m.verb, rate(at(us)), moreThan(at(us), best), ranking[0].name, rate(best),
			ofOthers(better, len(ranking)-1))
	}
	verb := m.verb
	if level > 1 {
		verb = m.verbs
	}
	text := fmt.Sprintf("At %s %s %s %s of probes", mebibytes(r.mib[size]), enumerated(namesOf(ranking[:level])), verb,
		rate(best))
	if level > 1 {
		text += " each"
	}
	if level < len(ranking) {
		text += fmt.Sprintf(", %s the next design (%s)", moreThan(best, at(ranking[level])), ranking[level].name)
	}
	return text + "."
}

// ofOthers says how many of a number of designs are better.
func ofOthers(n, others int) string {
	switch {
	case others == 1:
		return "the other design is"
	case n == others:
		return fmt.Sprintf("all %d other designs are", others)
	case n == 1:
		return fmt.Sprintf("1 of %d other designs is", others)
	}
	return fmt.Sprintf("%d of %d other designs are", n, others)
}

// otherSizes is the sentence about all sizes, "" if there is only one, or nothing to compare.
func (r *replay) otherSizes(m measure) string {
	us := r.find(ours())
	if us == nil || us.bound || len(r.mib) < 2 {
		return ""
	}
	first, level, worst, worstSize, winner := 0, 0, 0.0, 0, ""
	for j := range r.mib {
		ranking := r.ranking(m, j)
		i := slices.IndexFunc(ranking, func(d *design) bool { return d != us })
		if i < 0 {
			return ""
		}
		other := ranking[i]
		a, b := m.of(&us.runs[j]), m.of(&other.runs[j])
		switch {
		case a > b:
			first++
		case a == b:
			level++
		case b/a-1 > worst || winner == "":
			worst, worstSize, winner = b/a-1, j, other.name
		}
	}
	n := len(r.mib)
	switch {
	case first == n:
		return "It is first at " + allSizes(n) + "."
	case level == n:
		return "It is level with the best other design at " + allSizes(n) + "."
	}
	text := fmt.Sprintf("It is first at %d of %d sizes", first, n)
	if first == 0 {
		text = fmt.Sprintf("It is first at none of %d sizes", n)
	}
	if level > 0 {
		text += fmt.Sprintf(" and level with the best other design at %d", level)
	}
	if winner != "" {
		j := worstSize
		text += fmt.Sprintf("; it is furthest behind at %s, where %s has %s", mebibytes(r.mib[j]), winner,
			more(m.of(&r.find(winner).runs[j]), m.of(&us.runs[j])))
	}
	return text + "."
}

// allSizes names all n sizes.
func allSizes(n int) string {
	switch n {
	case 1:
		return "that size"
	case 2:
		return "both sizes"
	}
	return fmt.Sprintf("all %d sizes", n)
}

// belowBounds is a sentence for each bound, "" if there is none, or not this program's table, whose geometry they have.
func (r *replay) belowBounds(m measure, size int) string {
	us := r.find(ours())
	if us == nil {
		return ""
	}
	var text []string
	for _, b := range r.designs {
		if !b.bound || m.of(&b.runs[size]) == 0 || m.of(&us.runs[size]) == 0 {
			continue
		}
		parts := []string{fmt.Sprintf("The bound (%s) has %s %s", b.name,
			moreThan(m.of(&b.runs[size]), m.of(&us.runs[size])), us.name)}
		for _, j := range []int{0, len(r.mib) - 1} {
			if j != size && m.of(&us.runs[j]) > 0 {
				parts = append(parts, fmt.Sprintf("%s at %s", more(m.of(&b.runs[j]), m.of(&us.runs[j])), mebibytes(r.mib[j])))
			}
		}
		text = append(text, enumerated(parts)+".")
	}
	return strings.Join(text, " ")
}

// relativeConclusion says between which shares of the hits of this program's table the other designs
// are at a size.
func (r *replay) relativeConclusion(size int) string {
	us := r.find(ours())
	others := slices.DeleteFunc(r.ranking(hits, size), func(d *design) bool { return d == us })
	if us == nil || len(others) == 0 || us.runs[size].Hits == 0 {
		return ""
	}
	share := func(d *design) string {
		return percentOf(100 * d.runs[size].HitRate() / us.runs[size].HitRate())
	}
	high, low := others[0], others[len(others)-1]
	if len(others) == 1 {
		return fmt.Sprintf("At %s %s has %s of the hits of %s.", mebibytes(r.mib[size]), high.name, share(high), us.name)
	}
	return fmt.Sprintf("At %s the other designs have from %s (%s) to %s (%s) of the hits of %s.",
		mebibytes(r.mib[size]), share(low), low.name, share(high), high.name, us.name)
}

// falseHitsConclusion says how many false hits the search with the most check bits had, for which
// numbers of bits the first occurrences are not as expected, and how many best moves change with the
// fewest bits.
func falseHitsConclusion(results []ttanalysis.AuditResult) string {
	full, few := &results[len(results)-1], &results[0]
	n, probes := full.Counters.AllFalseHits(), full.Counters.Probes
	text := fmt.Sprintf("With %d check bits %s probes had %s", full.KeyBits, grouped(probes), plural(n, "false hit"))
	if n > 0 {
		perMillion := ttanalysis.ExpectedCount(1e6 * float64(n) / float64(max(1, probes)))
		text += fmt.Sprintf(" (%s per million), which ended %s", perMillion,
			plural(full.Counters.FalseHits[ttanalysis.ForCutoff], "node"))
	}
	text += ". "
	var outside []string
	expected := 0
	for i := range results {
		ratio, low, high := results[i].Ratio()
		if math.IsNaN(low) { // nothing is expected, or there is one key seed
			continue
		}
		expected++
		if low > 1 || high < 1 {
			outside = append(outside, fmt.Sprintf("with %d bits they are %.2f times the expected number (%.2f to %.2f)",
				results[i].KeyBits, ratio, low, high))
		}
	}
	switch {
	case expected > 0 && len(outside) == 0:
		text += "The 95 % interval of first occurrences contains the expected number for every number of check bits. "
	case len(outside) > 0:
		text += fmt.Sprintf("The 95 %% interval of first occurrences misses the expected number for %d of %d numbers "+
			"of check bits: %s. ", len(outside), expected, strings.Join(outside, "; "))
	}
	if few != full {
		verb := "differ"
		if few.OtherBest == 1 {
			verb = "differs"
		}
		text += fmt.Sprintf("With %d check bits %s %s from those with all bits.", few.KeyBits,
			plural(few.OtherBest, "best move"), verb)
	}
	return strings.TrimSpace(text)
}

// usageConclusion says what the probes of a search found.
func usageConclusion(c *ttanalysis.Counters) string {
	return fmt.Sprintf("Of %s probes %s hit, and %s ended their node at once.", grouped(c.Probes),
		percentOf(percent(c.Hits, c.Probes)), percentOf(percent(c.Cutoffs, c.Probes)))
}
