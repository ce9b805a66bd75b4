package window

import (
	"testing"

	"trefoil/internal/mem"
	"trefoil/internal/tabletest"
)

// alike says how to test what all tables promise alike.
func alike() tabletest.SavedKind[*Table, Label, Header] {
	return tabletest.SavedKind[*Table, Label, Header]{
		Kind: tabletest.Kind[*Table]{
			New:   func(mib uint64, o mem.Options) (*Table, error) { return New(mib, Memory(o)) },
			Store: func(t *Table, i uint64) { t.Handle().Store(keyOf(i), whole(keyOf(i), uint32(i))) },
			Probe: func(t *Table, i uint64) (found, intact bool) {
				e, ok := t.Handle().Probe(keyOf(i))
				return ok, e == whole(keyOf(i), uint32(i))
			},
			Entries: Slots(1 << 20),
		},
		Label: label,
		Others: map[string]Label{
			`game is "ultimate", expected "chess"`: {"chess", label.Convention, label.Seed},
			"convention is":                        {label.Game, "draws count", label.Seed},
			"seed is":                              {label.Game, label.Convention, "other"},
		},
		Inspect: Inspect,
		Verify:  Verify,
		Bare: func(h Header) Header {
			h.Solved = 0
			return h
		},
	}
}

func TestTable(t *testing.T) { alike().Run(t) }

func TestKilledWhileSaving(t *testing.T) { alike().Killed(t, "TestKilledWhileSaving", rounds()) }

// rounds is how often a process is killed.
func rounds() int {
	if *long {
		return 100
	}
	return 3
}
