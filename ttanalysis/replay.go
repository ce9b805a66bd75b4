package ttanalysis

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"trefoil/cluster"
)

// A Run is a design at a size, and what came of it.
type Run struct {
	Design Design
	Bytes  uint64
	ReplayCounts
}

// A ReplayCounts is what happened to a table.
type ReplayCounts struct {
	Probes, Stores uint64
	Hits           uint64 // true ones
	False          uint64 // hits of another position
	Cutoffs        uint64 // true hits that were deep and sharp enough
	FalseCutoffs   uint64 // false hits that were
	Unlike         uint64 // probes that hit, but did not when they were recorded, or the other way round
}

// HitRate is the share of probes that hit, and truly.
func (c ReplayCounts) HitRate() float64 { return share(c.Hits, c.Probes) }

// CutoffRate is the share of probes that ended their node, and truly.
func (c ReplayCounts) CutoffRate() float64 { return share(c.Cutoffs, c.Probes) }

func share(n, of uint64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Recorded is what the search that was recorded saw of its own table.
type Recorded struct{ Searches, Probes, Hits, Cutoffs, Stores uint64 }

// Suffices reports whether a search that probes for what it needs could have taken the
// value found: not on a principal variation, from the depth needed on, if the bound
// proves that the value is outside the window.
func Suffices(probe, found Record) bool {
	if probe.PV() || plies(found.Word) < probe.Need() {
		return false
	}
	value, bound := int(int16(found.Word>>lowShift)), cluster.Bound(found.Word>>boundShift&3)
	return value >= probe.Beta() && bound&cluster.Lower != 0 || value <= probe.Alpha() && bound&cluster.Upper != 0
}

// chunk is how many records every table takes at once.
const chunk = 64 * perBlock

// Replay does what a trace records to every run's table, in one pass of the trace and on all
// processors. Counts are added to those of the runs. progress is told how many records are
// done, and may be nil.
func Replay(ctx context.Context, trace *TraceReader, runs []*Run, progress func(records uint64)) (Recorded, error) {
	var seen Recorded
	tables := make([]Table, len(runs))
	for i, r := range runs {
		t, err := r.Design.Make(r.Bytes)
		if err != nil {
			return seen, err
		}
		tables[i] = t
	}
	records := make([]Record, 0, chunk+perBlock)
	for done := uint64(0); ; {
		records = records[:0]
		var err error
		for err == nil && len(records) < chunk {
			if err = ctx.Err(); err == nil {
				records, err = trace.Next(records)
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return seen, err
		}
		seen.add(records)
		each(len(runs), func(i int) { runs[i].replay(tables[i], records) })
		done += uint64(len(records))
		if progress != nil {
			progress(done)
		}
		if err != nil {
			return seen, nil
		}
	}
}

// each does n things on all processors.
func each(n int, do func(i int)) {
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

func (s *Recorded) add(records []Record) {
	for _, r := range records {
		switch r.Kind() {
		case KindSearch:
			s.Searches++
		case KindProbe:
			s.Probes++
			s.Hits += bit(r.Hit())
			s.Cutoffs += bit(r.Cutoff())
		case KindStore:
			s.Stores++
		}
	}
}

// replay does what records say to a table.
func (c *ReplayCounts) replay(t Table, records []Record) {
	for _, r := range records {
		switch r.Kind() {
		case KindClear:
			t.Clear()
		case KindSearch:
			t.NewSearch()
		case KindProbe:
			c.Probes++
			found, hit := t.Probe(r.Key)
			if hit != r.Hit() {
				c.Unlike++
			}
			switch {
			case !hit:
			case found.Key == r.Key:
				c.Hits++
				c.Cutoffs += bit(Suffices(r, found))
			default:
				c.False++
				c.FalseCutoffs += bit(Suffices(r, found))
			}
		case KindStore:
			c.Stores++
			t.Store(r)
		}
	}
}
