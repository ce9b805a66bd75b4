package ttanalysis

import (
	"testing"

	"trefoil/cluster"
)

// smallTable has room for two entries, by key bit 0, and counts stores.
type smallTable struct {
	entries [2]Record
	stores  int
}

func (t *smallTable) Clear()     { t.entries = [2]Record{} }
func (t *smallTable) NewSearch() {}

func (t *smallTable) Probe(probe Record) (Record, bool) {
	r := t.entries[probe.Key&1]
	return r, r.Word != 0 && r.Key == probe.Key
}

func (t *smallTable) Store(r Record) {
	t.entries[r.Key&1] = r
	t.stores++
}

// TestRepeats: a node whose recorded cutoff a table does not have is stored again, as it was stored last,
// with the depth of the node; other nodes are not.
func TestRepeats(t *testing.T) {
	entry := func(move uint16, depth uint8) cluster.Entry {
		return cluster.Entry{Move: move, Value: 50, Quality: cluster.Quality{Depth: depth, Bound: cluster.Lower}}
	}
	probe := func(key uint64, depth int, hit, cutoff bool) Record {
		return ProbeRecord(key, depth, 0, 1, false, hit, cutoff)
	}
	records := []Record{
		probe(2, 9, true, true), // stored before the trace began
		probe(4, 5, false, false), StoreRecord(4, entry(1, 5)),
		probe(4, 6, true, false), probe(7, 3, false, false), StoreRecord(7, entry(3, 3)), StoreRecord(4, entry(2, 6)),
		probe(4, 6, true, true),                                // the table has it
		probe(6, 1, false, false), StoreRecord(6, entry(1, 1)), // it evicts 4
		probe(4, 4, true, true),                           // stored again, which evicts 6
		probe(4, 4, true, true), probe(6, 0, true, false), // 6 had no cutoff
		{Word: uint64(KindClear)}, probe(4, 4, true, true), // nothing is known
	}
	last := newLastStores()
	again, err := last.repeats(nil, records[:8])
	if err != nil || len(again) != 2 || again[0].Word != 0 || again[1].Depth() != 6 || again[1].Entry().Move != 2 ||
		again[1].nodes != 1 {
		t.Errorf("%v, %v", again, err)
	}
	if again, err = last.repeats(again, records[8:]); err != nil || len(again) != 5 || again[4].Word != 0 {
		t.Errorf("%v, %v", again, err)
	}
	table, plain := new(smallTable), new(smallTable)
	var c, p ReplayCounts
	c.replay(table, records[:len(records)-2], again)
	p.replay(plain, records[:len(records)-2], nil)
	if c.Probes != 9 || c.Stores != 4 || table.stores != 5 || c.Hits != 3 || c.Cutoffs != 2 {
		t.Errorf("%+v, %d stores", c, table.stores)
	}
	if e := table.entries[0]; e.Key != 4 || e.Depth() != 4 || e.Entry().Move != 2 {
		t.Errorf("%+v", e)
	}
	if plain.stores != 4 || p.Hits != 3 || p.Cutoffs != 2 {
		t.Errorf("recorded stores only: %+v, %d stores", p, plain.stores)
	}
}

// TestRepeatedSubtree: a node that is stored again has the nodes of its first search, whatever keys the table has.
func TestRepeatedSubtree(t *testing.T) {
	const below = 100
	records := []Record{ProbeRecord(4, 5, 0, 1, false, false, false)}
	for i := range uint64(below) {
		records = append(records, ProbeRecord(100+2*i, 1, 0, 1, false, false, false))
	}
	stored := cluster.Entry{Move: 1, Value: 50, Quality: cluster.Quality{Depth: 5, Bound: cluster.Lower}}
	records = append(records, StoreRecord(4, stored))
	cutoff := ProbeRecord(4, 5, 0, 1, false, true, true)
	again, err := newLastStores().repeats(nil, append(records, cutoff))
	if err != nil || len(again) != 1 {
		t.Fatal(again, err)
	}
	for _, text := range []string{"weight=subtree", "weight=subtree+side=word"} {
		table := tableOf(t, parsed(t, text), 1<<20)
		var c ReplayCounts
		c.replay(table, records, nil)
		first, _ := table.Probe(cutoff)
		table.Clear()
		c.replay(table, []Record{cutoff}, again)
		second, hit := table.Probe(cutoff)
		if weight := first.Word >> subtreeShift; !hit || weight == 0 || second.Word>>subtreeShift != weight {
			t.Errorf("%s: weights %d and %d", text, weight, second.Word>>subtreeShift)
		}
	}
}
