package alphabeta

import (
	"context"
	"time"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/search"
	"trefoil/search/clock"
)

// lateReports is the time from which bounds and the current move are reported.
const lateReports = 3 * time.Second

// manager is the search manager of the main thread: it holds the limits, the timer and the reports of
// one search. Only the main thread uses it, except for the control.
type manager struct {
	control       control
	limits        search.Limits
	set           Settings
	workers       []*worker
	root          Position
	table         *cluster.Table
	report        func(search.Info)
	timer         *clock.Timer
	deadline      time.Duration // of the timer, for which the alarm is set
	alarm         *time.Timer   // ends the search at the deadline
	pondering     bool          // the ponderhit has not come
	reported      bool          // a full Info was sent
	reportedNodes uint64        // nodes by then
	linesAt       time.Duration // when an iteration was reported
	draws         []game.Move   // root moves that end the game as a draw, if expected results are reported
	full          int           // permille of the table in use, at fullAt
	fullAt        uint64        // nodes
	proofs        proofs
}

func newManager(ctx context.Context, s *Searcher, root Position, lim search.Limits, set Settings,
	report func(search.Info)) *manager {
	m := &manager{limits: lim, set: set, workers: s.workers, root: root, table: s.table, report: report,
		pondering: lim.Ponder, deadline: clock.Never, proofs: newProofs(ctx, set.Prover)}
	m.timer = clock.NewTimer(clock.AlphaBeta(root.Side(), set.Clock), &m.limits, &s.nodeClock)
	m.control.workers, m.control.end = uint64(len(s.workers)), m.proofs.end
	m.limitNodes()
	m.arm()
	if m.pondering && set.Prover != nil {
		m.awaitPonderHit(ctx)
	}
	if ctx.Err() != nil {
		m.control.stop()
	}
	return m
}

// helperTime is the shortest search time that wakes the helper threads. On a machine without a free
// processor they may begin later than that, and the answer would wait until all have ended.
const helperTime = 5 * time.Millisecond

// worthHelpers reports whether the helper threads take part in the search.
func (m *manager) worthHelpers() bool { return m.deadline >= helperTime }

// arm sets the alarm for the deadline. The main thread polls the clock after a number of nodes, but some
// nodes take long: the first touch of a huge page takes as long as some hundred nodes, and a new table
// consists of such pages.
func (m *manager) arm() {
	if m.timer.Deadline() == m.deadline {
		return
	}
	m.disarm()
	m.deadline = m.timer.Deadline()
	if m.timer.CountsNodes() {
		m.limitNodes()
		return
	}
	m.alarm = time.AfterFunc(time.Until(m.timer.DeadlineTime()), m.control.stop)
}

// limitNodes sets the nodes that end the search: the limit on nodes or, if nodes are the time, the
// deadline.
func (m *manager) limitNodes() {
	limit := m.limits.Nodes
	if m.timer.CountsNodes() && m.deadline != clock.Never {
		if n := m.timer.DeadlineNodes(); limit == 0 || n < limit {
			limit = max(n, 1)
		}
	}
	m.control.limit.Store(limit)
}

func (m *manager) disarm() {
	if m.alarm != nil {
		m.alarm.Stop()
	}
}

// depth is the last iteration that the limits allow.
func (m *manager) depth() int {
	if m.limits.Depth > 0 {
		return min(m.limits.Depth, maxDepth)
	}
	return maxDepth
}

func (m *manager) elapsed() time.Duration { return m.timer.Elapsed() }

// used is the time that counts for the limits: real, or by nodes.
func (m *manager) used() time.Duration { return m.timer.Used(m.nodes()) }

// fullEvery is the number of nodes for which a sample of hashfull is reused: taking one costs as much time as
// some hundred nodes.
const fullEvery = 1 << 13

// hashFull is the permille of the table in use.
func (m *manager) hashFull(nodes uint64) int {
	if nodes-m.fullAt >= fullEvery {
		m.full, m.fullAt = m.table.Full(), nodes
	}
	return m.full
}

// nodes is the sum over all workers; the counts of helpers lag by up to pollEvery.
func (m *manager) nodes() uint64 {
	w := m.workers[0]
	return m.control.nodes.Load() + w.nodes - w.counted
}

// tableHits is the sum of successful probes of tablebases, like nodes.
func (m *manager) tableHits() uint64 {
	w := m.workers[0]
	return m.control.tableHits.Load() + w.tableHits - w.countedHits
}

// poll checks the limits that may end a search at any node.
func (m *manager) poll(w *worker) {
	m.table.Synchronize()
	if m.pondering {
		select {
		case c := <-m.limits.PonderHit:
			m.ponderHit(c)
		default:
		}
	}
	m.pollDeadline(w)
	w.pollNodes()
}

// Within deadlineNear of the deadline the clock is polled every pollNear nodes.
const (
	deadlineNear = 10 * time.Millisecond
	pollNear     = 64
)

// pollDeadline ends the search at the deadline. The main thread reads the clock itself, because the
// alarm may be late on a machine without a free processor.
func (m *manager) pollDeadline(w *worker) {
	if m.deadline == clock.Never {
		return
	}
	left := m.deadline - m.used()
	switch {
	case left <= 0:
		m.control.stop()
	case left < deadlineNear && !m.timer.CountsNodes():
		w.pollAt = min(w.pollAt, w.nodes+pollNear)
	}
}

// ponderHit ends pondering: from now on our clock runs.
func (m *manager) ponderHit(c search.Clock) {
	m.pondering, m.proofs.ctx = false, m.proofs.whole
	m.timer.PonderHit(c, m.used())
	if m.enough() {
		m.control.stop()
	}
}

// wait delays the answer to a ponder or infinite search until the ponderhit or stop. Where nodes are the time, a search
// that has reached its limit on them waits too: the ponderhit brings an increment.
func (m *manager) wait(ctx context.Context) {
	if m.pondering && (!m.control.stopped() || m.timer.CountsNodes()) {
		select {
		case c := <-m.limits.PonderHit:
			m.ponderHit(c)
		case <-ctx.Done():
			select { // of both, the ponderhit came first
			case c := <-m.limits.PonderHit:
				m.ponderHit(c)
			default:
			}
		}
	}
	if m.limits.Infinite && !m.control.stopped() {
		<-ctx.Done()
	}
}

// rest delays the answer until the least time for a move is over.
func (m *manager) rest(ctx context.Context) {
	if rest := m.timer.Rest(m.used()); rest > 0 && !m.control.stopped() {
		select {
		case <-time.After(rest):
		case <-ctx.Done():
		}
	}
}

// iterationDone proves mates, reports a complete iteration of the main thread and returns whether it is the last
// one.
func (m *manager) iterationDone(w *worker) bool {
	mates := m.prove(w)
	m.reportNews()
	if now := m.elapsed(); m.linesAt == 0 || now-m.linesAt >= m.set.PVInterval {
		m.linesAt = now
		m.reportLines(w)
	} else {
		m.reported = false
	}
	best := &w.root[0]
	m.poll(w)
	if m.control.stopped() {
		return true
	}
	if n := m.limits.SoftNodes; n > 0 && w.nodes >= n {
		return true
	}
	if n := m.limits.Mate; n > 0 && isMate(best.score) && mate-abs(best.score) <= 2*n {
		return !m.pondering && !m.limits.Infinite
	}
	if mates && m.deadline != clock.Never {
		return !m.pondering
	}
	m.timer.Update(clock.Iteration{
		Depth: w.rootDepth, Best: uint32(best.move), Value: best.score, Changes: w.bestMoveChanges,
		Effort: float64(best.nodes) / float64(max(w.rootNodes(), 1)), Forced: w.rankEnd(0) == 1,
	})
	return !m.pondering && m.enough()
}

// enough reports whether the search has used its time. The deadline may change with it.
func (m *manager) enough() bool {
	enough := m.timer.Enough(m.used())
	m.arm()
	return enough
}

func abs(v int) int { return max(v, -v) }

// failLow gives more time to a search whose value falls.
func (m *manager) failLow(w *worker, value int) {
	m.timer.FailLow(w.rootDepth, value)
	m.arm()
}

// reportBound reports a value outside the aspiration window, in long searches.
func (m *manager) reportBound(w *worker) {
	if m.report != nil && !m.set.NoBounds && w.lines == 1 && m.elapsed() > lateReports {
		m.reportLine(w, 0)
	}
}

// reportCurrMove reports the root move that is searched next, in long searches.
func (m *manager) reportCurrMove(move game.Move, number int) {
	if m.report != nil && m.workers[0].nodes > 1<<20 && m.elapsed() > lateReports {
		m.report(search.Info{
			CurrMove: m.root.Text(move), CurrMoveNumber: number, HashFull: -1,
			Depth: m.workers[0].rootDepth,
		})
	}
}
