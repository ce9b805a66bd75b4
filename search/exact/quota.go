package exact

import (
	"context"
	"time"

	"trefoil/game/connect4"
	"trefoil/internal/yield"
)

// Limits stop a search early; zero fields do not limit.
type Limits struct {
	Nodes uint64
	Time  time.Duration
	Depth int // plies within which wins and losses are sought
}

// question returns the next t to ask for, given a position with a score from lower
// to upper. It is not ok if the limits need no more.
//
// Within Depth plies the mover plays at most (Depth+1)/2 more stones and the other side Depth/2: only
// scores of at least win and at most loss are decided so early. One question asks for each. Its proof is
// short, because deeper results do not matter. Without Depth, or after that, next chooses.
func (l Limits) question(p connect4.Position, lower, upper int, next func(lower, upper int) int) (t int, ok bool) {
	if lower >= upper {
		return 0, false
	}
	cells, ply := p.Board().Cells, p.Ply()
	depth := min(l.Depth, cells)
	win := max((cells+3-ply)/2-(depth+1)/2, 1)
	loss := min(depth/2-(cells+2-ply)/2, -1)
	switch {
	case depth == 0 || lower >= win || upper <= loss:
		return next(lower, upper), true
	case upper >= win:
		return win, true
	case lower <= loss:
		return loss + 1, true
	}
	return 0, false
}

// quota is what is left of the limits of a call.
type quota struct {
	ctx   context.Context
	start time.Time
	limit Limits
	used  uint64 // nodes, by earlier searches of this call

	report   func() // nil, or called by tick
	reported time.Time
}

// newQuota starts the clock of a call.
func newQuota(ctx context.Context, l Limits, start time.Time) quota {
	return quota{ctx: ctx, start: start, limit: l}
}

// spent reports whether the context has ended or a search of that many nodes uses up the quota.
func (q *quota) spent(nodes uint64) bool {
	yield.Now()
	return q.ctx.Err() != nil || q.limit.Nodes > 0 && q.used+nodes >= q.limit.Nodes ||
		q.limit.Time > 0 && time.Since(q.start) >= q.limit.Time
}

// tick calls report every reportInterval. Only the main worker calls it.
func (q *quota) tick() {
	if q.report != nil && time.Since(q.reported) >= reportInterval {
		q.reported = time.Now()
		q.report()
	}
}

// reportInterval is the time between two reports of a search that finds no new bound.
const reportInterval = time.Second

// checkInterval is how many nodes a worker searches between checks of the quota: they take about a
// tenth of a millisecond.
const checkInterval = 1024
