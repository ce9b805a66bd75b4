package exact

import (
	"context"
	"time"
)

// Limits stops a search early; zero fields do not limit.
type Limits struct {
	Nodes uint64
	Time  time.Duration
	Depth int // only wins and losses within so many plies are looked for
}

// quota is what a search may use: the limits of a call that may have used some already.
type quota struct {
	ctx   context.Context
	start time.Time
	limit Limits
	used  uint64 // nodes, by earlier searches of this call
}

// newQuota starts the clock of a call.
func newQuota(ctx context.Context, l Limits, start time.Time) quota {
	return quota{ctx: ctx, start: start, limit: l}
}

// spent reports whether the context has ended, or nothing is left for a search that has
// had that many nodes.
func (q *quota) spent(nodes uint64) bool {
	return q.ctx.Err() != nil || q.limit.Nodes > 0 && q.used+nodes >= q.limit.Nodes ||
		q.limit.Time > 0 && time.Since(q.start) >= q.limit.Time
}

// quotaEvery is how often a worker asks, in nodes: every tenth of a millisecond or so.
const quotaEvery = 1024
