package engine

import (
	"context"
	"fmt"
	"sync/atomic"

	"trefoil/cluster"
	"trefoil/window"
)

// proofs is the life of a window.Table: at most one table, and at most one task on it in
// the background, as with store.
type proofs struct {
	table   *window.Table
	notices *notices
	touched atomic.Bool // all memory of the table
	task    task
}

// resize replaces the table by one of another size. If that fails the old one stays.
func (s *proofs) resize(mib uint64) error {
	if s.table != nil && mib == s.table.MiB() {
		return nil
	}
	t, err := window.New(mib, window.Overwrite, window.Releasing(s.table))
	if err != nil {
		return err
	}
	if err := s.close(); err != nil {
		s.notices.add(staysTaken + err.Error())
	}
	s.table = t
	s.touched.Store(false)
	s.notices.replace(s.describe())
	s.task.begin(nil, s.touch)
	return nil
}

// ready sees to it that there is a table: of so many MiB, or of one if there is no room for
// that.
func (s *proofs) ready(mib uint64) error {
	if s.table != nil {
		return nil
	}
	err := s.resize(mib)
	if err != nil {
		s.notices.add(err.Error())
		err = s.resize(1)
	}
	return err
}

// touch touches all memory of the table. When that is done for the first time the notice
// says how the pages turned out.
func (s *proofs) touch(ctx context.Context) {
	if s.table.Prefault(ctx) == nil && !s.touched.Swap(true) {
		s.notices.replace(s.describe())
	}
}

// clear empties the table in the background. Without a table it does nothing.
func (s *proofs) clear() {
	if s.table == nil {
		return
	}
	s.task.halt()
	s.task.begin(s.table.Clear, s.touch)
}

// goOn ends clearing where it is: what is left is true of any game.
func (s *proofs) goOn() {
	s.task.halt()
	s.task.begin(nil, s.touch)
}

// close gives the table back.
func (s *proofs) close() error {
	if s.table == nil {
		return nil
	}
	s.task.halt()
	t := s.table
	s.table = nil
	return t.Close()
}

// line tells about the table and how full it is.
func (s *proofs) line() string {
	if s.table == nil {
		return errNoTable.Error()
	}
	return fmt.Sprintf("%s, full %d permille", s.describe(), s.table.Full())
}

// describe is the line about the table.
func (s *proofs) describe() string {
	line := fmt.Sprintf("hash %d MiB: %d entries, huge pages ", s.table.MiB(), s.table.Slots())
	if !s.touched.Load() {
		return line + "pending"
	}
	huge, known := s.table.HugeBytes()
	if !known {
		return line + "unknown to this system"
	}
	return line + fmt.Sprintf("%d MiB (%d %%)", huge>>20, (huge>>20)*100/s.table.MiB())
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
