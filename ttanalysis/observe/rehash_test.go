package observe

import (
	"testing"

	"trefoil/cluster"
	"trefoil/ttanalysis"
)

// A hit on an entry that a rehash has not moved yet is older than the audit, and no false hit.
func TestAuditBesideRehash(t *testing.T) {
	old, tt := newTable(t), newTable(t)
	p := root(t, middle)
	old.Store(p.Key(), cluster.Entry{Move: 1})
	if err := tt.Inherit(old); err != nil {
		t.Fatal(err)
	}
	a, c := audit(t, tt, AuditCounts), ttanalysis.Counters{}
	a.second[0] = ^p.SecondKey() // of a position that was stored in the part that has been moved
	if _, hit, f := a.probe(tt, p, &c); !hit || f != nil || c.Unaudited != 1 {
		t.Errorf("hit %v, false hit %v, %+v", hit, f, c)
	}
}
