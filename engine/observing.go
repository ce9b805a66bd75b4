package engine

import (
	"context"
	"fmt"
	"sync"

	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/search"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// observer is who follows the searches on a store: HashStats and HashAudit.
type observer struct {
	watch *ttanalysis.Observer // of the last search; nil if nobody watched
	audit *ttanalysis.Audit    // nil unless HashAudit
	mode  config.Audit         // of audit
	pairs pairs
}

// observe makes set's search watched, if that is asked for. What cannot be had is told, and
// the search goes unwatched.
func (o *observer) observe(t *cluster.Table, opts *config.Options, set *alphabeta.Settings, report func(search.Info)) {
	tell := func(line string) { report(search.Info{Text: line}) }
	if err := o.audits(t, opts.HashAudit.Value(), tell); err != nil {
		tell(err.Error())
	}
	if o.audit == nil && !opts.HashStats.Value() {
		o.watch = nil
		return
	}
	if o.watch == nil || o.watch.Table() != t || o.watch.Audit() != o.audit {
		o.watch = ttanalysis.NewObserver(t, o.audit, nil)
	}
	o.watch.NewSearch(opts.Threads.Value())
	set.Watch = o.watch.Worker
	set.Closing = o.lines
	if o.audit != nil {
		o.pairs.lines = nil
		if o.mode == config.AuditPairs {
			o.audit.Tell = o.pairs.take
		}
	}
}

// mostPairs is how many false hits of a search are told one by one.
const mostPairs = 20

// pairs are the first false hits of a search.
type pairs struct {
	sync.Mutex
	lines []string
}

// take keeps a false hit; workers call it.
func (p *pairs) take(h *ttanalysis.FalseHit) {
	p.Lock()
	defer p.Unlock()
	if len(p.lines) < mostPairs {
		p.lines = append(p.lines, h.String())
	}
}

// audits sees to it that there is an audit of t of that mode, or none if it is off.
func (o *observer) audits(t *cluster.Table, mode config.Audit, tell func(string)) error {
	if o.audit != nil && (mode != o.mode || o.audit.Table() != t) {
		o.close()
	}
	if mode == config.AuditOff || o.audit != nil {
		return nil
	}
	m := ttanalysis.AuditCounts
	if mode == config.AuditPairs {
		m = ttanalysis.AuditPairs
	}
	tell(fmt.Sprintf("hash audit: about %d MiB beside the table", (ttanalysis.AuditBytes(t.Capacity(), m)+1<<19)>>20))
	a, err := ttanalysis.NewAudit(t, m)
	if err != nil {
		return err
	}
	o.audit, o.mode = a, mode
	return nil
}

// cleared is told when the table is emptied: what is hit falsely from then on has not been
// hit before.
func (o *observer) cleared() {
	if o.audit != nil {
		o.audit.Forget()
	}
}

// close ends the audit.
func (o *observer) close() {
	if o.audit != nil {
		_ = o.audit.Close()
	}
	o.audit, o.watch = nil, nil
}

// lines tells what the last search did with the table, nothing if nobody watched.
func (o *observer) lines() []string {
	if o.watch == nil {
		return nil
	}
	c := o.watch.Counts()
	lines := c.Lines()
	if o.audit != nil {
		lines = append(append(lines, c.FalseLine(o.watch.Table().KeyBits())), o.pairs.lines...)
	}
	for i := range lines {
		lines[i] = "hash " + lines[i]
	}
	return lines
}

// census tells how many entries of a table there are, counted one by one.
func census(ctx context.Context, t *cluster.Table) (string, error) {
	c, err := t.Census(ctx)
	if err != nil {
		return "", err
	}
	share := func(n uint64) float64 { return 100 * float64(n) / float64(c.Capacity) }
	return fmt.Sprintf("hash entries %d of %d (%.1f %%); of the last search %d (%.1f %%), exact %d, quiescence %d; full by sample %d permille",
		c.Used, c.Capacity, share(c.Used), c.Current, share(c.Current), c.Exact, c.Quiescence, t.Full()), nil
}
