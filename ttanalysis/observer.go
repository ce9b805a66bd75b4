package ttanalysis

import (
	"context"
	"errors"

	"trefoil/cluster"
	"trefoil/search/alphabeta"
)

// A Observer follows the searches on one table.
type Observer struct {
	table     *cluster.Table
	audit     *Audit
	trace     *TraceWriter
	followers []*workerObserver
}

// NewObserver returns a watch of a table. audit and trace may be nil.
func NewObserver(table *cluster.Table, audit *Audit, trace *TraceWriter) *Observer {
	return &Observer{table: table, audit: audit, trace: trace}
}

// Table returns what is watched.
func (w *Observer) Table() *cluster.Table { return w.table }

// Audit returns the audit, nil if there is none.
func (w *Observer) Audit() *Audit { return w.audit }

// Worker returns what follows worker i of a search; it goes into alphabeta.Settings and is
// called before the workers start. A trace has one worker only.
func (w *Observer) Worker(i int) alphabeta.Watch {
	for len(w.followers) <= i {
		w.followers = append(w.followers, &workerObserver{watch: w})
	}
	f := w.followers[i]
	f.foreign, f.pending = nil, false
	return f
}

// errOneWorker is why a search of several workers is not recorded.
var errOneWorker = errors.New("a trace is of one thread")

// Cleared is told when the table has been emptied. A nil Watch does nothing.
func (w *Observer) Cleared(ctx context.Context) error {
	if w == nil {
		return nil
	}
	if w.trace != nil && w.trace.Records() > 0 {
		w.trace.Clear()
	}
	if w.audit != nil {
		return w.audit.Restart(ctx)
	}
	return nil
}

// NewSearch begins the counts anew and tells the trace that a search begins. A nil Watch does
// nothing.
func (w *Observer) NewSearch(threads int) error {
	if w == nil {
		return nil
	}
	if w.trace != nil {
		if threads > 1 {
			return errOneWorker
		}
		w.trace.NewSearch()
	}
	for _, f := range w.followers {
		f.counts = Counters{}
	}
	return nil
}

// Counts returns the sums over all workers since NewSearch. No search may be running.
func (w *Observer) Counts() (sum Counters) {
	for _, f := range w.followers {
		sum.Add(&f.counts)
	}
	return sum
}

// A workerObserver follows one worker.
type workerObserver struct {
	_       [64]byte
	watch   *Observer
	counts  Counters
	foreign *FalseHit // the last hit, if it is one
	pending bool      // the last probe is yet to be recorded
	asked   alphabeta.Question
	key     uint64
	_       [64]byte
}

var _ alphabeta.Watch = (*workerObserver)(nil)

// Probe looks p up.
func (f *workerObserver) Probe(t *cluster.Table, p alphabeta.Position, q alphabeta.Question) (e cluster.Entry, hit bool) {
	f.counts.Probes++
	f.foreign = nil
	if a := f.watch.audit; a != nil {
		e, hit, f.foreign = a.probe(t, p, &f.counts)
	} else {
		e, hit = t.Probe(p.Key())
	}
	if hit {
		f.counts.Hits++
	}
	if w := f.watch.trace; w != nil {
		if f.key, f.asked, f.pending = p.Key(), q, hit; !hit {
			w.Probe(f.key, q.Depth, q.Alpha, q.Beta, q.PV, false, false)
		}
	}
	return e, hit
}

// Used counts what the last hit was good for.
func (f *workerObserver) Used(u alphabeta.Use) {
	f.counts.used(u)
	if f.foreign != nil {
		f.watch.audit.used(f.foreign, u, &f.counts)
		f.foreign = nil
	}
	if f.pending {
		f.pending = false
		q := f.asked
		f.watch.trace.Probe(f.key, q.Depth, q.Alpha, q.Beta, q.PV, true, u.Cutoff)
	}
}

// Store stores what is known of p.
func (f *workerObserver) Store(t *cluster.Table, p alphabeta.Position, e cluster.Entry) {
	if a := f.watch.audit; a != nil {
		a.store(t, p, e, &f.counts)
	} else {
		f.counts.stored(t, t.Store(p.Key(), e), e)
	}
	if w := f.watch.trace; w != nil {
		w.Store(p.Key(), e)
	}
}
