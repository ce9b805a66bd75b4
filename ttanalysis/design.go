package ttanalysis

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"trefoil/cluster"
	"trefoil/internal/mem"
)

// A Table is one of those that are compared. A Record that it returns has the key of the
// position that it was stored for, which is another one if the hit is false.
type Table interface {
	Clear()
	NewSearch()
	Probe(key uint64) (found Record, hit bool)
	Store(r Record)
}

// A Design makes tables of one kind.
type Design interface {
	String() string
	// Check says why there is no such table of so many bytes.
	Check(bytes uint64) error
	// Make returns an empty table that would take so many bytes at most.
	Make(bytes uint64) (Table, error)
	// Footprint is the memory in bytes that the replayed table takes.
	Footprint(bytes uint64) uint64
}

// Clusters is a design of clusters: a key has one cluster, and any of its entries there.
type Clusters struct {
	Index   cluster.Index // never Auto
	Ways    int           // entries in a cluster
	Bytes   int           // of a cluster
	KeyBits int           // compared
	Eval    int           // 1: an entry keeps the static evaluation; it takes 16 bits
	Replace Replacement
	Ties    Ties
	Age     int // plies that a search of age is worth to DepthAge
	Keep    int // the same position stays as it is if it is deeper by so many plies; 0 = never
	Refresh int // 1: a hit makes an entry one of the present search
}

// Replacement is how a new position finds its place in a full cluster.
type Replacement uint8

// Always drops what was stored first. Depth drops the shallowest for what is at least as
// deep, and else the new one. DepthAge drops the least depth - Age × age. TwoTier has
// all ways but the last for what is at least as deep as what it drops there by DepthAge, and
// the last for the rest.
const (
	Always Replacement = iota
	Depth
	DepthAge
	TwoTier
)

var replacements = [...]string{"always", "depth", "depth-age", "two-tier"}

func (r Replacement) String() string {
	if int(r) < len(replacements) {
		return replacements[r]
	}
	return fmt.Sprintf("replacement(%d)", uint8(r))
}

// Ties is which of entries that are worth the same goes first.
type Ties uint8

// ByKey is one that the highest check bits of the new key pick, First that of the first way.
// Oldest is what was stored first, Unused what was neither stored nor hit for longest; both move the
// entries of a cluster to know it.
const (
	ByKey Ties = iota
	First
	Oldest
	Unused
)

var ties = [...]string{"key", "first", "oldest", "unused"}

// ordered reports whether a cluster is kept in the order of age.
func (t Ties) ordered() bool { return t == Oldest || t == Unused }

func (t Ties) String() string {
	if int(t) < len(ties) {
		return ties[t]
	}
	return fmt.Sprintf("ties(%d)", uint8(t))
}

// maxWays is how many entries a cluster has at most.
const maxWays = 16

// Shipped is the design of cluster.Table.
func Shipped() Clusters {
	return Clusters{Index: cluster.Mul32, Ways: 3, Bytes: cluster.BytesPerCluster, KeyBits: 21, Eval: 1, Replace: DepthAge, Age: 8, Keep: 4, Refresh: 1}
}

// shippedName stands for all that a design has in common with Shipped.
const shippedName = "trefoil"

// parts are what ParseDesign reads and String prints.
func (d *Clusters) parts() []struct {
	name        string
	value       *int
	least, most int
} {
	return []struct {
		name        string
		value       *int
		least, most int
	}{
		{"ways", &d.Ways, 1, maxWays},
		{"bytes", &d.Bytes, 4, 1024},
		{"keybits", &d.KeyBits, 1, 63},
		{"eval", &d.Eval, 0, 1},
		{"age", &d.Age, 0, 255},
		{"keep", &d.Keep, 0, 255},
		{"refresh", &d.Refresh, 0, 1},
	}
}

// String is what ParseDesign reads: how the design differs from Shipped.
func (d Clusters) String() string {
	s, differs := Shipped(), []string{}
	if d.Index != s.Index {
		differs = append(differs, "index="+d.Index.String())
	}
	if d.Replace != s.Replace {
		differs = append(differs, "replace="+d.Replace.String())
	}
	if d.Ties != s.Ties {
		differs = append(differs, "ties="+d.Ties.String())
	}
	shipped := s.parts()
	for i, p := range d.parts() {
		if *p.value != *shipped[i].value {
			differs = append(differs, fmt.Sprintf("%s=%d", p.name, *p.value))
		}
	}
	if len(differs) == 0 {
		return shippedName
	}
	return strings.Join(differs, "+")
}

// ParseDesign reads a design: "trefoil", the one we ship, or what differs from it, joined by +, as in
// "replace=two-tier+ways=2". The names are index, replace, ties, ways, bytes (of a cluster), keybits,
// eval, age, keep and refresh.
func ParseDesign(text string) (Clusters, error) {
	d := Shipped()
	if text == shippedName {
		return d, nil
	}
	for _, part := range strings.Split(text, "+") {
		name, value, _ := strings.Cut(part, "=")
		if err := d.set(name, value); err != nil {
			return Clusters{}, fmt.Errorf("design %q: %w", text, err)
		}
	}
	return d, nil
}

func (d *Clusters) set(name, value string) error {
	switch name {
	case "index":
		index, err := cluster.ParseIndex(value)
		if err == nil && index == cluster.Auto {
			err = fmt.Errorf("index %q is none of mul32, mul64, pow2", value)
		}
		d.Index = index
		return err
	case "replace":
		i, err := oneOf(name, value, replacements[:])
		d.Replace = Replacement(i)
		return err
	case "ties":
		i, err := oneOf(name, value, ties[:])
		d.Ties = Ties(i)
		return err
	}
	for _, p := range d.parts() {
		if p.name != name {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < p.least || n > p.most {
			return fmt.Errorf("%s %q is not a whole number from %d to %d", name, value, p.least, p.most)
		}
		*p.value = n
		return nil
	}
	return fmt.Errorf("what is %q? It is %s or index, replace, ties, ways, bytes, keybits, eval, age, keep, refresh", name, shippedName)
}

// oneOf returns which of the names a value is.
func oneOf(name, value string, names []string) (int, error) {
	if i := slices.Index(names, value); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%s %q is none of %s", name, value, strings.Join(names, ", "))
}

// clusters is how many there are in so many bytes: an even number, and for pow2 a power of
// two.
func (d Clusters) clusters(bytes uint64) uint64 {
	n := bytes / uint64(d.Bytes) &^ 1
	if d.Index == cluster.Pow2 && n > 0 {
		n = 1 << (bits.Len64(n) - 1)
	}
	return n
}

// EntryBits is how many bits an entry takes: move and value of 16 each, depth 8, generation 5,
// bound 2, PV 1, check bits, and an eval of 16.
func (d Clusters) EntryBits() int { return 48 + d.KeyBits + 16*d.Eval }

// Footprint is the memory in bytes that the replayed table takes.
func (d Clusters) Footprint(bytes uint64) uint64 {
	return d.clusters(bytes) * uint64(d.Ways) * recordBytes
}

// Check says why there is no such table of so many bytes.
func (d Clusters) Check(bytes uint64) error {
	n := d.clusters(bytes)
	switch {
	case d.Ways*d.EntryBits() > 8*d.Bytes:
		return fmt.Errorf("design %s: %d entries of %d bits are more than %d bytes", d, d.Ways, d.EntryBits(), d.Bytes)
	case n < 2:
		return fmt.Errorf("design %s: %d bytes are not two clusters of %d", d, bytes, d.Bytes)
	case d.Index != cluster.Mul64 && n > cluster.MaxMul32:
		return fmt.Errorf("design %s: %d clusters are beyond its index", d, n)
	case d.Replace == TwoTier && d.Ways < 2:
		return fmt.Errorf("design %s: two tiers need two ways", d)
	}
	return nil
}

// Make returns an empty table. It refuses what the machine has no memory for.
func (d Clusters) Make(bytes uint64) (Table, error) {
	if err := d.Check(bytes); err != nil {
		return nil, err
	}
	if err := mem.Fits(d.Footprint(bytes), nil); err != nil {
		return nil, fmt.Errorf("design %s: %w", d, err)
	}
	n := d.clusters(bytes)
	t := &table{Clusters: d, count: n, entries: make([]Record, n*uint64(d.Ways)), mask: d.checkMask()}
	t.Clear()
	return t, nil
}

// checkMask are the key bits that are compared, those of cluster.Table: never those that
// choose the cluster, as far as there are others.
func (d Clusters) checkMask() uint64 {
	const most = 21 // of cluster.Table
	if d.Index != cluster.Mul64 {
		return ^uint64(0) << (64 - d.KeyBits)
	}
	return (1<<d.KeyBits - 1) << (1 + max(0, most-d.KeyBits))
}
