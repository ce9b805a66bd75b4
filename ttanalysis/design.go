package ttanalysis

import (
	"fmt"
	"math/bits"

	"trefoil/cluster"
	"trefoil/internal/mem"
)

// A Table is a table that a trace is replayed against. The records that it stores and returns have
// KindStore. A Record returned by Probe has the whole key that it was stored with; that key differs from
// the probed one if the hit is false. The argument of Probe has KindProbe. Its Hit and Cutoff are results
// of the recorded search; a table ignores them.
type Table interface {
	Clear()
	NewSearch()
	Probe(probe Record) (found Record, hit bool)
	Store(stored Record)
}

// A ClusterTable is a Table whose clusters can be looked at: the tables of a ClusterDesign.
type ClusterTable interface {
	Table
	Clusters() uint64 // their number, which is even
	// Look returns the decoded entries of the cluster with a number.
	Look(index uint64) []cluster.StoredEntry
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

// A ClusterDesign is a set-associative table: the index maps a key to one cluster, and the position may be
// in any entry of it. DefaultDesign is the design of cluster.Table.
type ClusterDesign struct {
	Index     cluster.Index // never Auto
	IndexBits int           // key bits that mul32 multiplies: the highest of its 32
	Side      SideRule
	Entries   int // per cluster: the associativity
	Bytes     int // per cluster
	KeyBits   int // check bits per entry
	Eval      int // bits of the static evaluation in an entry

	Replace Replacement
	Weight  Weight
	Ties    TieBreak
	Victim  VictimTime
	Empty   EmptyRule
	Offset  int // an empty entry has depth -Offset

	cluster.Policy
	MaxAge  int // the greatest age that counts
	Refresh int // 1: a hit gives the entry the present generation; 2: only one that answers the node

	MaxDepth int // greater depths are stored as this one

	Decay int // a kept entry of at least that absolute value, neither exact nor shallow, loses a ply; 0 = never
}

// Replacement selects the victim in a full cluster.
type Replacement uint8

// The replacement schemes. The value of an entry is its depth - Age × its age in generations.
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

func (r Replacement) String() string { return nameOf("replace", replacements[:], int(r)) }

// Weight says what the value of an entry is before its age.
type Weight uint8

// The weights. BySubtree comes from Breuker, Uiterwijk and van den Herik (1994): the logarithm to base 2 of
// the number of nodes that the entry stands for, so that a ply of this weight doubles the number.
const (
	ByDepth   Weight = iota
	BySubtree        // the probes since the probe of the node, which count its nodes
)

var weights = [...]string{"depth", "subtree"}

func (w Weight) String() string { return nameOf("weight", weights[:], int(w)) }

// TieBreak selects the victim among entries of equal value.
type TieBreak uint8

// The tie breaks. Oldest and Unused keep the entries of a cluster in order, which moves them.
const (
	ByKey  TieBreak = iota // by the highest check bits of the new key
	First                  // the first entry of the cluster
	Last                   // the last one
	Oldest                 // the entry stored first
	Unused                 // the entry not stored or hit for longest (LRU)
)

var ties = [...]string{"key", "first", "last", "oldest", "unused"}

// ordered reports whether the entries of a cluster are kept in order of age.
func (t TieBreak) ordered() bool { return t == Oldest || t == Unused }

func (t TieBreak) String() string { return nameOf("ties", ties[:], int(t)) }

// SideRule says where the side to move is, which traces of this program have in bit 0 of the key and
// nowhere else.
type SideRule uint8

// The rules.
const (
	// SideInIndex makes bit 0 of the key bit 0 of the index.
	SideInIndex SideRule = iota
	// SideWord is for indexes that do not keep the side. It replaces each key by another 64 bits, as
	// if the side had a key word, which it has in other engines. Otherwise a position and the one
	// after a null move would share a cluster.
	SideWord
	// SideInKey is the same for traces whose keys have such a word: they are taken as they are.
	SideInKey
)

var sideRules = [...]string{"index", "word", "key"}

func (s SideRule) String() string { return nameOf("side", sideRules[:], int(s)) }

// VictimTime says when the entry that a store replaces is chosen.
type VictimTime uint8

// The times. With AtProbe the probe of a node chooses, and the store of the node, after its search, writes
// there, whatever the entry holds by then: Stockfish's probe returns such a pointer. The probe that belongs
// to a store is the last probe of its position that has no store yet; a store without a probe chooses for
// itself. A trace does not tell threads apart, so it should be recorded with one thread.
const (
	AtStore VictimTime = iota
	AtProbe
)

var victimTimes = [...]string{"store", "probe"}

func (v VictimTime) String() string { return nameOf("victim", victimTimes[:], int(v)) }

// EmptyRule says what an empty entry is.
type EmptyRule uint8

// The rules.
const (
	Apart   EmptyRule = iota // of no generation; the first of them is taken before any other entry
	Zero                     // depth 0, generation 0 and check bits 0, like any other entry
	Next                     // the next to be used; entries behind it are not looked at
	ZeroKey                  // likewise, and any entry whose check bits are 0 is empty
)

var emptyRules = [...]string{"apart", "zero", "next", "zero-key"}

func (e EmptyRule) String() string { return nameOf("empty", emptyRules[:], int(e)) }

// nameOf returns the name of a value of a parameter.
func nameOf(parameter string, names []string, value int) string {
	if value >= 0 && value < len(names) {
		return names[value]
	}
	return fmt.Sprintf("%s(%d)", parameter, value)
}

const (
	maxEntries     = 16 // per cluster
	maxGenerations = 1024
	noMaxAge       = maxGenerations - 1
)

// DefaultDesign returns the design of cluster.Table.
func DefaultDesign() ClusterDesign {
	return ClusterDesign{
		Index: cluster.Mul32, IndexBits: 32, Entries: cluster.EntriesPerCluster, Bytes: cluster.BytesPerCluster,
		KeyBits: cluster.MaxKeyBits, Eval: 16,
		Replace: DepthAge, Policy: cluster.TablePolicy(), MaxAge: noMaxAge, Refresh: 1, MaxDepth: cluster.MaxDepth,
	}
}

// clusters returns the number of clusters in a table of that size. It is even, and a power of two
// for pow2.
func (d ClusterDesign) clusters(bytes uint64) uint64 {
	n := bytes / uint64(max(1, d.Bytes)) &^ 1
	if d.Index == cluster.Pow2 && n > 0 {
		n = 1 << (bits.Len64(n) - 1)
	}
	return n
}

// entryBits returns the size of an entry: move and value 16 bits each, depth and generation 13,
// bound 2, PV 1, check bits and evaluation.
func (d ClusterDesign) entryBits() int { return 48 + d.KeyBits + d.Eval }

// ReplayBytes implements Design.
func (d ClusterDesign) ReplayBytes(bytes uint64) uint64 {
	return d.clusters(bytes) * uint64(d.Entries) * recordBytes
}

// Check implements Design. Like ParseDesign, it refuses a field that is out of range.
func (d ClusterDesign) Check(bytes uint64) error {
	if err := d.checkParameters(); err != nil {
		return err
	}
	n := d.clusters(bytes)
	switch {
	case d.Entries*d.entryBits() > 8*d.Bytes:
		return fmt.Errorf("design %s: %d entries of %d bits are more than %d bytes", d, d.Entries, d.entryBits(), d.Bytes)
	case n < 2:
		return fmt.Errorf("design %s: %d bytes are less than two clusters of %d", d, bytes, d.Bytes)
	case d.Index == cluster.Mul32 && n > 1<<d.IndexBits, d.Index == cluster.Pow2 && n > cluster.MaxMul32:
		return fmt.Errorf("design %s: %d clusters are more than its index reaches", d, n)
	case d.Replace == TwoTier && d.Entries < 2:
		return fmt.Errorf("design %s: two tiers need two entries per cluster", d)
	case d.Weight == BySubtree && d.Replace != DepthAge:
		return fmt.Errorf("design %s: weight=%s needs replace=%s", d, d.Weight, DepthAge)
	case d.Search+d.Ahead >= d.Generations:
		return fmt.Errorf("design %s: a search and hits are more than %d generations", d, d.Generations)
	case d.Victim == AtProbe && (d.Replace != DepthAge || d.Ties.ordered()):
		return fmt.Errorf("design %s: victim=%s needs replace=%s, and ties that move no entries", d, d.Victim, DepthAge)
	case d.Empty >= Next && (d.Replace == Always || d.Ties.ordered()):
		return fmt.Errorf("design %s: empty=%s needs replace and ties that move no entries", d, d.Empty)
	}
	return nil
}

// New implements Design. It refuses a table that does not fit into memory.
func (d ClusterDesign) New(bytes uint64) (Table, error) {
	if err := d.Check(bytes); err != nil {
		return nil, err
	}
	if err := mem.Fits(d.ReplayBytes(bytes)); err != nil {
		return nil, fmt.Errorf("design %s: %w", d, err)
	}
	n := d.clusters(bytes)
	t := &clusterTable{ClusterDesign: d, count: n, entries: make([]Record, n*uint64(d.Entries)), checkMask: d.checkMask()}
	t.sampleMask, t.perGeneration = 0xFF<<43, max(1, n*uint64(d.Entries)*uint64(d.Turnover)/100/256)
	if d.Index == cluster.Mul64 {
		t.sampleMask = 0xFF << 1
	}
	t.Clear()
	if d.Side == SideWord {
		return randomKeys{t}, nil
	}
	return t, nil
}

// checkMask returns the key bits that are compared: the highest, or the lowest for mul64, whose index takes
// the highest. With SideInIndex they are the check bits of cluster.Table, which leave out bit 0.
func (d ClusterDesign) checkMask() uint64 {
	lowest := ^uint64(0) >> (64 - d.KeyBits)
	switch {
	case d.Index != cluster.Mul64:
		return ^uint64(0) << (64 - d.KeyBits)
	case d.Side != SideInIndex:
		return lowest
	}
	return lowest << (1 + max(0, cluster.MaxKeyBits-d.KeyBits))
}
