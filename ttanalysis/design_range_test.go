package ttanalysis

import (
	"strings"
	"testing"

	"trefoil/cluster"
)

// A design that was not parsed is refused if a field is out of range.
func TestFieldsOutOfRange(t *testing.T) {
	for name, change := range map[string]func(d *ClusterDesign){
		"index":       func(d *ClusterDesign) { d.Index = cluster.Auto },
		"indexbits":   func(d *ClusterDesign) { d.IndexBits = 33 },
		"bytes":       func(d *ClusterDesign) { d.Bytes = 0 },
		"entries":     func(d *ClusterDesign) { d.Entries = -1 },
		"keybits":     func(d *ClusterDesign) { d.KeyBits = 0 },
		"eval":        func(d *ClusterDesign) { d.Eval = 17 },
		"generations": func(d *ClusterDesign) { d.Generations = 5000 },
		"replace":     func(d *ClusterDesign) { d.Replace = 9 },
	} {
		d := DefaultDesign()
		change(&d)
		table, err := d.New(1 << 20)
		if table != nil || err == nil || !strings.Contains(err.Error(), name+" ") {
			t.Errorf("%s: %v", d, err)
		}
	}
	if err := (ClusterDesign{}).Check(1 << 20); err == nil {
		t.Error("the zero design is accepted")
	}
}

// Entries may be more than the check bits can number.
func TestFewCheckBits(t *testing.T) {
	for _, text := range []string{"index=mul64+side=word+keybits=1+empty=zero",
		"index=mul64+side=key+keybits=2+entries=16+bytes=1024+empty=zero"} {
		d := parsed(t, text)
		table := tableOf(t, d, 1<<12)
		for i := range uint64(10_000) {
			table.Store(StoreRecord(mix(i), cluster.Entry{Quality: cluster.Quality{Depth: 1}}))
			if _, hit := table.Probe(ProbeRecord(mix(i), 1, 0, 1, false, false, false)); !hit {
				t.Fatalf("%s: store %d is lost", text, i)
			}
		}
	}
}
