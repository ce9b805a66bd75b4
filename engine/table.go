package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"trefoil/cluster"
	"trefoil/search"
)

// store is the life of the table: at most one table, and at most one task on it
// in the background.
//
//	resize ── maps the new table ── stops the task ── swaps ── closes the old ──┐
//	clear  ── stops the task ──────────────────────────── clears in background ─┤
//	                                                     prefaults in background ┘
type store struct {
	table   *cluster.Table
	asked   uint64        // MiB
	index   cluster.Index // as asked for
	notices notices

	cancel  context.CancelFunc // of the task
	done    chan struct{}      // closed when the task has ended
	cleared chan struct{}      // closed when the task no longer clears
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
			s.notices.add("the memory of the old hash stays taken: " + err.Error())
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
	ctx, cancel := context.WithCancel(context.Background())
	t, done, cleared := s.table, make(chan struct{}), make(chan struct{})
	s.cancel, s.done, s.cleared = cancel, done, cleared
	if !clear {
		close(cleared)
	}
	told := t.Settled()
	text := describer(t)
	go func() {
		defer close(done)
		if clear {
			err := t.Clear(ctx)
			close(cleared)
			if err != nil {
				return
			}
		}
		t.Prefault(ctx)
		if !told && t.Settled() {
			s.notices.replace(text())
		}
	}()
}

// halt stops the task and waits until it has ended, for no longer than one piece
// of memory takes.
func (s *store) halt() {
	if s.cancel != nil {
		s.cancel()
		<-s.done
		s.cancel = nil
	}
}

// await waits until the table is cleared, but not beyond ctx or patience (0 = no
// end). If it is not cleared by then the rest of it keeps what it had: that is
// true of earlier positions, and searches the sooner.
func (s *store) await(ctx context.Context, patience time.Duration) {
	select {
	case <-s.cleared:
		return
	default:
	}
	var enough <-chan time.Time
	if patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case <-s.cleared:
		return
	case <-ctx.Done():
	case <-enough:
	}
	s.halt()
	s.run(false)
}

// patience is how long a search may wait for the table to be cleared: a small
// part of its time, and as long as it takes if nothing measures its time.
func patience(l *search.Limits, side int) time.Duration {
	switch {
	case l.MoveTime > 0:
		return max(l.MoveTime/20, time.Millisecond)
	case l.Clock.Given:
		return max(l.Clock.Time[side]/50, time.Millisecond)
	default:
		return 0
	}
}

// settle waits until all memory of the table is touched, or ctx ends. Until then
// the table uses what it has, and a search does not repeat itself.
func (s *store) settle(ctx context.Context) {
	if s.done == nil {
		return
	}
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}

// repeatable reports whether a search is limited by what it does, not by time:
// then it has to do the same every time.
func repeatable(l *search.Limits) bool {
	return (l.Depth > 0 || l.Nodes > 0 || l.Mate > 0) && !l.Infinite && !l.Ponder && l.MoveTime == 0 && !l.Clock.Given
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

// notices are lines that the user has not been told yet.
type notices struct {
	mu    sync.Mutex
	lines []string
	table string // the latest about the table
}

func (n *notices) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

// replace sets what there is to say about the table.
func (n *notices) replace(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.table = line
}

// take returns all lines, and forgets them.
func (n *notices) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	lines := n.lines
	if n.table != "" {
		lines = append(lines, n.table)
	}
	n.lines, n.table = nil, ""
	return lines
}
