package ttanalysis

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"trefoil/cluster"
	"trefoil/internal/mem"
)

// A Bound is what no replacement policy can exceed in a table of a given geometry: number of clusters,
// entries per cluster and index. It is Belady's MIN (1966): a full cluster loses the entry whose next use
// in the trace is the latest, or that is not used again.
//
// The trace shows for each probe and store when the position is probed next. To be a bound of every
// policy, the table of the bound may do more than a real one: it has whole keys, a position that was
// stored before may enter again with any probe, and for cutoffs its entry has all that was ever stored
// for the position. In a real table a position enters only with a store, and the trace of a search has
// a store only where that search went on after its probe. So the best real policy lies below the bound.
type Bound struct {
	Name string
	Runs []ReplayCounts // by size; Hits and Cutoffs are each from a table of their own
}

// The names of the bounds. With bypass a store may be refused; without it the new entry replaces
// another one, as in every design but those that replace by Depth.
const (
	boundBypass   = "MIN"
	boundNoBypass = "MIN, stores all"
)

// never is the index of an event that never comes.
const never = math.MaxUint32

// An event is a probe or a store of a trace, and the index of the next probe of the position: hit, if that
// is a hit, and cut, if what was stored for the position allows a cutoff there. Otherwise the entry is of no
// use until that probe, with which the position may enter again.
type event struct {
	key      uint64
	hit, cut uint32
	kind     Kind
}

const eventBytes = 24

// futureBytes estimates the memory of readFuture, with its map of positions.
func futureBytes(records uint64) uint64 { return records * (eventBytes + 72) }

// readFuture reads a trace from its beginning and links its events. progress may be nil.
func readFuture(ctx context.Context, trace *TraceReader, progress func(ReplayProgress)) ([]event, error) {
	if trace.Records >= never {
		return nil, fmt.Errorf("the bound of a trace of %d records: at most %d", trace.Records, uint64(never-1))
	}
	if err := mem.Fits(futureBytes(trace.Records)); err != nil {
		return nil, fmt.Errorf("the bound of a trace of %d records: %w", trace.Records, err)
	}
	type position struct {
		last   uint32 // event
		stored results
	}
	events := make([]event, 0, trace.Records)
	positions := map[uint64]*position{}
	err := eachRecord(ctx, trace, 0, progress, func(r Record) (int, error) {
		i := uint32(len(events))
		e := event{key: r.Key, hit: never, cut: never, kind: r.Kind()}
		p := positions[r.Key]
		switch {
		case e.kind == KindClear:
			clear(positions)
		case e.kind == KindProbe && p != nil:
			if p.stored.allowCutoff(r) {
				events[p.last].cut = i
			}
			events[p.last].hit, p.last = i, i
		case e.kind == KindStore:
			if p == nil {
				p = new(position)
				positions[r.Key] = p
			}
			p.last = i
			p.stored.add(r)
		}
		events = append(events, e)
		return 0, nil
	})
	return events, err
}

// results are what was stored for a position: the lower bounds of its value, and the complements of the
// upper ones. The complement -1-v reverses the order and, unlike -v, is always in range.
type results struct{ lower, upper []result }

type result struct{ depth, value int16 }

// add adds a stored record.
func (s *results) add(r Record) {
	e := r.Entry()
	if e.Bound&cluster.Lower != 0 {
		addResult(&s.lower, result{int16(e.Depth), e.Value})
	}
	if e.Bound&cluster.Upper != 0 {
		addResult(&s.upper, result{int16(e.Depth), ^e.Value})
	}
}

// addResult adds a result and drops results that are no deeper and prove no more.
func addResult(list *[]result, r result) {
	if slices.ContainsFunc(*list, func(old result) bool { return old.depth >= r.depth && old.value >= r.value }) {
		return
	}
	*list = append(slices.DeleteFunc(*list, func(old result) bool { return old.depth <= r.depth && old.value <= r.value }),
		r)
}

// allowCutoff reports whether any result allows a cutoff at the node of a probe; see AllowsCutoff.
func (s *results) allowCutoff(probe Record) bool {
	reach := func(list []result, value int) bool {
		return slices.ContainsFunc(list, func(r result) bool {
			return int(r.depth) >= probe.Depth() && int(r.value) >= value
		})
	}
	return !probe.PV() && (reach(s.lower, probe.Beta()) || reach(s.upper, ^probe.Alpha()))
}

// minimum replays events on a table of a design's geometry that replaces the entry whose next use, as a
// hit or as a cutoff, is the last. It returns the number of uses that found their entry.
func minimum(events []event, d ClusterDesign, bytes uint64, bypass, cutoffs bool) (found uint64) {
	t := clusterTable{ClusterDesign: d, count: d.clusters(bytes)}
	entries := make([]uint32, t.count*uint64(d.Entries)) // the next use of each
	for i := range entries {
		entries[i] = never
	}
	for i, e := range events {
		switch {
		case e.kind == KindClear:
			for i := range entries {
				entries[i] = never
			}
			continue
		case e.kind == KindSearch:
			continue
		}
		next := e.hit
		if cutoffs {
			next = e.cut
		}
		first := t.firstOf(e.key)
		c := entries[first : first+uint64(d.Entries)]
		if e.kind == KindProbe {
			if j := slices.Index(c, uint32(i)); j >= 0 {
				found++
				c[j] = next
				continue
			}
		}
		last := 0
		for j := range c {
			if c[j] > c[last] {
				last = j
			}
		}
		mayBypass := bypass || e.kind == KindProbe
		if !mayBypass || next < c[last] {
			c[last] = next
		}
	}
	return found
}

// boundsFit returns an error if there is no table of DefaultDesign of the largest size, or if the tables
// that Bound has at a time do not fit into memory.
func (c *Comparison) boundsFit() error {
	d, largest := DefaultDesign(), slices.Max(c.MiB)
	bytes := uint64(largest * (1 << 20))
	err := d.Check(bytes)
	if err == nil {
		err = mem.Fits(uint64(runtime.GOMAXPROCS(0)) * d.clusters(bytes) * uint64(d.Entries) * 4)
	}
	if err != nil {
		return fmt.Errorf("the bound of tables of %g MiB: %w", largest, err)
	}
	return nil
}

// Bound replays a trace from its beginning on the tables that bound all designs of the geometry of
// DefaultDesign, of every size. progress may be nil.
func (c *Comparison) Bound(ctx context.Context, trace *TraceReader, progress func(ReplayProgress)) error {
	if err := c.boundsFit(); err != nil {
		return err
	}
	if err := trace.ReadAhead(ctx); err != nil {
		return err
	}
	events, err := readFuture(ctx, trace, progress)
	if err != nil {
		return err
	}
	probes, stores := uint64(0), uint64(0)
	for _, e := range events {
		probes += bit(e.kind == KindProbe)
		stores += bit(e.kind == KindStore)
	}
	bounds := []Bound{{Name: boundBypass}, {Name: boundNoBypass}}
	for i := range bounds {
		bounds[i].Runs = make([]ReplayCounts, len(c.MiB))
	}
	inParallel(2*len(bounds)*len(c.MiB), func(n int) {
		if ctx.Err() != nil {
			return
		}
		bound, size, cutoffs := n/2%len(bounds), n/2/len(bounds), n%2 == 1
		run := &bounds[bound].Runs[size]
		found := minimum(events, DefaultDesign(), uint64(c.MiB[size]*(1<<20)), bounds[bound].Name == boundBypass, cutoffs)
		if cutoffs {
			run.Cutoffs = found
			return
		}
		run.Probes, run.Stores, run.Hits = probes, stores, found
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	c.Bounds = bounds
	return nil
}

// RelativeToBound returns the hit rate of a run as a share of the first bound, NaN if there is none or
// the design has another geometry.
func (c *Comparison) RelativeToBound(design, size int) float64 {
	d, ok := c.Designs[design].(ClusterDesign)
	if len(c.Bounds) == 0 || !ok || !d.boundedBy(DefaultDesign()) || c.Bounds[0].Runs[size].Hits == 0 {
		return math.NaN()
	}
	return c.Runs[design][size].HitRate() / c.Bounds[0].Runs[size].HitRate()
}

// boundedBy reports whether the bound for the geometry of other also holds for d.
func (d ClusterDesign) boundedBy(other ClusterDesign) bool {
	return d.Entries == other.Entries && d.Bytes == other.Bytes && d.Index == other.Index &&
		d.IndexBits == other.IndexBits && d.Side == other.Side
}
