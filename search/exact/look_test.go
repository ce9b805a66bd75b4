package exact

import "testing"

// TestFields: the fields of an entry have all its bits, the highest first, also if the key leaves none for the work.
func TestFields(t *testing.T) {
	for _, c := range []struct{ width, height, hash, fields int }{{7, 6, 1, 4}, {10, 6, 16, 3}, {16, 7, 2, 4}} {
		b := mustBoard(t, c.width, c.height, 4)
		fields, last := newSolver(t, Options{Board: b, Hash: c.hash}).Fields(), 63
		for _, f := range fields {
			if f.To != last || f.From > f.To {
				t.Errorf("%v, %d MiB: %v", b, c.hash, fields)
			}
			last = f.From - 1
		}
		if len(fields) != c.fields || last != -1 {
			t.Errorf("%v, %d MiB: %v", b, c.hash, fields)
		}
	}
}
