package alphabeta

import (
	"context"
	"time"

	"trefoil/game"
	"trefoil/search"
	"trefoil/search/clock"
)

// lateReports is when bounds and the move being searched become worth telling.
const lateReports = 3 * time.Second

// lead looks after one search: its limits, its clock and its reports. Only the
// main worker's goroutine uses it, but for the control.
type lead struct {
	control  control
	limits   search.Limits
	set      Settings
	workers  []*worker
	root     Position
	table    tableView
	send     func(search.Info)
	timer    *clock.Timer
	deadline time.Time   // of the timer, for which the alarm is set
	alarm    *time.Timer // ends the search at the deadline
	pondered bool        // still pondering
	told     bool        // a full Info was sent
	toldAt   uint64      // nodes by then
	full     int         // permille of the table in use, at fullAt
	fullAt   time.Duration
}

// tableView is what reports want of a table.
type tableView interface{ Full() int }

func newLead(ctx context.Context, s *Searcher, root Position, lim search.Limits, set Settings, report func(search.Info)) *lead {
	l := &lead{limits: lim, set: set, workers: s.workers, root: root, table: s.table, send: report, pondered: lim.Ponder}
	l.timer = clock.NewTimer(clock.AlphaBeta(root.Side(), set.Clock), &l.limits)
	l.arm()
	if ctx.Err() != nil {
		l.control.stop()
	}
	return l
}

// arm sets the alarm for the deadline. Looking at the clock at every so many nodes would come too
// late where a node takes long: the first touch of a huge page costs as much as
// some hundred nodes, and a new table consists of such pages.
func (l *lead) arm() {
	if l.timer.Deadline().Equal(l.deadline) {
		return
	}
	l.disarm()
	l.deadline = l.timer.Deadline()
	l.alarm = time.AfterFunc(time.Until(l.deadline), func() { l.control.stop() })
}

func (l *lead) disarm() {
	if l.alarm != nil {
		l.alarm.Stop()
	}
}

// depth is the last iteration that the limits allow.
func (l *lead) depth() int {
	if l.limits.Depth > 0 {
		return min(l.limits.Depth, maxDepth)
	}
	return maxDepth
}

func (l *lead) elapsed() time.Duration { return l.timer.Elapsed() }

// fullEvery is how long a sample of the table stays good: taking one costs as
// much as some hundred nodes.
const fullEvery = 20 * time.Millisecond

// hashFull is the permille of the table in use.
func (l *lead) hashFull(now time.Duration) int {
	if now-l.fullAt >= fullEvery {
		l.full, l.fullAt = l.table.Full(), now
	}
	return l.full
}

// nodes is the sum over all workers; helpers are up to pollEvery behind.
func (l *lead) nodes() uint64 {
	n := l.workers[0].nodes
	for _, w := range l.workers[1:] {
		n += w.counted.Load()
	}
	return n
}

// poll looks at the limits that may end a search at any node.
func (l *lead) poll(w *worker) {
	if limit := l.limits.Nodes; limit > 0 {
		if l.nodes() >= limit {
			l.control.stop()
		}
		if len(l.workers) == 1 {
			w.pollAt = min(w.pollAt, limit)
		}
	}
	if l.pondered {
		select {
		case c := <-l.limits.PonderHit:
			l.hit(c)
		default:
		}
	}
	if !l.deadline.IsZero() && !time.Now().Before(l.deadline) {
		l.control.stop()
	}
}

// hit ends pondering: from now on our clock runs.
func (l *lead) hit(c search.Clock) {
	l.pondered = false
	l.timer.PonderHit(c, time.Now())
	if l.enough() {
		l.control.stop()
	}
}

// wait keeps the answer back while the limits say so: nobody asked for it yet.
func (l *lead) wait(ctx context.Context) {
	if l.pondered && !l.control.stopped() {
		select {
		case c := <-l.limits.PonderHit:
			l.hit(c)
		case <-ctx.Done():
		}
	}
	if l.limits.Infinite && !l.control.stopped() {
		<-ctx.Done()
	}
}

// iterated reports a complete iteration of the main worker and returns whether
// it was the last one.
func (l *lead) iterated(w *worker) bool {
	l.tell(w)
	best := &w.root[0]
	l.poll(w)
	if l.control.stopped() {
		return true
	}
	if n := l.limits.Mate; n > 0 && isMate(best.score) && mate-abs(best.score) <= 2*n {
		return !l.pondered && !l.limits.Infinite
	}
	l.timer.Update(clock.Iteration{
		Depth: w.rootDepth, Best: uint32(best.move), Value: best.score, Changes: w.changes,
		Effort: float64(best.nodes) / float64(max(w.spent(), 1)), Forced: len(w.root) == 1,
	})
	return !l.pondered && l.enough()
}

// enough reports whether the search has used its time. The deadline may change with it.
func (l *lead) enough() bool {
	enough := l.timer.Enough(time.Now())
	l.arm()
	return enough
}

func abs(v int) int { return max(v, -v) }

// failed reports a value outside the aspiration window, once that is of
// interest.
func (l *lead) failed(w *worker) {
	if l.send != nil && w.lines == 1 && l.elapsed() > lateReports {
		l.tellLine(w, 0)
	}
}

// trying reports the root move that is searched next.
func (l *lead) trying(m game.Move, number int) {
	if l.send != nil && l.workers[0].nodes > 1<<20 && l.elapsed() > lateReports {
		l.send(search.Info{
			CurrMove: l.root.Text(m), CurrMoveNumber: number, HashFull: -1,
			Depth: l.workers[0].rootDepth,
		})
	}
}
