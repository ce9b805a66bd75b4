package remainder

import (
	"testing"

	"trefoil/internal/mem"
	"trefoil/internal/tabletest"
)

// TestTable: what all tables promise alike, for every number of entries in a bucket.
func TestTable(t *testing.T) {
	for name, entries := range map[string]int{"one": 1, "two": 2, "four": 4} {
		key := func(i uint64) uint64 { return mix(i) % connect4Key }
		kind := tabletest.Kind[*Table]{
			New: func(mib uint64, o mem.Options) (*Table, error) {
				bytes := o.Part(mib << 20)
				shape, err := Plan(bytes, entries, connect4Key)
				if err != nil {
					return nil, err
				}
				o.Bytes = bytes
				return New(shape, connect4Key, Memory(o))
			},
			Store: func(t *Table, i uint64) { t.Store(Key{0, key(i)}, i+1) },
			Probe: func(t *Table, i uint64) (found, intact bool) {
				value, ok := t.Probe(Key{0, key(i)})
				return ok, value == i+1
			},
			Entries: 1 << 20 / wordBytes,
		}
		t.Run(name, kind.Run)
	}
}
