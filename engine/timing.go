package engine

import (
	"context"

	"trefoil/engine/config"
	"trefoil/search"
	"trefoil/search/clock"
)

// moveOverhead is the only clock setting of searches other than alpha-beta.
func moveOverhead(opts *config.Options) clock.Settings {
	return clock.Settings{MoveOverhead: opts.MoveOverhead.Milliseconds()}
}

// awaitTouched calls wait, which waits until all memory of a table is touched, for at most half
// of the time of a search, and without a limit if the search has none. A thousand nodes that
// each wait for pages would take longer than a stop may.
func awaitTouched(ctx context.Context, p clock.Params, l *search.Limits, wait func(context.Context)) {
	if b, ok := p.Budget(l, l.Clock); ok && !l.Infinite && !l.Ponder {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Maximum/2)
		defer cancel()
	}
	wait(ctx)
}

// repeatable reports whether a search is limited by what it does, not by time:
// then it must give the same result every time.
func repeatable(l *search.Limits) bool {
	return (l.Depth > 0 || l.Nodes > 0 || l.Mate > 0) && !l.Infinite && !l.Ponder && l.MoveTime == 0 && !l.Clock.Given
}
