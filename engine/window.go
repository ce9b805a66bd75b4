package engine

import (
	"fmt"

	"trefoil/cluster"
	"trefoil/window"
)

// proofs is the shelf of a window.Table.
type proofs struct{ shelf[*window.Table] }

func newProofs(told *notices) *proofs {
	s := &proofs{shelf[*window.Table]{notices: told}}
	s.describe = s.text
	return s
}

// resize replaces the table by one of another size. If that fails the old one stays.
func (s *proofs) resize(mib uint64) error {
	if !s.empty() && mib == s.held.MiB() {
		return nil
	}
	t, err := window.New(mib, window.Overwrite, window.Releasing(s.held))
	if err != nil {
		return err
	}
	s.put(t)
	return nil
}

// text tells about the table.
func (s *proofs) text() string {
	pages := s.pages(s.held.MiB()<<20, s.held.HugeBytes)
	return fmt.Sprintf("hash %d MiB: %d entries, %s", s.held.MiB(), s.held.Slots(), pages)
}

// windowPlan prints what a table of a size would be, and what the machine has for it.
// Nothing is allocated.
func windowPlan(mib string, print func(string)) error {
	n, err := positive(mib, cluster.MaxMiB)
	if err != nil {
		return fmt.Errorf("hash plan: %w", err)
	}
	bytes := uint64(n) << 20
	print(fmt.Sprintf("table     %d entries of %d bytes with an index byte each, in windows of %d",
		window.Slots(bytes), window.BytesPerEntry, window.Ways))
	machine(bytes, print)
	return nil
}
