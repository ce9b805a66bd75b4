package report

import (
	"slices"
	"strings"
	"text/tabwriter"

	"trefoil/ttanalysis"
)

// Replays are the counts of replays, design by design and size by size. Counts may be missing.
type Replays struct {
	designs []string // in the order of Add
	mib     []float64
	counts  map[string]map[float64]ttanalysis.ReplayCounts
}

// Add adds the counts of a design at a size.
func (r *Replays) Add(design string, mib float64, c ttanalysis.ReplayCounts) {
	if r.counts == nil {
		r.counts = make(map[string]map[float64]ttanalysis.ReplayCounts)
	}
	if r.counts[design] == nil {
		r.designs = append(r.designs, design)
		r.counts[design] = make(map[float64]ttanalysis.ReplayCounts)
	}
	r.counts[design][mib] = c
	if i, found := slices.BinarySearch(r.mib, mib); !found {
		r.mib = slices.Insert(r.mib, i, mib)
	}
}

// Text is the rates as tables by design and size, - where there are none. repeats says whether stores are
// repeated; else there are only hits and cutoffs.
func (r *Replays) Text(repeats bool) string {
	var b strings.Builder
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	measures := []measure{hits, cutoffs, falseHits}
	if !repeats {
		measures = []measure{hits.plain(), cutoffs.plain()}
	}
	for _, m := range measures {
		writeGrid(out, m.title, r.mib, r.designs, func(i, j int) string {
			if c, ok := r.counts[r.designs[i]][r.mib[j]]; ok {
				return m.text(&c)
			}
			return "-"
		})
	}
	_ = out.Flush() // to memory
	return b.String()
}
