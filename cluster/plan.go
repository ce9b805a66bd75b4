package cluster

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Sizes. 1 MiB is 2^20 bytes.
const (
	BytesPerCluster   = 32
	EntriesPerCluster = 3
	ClustersPerMiB    = 1 << 20 / BytesPerCluster
	clustersPerKiB    = 1 << 10 / BytesPerCluster
	MaxMiB            = 33554432 // 32 TiB
	MaxMul32          = 1 << 32  // clusters that the 32-bit index reaches
	MaxAutoMul32      = 1 << 31  // clusters up to which Auto is Mul32
)

// Index is a method of mapping a key to a cluster; see Table.IndexOf.
type Index uint8

// Mul32 multiplies 32 key bits by the number of clusters and reaches 2^32 clusters. Mul64
// multiplies all 64. Pow2 masks the key, and uses only the largest power of two of clusters
// that fits. Auto is Mul32 up to half of its reach and Mul64 beyond; see Plan.Spread.
const (
	Auto Index = iota
	Mul32
	Mul64
	Pow2
)

var indexNames = [...]string{Auto: "auto", Mul32: "mul32", Mul64: "mul64", Pow2: "pow2"}

// String returns the name that ParseIndex reads.
func (i Index) String() string {
	if int(i) < len(indexNames) {
		return indexNames[i]
	}
	return fmt.Sprintf("index(%d)", uint8(i))
}

// ParseIndex returns the index of that name, in upper or lower case.
func ParseIndex(name string) (Index, error) {
	for i, n := range indexNames {
		if strings.EqualFold(name, n) {
			return Index(i), nil
		}
	}
	return Auto, fmt.Errorf("unknown index %q: expected %s", name, strings.Join(indexNames[:], ", "))
}

// A Plan is the size of a table and its index.
type Plan struct {
	MiB       uint64 // requested
	Allocated uint64 // MiB of the table, rounded down
	Clusters  uint64 // of the table
	Index     Index  // never Auto
	Reach     uint64 // how many of the requested clusters the 32-bit index reaches
	Warning   string // not empty if Reach is less than requested
}

// PlanFor returns the plan of a table of mib MiB, 1 to MaxMiB. It allocates nothing and does
// not depend on the machine.
func PlanFor(mib uint64, index Index) (Plan, error) {
	if mib < 1 || mib > MaxMiB {
		return Plan{}, fmt.Errorf("hash of %d MiB is outside 1 to %d", mib, MaxMiB)
	}
	if int(index) >= len(indexNames) {
		return Plan{}, fmt.Errorf("unknown index %d: expected 0 to %d", index, len(indexNames)-1)
	}
	return planOf(mib, mib*ClustersPerMiB, index), nil
}

// planOf is the plan of a table of the requested clusters, which are all or part of mib MiB.
func planOf(mib, requested uint64, index Index) Plan {
	p := Plan{MiB: mib, Clusters: requested, Index: index, Reach: min(requested, MaxMul32)}
	switch index {
	case Auto:
		p.Index = Mul32
		if requested > MaxAutoMul32 {
			p.Index = Mul64
		}
	case Mul32:
		p.Clusters = p.Reach
	case Pow2:
		p.Clusters = 1 << (bits.Len64(requested) - 1)
	}
	p.Allocated = p.Clusters / ClustersPerMiB
	if p.Reach < requested {
		p.Warning = fmt.Sprintf("Hash of %d MiB needs %d clusters, but the 32-bit index reaches only %d (%d MiB): ",
			mib, requested, uint64(MaxMul32), uint64(MaxMul32/ClustersPerMiB))
		if p.Index == Mul32 {
			p.Warning += "capped there"
		} else {
			p.Warning += "using " + p.Index.String()
		}
	}
	return p
}

// Spread returns how unevenly Mul32 would fill the clusters: each gets between least and most of the
// 2^32 values of its key bits, and cv is the coefficient of variation of that number. Up to
// MaxAutoMul32 clusters cv is below 0.12; between that and MaxMul32 it reaches 0.2.
func (p Plan) Spread() (least, most uint64, cv float64) {
	// A pair of clusters, one for each side to move, shares its values, because the index selects the pair.
	const values = 2 << 32
	least = values / p.Clusters
	part := float64(values%p.Clusters) / float64(p.Clusters)
	if most = least; part > 0 {
		most++
	}
	return least, most, math.Sqrt(part*(1-part)) / (float64(least) + part)
}
