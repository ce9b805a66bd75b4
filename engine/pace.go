package engine

import (
	"context"
	"time"

	"trefoil/search"
)

// pace is how a solver divides its time: of a clock, a move gets what there is for each of
// a third of the moves that may be left to play, because the early ones are the hard ones.
type pace struct {
	side     int // to move: 0 or 1
	left     int // moves that this side may still have to play
	overhead time.Duration
}

// clocked returns a context that ends when the limits on time say so.
func (p pace) clocked(ctx context.Context, l search.Limits) (context.Context, context.CancelFunc) {
	if l.Infinite {
		return context.WithCancel(ctx)
	}
	if !l.Ponder {
		if d := p.budget(l, l.Clock); d > 0 {
			return context.WithDeadline(ctx, l.Start.Add(d))
		}
		return context.WithCancel(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-ctx.Done():
		case clock := <-l.PonderHit:
			if !clock.Given {
				clock = l.Clock
			}
			if d := p.budget(l, clock); d > 0 {
				timer := time.AfterFunc(d, cancel)
				<-ctx.Done()
				timer.Stop()
			}
		}
	}()
	return ctx, cancel
}

// budget is the time for this move, 0 if nothing measures it.
func (p pace) budget(l search.Limits, clock search.Clock) time.Duration {
	if !clock.Given {
		return l.MoveTime
	}
	left := p.left
	if clock.MovesToGo > 0 {
		left = min(left, clock.MovesToGo)
	}
	share := time.Duration(max(left/3, 1))
	d := clock.Time[p.side]/share + clock.Inc[p.side]
	d = min(d, clock.Time[p.side]) - p.overhead
	if l.MoveTime > 0 {
		d = min(d, l.MoveTime)
	}
	return max(d, time.Millisecond)
}

// awaitTouched waits until all memory of a table is touched: for half of the time of a search, and
// without a limit if the search has none. A thousand nodes that each wait for
// pages would take longer than a stop may.
func (p pace) awaitTouched(ctx context.Context, l search.Limits, wait func(context.Context)) {
	if d := p.budget(l, l.Clock); d > 0 && !l.Infinite && !l.Ponder {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d/2)
		defer cancel()
	}
	wait(ctx)
}

// clearTimeout is how long a search may wait for its table to be cleared: a small
// part of its time, 0 (no limit) if it is not limited by time.
func clearTimeout(l *search.Limits, side int) time.Duration {
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
// then it must give the same result every time.
func repeatable(l *search.Limits) bool {
	return (l.Depth > 0 || l.Nodes > 0 || l.Mate > 0) && !l.Infinite && !l.Ponder && l.MoveTime == 0 && !l.Clock.Given
}
