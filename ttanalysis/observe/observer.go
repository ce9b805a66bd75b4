// Package observe measures what the searches of package alphabeta do with their cluster.Table.
//
//	worker 0 ─┐              ┌─ ttanalysis.Counters: probes, hits, cutoffs, stores, evictions
//	worker 1 ─┼─ Observer ───┼─ Audit: a second key beside each entry detects false hits
//	…         ┘              ├─ ttanalysis.Shadow: the hits of tables of other sizes
//	                         └─ ttanalysis.TraceWriter ──▶ trace file
//
// An Observer stands between the workers of a search and their table. A search without an Observer calls
// the table directly. An Observer changes no node of a search with one thread, unless its Audit refuses
// false hits.
//
// Larger parts are built from it: a Monitor observes the searches of a running engine; a Suite searches a
// list of positions and has Record, which writes a trace, Sweep, which audits it with different numbers
// of check bits, and FindDecisive, which finds false hits that change the best move.
package observe

import (
	"context"
	"errors"
	"sync"

	"trefoil/cluster"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// An Observer counts what searches do with a table, and audits, records or predicts it if it has an
// Audit, a TraceWriter or a Shadow. Its methods are for the time between searches, except Live; the observers of
// workers are for their worker.
type Observer struct {
	table  *cluster.Table
	audit  *Audit
	trace  *ttanalysis.TraceWriter
	shadow *ttanalysis.Shadow
	every  uint64 // after how many probes a worker copies its counters for Live; a power of two

	mu      sync.Mutex // guards workers for Live
	workers []*workerObserver
}

// NewObserver returns an observer of a table. audit and trace may be nil.
func NewObserver(table *cluster.Table, audit *Audit, trace *ttanalysis.TraceWriter) *Observer {
	return &Observer{table: table, audit: audit, trace: trace, every: publishEvery}
}

// SetShadow makes o pass all probes and stores on to s, which is the shadow of the table; nil ends it.
func (o *Observer) SetShadow(s *ttanalysis.Shadow) { o.shadow = s }

// Worker returns the observer of worker i, for alphabeta.Settings. It is called
// before the workers start.
func (o *Observer) Worker(i int) alphabeta.Observer {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.workers) <= i {
		o.workers = append(o.workers, &workerObserver{Observer: o})
	}
	w := o.workers[i]
	w.falseHit, w.hitPending = nil, false
	return w
}

// errTraceThreads is returned for a trace of several threads: their records have no order.
var errTraceThreads = errors.New("a trace records one thread only")

// Cleared must be called after the table has been cleared.
func (o *Observer) Cleared(ctx context.Context) error {
	if o.trace != nil && o.trace.Records() > 0 {
		o.trace.Clear()
	}
	if o.shadow != nil {
		o.shadow.Clear()
	}
	if o.audit != nil {
		return o.audit.Clear(ctx)
	}
	return nil
}

// NewSearch must be called before each search. It resets the counters.
func (o *Observer) NewSearch(threads int) error {
	if o.trace != nil {
		if threads > 1 {
			return errTraceThreads
		}
		o.trace.NewSearch()
	}
	if o.shadow != nil {
		o.shadow.NewSearch()
		o.shadow.ResetCounts()
	}
	for _, w := range o.workers {
		w.counters = ttanalysis.Counters{}
		w.publish()
	}
	return nil
}

// Counters returns the sums over all workers since NewSearch.
func (o *Observer) Counters() (sum ttanalysis.Counters) {
	for _, w := range o.workers {
		w.publish()
		sum.Add(&w.counters)
	}
	return sum
}

// Live is Counters during a search, from any goroutine: each worker lags behind by some thousand probes.
func (o *Observer) Live() (sum ttanalysis.Counters) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.workers {
		w.live.Lock()
		sum.Add(&w.published)
		w.live.Unlock()
	}
	return sum
}

const (
	publishEvery       = 4096 // Observer.every
	publishEverySample = 64   // of a sample
)

// workerObserver observes one worker. The padding keeps its counters on cache lines of their own.
type workerObserver struct {
	_ [64]byte
	*Observer
	counters   ttanalysis.Counters
	falseHit   *ttanalysis.FalseHit // of the last probe
	hitPending bool                 // the last hit is recorded when its use is known
	key        uint64               // of the last probe
	query      alphabeta.Query
	_          [64]byte

	live      sync.Mutex
	published ttanalysis.Counters // for Live
	_         [64]byte
}

// publish copies the counters for Live.
func (w *workerObserver) publish() {
	w.live.Lock()
	w.published = w.counters
	w.live.Unlock()
}

var _ alphabeta.Observer = (*workerObserver)(nil)

// Probe implements alphabeta.Observer.
func (w *workerObserver) Probe(t *cluster.Table, p alphabeta.Position, q alphabeta.Query) (e cluster.Found, hit bool) {
	if w.counters.Probes++; w.counters.Probes&(w.every-1) == 0 {
		w.publish()
	}
	w.falseHit = nil
	key := p.Key()
	if w.audit != nil {
		e, hit, w.falseHit = w.audit.probe(t, p, &w.counters)
	} else {
		e, hit = t.Probe(key)
	}
	if hit {
		w.counters.Hits++
	}
	if w.shadow != nil && w.shadow.Samples(key) {
		w.shadow.Probe(key)
	}
	if w.trace != nil {
		if w.key, w.query, w.hitPending = key, q, hit; !hit {
			w.recordProbe(false, false)
		}
	}
	return e, hit
}

// Used implements alphabeta.Observer.
func (w *workerObserver) Used(u alphabeta.Use) {
	addUse(&w.counters, u)
	if w.falseHit != nil {
		w.audit.countUse(w.falseHit, u, &w.counters)
		w.falseHit = nil
	}
	if w.hitPending {
		w.hitPending = false
		w.recordProbe(true, u.Cutoff)
	}
}

func (w *workerObserver) recordProbe(hit, cutoff bool) {
	q := w.query
	w.trace.Probe(w.key, q.Depth, q.Alpha, q.Beta, q.PV, hit, cutoff)
}

// Store implements alphabeta.Observer.
func (w *workerObserver) Store(t *cluster.Table, p alphabeta.Position, e cluster.Entry) {
	key := p.Key()
	if w.audit != nil {
		w.audit.store(t, p, e, &w.counters)
	} else {
		addStore(&w.counters, t, t.Store(key, e), e)
	}
	if w.shadow != nil && w.shadow.Samples(key) {
		w.shadow.Store(key, e)
	}
	if w.trace != nil {
		w.trace.Store(key, e)
	}
}
