package observe

import (
	"fmt"
	"math/bits"
	"sync"

	"trefoil/cluster"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis"
)

// A Monitor observes the searches of an engine that keeps its table from one search to the next.
// The zero Monitor is ready to use.
type Monitor struct {
	observer *Observer          // of the last search; nil if it was not observed
	shadow   *ttanalysis.Shadow // nil if MonitorOptions.Count is off
	audit    *Audit             // nil if MonitorOptions.Audit is off
	mode     AuditMode
	pairs    firstPairs
	sampled  bool // the observer sees only the keys that the shadow samples

	mu   sync.Mutex
	live struct { // for Live
		observer *Observer
		shadow   *ttanalysis.Shadow
		audits   bool
		scale    uint64
	}
}

// MonitorOptions say what a Monitor does.
type MonitorOptions struct {
	Count   bool // count probes and stores, and predict the hits of tables of other sizes
	Sample  bool // count in a sample of the clusters only, for Live, unless Count or Audit ask for more
	Audit   AuditMode
	Threads int
}

// Audits returns the mode of the audit that is under way.
func (m *Monitor) Audits() AuditMode {
	if m.audit == nil {
		return AuditOff
	}
	return m.mode
}

// Begin prepares the next search on a table. It returns the observers of its workers, nil if the
// search is not to be observed. report is called with messages: an audit or a shadow that does not
// fit into memory is reported, and the search goes on without it.
func (m *Monitor) Begin(t *cluster.Table, opts MonitorOptions,
	report func(string)) func(worker int) alphabeta.Observer {
	if err := m.setAudit(t, opts.Audit, report); err != nil {
		report(err.Error())
	}
	if sampled := opts.Sample && !opts.Count && m.audit == nil; sampled != m.sampled {
		m.sampled, m.shadow = sampled, nil // another kind of shadow
	}
	if m.audit == nil && !opts.Count && !opts.Sample {
		m.observer, m.shadow = nil, nil
		m.publish()
		return nil
	}
	if !opts.Count && !opts.Sample {
		m.shadow = nil
	} else if m.shadow == nil || m.observer == nil || m.observer.table != t {
		var err error
		shadowOf := ttanalysis.ShadowOf
		if m.sampled {
			shadowOf = ttanalysis.SparseShadowOf
		}
		if m.shadow, err = shadowOf(t); err != nil {
			report(err.Error())
		}
	}
	if m.observer == nil || m.observer.table != t || m.observer.audit != m.audit {
		m.observer = NewObserver(t, m.audit, nil)
	}
	m.observer.SetShadow(m.shadow)
	if m.observer.every = publishEvery; m.sampled {
		m.observer.every = publishEverySample
	}
	_ = m.observer.NewSearch(opts.Threads) // fails only with a trace
	m.publish()
	m.pairs.lines = nil
	return m.observer.Worker
}

// setAudit begins or ends the audit of t as the mode demands.
func (m *Monitor) setAudit(t *cluster.Table, mode AuditMode, report func(string)) error {
	if m.audit != nil && (mode != m.mode || m.audit.table != t) {
		m.Close()
	}
	if mode == AuditOff || m.audit != nil {
		return nil
	}
	report(fmt.Sprintf("hash audit: about %d MiB beside the table", (AuditBytes(t.Capacity(), mode)+1<<19)>>20))
	audit, err := NewAudit(t, mode)
	if err != nil {
		return err
	}
	if mode == AuditPairs {
		audit.OnFalseHit = m.pairs.add
	}
	m.audit, m.mode = audit, mode
	return nil
}

// Cleared must be called when the table is cleared.
func (m *Monitor) Cleared() {
	if m.audit != nil {
		m.audit.ResetCounts()
	}
	if m.shadow != nil {
		m.shadow.Clear()
	}
}

// Close ends the observation. The next Begin starts anew.
func (m *Monitor) Close() {
	if m.audit != nil {
		_ = m.audit.Close()
	}
	m.audit, m.shadow, m.observer = nil, nil, nil
	m.publish()
}

// publish tells Live what there is.
func (m *Monitor) publish() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live.observer, m.live.shadow, m.live.audits, m.live.scale = m.observer, m.shadow, m.audit != nil, 1
	if m.sampled && m.shadow != nil {
		m.live.scale <<= bits.OnesCount64(m.Unobserved())
	}
}

// Unobserved are the keys that the observer of the search that Begin has prepared need not see, for
// alphabeta.Settings.
func (m *Monitor) Unobserved() uint64 {
	if !m.sampled || m.shadow == nil {
		return 0
	}
	return m.shadow.Unsampled(sampledBits)
}

// sampledBits is the binary logarithm of the number of clusters for each one that is counted in a sample.
// The shadow has a smaller sample, because each table of the shadow takes as long as the search's own.
const sampledBits = 4

// Live is what is known of a search while it runs, or of the last one.
type Live struct {
	Counters    ttanalysis.Counters
	Scale       uint64                  // the counters are of one cluster in as many
	Predictions []ttanalysis.Prediction // of other sizes; nil without MonitorOptions.Count and Sample
	Audits      bool                    // false hits are counted
}

// Live returns what is known of the search that runs, or of the last one; ok is false if it is not observed. It may be
// called at any time from any goroutine.
func (m *Monitor) Live() (l Live, ok bool) {
	m.mu.Lock()
	now := m.live
	m.mu.Unlock()
	if now.observer == nil {
		return l, false
	}
	l.Counters, l.Audits, l.Scale = now.observer.Live(), now.audits, now.scale
	if now.shadow != nil {
		l.Predictions = now.shadow.Predict(l.Counters.Probes*l.Scale, l.Counters.Hits*l.Scale)
	}
	return l, true
}

// Lines returns the counters of the last search as text, nil if it was not observed.
func (m *Monitor) Lines() []string {
	if m.observer == nil || m.sampled {
		return nil
	}
	c := m.observer.Counters()
	lines := c.Lines()
	if m.shadow != nil {
		lines = append(lines, m.shadow.MemoryLine(&c))
	}
	if m.audit != nil {
		lines = append(append(lines, c.AuditLine(m.observer.table.KeyBits())), m.pairs.lines...)
	}
	for i := range lines {
		lines[i] = "hash " + lines[i]
	}
	return lines
}

// maxPairs is the number of false hits of a search that are reported one by one.
const maxPairs = 20

// firstPairs collects the first false hits of a search as text.
type firstPairs struct {
	sync.Mutex
	lines []string
}

// add is called by the workers.
func (p *firstPairs) add(h *ttanalysis.FalseHit) {
	p.Lock()
	defer p.Unlock()
	if len(p.lines) < maxPairs {
		p.lines = append(p.lines, h.String())
	}
}
