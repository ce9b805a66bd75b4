package ttanalysis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"trefoil/cluster"
	"trefoil/internal/mem"
)

// A Run is a design at a size in bytes, and the counts of its replay.
type Run struct {
	Design  Design
	Bytes   uint64
	Repeats bool // a node whose recorded cutoff the table does not have is stored again
	ReplayCounts
}

// ReplayCounts are the counts of one table in a replay.
type ReplayCounts struct {
	Probes, Stores uint64 // recorded
	Hits           uint64 // of the probed position
	FalseHits      uint64 // of another position
	Cutoffs        uint64 // hits that allow a cutoff, see AllowsCutoff
	FalseCutoffs   uint64 // false hits that do
	Mismatches     uint64 // probes that hit here and missed when recorded, or the reverse
}

// HitRate returns the share of probes that hit the probed position.
func (c ReplayCounts) HitRate() float64 { return share(c.Hits, c.Probes) }

// CutoffRate returns the share of probes that hit the probed position with an entry that allows a cutoff.
func (c ReplayCounts) CutoffRate() float64 { return share(c.Cutoffs, c.Probes) }

func share(n, total uint64) float64 {
	if total == 0 {
		return 0
	}
	return float64(n) / float64(total)
}

// RecordedCounts are the counts of the recorded search with its own table.
type RecordedCounts struct{ Searches, Probes, Hits, Cutoffs, Stores uint64 }

// AllowsCutoff reports whether a stored record allows a cutoff at the node of a probe: the node is
// not a PV node, the depth suffices, and the bound puts the value outside the window.
func AllowsCutoff(probe, stored Record) bool {
	if probe.PV() || depth(stored.Word) < probe.Depth() {
		return false
	}
	value, bound := int(int16(stored.Word>>lowShift)), cluster.Bound(stored.Word>>boundShift&3)
	return value >= probe.Beta() && bound&cluster.Lower != 0 || value <= probe.Alpha() && bound&cluster.Upper != 0
}

// batchRecords is the number of records that each table replays at a time.
const batchRecords = 64 * perBlock

// Replay applies the records of a trace to the table of every run, in one pass over the trace and
// on all processors. It adds to the counts of the runs. It refuses tables that do not fit into memory
// together. progress, unless nil, is called with the number of records done.
func Replay(ctx context.Context, trace *TraceReader, runs []*Run,
	progress func(records uint64)) (RecordedCounts, error) {
	batch := func(uint64) uint64 { return batchRecords }
	return replay(ctx, trace, runs, batch, func(done uint64, _ []Table) {
		if progress != nil {
			progress(done)
		}
	})
}

// Film is Replay from the first record in n parts of nearly equal length, fewer if there are fewer records. After each
// part it calls show with the number of records done and the tables of the runs, whose counts are of this moment.
func Film(ctx context.Context, trace *TraceReader, runs []*Run, n int,
	show func(records uint64, tables []Table)) (RecordedCounts, error) {
	if err := trace.ReadAhead(ctx); err != nil { // a file knows its number of records
		return RecordedCounts{}, err
	}
	parts, part := min(uint64(n), trace.Records), uint64(0)
	rest := func(done uint64) uint64 {
		if done == trace.Records {
			return 1 // which there is not, so that the end is read
		}
		part++
		return part*trace.Records/parts - done
	}
	return replay(ctx, trace, runs, rest, show)
}

// replay is Replay in batches of the lengths that batch returns. It calls show after each.
func replay(ctx context.Context, trace *TraceReader, runs []*Run, batch func(done uint64) uint64,
	show func(done uint64, tables []Table)) (RecordedCounts, error) {
	var recorded RecordedCounts
	need := uint64(0)
	for _, r := range runs {
		need += r.Design.ReplayBytes(r.Bytes)
	}
	if len(runs) > 1 { // a single table says itself that it does not fit
		if err := mem.Fits(need); err != nil {
			return recorded, fmt.Errorf("%d tables: %w", len(runs), err)
		}
	}
	tables := make([]Table, len(runs))
	for i, r := range runs {
		t, err := r.Design.New(r.Bytes)
		if err != nil {
			return recorded, err
		}
		tables[i] = t
	}
	var ahead []Record // that were read
	var end error
	last, again := newLastStores(), []lastStore(nil)
	if !slices.ContainsFunc(runs, func(r *Run) bool { return r.Repeats }) {
		last = nil
	}
	for done := uint64(0); ; {
		n := batch(done)
		for end == nil && uint64(len(ahead)) < n {
			if end = ctx.Err(); end == nil {
				ahead, end = trace.Next(ahead)
			}
		}
		if end != nil && !errors.Is(end, io.EOF) {
			return recorded, end
		}
		if len(ahead) == 0 {
			return recorded, nil
		}
		records := ahead[:min(n, uint64(len(ahead)))]
		recorded.add(records)
		if last != nil {
			var err error
			if again, err = last.repeats(again[:0], records); err != nil {
				return recorded, err
			}
		}
		inParallel(len(runs), func(i int) {
			if runs[i].Repeats {
				runs[i].replay(tables[i], records, again)
			} else {
				runs[i].replay(tables[i], records, nil)
			}
		})
		done += uint64(len(records))
		show(done, tables)
		ahead = append(ahead[:0], ahead[len(records):]...)
	}
}

// inParallel calls do for 0 to n-1 on all processors.
func inParallel(n int, do func(i int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

func (c *RecordedCounts) add(records []Record) {
	for _, r := range records {
		switch r.Kind() {
		case KindSearch:
			c.Searches++
		case KindProbe:
			c.Probes++
			c.Hits += bit(r.Hit())
			c.Cutoffs += bit(r.Cutoff())
		case KindStore:
			c.Stores++
		}
	}
}

// replay applies records to a table and counts. again is what is stored again at each recorded cutoff, or
// nil.
func (c *ReplayCounts) replay(t Table, records []Record, again []lastStore) {
	for _, r := range records {
		switch r.Kind() {
		case KindClear:
			t.Clear()
		case KindSearch:
			t.NewSearch()
		case KindProbe:
			c.Probes++
			found, hit := t.Probe(r)
			if hit != r.Hit() {
				c.Mismatches++
			}
			switch {
			case !hit:
			case found.Key == r.Key:
				c.Hits++
				c.Cutoffs += bit(AllowsCutoff(r, found))
			default:
				c.FalseHits++
				c.FalseCutoffs += bit(AllowsCutoff(r, found))
			}
			if len(again) > 0 && r.Cutoff() {
				if s := again[0]; s.Word != 0 && !(hit && AllowsCutoff(r, found)) {
					if t, ok := t.(interface{ skip(nodes uint64) }); ok {
						t.skip(s.nodes)
					}
					t.Store(s.Record)
				}
				again = again[1:]
			}
		case KindStore:
			c.Stores++
			t.Store(r)
		}
	}
}
