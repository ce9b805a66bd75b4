package cluster

import (
	"testing"

	"trefoil/internal/mem"
	"trefoil/internal/tabletest"
)

// alike says how to test what all tables promise alike.
func alike() tabletest.SavedKind[*Table, Label, Header] {
	key := func(i uint64) uint64 { return stream(40, i) }
	return tabletest.SavedKind[*Table, Label, Header]{
		Kind: tabletest.Kind[*Table]{
			New:   func(mib uint64, o mem.Options) (*Table, error) { return New(mib, Auto, Memory(o)) },
			Store: func(t *Table, i uint64) { t.Store(key(i), entryOf(key(i))) },
			Probe: func(t *Table, i uint64) (found, intact bool) {
				e, ok := t.Probe(key(i))
				return ok, e.Entry == entryOf(key(i))
			},
			Entries: EntriesPerCluster * ClustersPerMiB,
		},
		Label: label,
		Others: map[string]Label{
			"game is chess, expected shogi":   {"shogi", label.Seed, label.Evaluation},
			"seed is test 1, expected other":  {label.Game, "other", label.Evaluation},
			"evaluation is 1, expected other": {label.Game, label.Seed, "other"},
		},
		Inspect: Inspect,
		Verify:  Verify,
		Bare:    func(h Header) Header { return h },
	}
}

func TestTable(t *testing.T) { alike().Run(t) }

func TestKilledWhileSaving(t *testing.T) { alike().Killed(t, "TestKilledWhileSaving", rounds()) }

// rounds is how often a process is killed.
func rounds() int {
	if *long {
		return 1000
	}
	return 5
}
