package ttanalysis

import (
	"math"
	"math/bits"

	"trefoil/cluster"
)

// table is a table of a design. An entry is the record that was stored, with the
// generation in the place of its eval; an empty one is zero.
type table struct {
	Clusters
	count   uint64 // clusters
	now     uint64 // generation, 1 to 31
	mask    uint64 // key bits that are compared
	entries []Record
}

// generations are those that five bits tell apart; 0 is an empty entry's.
const generations = 32

// Clear empties the table and starts at the first generation.
func (t *table) Clear() {
	clear(t.entries)
	t.now = 1
}

// NewSearch begins the next generation.
func (t *table) NewSearch() { t.now = t.now%(generations-1) + 1 }

// cluster returns the entries that a key may be among.
func (t *table) cluster(key uint64) []Record {
	var at uint64
	switch t.Index {
	case cluster.Mul32:
		at = uint64(uint32(key>>1)) * t.count >> 32
	case cluster.Mul64:
		at, _ = bits.Mul64(key&^1, t.count)
	default:
		at = key & (t.count - 1)
	}
	n := uint64(t.Ways)
	at = (at&^1 | key&1) * n
	return t.entries[at : at+n : at+n]
}

// find returns which of the entries a probe takes for those of the key, -1 if none.
func (t *table) find(entries []Record, key uint64) int {
	for i := range entries {
		if (entries[i].Key^key)&t.mask == 0 && entries[i].Word != 0 {
			return i
		}
	}
	return -1
}

// Probe looks a key up.
func (t *table) Probe(key uint64) (Record, bool) {
	c := t.cluster(key)
	i := t.find(c, key)
	if i < 0 {
		return Record{}, false
	}
	if t.Refresh > 0 {
		c[i].Word = c[i].Word&^(generationMask) | t.now<<highShift
	}
	if t.Ties == Unused {
		i = toFront(c, i)
	}
	return c[i], true
}

// toFront makes entry i of a cluster the first and moves those before it back by one.
func toFront(c []Record, i int) int {
	r := c[i]
	copy(c[1:i+1], c)
	c[0] = r
	return 0
}

// Store stores a record of the kind Store.
func (t *table) Store(r Record) {
	r.Word = r.Word&^generationMask | t.now<<highShift
	c := t.cluster(r.Key)
	if i := t.find(c, r.Key); i >= 0 {
		t.update(&c[i], r)
		return
	}
	t.place(c, r)
}

const (
	moveMask       = 0xFFFF << midShift
	generationMask = 0xFFFF << highShift
)

// update stores a record where the same position stands, by what can be known of it.
func (t *table) update(old *Record, r Record) {
	if r.Word&moveMask == 0 {
		r.Word |= old.Word & moveMask
	}
	exact := r.Word>>boundShift&3 == uint64(cluster.Exact)
	if t.Keep > 0 && !exact && old.Word>>highShift == t.now &&
		plies(r.Word)+2*int(r.Word>>pvShift&1)+t.Keep <= plies(old.Word) {
		old.Word = old.Word&^moveMask | r.Word&moveMask
		return
	}
	*old = r
}

// place stores a record of a position that the cluster does not have.
func (t *table) place(c []Record, r Record) {
	switch t.Replace {
	case Always:
		c[toFront(c, len(c)-1)] = r
	case Depth:
		// Without ages, what is empty has to be said.
		i := t.least(c, r.Key, 0)
		if c[i].Word == 0 || plies(c[i].Word) <= plies(r.Word) {
			c[i] = r
		}
	case DepthAge:
		i := t.least(c, r.Key, t.Age)
		if t.Ties.ordered() {
			i = toFront(c, i)
		}
		c[i] = r
	default:
		last := len(c) - 1
		if i := t.least(c[:last], r.Key, t.Age); t.worth(c[i].Word, t.Age) <= t.worth(r.Word, t.Age) {
			c[i] = r
		} else {
			c[last] = r
		}
	}
}

// least returns which entry is worth least; which of equals, Ties says for a new key.
func (t *table) least(c []Record, key uint64, age int) int {
	pick := 0
	if t.Ties == ByKey {
		n := bits.Len(uint(t.Ways - 1))
		pick = int(key >> (bits.Len64(t.mask) - n) & (1<<n - 1))
	}
	at, least := 0, math.MaxInt
	for i := range c {
		place := i ^ pick
		if t.Ties.ordered() {
			place = -i // the last has been there for longest
		}
		if w := t.worth(c[i].Word, age)*(2*maxWays) + place; w < least {
			at, least = i, w
		}
	}
	return at
}

// worth is depth - age factor × age, where an empty entry is as old as all searches; without ages it
// is worth less than any other.
func (t *table) worth(word uint64, age int) int {
	if age == 0 && word == 0 {
		return -1
	}
	return plies(word) - age*int((t.now-word>>highShift)%generations)
}

func plies(word uint64) int { return int(word >> depthShift & 255) }
