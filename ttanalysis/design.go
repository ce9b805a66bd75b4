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

// A Table is a table that a trace is replayed against. The records that it stores and returns are
// of KindStore. A Record returned by Probe has the whole key that it was stored with; that key
// differs from the probed one if the hit is false.
type Table interface {
	Clear()
	NewSearch()
	Probe(key uint64) (found Record, hit bool)
	Store(r Record)
}

// A Design makes tables of one kind. Sizes are in bytes of the designed table.
type Design interface {
	String() string
	// Check returns an error if there is no table of that size.
	Check(bytes uint64) error
	// New returns an empty table of at most that size.
	New(bytes uint64) (Table, error)
	// ReplayBytes returns the memory that the table of that size takes in a replay.
	ReplayBytes(bytes uint64) uint64
}

// A ClusterDesign is a set-associative table: the index maps a key to one cluster, and the position
// may be in any entry of it. DefaultDesign is that of cluster.Table.
type ClusterDesign struct {
	Index   cluster.Index // never Auto
	Entries int           // per cluster: the associativity
	Bytes   int           // per cluster
	KeyBits int           // check bits per entry
	Eval    int           // 1: an entry holds the static evaluation, 16 bits
	Replace Replacement
	Ties    TieBreak
	Age     int // replacement value lost per search of age, in plies
	Keep    int // plies by which an entry of the same position must be deeper to be kept; 0 = never kept
	Refresh int // 1: a hit gives the entry the current generation
}

// Replacement selects the victim in a full cluster.
type Replacement uint8

// The replacement schemes. The value of an entry is its depth - Age × its age in searches.
const (
	// Always replaces the entry stored first.
	Always Replacement = iota
	// Depth replaces the shallowest entry, of any age, unless that is deeper than the new one.
	Depth
	// DepthAge replaces the entry of least value.
	DepthAge
	// TwoTier replaces the entry of least value among all but the last if the new entry is
	// at least of that value, and else the last entry, which is always replaced.
	TwoTier
)

var replacements = [...]string{"always", "depth", "depth-age", "two-tier"}

func (r Replacement) String() string {
	if int(r) < len(replacements) {
		return replacements[r]
	}
	return fmt.Sprintf("replacement(%d)", uint8(r))
}

// TieBreak selects the victim among entries of equal value.
type TieBreak uint8

// The tie breaks. Oldest and Unused keep the entries of a cluster in order, which moves them.
const (
	ByKey  TieBreak = iota // by the highest check bits of the new key
	First                  // the first entry of the cluster
	Oldest                 // the entry stored first
	Unused                 // the entry not stored or hit for longest (LRU)
)

var ties = [...]string{"key", "first", "oldest", "unused"}

// ordered reports whether the entries of a cluster are kept in order of age.
func (t TieBreak) ordered() bool { return t == Oldest || t == Unused }

func (t TieBreak) String() string {
	if int(t) < len(ties) {
		return ties[t]
	}
	return fmt.Sprintf("ties(%d)", uint8(t))
}

// maxEntries is the largest number of entries per cluster.
const maxEntries = 16

// DefaultDesign returns the design of cluster.Table.
func DefaultDesign() ClusterDesign {
	return ClusterDesign{
		Index: cluster.Mul32, Entries: cluster.EntriesPerCluster, Bytes: cluster.BytesPerCluster, KeyBits: cluster.MaxKeyBits, Eval: 1,
		Replace: DepthAge, Age: 8, Keep: 4, Refresh: 1,
	}
}

// defaultName is the name of DefaultDesign.
const defaultName = "trefoil"

// parameter is a number of a design.
type parameter struct {
	name     string
	value    *int
	min, max int
	help     string
}

// parameters are the numbers that ParseDesign reads, String prints and DesignHelp explains.
func (d *ClusterDesign) parameters() []parameter {
	return []parameter{
		{"entries", &d.Entries, 1, maxEntries, "entries per cluster"},
		{"bytes", &d.Bytes, 4, 1024, "size of a cluster"},
		{"keybits", &d.KeyBits, 1, 63, "check bits of an entry"},
		{"eval", &d.Eval, 0, 1, "0: entries without static evaluation, 16 bits less"},
		{"age", &d.Age, 0, 255, "value that an entry loses per search, in plies"},
		{"keep", &d.Keep, 0, 255, "an entry of the same position stays if it is deeper\nby this many plies; 0: never"},
		{"refresh", &d.Refresh, 0, 1, "0: a hit does not renew the generation"},
	}
}

// DesignHelp explains what ParseDesign reads, one parameter per line.
func DesignHelp() string {
	d := DefaultDesign()
	var b strings.Builder
	line := func(parameter, help string) {
		for i, text := range strings.Split(help, "\n") {
			if i > 0 {
				parameter = ""
			}
			fmt.Fprintf(&b, "    %-28s  %s\n", parameter, text)
		}
	}
	line("index=mul32|mul64|pow2", "from key to cluster, "+d.Index.String())
	line("replace="+strings.Join(replacements[:], "|"), "")
	line("", "the victim in a full cluster, "+d.Replace.String())
	line("ties="+strings.Join(ties[:], "|"), "the victim among entries of equal value, "+d.Ties.String())
	for _, p := range d.parameters() {
		line(p.name+"=N", fmt.Sprintf("%s, %d", p.help, *p.value))
	}
	return b.String()
}

// parameterNames lists the names that ParseDesign reads.
func parameterNames() string {
	names := []string{"index", "replace", "ties"}
	for _, p := range new(ClusterDesign).parameters() {
		names = append(names, p.name)
	}
	return strings.Join(names, ", ")
}

// String returns the differences from DefaultDesign, in the form that ParseDesign reads.
func (d ClusterDesign) String() string {
	s, differences := DefaultDesign(), []string{}
	if d.Index != s.Index {
		differences = append(differences, "index="+d.Index.String())
	}
	if d.Replace != s.Replace {
		differences = append(differences, "replace="+d.Replace.String())
	}
	if d.Ties != s.Ties {
		differences = append(differences, "ties="+d.Ties.String())
	}
	defaults := s.parameters()
	for i, p := range d.parameters() {
		if *p.value != *defaults[i].value {
			differences = append(differences, fmt.Sprintf("%s=%d", p.name, *p.value))
		}
	}
	if len(differences) == 0 {
		return defaultName
	}
	return strings.Join(differences, "+")
}

// ParseDesign parses a design: "trefoil" for DefaultDesign, or its differences from that joined
// by +, as in "replace=two-tier+entries=2". DesignHelp explains the parameters.
func ParseDesign(text string) (ClusterDesign, error) {
	d := DefaultDesign()
	if text == defaultName {
		return d, nil
	}
	for _, part := range strings.Split(text, "+") {
		name, value, _ := strings.Cut(part, "=")
		if err := d.set(name, value); err != nil {
			return ClusterDesign{}, fmt.Errorf("design %q: %w", text, err)
		}
	}
	return d, nil
}

func (d *ClusterDesign) set(name, value string) error {
	switch name {
	case "index":
		index, err := cluster.ParseIndex(value)
		if err == nil && index == cluster.Auto {
			err = fmt.Errorf("index %q is not one of mul32, mul64, pow2", value)
		}
		d.Index = index
		return err
	case "replace":
		i, err := oneOf(name, value, replacements[:])
		d.Replace = Replacement(i)
		return err
	case "ties":
		i, err := oneOf(name, value, ties[:])
		d.Ties = TieBreak(i)
		return err
	}
	for _, p := range d.parameters() {
		if p.name != name {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < p.min || n > p.max {
			return fmt.Errorf("%s %q is not a whole number from %d to %d", name, value, p.min, p.max)
		}
		*p.value = n
		return nil
	}
	return fmt.Errorf("unknown parameter %q, want %s or %s", name, defaultName, parameterNames())
}

// oneOf returns the place of a value in a list of names.
func oneOf(name, value string, names []string) (int, error) {
	if i := slices.Index(names, value); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%s %q is not one of %s", name, value, strings.Join(names, ", "))
}

// clusters returns the number of clusters in a table of that size. It is even, and a power of two
// for pow2.
func (d ClusterDesign) clusters(bytes uint64) uint64 {
	n := bytes / uint64(d.Bytes) &^ 1
	if d.Index == cluster.Pow2 && n > 0 {
		n = 1 << (bits.Len64(n) - 1)
	}
	return n
}

// entryBits returns the size of an entry: move and value 16 bits each, depth 8, generation 5,
// bound 2, PV 1, check bits, and 16 for the evaluation.
func (d ClusterDesign) entryBits() int { return 48 + d.KeyBits + 16*d.Eval }

// ReplayBytes implements Design.
func (d ClusterDesign) ReplayBytes(bytes uint64) uint64 {
	return d.clusters(bytes) * uint64(d.Entries) * recordBytes
}

// Check implements Design.
func (d ClusterDesign) Check(bytes uint64) error {
	n := d.clusters(bytes)
	switch {
	case d.Entries*d.entryBits() > 8*d.Bytes:
		return fmt.Errorf("design %s: %d entries of %d bits are more than %d bytes", d, d.Entries, d.entryBits(), d.Bytes)
	case n < 2:
		return fmt.Errorf("design %s: %d bytes are less than two clusters of %d", d, bytes, d.Bytes)
	case d.Index != cluster.Mul64 && n > cluster.MaxMul32:
		return fmt.Errorf("design %s: %d clusters are more than its index reaches", d, n)
	case d.Replace == TwoTier && d.Entries < 2:
		return fmt.Errorf("design %s: two tiers need two entries per cluster", d)
	}
	return nil
}

// New implements Design. It refuses a table that does not fit into memory.
func (d ClusterDesign) New(bytes uint64) (Table, error) {
	if err := d.Check(bytes); err != nil {
		return nil, err
	}
	if err := mem.Fits(d.ReplayBytes(bytes), nil); err != nil {
		return nil, fmt.Errorf("design %s: %w", d, err)
	}
	n := d.clusters(bytes)
	t := &clusterTable{ClusterDesign: d, count: n, entries: make([]Record, n*uint64(d.Entries)), checkMask: d.checkMask()}
	t.Clear()
	return t, nil
}

// checkMask returns the key bits that are compared: those of cluster.Table, none of which selects
// the cluster as long as there are enough others.
func (d ClusterDesign) checkMask() uint64 {
	if d.Index != cluster.Mul64 {
		return ^uint64(0) << (64 - d.KeyBits)
	}
	return (1<<d.KeyBits - 1) << (1 + max(0, cluster.MaxKeyBits-d.KeyBits))
}
