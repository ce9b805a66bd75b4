package ttanalysis

import (
	"math"
	"math/bits"
	"slices"

	"trefoil/cluster"
)

// clusterTable is a table of a ClusterDesign. An entry is the stored record with generation and
// subtree in place of the evaluation; an empty entry is zero.
type clusterTable struct {
	ClusterDesign
	count      uint64 // clusters
	generation uint64 // less than Generations
	checkMask  uint64 // key bits that are compared

	sampleMask    uint64 // key bits that are 0 where evictions are counted
	evictions     uint64 // counted since the last generation that they began
	perGeneration uint64 // that begin one
	entries       []Record
	pending       openNodes // if usesPending
	probes        uint64    // since Clear
}

// openNodes are the nodes that are being searched, the root first, as far as probes and stores show them.
type openNodes []openNode

// An openNode is the probe of a node: its key, its number, and the entry that it chose for the store.
type openNode struct{ key, probe, entry uint64 }

// maxOpen limits openNodes. A search with one thread has some hundred open nodes. If stores do not belong
// to probes there would be more and more, and a store would have to look through the whole list.
const maxOpen = 4096

// add appends a node. At the limit the older half is dropped; their stores are then without a probe.
func (n *openNodes) add(node openNode) {
	if len(*n) == maxOpen {
		*n = append((*n)[:0], (*n)[maxOpen/2:]...)
	}
	*n = append(*n, node)
}

// close removes the last node of a key, if there is one, which is stored now, and the nodes after it,
// which were below it and had no store.
func (n *openNodes) close(key uint64) (node openNode, ok bool) {
	for i := len(*n) - 1; i >= 0; i-- {
		if node = (*n)[i]; node.key == key {
			*n = (*n)[:i]
			return node, true
		}
	}
	return openNode{}, false
}

// usesPending reports whether a store needs the probe of its node.
func (d *ClusterDesign) usesPending() bool { return d.Victim == AtProbe || d.Weight == BySubtree }

// Clear implements Table.
func (t *clusterTable) Clear() {
	clear(t.entries)
	t.generation, t.evictions, t.probes, t.pending = 0, 0, 0, t.pending[:0]
}

// skip counts nodes of which the trace has no probes.
func (t *clusterTable) skip(nodes uint64) { t.probes += nodes }

// NewSearch implements Table. It adds the generations of a search.
func (t *clusterTable) NewSearch() {
	t.pending = t.pending[:0]
	t.addGenerations(t.Search)
}

func (t *clusterTable) addGenerations(n int) {
	t.generation = (t.generation + uint64(n)) % uint64(t.Generations)
}

// countEviction counts an eviction by a key of the sample, and adds a generation after perGeneration.
func (t *clusterTable) countEviction(key uint64) {
	if t.Turnover == 0 || key&t.sampleMask != 0 {
		return
	}
	if t.evictions++; t.evictions == t.perGeneration {
		t.evictions = 0
		t.addGenerations(1)
	}
}

// ageOf returns how many generations old an entry is, less than 0 if it is ahead.
func (t *clusterTable) ageOf(word uint64) int {
	n := t.Generations
	return (int(t.generation)+n-int(word&generationMask>>highShift)+t.Ahead)%n - t.Ahead
}

// aheadOf returns how many generations an entry is ahead, 0 if it is not.
func (t *clusterTable) aheadOf(word uint64) int { return max(0, -t.ageOf(word)) }

// setAhead gives an entry the generation that is n ahead.
func (t *clusterTable) setAhead(r *Record, n int) {
	generation := (t.generation + uint64(n)) % uint64(t.Generations)
	r.Word = r.Word&^generationMask | generation<<highShift
}

// cluster returns the entries of the cluster of a key, and the number of the first in the table.
func (t *clusterTable) cluster(key uint64) ([]Record, uint64) {
	at, n := t.firstOf(key), uint64(t.Entries)
	return t.entries[at : at+n : at+n], at
}

// Clusters implements ClusterTable.
func (t *clusterTable) Clusters() uint64 { return t.count }

// Look implements ClusterTable. The entries have no evaluation and no check bits.
func (t *clusterTable) Look(index uint64) []cluster.StoredEntry {
	list := make([]cluster.StoredEntry, t.Entries)
	for i, r := range t.entries[index*uint64(t.Entries):][:t.Entries] {
		if r.Word != 0 {
			e := r.Entry()
			e.Eval = 0
			list[i] = cluster.StoredEntry{Entry: e, Used: true, Age: t.ageOf(r.Word)}
		}
	}
	return list
}

// firstOf returns the number of the first entry of the cluster of a key.
func (t *clusterTable) firstOf(key uint64) uint64 {
	var at uint64
	side := bit(t.Side == SideInIndex)
	switch t.Index {
	case cluster.Mul32:
		at = uint64(uint32(key>>side)>>(32-t.IndexBits)) * t.count >> t.IndexBits
	case cluster.Mul64:
		at, _ = bits.Mul64(key&^side, t.count)
	default:
		at = key & (t.count - 1)
	}
	return (at&^side | key&side) * uint64(t.Entries)
}

// find returns the place of the entry that belongs to key, -1 if there is none: an entry with its check
// bits, or an empty one, if that is the next to be used. hit reports whether it has the check bits and is
// not empty.
func (t *clusterTable) find(c []Record, key uint64) (at int, hit bool) {
	for i := range c {
		empty := c[i].Word == 0 || t.Empty == ZeroKey && c[i].Key&t.checkMask == 0
		same := t.same(c[i], key)
		switch {
		case empty && (t.Empty == Next || t.Empty == ZeroKey), empty && same && t.Empty == Zero:
			return i, false
		case same && !empty:
			return i, true
		}
	}
	return -1, false
}

// same reports whether an entry has the check bits of a key.
func (t *clusterTable) same(entry Record, key uint64) bool { return (entry.Key^key)&t.checkMask == 0 }

// Probe implements Table.
func (t *clusterTable) Probe(probe Record) (Record, bool) {
	c, first := t.cluster(probe.Key)
	i, hit := t.find(c, probe.Key)
	if t.probes++; t.usesPending() {
		entry := i
		if i < 0 && t.Victim == AtProbe {
			entry = t.victim(c, probe.Key, t.Age)
		}
		t.pending.add(openNode{probe.Key, t.probes, first + uint64(max(entry, 0))})
	}
	if !hit {
		return Record{}, false
	}
	if t.Refresh == 1 || t.Refresh == 2 && answers(probe, c[i]) {
		t.setAhead(&c[i], min(t.aheadOf(c[i].Word)+1, t.Ahead))
	}
	if t.Ties == Unused {
		i = moveToFront(c, i)
	}
	return c[i], true
}

// answers reports whether a stored record is the result of the node of a probe: its depth suffices,
// and its value is exact and inside the window, or a bound outside. It is Crafty's condition.
func answers(probe, stored Record) bool {
	if stored.Depth() < probe.Depth() {
		return false
	}
	e := stored.Entry()
	switch value := int(e.Value); e.Bound {
	case cluster.Exact:
		return value > probe.Alpha() && value < probe.Beta()
	case cluster.Lower:
		return value >= probe.Beta()
	case cluster.Upper:
		return value <= probe.Alpha()
	default:
		return false
	}
}

// moveToFront makes entry i the first of its cluster and returns its new place, 0.
func moveToFront(c []Record, i int) int {
	r := c[i]
	copy(c[1:i+1], c)
	c[0] = r
	return 0
}

// Store implements Table.
func (t *clusterTable) Store(r Record) {
	r.Word &^= highMask // the evaluation
	t.setAhead(&r, 0)
	if r.Depth() > t.MaxDepth {
		r.Word = r.Word&^(255<<depthShift) | uint64(t.MaxDepth)<<depthShift
	}
	if p, ok := t.pending.close(r.Key); ok {
		r.Word |= uint64(bits.Len64((t.probes-p.probe)/2)) << subtreeShift
		if t.Victim == AtProbe {
			old := &t.entries[p.entry]
			evicts := old.Word != 0 && !t.same(*old, r.Key)
			t.write(old, r)
			if evicts {
				t.countEviction(r.Key)
			}
			return
		}
	}
	c, _ := t.cluster(r.Key)
	if i, _ := t.find(c, r.Key); i >= 0 {
		t.write(&c[i], r)
		return
	}
	t.insert(c, r)
}

const (
	moveMask       = 0xFFFF << midShift
	highMask       = 0xFFFF << highShift
	generationMask = (maxGenerations - 1) << highShift
	subtreeShift   = 58 // log2 of the nodes below
)

// write stores a record over an entry, or keeps that one by Keep if it is of the same position.
func (t *clusterTable) write(old *Record, r Record) {
	if old.Word == 0 || !t.same(*old, r.Key) {
		*old = r
		return
	}
	if r.Word&moveMask == 0 {
		r.Word |= old.Word & moveMask
	}
	if t.Keep > 0 && r.Entry().Bound != cluster.Exact && t.ageOf(old.Word) < t.Search &&
		r.Depth()+t.KeepPV*int(bit(r.PV()))+t.Keep <= old.Depth() {
		old.Word = old.Word&^moveMask | r.Word&moveMask
		if t.decays(*old) {
			old.Word -= 1 << depthShift
		}
		return
	}
	ahead := t.aheadOf(old.Word)
	if r.Depth() > old.Depth() {
		ahead = max(0, ahead-t.Deeper)
	}
	t.setAhead(&r, ahead)
	*old = r
}

// decays reports whether a kept entry loses a ply. The least depth is Stockfish's: from there on an
// entry serves singular extensions.
func (t *clusterTable) decays(kept Record) bool {
	const leastDepth = 5
	e := kept.Entry()
	value := max(int(e.Value), -int(e.Value))
	return t.Decay > 0 && value >= t.Decay && e.Depth >= leastDepth && e.Bound != cluster.Exact
}

// insert stores a record of a position that is not in the cluster.
func (t *clusterTable) insert(c []Record, r Record) {
	if t.Turnover > 0 && !slices.ContainsFunc(c, func(old Record) bool { return old.Word == 0 }) {
		defer t.countEviction(r.Key)
	}
	switch t.Replace {
	case Always:
		c[moveToFront(c, len(c)-1)] = r
	case Depth:
		// An entry of any age stays if it is deeper than the new one; an empty one never stays.
		i := t.victim(c, r.Key, 0)
		if c[i].Word == 0 || depth(c[i].Word) <= depth(r.Word) {
			c[i] = r
		}
	case DepthAge:
		i := t.victim(c, r.Key, t.Age)
		if t.Ties.ordered() {
			i = moveToFront(c, i)
		}
		c[i] = r
	default:
		last := len(c) - 1
		if i := t.victim(c[:last], r.Key, t.Age); t.value(c[i].Word, t.Age) <= t.value(r.Word, t.Age) {
			c[i] = r
		} else {
			c[last] = r
		}
	}
}

// victim returns the entry of least value; Ties decides among equals.
func (t *clusterTable) victim(c []Record, key uint64, age int) int {
	if t.Empty == Apart {
		if i := slices.IndexFunc(c, func(r Record) bool { return r.Word == 0 }); i >= 0 {
			return i
		}
	}
	pick := 0
	if t.Ties == ByKey {
		n := bits.Len(uint(t.Entries - 1))
		pick = int(key >> max(0, bits.Len64(t.checkMask)-n) & (1<<n - 1))
	}
	at, least := 0, math.MaxInt
	for i := range c {
		order := i ^ pick
		if t.Ties == Last || t.Ties.ordered() {
			order = -i // the last entry is the oldest
		}
		if v := t.value(c[i].Word, age)*(2*maxEntries) + order; v < least {
			at, least = i, v
		}
	}
	return at
}

// value returns the weight - ageFactor × age. An empty entry has generation 0; if age does not count, its
// value is below all others.
func (t *clusterTable) value(word uint64, ageFactor int) int {
	age := min(t.ageOf(word), t.MaxAge)
	if word == 0 {
		return -t.Offset - ageFactor*age - int(bit(ageFactor == 0))
	}
	if t.Weight == BySubtree {
		return int(word>>subtreeShift) - ageFactor*age
	}
	return depth(word) - ageFactor*age
}
