package command

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"trefoil/cluster"
	"trefoil/zobrist"
)

const hashErrorsUsage = `trefoil hash errors [FLAGS]: how often a table is expected to take one position for another.

A probe compares check bits of its key with those of the three entries of its cluster. The
first table is Zobrist's of 1970: keys of n+m bits, 2^n retrievals, each compared with one
key. The others are for this program's table, by check bits (HashKeyBits) and by size.

`

// estimate is what hash errors is asked about.
type estimate struct {
	hash, nodes uint64
	keyBits     int
	index       string
}

func hashErrors(args []string, std streams) int {
	flags, e := newFlags("hash errors"), estimate{}
	flags.Uint64Var(&e.hash, "hash", 16, "size of the table in `MIB`")
	flags.Uint64Var(&e.nodes, "nodes", 10_000_000, "`N` probes that miss, each of which stores its position")
	flags.IntVar(&e.keyBits, "keybits", cluster.MaxKeyBits, "check `BITS` of the table by size, 8 to 21")
	flags.StringVar(&e.index, "index", "auto", "auto, mul32, mul64 or pow2")
	if status, ok := parseFlags(flags, args, 0, hashErrorsUsage, std); !ok {
		return status
	}
	if e.keyBits < cluster.MinKeyBits || e.keyBits > cluster.MaxKeyBits {
		return misuse(std, "hash errors: keybits %d is outside %d to %d", e.keyBits, cluster.MinKeyBits, cluster.MaxKeyBits)
	}
	if e.nodes == 0 {
		return misuse(std, "hash errors: nodes 0 is none at all")
	}
	index, err := cluster.ParseIndex(e.index)
	if err != nil {
		return misuse(std, "hash errors: %v", err)
	}
	plan, err := cluster.PlanFor(e.hash, index)
	if err != nil {
		return misuse(std, "hash errors: %v", err)
	}
	out := tabwriter.NewWriter(std.out, 0, 0, 3, ' ', tabwriter.AlignRight)
	e.published(out)
	e.byBits(out, plan)
	e.bySize(out, index)
	if err := out.Flush(); err != nil {
		return misuse(std, "hash errors: %v", err)
	}
	return 0
}

// row prints cells that a tabwriter aligns.
func row(out *tabwriter.Writer, cells ...any) {
	for _, c := range cells {
		fmt.Fprintf(out, "%v\t", c)
	}
	fmt.Fprintln(out)
}

// published prints Zobrist's table and what he printed.
func (e estimate) published(out *tabwriter.Writer) {
	const n = 24
	fmt.Fprintf(out, "Chance of no error in 2^n retrievals with keys of n+m bits, (1 - 2^-(n+m))^(2^n)\n\n")
	row(out, "m", fmt.Sprintf("n = %d", n), "any large n", "Zobrist 1970")
	for m, printed := range zobrist.Published {
		row(out, m, fraction(zobrist.NoError(n, m)), fraction(zobrist.NoErrorLimit(m)), printed)
	}
	fmt.Fprintln(out, "\nZobrist's .36778 is a misprint; what else differs is his rounding.")
}

// fraction prints a chance in five digits, as the paper does: without a zero before them.
func fraction(p float64) string { return strings.TrimPrefix(fmt.Sprintf("%.5f", p), "0") }

// indexBits says which bits of a key choose the cluster, and which are compared.
var indexBits = map[cluster.Index]string{
	cluster.Mul32: "key bits 1 to 32 choose the cluster, 63 downwards are compared",
	cluster.Mul64: "key bits 63 downwards choose the cluster, 21 downwards are compared",
	cluster.Pow2:  "the lowest key bits choose the cluster, 63 downwards are compared",
}

// byBits prints what is expected of one size with every number of check bits.
func (e estimate) byBits(out *tabwriter.Writer, p cluster.Plan) {
	fmt.Fprintf(out, "\nHash %d MiB: %d clusters of %d entries, index %s: %s\n", p.Allocated, p.Clusters, cluster.EntriesPerCluster, p.Index, indexBits[p.Index])
	fmt.Fprintf(out, "Expected false hits of %d probes that miss and store: from an empty table, and in one that was full before\n\n", e.nodes)
	row(out, "check bits", "one in, full", "from empty", "full", "at least one")
	for bits := cluster.MinKeyBits; bits <= cluster.MaxKeyBits; bits++ {
		c := zobrist.Check{Bits: bits, EntriesPerCluster: cluster.EntriesPerCluster, Clusters: p.Clusters}
		fresh, full := c.FalseHits(float64(e.nodes), float64(e.nodes)), float64(e.nodes)*c.PerMiss()
		row(out, bits, fmt.Sprintf("%.0f", 1/c.PerMiss()), count(fresh), count(full), fraction(zobrist.AtLeastOne(fresh)))
	}
}

// bySize prints what is expected of one number of check bits with many sizes.
func (e estimate) bySize(out *tabwriter.Writer, index cluster.Index) {
	fmt.Fprintf(out, "\n%d check bits: the same by size\n\n", e.keyBits)
	row(out, "MiB", "clusters", "entries met", "from empty", "full", "at least one")
	for mib := uint64(1); mib <= 65536; mib *= 4 {
		p, err := cluster.PlanFor(mib, index)
		if err != nil {
			continue
		}
		c := zobrist.Check{Bits: e.keyBits, EntriesPerCluster: cluster.EntriesPerCluster, Clusters: p.Clusters}
		fresh, full := c.FalseHits(float64(e.nodes), float64(e.nodes)), float64(e.nodes)*c.PerMiss()
		row(out, mib, p.Clusters, fmt.Sprintf("%.3f", c.Compared(float64(e.nodes))), count(fresh), count(full), fraction(zobrist.AtLeastOne(fresh)))
	}
}

// count prints an expected number in three or more digits.
func count(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
