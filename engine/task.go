package engine

import (
	"context"
	"time"

	"trefoil/search"
)

// task is work on a table in the background, one piece at a time: it is cleared,
// and then its memory is touched.
type task struct {
	cancel  context.CancelFunc
	done    chan struct{} // closed when the task has ended
	cleared chan struct{} // closed when it no longer clears
}

// begin starts a task; the one before must have ended. clear may be nil; touch runs
// if clear did not fail. Both look at their context often.
func (t *task) begin(clear func(context.Context) error, touch func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	done, cleared := make(chan struct{}), make(chan struct{})
	t.cancel, t.done, t.cleared = cancel, done, cleared
	if clear == nil {
		close(cleared)
	}
	go func() {
		defer close(done)
		if clear != nil {
			err := clear(ctx)
			close(cleared)
			if err != nil {
				return
			}
		}
		touch(ctx)
	}()
}

// halt stops the task and waits until it has ended, for no longer than one piece
// of memory takes.
func (t *task) halt() {
	if t.cancel != nil {
		t.cancel()
		<-t.done
		t.cancel = nil
	}
}

// wait waits until the table is cleared and reports whether it is, but not beyond
// ctx or patience (0 = no end).
func (t *task) wait(ctx context.Context, patience time.Duration) bool {
	select {
	case <-t.cleared:
		return true
	default:
	}
	var enough <-chan time.Time
	if patience > 0 {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case <-t.cleared:
		return true
	case <-ctx.Done():
	case <-enough:
	}
	return false
}

// settle waits until the task has ended, or ctx ends. Until all its memory is
// touched a table uses what it has, and a search does not repeat itself.
func (t *task) settle(ctx context.Context) {
	if t.done == nil {
		return
	}
	select {
	case <-t.done:
	case <-ctx.Done():
	}
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

// repeatable reports whether a search is limited by what it does, not by time:
// then it has to do the same every time.
func repeatable(l *search.Limits) bool {
	return (l.Depth > 0 || l.Nodes > 0 || l.Mate > 0) && !l.Infinite && !l.Ponder && l.MoveTime == 0 && !l.Clock.Given
}
