package ttanalysis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"trefoil/internal/mem"
)

// Reuse says how often entries are hit, in a table of unlimited size, by the number of stores since they
// were last stored or hit. A replacement value should order entries by these rates: the entry that will
// be hit most often should stay longest.
//
// An entry ends where its position is stored again; the new entry continues its count of hits.
type Reuse struct {
	Group, Class string
	ages         [reuseAges]reuseAge
}

// A reuseAge counts the hits of entries of one age, and the stores into the table while they had that
// age, summed over the entries.
type reuseAge struct{ hits, stores uint64 }

// Ages are counted in powers of two.
const (
	firstReuseAge = 6
	reuseAges     = 22
)

// ReuseAges returns the first age of each column of Rates, in stores.
func ReuseAges() (list []uint64) {
	for i := firstReuseAge; i < reuseAges-1; i++ {
		list = append(list, 1<<i)
	}
	return list
}

// Rates returns the hits of an entry per million stores into the table, by age; it is negative where there
// are fewer than 50 hits, or no stores.
func (r *Reuse) Rates() (list []float64) {
	for _, a := range r.ages[firstReuseAge+1 : reuseAges] {
		rate := -1.0
		if a.hits >= 50 && a.stores > 0 {
			rate = 1e6 * float64(a.hits) / float64(a.stores)
		}
		list = append(list, rate)
	}
	return list
}

// add counts an entry that was idle for that many stores, and then hit or ended.
func (r *Reuse) add(idle uint64, hit bool) {
	for i := range r.ages {
		first, end := uint64(1)<<i>>1, uint64(1)<<i
		if idle < first {
			break
		}
		r.ages[i].stores += min(idle, end) - first
	}
	if i := bits.Len64(idle); hit && i < reuseAges {
		r.ages[i].hits++
	}
}

// reuseGroups are the classes of entries in each group: a class has the values from its number to the
// number of the next class.
var reuseGroups = []struct {
	group   string
	value   func(e *reused) int
	from    []int
	classes []string
}{
	{"depth", func(e *reused) int { return e.depth }, []int{0, 1, 3, 6, 9},
		[]string{"depth 0", "1 to 2", "3 to 5", "6 to 8", "9 or more"}},
	{"hits", func(e *reused) int { return e.hits }, []int{0, 1, 2},
		[]string{"not hit yet", "hit once", "hit twice or more"}},
	{"subtree", func(e *reused) int { return e.subtree }, []int{0, 1, 4, 7, 10},
		[]string{"1 node", "2 to 15", "16 to 127", "128 to 1023", "1024 or more"}},
}

// A reused is an entry of a table without limit.
type reused struct {
	last                 uint64 // store or hit, as the number of stores before it
	depth, hits, subtree int    // subtree is log2 of its nodes
}

// reusedBytes is about the memory of an entry, with its place in the map.
const reusedBytes = 100

// ReadReuse reads a trace from its beginning. It ends with an error if the positions of the trace do
// not fit into memory. progress may be nil.
func ReadReuse(ctx context.Context, trace *TraceReader, progress func(ReplayProgress)) ([]Reuse, error) {
	c := newReuseCounter()
	err := eachRecord(ctx, trace, reusedBytes, progress, func(r Record) (int, error) {
		c.count(r)
		return len(c.entries), nil
	})
	if err != nil {
		return nil, err
	}
	c.clear()
	return c.list, nil
}

// eachRecord reads a trace from its beginning and calls do with each record. do returns how many positions it
// keeps; if these, of that many bytes each, do not fit into memory, that is an error. progress may be nil.
func eachRecord(ctx context.Context, trace *TraceReader, bytes uint64, progress func(ReplayProgress),
	do func(Record) (positions int, err error)) error {
	err := trace.Rewind()
	positions, checked := 0, 1<<20 // positions for which there is memory
	for records, done := []Record(nil), uint64(0); err == nil; {
		records, err = trace.Next(records[:0])
		for _, r := range records {
			var wrong error
			if positions, wrong = do(r); wrong != nil {
				return wrong
			}
		}
		if positions > checked {
			if err := mem.Fits(uint64(checked) * bytes); err != nil {
				return fmt.Errorf("a table of more than %d positions: %w", checked, err)
			}
			checked *= 2
		}
		if done += uint64(len(records)); progress != nil {
			progress(ReplayProgress{Pass: 1, Passes: 1, Done: done, Records: trace.Records})
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// A reuseCounter counts the entries of a trace.
type reuseCounter struct {
	list           []Reuse
	entries        map[uint64]*reused
	open           openNodes
	probes, stores uint64
}

func newReuseCounter() *reuseCounter {
	c := &reuseCounter{entries: map[uint64]*reused{}}
	for _, g := range reuseGroups {
		for _, class := range g.classes {
			c.list = append(c.list, Reuse{Group: g.group, Class: class})
		}
	}
	return c
}

// end counts the time since the last use of an entry.
func (c *reuseCounter) end(e *reused, hit bool) {
	first := 0
	for _, g := range reuseGroups {
		class := 0
		for class+1 < len(g.from) && g.value(e) >= g.from[class+1] {
			class++
		}
		c.list[first+class].add(c.stores-e.last, hit)
		first += len(g.classes)
	}
}

// clear ends all entries.
func (c *reuseCounter) clear() {
	for _, e := range c.entries {
		c.end(e, false)
	}
	clear(c.entries)
}

func (c *reuseCounter) count(r Record) {
	switch r.Kind() {
	case KindClear:
		c.clear()
		c.open = c.open[:0]
	case KindSearch:
		c.open = c.open[:0]
	case KindProbe:
		c.probes++
		c.open.add(openNode{key: r.Key, probe: c.probes})
		if e := c.entries[r.Key]; e != nil {
			c.end(e, true)
			e.last, e.hits = c.stores, e.hits+1
		}
	case KindStore:
		c.stores++
		e := c.entries[r.Key]
		if e == nil {
			e = new(reused)
			c.entries[r.Key] = e
		} else {
			c.end(e, false)
		}
		node, ok := c.open.close(r.Key)
		e.last, e.depth, e.subtree = c.stores, r.Depth(), 0
		if ok {
			e.subtree = bits.Len64((c.probes - node.probe + 1) / 2)
		}
	}
}
