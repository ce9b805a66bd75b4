package clock

import (
	"context"
	"time"

	"trefoil/search"
)

// Context returns a context that ends with ctx, or when the budget by the limits is used up. When
// pondering, the time begins with the PonderHit.
func (p Params) Context(ctx context.Context, l search.Limits) (context.Context, context.CancelFunc) {
	if l.Infinite {
		return context.WithCancel(ctx)
	}
	if !l.Ponder {
		if b, ok := p.Budget(&l, l.Clock); ok {
			return context.WithDeadline(ctx, l.Start.Add(b.Maximum))
		}
		return context.WithCancel(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-ctx.Done():
		case c := <-l.PonderHit:
			if !c.Given {
				c = l.Clock
			}
			if b, ok := p.Budget(&l, c); ok {
				timer := time.AfterFunc(b.Maximum, cancel)
				<-ctx.Done()
				timer.Stop()
			}
		}
	}()
	return ctx, cancel
}

// HalfContext returns a context that ends with ctx, or after half of the budget by the limits.
func (p Params) HalfContext(ctx context.Context, l search.Limits) (context.Context, context.CancelFunc) {
	if b, ok := p.Budget(&l, l.Clock); ok && !l.Infinite && !l.Ponder {
		return context.WithTimeout(ctx, b.Maximum/2)
	}
	return context.WithCancel(ctx)
}

// A search waits for its table to be cleared for at most this part of its time.
const (
	clearOfMoveTime = 20 // one part in, of a fixed time
	clearOfClock    = 50 // one part in, of all that is left on the clock
)

// ClearTimeout returns how long a search for a side waits for its table to be cleared, at least
// a millisecond; 0 means without limit, because the search has no time limit.
func ClearTimeout(l *search.Limits, side int) time.Duration {
	switch {
	case l.MoveTime > 0:
		return max(l.MoveTime/clearOfMoveTime, time.Millisecond)
	case l.Clock.Given:
		return max(l.Clock.Time[side]/clearOfClock, time.Millisecond)
	default:
		return 0
	}
}
