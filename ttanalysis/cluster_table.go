package ttanalysis

import (
	"math"
	"math/bits"

	"trefoil/cluster"
)

// clusterTable is a table of a ClusterDesign. An entry is the stored record with the
// generation in place of the evaluation; an empty entry is zero.
type clusterTable struct {
	ClusterDesign
	count      uint64 // clusters
	generation uint64 // 1 to 31
	checkMask  uint64 // key bits that are compared
	entries    []Record
}

// generations is the number of values of five bits; 0 marks an empty entry.
const generations = 32

// Clear implements Table.
func (t *clusterTable) Clear() {
	clear(t.entries)
	t.generation = 1
}

// NewSearch implements Table. It begins the next generation.
func (t *clusterTable) NewSearch() { t.generation = t.generation%(generations-1) + 1 }

// cluster returns the entries of the cluster of a key.
func (t *clusterTable) cluster(key uint64) []Record {
	var at uint64
	switch t.Index {
	case cluster.Mul32:
		at = uint64(uint32(key>>1)) * t.count >> 32
	case cluster.Mul64:
		at, _ = bits.Mul64(key&^1, t.count)
	default:
		at = key & (t.count - 1)
	}
	n := uint64(t.Entries)
	at = (at&^1 | key&1) * n
	return t.entries[at : at+n : at+n]
}

// find returns the entry of a cluster whose check bits are those of key, -1 if there is none.
func (t *clusterTable) find(c []Record, key uint64) int {
	for i := range c {
		if (c[i].Key^key)&t.checkMask == 0 && c[i].Word != 0 {
			return i
		}
	}
	return -1
}

// Probe implements Table.
func (t *clusterTable) Probe(key uint64) (Record, bool) {
	c := t.cluster(key)
	i := t.find(c, key)
	if i < 0 {
		return Record{}, false
	}
	if t.Refresh > 0 {
		c[i].Word = c[i].Word&^generationMask | t.generation<<highShift
	}
	if t.Ties == Unused {
		i = moveToFront(c, i)
	}
	return c[i], true
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
	r.Word = r.Word&^generationMask | t.generation<<highShift
	c := t.cluster(r.Key)
	if i := t.find(c, r.Key); i >= 0 {
		t.update(&c[i], r)
		return
	}
	t.insert(c, r)
}

const (
	moveMask       = 0xFFFF << midShift
	generationMask = 0xFFFF << highShift
)

// update stores a record over the entry of the same position, or keeps that one by Keep.
func (t *clusterTable) update(old *Record, r Record) {
	if r.Word&moveMask == 0 {
		r.Word |= old.Word & moveMask
	}
	exact := r.Word>>boundShift&3 == uint64(cluster.Exact)
	if t.Keep > 0 && !exact && old.Word>>highShift == t.generation &&
		depth(r.Word)+2*int(r.Word>>pvShift&1)+t.Keep <= depth(old.Word) {
		old.Word = old.Word&^moveMask | r.Word&moveMask
		return
	}
	*old = r
}

// insert stores a record of a position that is not in the cluster.
func (t *clusterTable) insert(c []Record, r Record) {
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
	pick := 0
	if t.Ties == ByKey {
		n := bits.Len(uint(t.Entries - 1))
		pick = int(key >> (bits.Len64(t.checkMask) - n) & (1<<n - 1))
	}
	at, least := 0, math.MaxInt
	for i := range c {
		order := i ^ pick
		if t.Ties.ordered() {
			order = -i // the last entry is the oldest
		}
		if v := t.value(c[i].Word, age)*(2*maxEntries) + order; v < least {
			at, least = i, v
		}
	}
	return at
}

// value returns depth - ageFactor × age. An empty entry has generation 0 and so the highest age;
// if age does not count, its value is below all others.
func (t *clusterTable) value(word uint64, ageFactor int) int {
	if ageFactor == 0 && word == 0 {
		return -1
	}
	return depth(word) - ageFactor*int((t.generation-word>>highShift)%generations)
}
