package alphabeta

import (
	"context"
	"math"
	"time"

	"trefoil/game"
	"trefoil/search"
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
	timer    timer
	alarm    *time.Timer // ends the search at timer.hard
	trend    trend
	patience float64 // how many times the soft time the search may take
	pondered bool    // still pondering
	told     bool    // a full Info was sent
	toldAt   uint64  // nodes by then
	full     int     // permille of the table in use, at fullAt
	fullAt   time.Duration
}

// tableView is what reports want of a table.
type tableView interface{ Full() int }

func newLead(ctx context.Context, s *Searcher, root Position, lim search.Limits, set Settings, report func(search.Info)) *lead {
	l := &lead{limits: lim, set: set, workers: s.workers, root: root, table: s.table, send: report, pondered: lim.Ponder, patience: math.Inf(1)}
	if l.limits.Start.IsZero() {
		l.limits.Start = time.Now()
	}
	l.timer = newTimer(&lim, lim.Clock, root.Side(), &l.set, l.limits.Start)
	if lim.Ponder || lim.Infinite {
		l.timer.hard, l.timer.managed = time.Time{}, false
	}
	l.arm()
	if ctx.Err() != nil {
		l.control.stop()
	}
	return l
}

// arm sets the alarm. Looking at the clock at every so many nodes would come too
// late where a node takes long: the first touch of a huge page costs as much as
// some hundred nodes, and a new table consists of such pages.
func (l *lead) arm() {
	l.disarm()
	if !l.timer.hard.IsZero() {
		l.alarm = time.AfterFunc(time.Until(l.timer.hard), func() { l.control.stop() })
	}
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

func (l *lead) elapsed() time.Duration { return time.Since(l.timer.start) }

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
		case clock := <-l.limits.PonderHit:
			l.hit(clock)
		default:
		}
	}
	if !l.timer.hard.IsZero() && !time.Now().Before(l.timer.hard) {
		l.control.stop()
	}
}

// hit ends pondering: from now on our clock runs.
func (l *lead) hit(clock search.Clock) {
	l.pondered = false
	if !clock.Given {
		clock = l.limits.Clock
	}
	if l.limits.Infinite {
		return
	}
	l.timer = newTimer(&l.limits, clock, l.root.Side(), &l.set, time.Now())
	l.arm()
	if l.timer.managed && l.settled() {
		l.control.stop()
	}
}

// wait keeps the answer back while the limits say so: nobody asked for it yet.
func (l *lead) wait(ctx context.Context) {
	if l.pondered && !l.control.stopped() {
		select {
		case clock := <-l.limits.PonderHit:
			l.hit(clock)
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
	l.trend.update(uint32(best.move), best.score, w.changes)
	l.poll(w)
	if l.control.stopped() {
		return true
	}
	if n := l.limits.Mate; n > 0 && isMate(best.score) && mate-abs(best.score) <= 2*n {
		return !l.pondered && !l.limits.Infinite
	}
	l.patience = 1
	if len(w.root) == 1 {
		l.patience = 0
	} else if w.rootDepth > 6 {
		share := float64(best.nodes) / float64(max(w.spent(), 1))
		l.patience = l.trend.factor(best.score, share)
	}
	return l.timer.managed && !l.pondered && l.settled()
}

// settled reports whether the answer is good enough for the time it took. Where the
// rest of a second costs nothing it is not, and the alarm is set to its end.
func (l *lead) settled() bool {
	spent := l.elapsed()
	if float64(spent) <= l.patience*float64(l.timer.soft) || spent < l.set.AtLeast {
		return false
	}
	if !l.set.FullSeconds || l.patience == 0 {
		return true
	}
	l.timer.roundUp(l.set.MoveOverhead, time.Now())
	l.arm()
	return false
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
