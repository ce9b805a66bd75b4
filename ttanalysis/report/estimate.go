package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"trefoil/cluster"
	"trefoil/ttanalysis"
	"trefoil/zobrist"
)

// An Estimate describes the table whose false hits are estimated.
type Estimate struct {
	MiB     uint64 // of the table by check bits
	Index   cluster.Index
	KeyBits int    // of the table by size
	Probes  uint64 // that miss, each of which stores its position
}

// WriteEstimate prints Zobrist's table of 1970 and the expected false hits of cluster.Table, by
// check bits and by size.
func WriteEstimate(w io.Writer, e Estimate) error {
	plan, err := cluster.PlanFor(e.MiB, e.Index)
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	writeZobristTable(out)
	e.writeByBits(out, plan)
	e.writeBySize(out)
	return out.Flush()
}

// writeRow prints cells that a tabwriter aligns.
func writeRow(out *tabwriter.Writer, cells ...any) {
	for _, c := range cells {
		fmt.Fprintf(out, "%v\t", c)
	}
	fmt.Fprintln(out)
}

// writeZobristTable prints the computed chances beside the published ones.
func writeZobristTable(out *tabwriter.Writer) {
	const n = 24
	fmt.Fprintf(out, "Chance of no error in 2^n retrievals with keys of n+m bits, (1 - 2^-(n+m))^(2^n)\n\n")
	writeRow(out, "m", fmt.Sprintf("n = %d", n), "any large n", "Zobrist 1970")
	for m, published := range zobrist.Published {
		writeRow(out, m, chance(zobrist.NoError(n, m)), chance(zobrist.NoErrorLimit(m)), published)
	}
	fmt.Fprintln(out, "\nZobrist's .36778 is a misprint; the other differences are his rounding.")
}

// chance formats a probability with five digits and no leading zero, as the paper does.
func chance(p float64) string { return strings.TrimPrefix(fmt.Sprintf("%.5f", p), "0") }

// indexBits says which bits of a key select the cluster, and which are compared.
var indexBits = map[cluster.Index]string{
	cluster.Mul32: "key bits 1 to 32 select the cluster, 63 downwards are compared",
	cluster.Mul64: "key bits 63 downwards select the cluster, 21 downwards are compared",
	cluster.Pow2:  "the lowest key bits select the cluster, 63 downwards are compared",
}

// writeByBits prints the estimates for one size by check bits.
func (e Estimate) writeByBits(out *tabwriter.Writer, p cluster.Plan) {
	fmt.Fprintf(out, "\nHash %d MiB: %d clusters of %d entries, index %s: %s\n", p.Allocated, p.Clusters,
		cluster.EntriesPerCluster, p.Index, indexBits[p.Index])
	fmt.Fprintf(out, "Expected false hits of %d probes that miss and store: in a table that was empty before, and "+
		"in one that was full\n\n", e.Probes)
	writeRow(out, "check bits", "one in, full", "from empty", "full", "at least one")
	for bits := cluster.MinKeyBits; bits <= cluster.MaxKeyBits; bits++ {
		c := zobrist.Check{Bits: bits, EntriesPerCluster: cluster.EntriesPerCluster, Clusters: p.Clusters}
		writeRow(out, append([]any{bits, fmt.Sprintf("%.0f", 1/c.PerMiss())}, e.expected(c)...)...)
	}
}

// writeBySize prints the estimates for one number of check bits by size.
func (e Estimate) writeBySize(out *tabwriter.Writer) {
	fmt.Fprintf(out, "\n%d check bits: the same by size\n\n", e.KeyBits)
	writeRow(out, "MiB", "clusters", "compared with", "from empty", "full", "at least one")
	for mib := uint64(1); mib <= 65536; mib *= 4 {
		p, err := cluster.PlanFor(mib, e.Index)
		if err != nil {
			continue // beyond the reach of the index
		}
		c := zobrist.Check{Bits: e.KeyBits, EntriesPerCluster: cluster.EntriesPerCluster, Clusters: p.Clusters}
		writeRow(out, append([]any{mib, p.Clusters, fmt.Sprintf("%.3f", c.Compared(float64(e.Probes)))}, e.expected(c)...)...)
	}
}

// expected returns the cells that both tables end with.
func (e Estimate) expected(c zobrist.Check) []any {
	n := float64(e.Probes)
	fromEmpty := c.FalseHits(n, n)
	return []any{
		ttanalysis.ExpectedCount(fromEmpty), ttanalysis.ExpectedCount(n * c.PerMiss()),
		chance(zobrist.AtLeastOne(fromEmpty)),
	}
}
