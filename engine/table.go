package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"trefoil/cluster"
)

// store is the life of a cluster.Table: at most one table, and at most one task on
// it in the background.
//
//	resize ── maps the new table ── stops the task ── swaps ── closes the old ──┐
//	clear  ── stops the task ──────────────────────────── clears in background ─┤
//	                                                     prefaults in background ┘
type store struct {
	table   *cluster.Table
	asked   uint64        // MiB
	index   cluster.Index // as asked for
	notices *notices
	task
}

// resize replaces the table by one of another size or index, unless it has both
// already. If that fails the old table stays. use is told of the new table before
// the old one is closed.
func (s *store) resize(mib uint64, index cluster.Index, use func(*cluster.Table)) error {
	if s.table != nil && mib == s.asked && index == s.index {
		return nil
	}
	plan, err := cluster.PlanFor(mib, index)
	if err != nil {
		return err
	}
	if plan.Warning != "" {
		s.notices.add(plan.Warning)
	}
	t, err := cluster.New(mib, index, cluster.Releasing(s.table))
	if err != nil {
		return err
	}
	s.halt()
	old := s.table
	s.table, s.asked, s.index = t, mib, index
	use(t)
	if old != nil {
		if err := old.Close(); err != nil {
			s.notices.add(staysTaken + err.Error())
		}
	}
	s.notices.replace(s.describe())
	s.run(false)
	return nil
}

// clear empties the table in the background. Without a table it does nothing.
func (s *store) clear() {
	if s.table == nil {
		return
	}
	s.halt()
	s.run(true)
}

// close gives the table back.
func (s *store) close() error {
	if s.table == nil {
		return nil
	}
	s.halt()
	t := s.table
	s.table = nil
	return t.Close()
}

// run starts the task: clear the table if wanted, then touch all its memory. When
// that is done for the first time the notice says how the pages turned out.
func (s *store) run(clear bool) {
	t, told := s.table, s.table.Settled()
	text := describer(t)
	touch := func(ctx context.Context) {
		t.Prefault(ctx)
		if !told && t.Settled() {
			s.notices.replace(text())
		}
	}
	if clear {
		s.begin(t.Clear, touch)
	} else {
		s.begin(nil, touch)
	}
}

// await waits until the table is cleared, but not beyond ctx or patience (0 = no
// end). If it is not cleared by then the rest of it keeps what it had: that is
// true of earlier positions, and searches the sooner.
func (s *store) await(ctx context.Context, patience time.Duration) {
	if !s.wait(ctx, patience) {
		s.halt()
		s.run(false)
	}
}

// errNoTable is the answer to questions about a table that is not there yet.
var errNoTable = errors.New("hash: no table yet; it is made at the first search or when Hash is set")

// describe is the line about the table.
func (s *store) describe() string { return describer(s.table)() }

// describer returns what tells about t: its size, its index, and how much of it
// lies on huge pages, once that is settled.
func describer(t *cluster.Table) func() string {
	return func() string {
		p := t.Plan()
		line := fmt.Sprintf("hash %d MiB: ", p.Allocated)
		if p.Allocated != p.MiB {
			line = fmt.Sprintf("hash %d MiB of %d: ", p.Allocated, p.MiB)
		}
		line += fmt.Sprintf("%d clusters, index %s, huge pages ", p.Clusters, p.Index)
		if !t.Settled() {
			return line + "pending"
		}
		huge, known := t.HugeBytes()
		if !known {
			return line + "unknown to this system"
		}
		bytes := p.Clusters * cluster.BytesPerCluster
		return line + fmt.Sprintf("%d MiB (%d %%)", huge>>20, huge*100/bytes)
	}
}
