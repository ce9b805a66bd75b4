package table

import (
	"context"
	"time"
)

// background runs one task on a table at a time: it may clear the table, then it
// touches all its memory.
type background struct {
	cancel  context.CancelFunc
	done    chan struct{} // closed at the end of the task
	cleared chan struct{} // closed at the end of clearing
}

// start starts a task; the previous one must have ended. clear may be nil; touch runs
// unless clear fails. Both check their context often.
func (b *background) start(clear func(context.Context) error, touch func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	done, cleared := make(chan struct{}), make(chan struct{})
	b.cancel, b.done, b.cleared = cancel, done, cleared
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

// stop cancels the task and waits for its end, which takes no longer than one piece of
// memory.
func (b *background) stop() {
	if b.cancel != nil {
		b.cancel()
		<-b.done
		b.cancel = nil
	}
}

// awaitCleared waits for the end of clearing, for at most timeout (0 = no limit) and until ctx
// ends, and reports whether clearing has ended.
func (b *background) awaitCleared(ctx context.Context, timeout time.Duration) bool {
	select {
	case <-b.cleared:
		return true
	default:
	}
	var expired <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case <-b.cleared:
		return true
	case <-ctx.Done():
	case <-expired:
	}
	return false
}

// await waits for the end of the task, or of ctx.
func (b *background) await(ctx context.Context) {
	if b.done == nil {
		return
	}
	select {
	case <-b.done:
	case <-ctx.Done():
	}
}
