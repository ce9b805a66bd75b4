package table

import (
	"context"
	"time"
)

// background runs one task on a table at a time: it may clear or fill the table, then it
// touches all its memory.
type background struct {
	cancel   context.CancelFunc
	done     chan struct{} // closed at the end of the task
	prepared chan struct{} // closed at the end of clearing or filling
	complete bool          // stop waits for that end
}

// start starts a task; the previous one must have ended. prepare, which clears or fills, may be nil;
// touch runs unless prepare fails. Both check their context often.
func (b *background) start(prepare func(context.Context) error, touch func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	done, prepared := make(chan struct{}), make(chan struct{})
	b.cancel, b.done, b.prepared, b.complete = cancel, done, prepared, false
	if prepare == nil {
		close(prepared)
	}
	go func() {
		defer close(done)
		if prepare != nil {
			err := prepare(ctx)
			close(prepared)
			if err != nil {
				return
			}
		}
		touch(ctx)
	}()
}

// restart cancels the task and starts one that clears at least as much. If the first was to be completed, so is the
// second.
func (b *background) restart(prepare func(context.Context) error, touch func(context.Context)) {
	complete := b.complete && !b.isPrepared()
	b.abandon()
	b.start(prepare, touch)
	b.complete = complete
}

// abandon cancels the task, also one that is to be completed, and waits for its end.
func (b *background) abandon() {
	b.complete = false
	b.stop()
}

// stop cancels the task and waits for its end, which takes no longer than one piece of memory. If the task is to be
// completed, it is cancelled only after clearing.
func (b *background) stop() {
	if b.cancel != nil {
		if b.complete {
			<-b.prepared
		}
		b.cancel()
		<-b.done
		b.cancel = nil
	}
}

// isPrepared reports whether clearing or filling has ended.
func (b *background) isPrepared() bool {
	select {
	case <-b.prepared:
		return true
	default:
		return false
	}
}

// awaitPrepared waits for the end of clearing or filling, for at most timeout (0 = no limit) and until
// ctx ends, and reports whether it has ended.
func (b *background) awaitPrepared(ctx context.Context, timeout time.Duration) bool {
	if b.isPrepared() {
		return true
	}
	var expired <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case <-b.prepared:
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
