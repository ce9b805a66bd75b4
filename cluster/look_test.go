package cluster

import (
	"path/filepath"
	"testing"
)

// TestLook: what Look returns is what was stored, and what Probe finds; Fields are the same bits.
func TestLook(t *testing.T) {
	table := mustNew(t, 1, Mul32)
	for i := range uint64(100_000) {
		key := stream(1, i)
		table.Store(key, entryOf(key))
	}
	seen := 0
	for i := range uint64(100_000) {
		key := stream(1, i)
		found, hit := table.Probe(key)
		if !hit {
			continue
		}
		c, ok := table.Look(table.IndexOf(key))
		if !ok {
			t.Fatalf("no cluster %d", table.IndexOf(key))
		}
		at, _ := table.Locate(key)
		e := c.Entries[at%EntriesPerCluster]
		if e.Entry != found.Entry || !e.Used || uint64(e.CheckBits) != key>>43 || e.Age < 0 {
			t.Fatalf("%+v, %+v", e, found)
		}
		values := map[string]uint64{}
		for _, f := range Fields(int(at % EntriesPerCluster)) {
			values[f.Name] = c.Words[f.From/64] >> (f.From % 64) & (1<<(f.To-f.From+1) - 1)
		}
		if values["move"] != uint64(e.Move) || int16(values["value"]) != e.Value ||
			values["depth"] != uint64(e.Depth) || values["bound"] != uint64(e.Bound) ||
			int16(values["eval"]) != e.Eval || values["check"]<<5|values["eval check"] != uint64(e.CheckBits) {
			t.Fatalf("%v, %+v", values, e)
		}
		seen++
	}
	if seen < 1000 {
		t.Errorf("%d entries", seen)
	}
	if _, ok := table.Look(table.Plan().Clusters); ok {
		t.Error("a cluster behind the last one")
	}
}

// TestLookAge: entries age with every search, and hits put them ahead.
func TestLookAge(t *testing.T) {
	table := mustNew(t, 1, Mul32)
	const key = 0x123456789ABCDEF0
	table.Store(key, Entry{Move: 1, Quality: Quality{Depth: 3, Bound: Exact}})
	ages := func() int {
		c, _ := table.Look(table.IndexOf(key))
		return c.Entries[0].Age
	}
	if a := ages(); a != 0 {
		t.Errorf("stored: %d", a)
	}
	table.Refresh(key)
	if a := ages(); a != -1 {
		t.Errorf("hit: %d", a)
	}
	table.NewSearch()
	if a := ages(); a != 3 {
		t.Errorf("in the next search: %d", a)
	}
}

// TestFields: the fields of all entries are different bits of the cluster, and leave one over.
func TestFields(t *testing.T) {
	var used [256]bool
	for e := range EntriesPerCluster {
		for _, f := range Fields(e) {
			for bit := f.From; bit <= f.To; bit++ {
				if used[bit] {
					t.Errorf("bit %d is in two fields", bit)
				}
				used[bit] = true
			}
		}
	}
	for bit, in := range used {
		if in != (bit != 255) {
			t.Errorf("bit %d: %v", bit, in)
		}
	}
}

// TestLookBesideLoad: Look, Census and Full may run during Load. The race detector sees them.
func TestLookBesideLoad(t *testing.T) {
	table, file := filled(t, 1, Mul32, 5, 1000), filepath.Join(t.TempDir(), "hash")
	if _, err := table.Save(t.Context(), Replace(file), Label{}, nil); err != nil {
		t.Fatal(err)
	}
	loaded := make(chan error)
	go func() {
		var err error
		for i := 0; i < 10 && err == nil; i++ {
			_, err = table.Load(t.Context(), File(file), Label{}, nil)
		}
		loaded <- err
	}()
	for i := uint64(0); ; i++ {
		select {
		case err := <-loaded:
			if err != nil {
				t.Error(err)
			}
			return
		default:
			table.Look(i % table.Plan().Clusters)
			_, _ = table.Census(t.Context())
			table.Full()
		}
	}
}
