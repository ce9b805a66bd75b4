package alphabeta

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/internal/yield"
)

// lookback is the number of frames before the root, so that looking back needs no bounds test.
const lookback = 8

// frame is what a worker keeps of one ply of its line (a stack entry). Lists of moves cross an
// interface, so they must not live on the Go stack.
type frame struct {
	past        [lookback]*frame // past[i] is i plies back
	move        game.Move        // the move made here, None for a null move
	excluded    game.Move        // left out by the search for a singular extension
	killer      game.Move        // the last quiet move that was best at this ply
	row         int              // continuationRow of move
	eval        int              // static evaluation, corrected; in check that of two plies back
	cutoffs     int              // beta cutoffs at this ply since the grandparent was entered
	reduced     int              // plies by which the move made here is reduced
	side        int              // to move
	corrections int              // correction keys in use
	keys        [4]uint64        // of the correction histories
	inCheck     bool
	tablePV     bool // the node is or was on a principal variation
	first       bool // the move made here was the first one searched

	pvLen   int
	pv      [maxPly + 1]game.Move // the best line from here
	quiets  [64]game.Move         // tried without success
	noisies [32]game.Move
	list    game.List
	scores  [game.MaxMoves]int32
}

// back returns the frame i plies back, i < lookback.
func (f *frame) back(i int) *frame { return f.past[i] }

// rootMove is a legal move at the root with the results of its search.
type rootMove struct {
	move        game.Move
	score, prev int // of this iteration and the one before; -infinite: none, or only an upper bound
	mean        int // running mean of scores
	bound       int // score is exact (0), a lower (1) or an upper bound (-1)
	depth       int // to which score was searched
	sel         int // selective depth
	nodes       uint64
	pv          []game.Move
	known       TablebaseRank // if ranked
	ranked      bool
}

// value is the score of this iteration or, if it has none, of the one before; -infinite if neither
// has one.
func (r *rootMove) value() int {
	if r.score == -infinite {
		return r.prev
	}
	return r.score
}

// control is the state that the workers of one search share. The first worker to complete an
// iteration publishes it; the others stop theirs, copy its root moves and continue with the
// next one.
type control struct {
	end       func() // ends the proofs of mates, unless nil
	workers   uint64
	limit     atomic.Uint64 // of the nodes of all workers together, 0: none
	nodes     atomic.Uint64 // of all workers together, as far as they have counted them
	tableHits atomic.Uint64 // likewise

	_ [64]byte // the fields below have a cache line of their own
	// completed is the depth of the deepest complete iteration, or ended if the search is to end:
	// an iteration of that depth or less is superseded.
	completed atomic.Int32
	_         [60]byte

	mu              sync.Mutex // guards the results of the iteration completed
	root            []rootMove
	depth           int
	bestMoveChanges int
}

// ended is deeper than any iteration.
const ended = 1 << 20

// stop ends the search, and a proof under way, which does not poll.
func (c *control) stop() {
	c.completed.Store(ended)
	if c.end != nil {
		c.end()
	}
}

// stopped reports whether the search is to end.
func (c *control) stopped() bool { return c.completed.Load() == ended }

// worker searches its own position with its own histories; only the table and the control are
// shared.
type worker struct {
	pos Position
	optional
	table      *cluster.Table
	observer   Observer // nil: none
	unobserved uint64   // Settings.Unobserved
	control    *control
	hist       *histories
	frames     []frame

	nodes           uint64
	pollAt          uint64
	rootDepth       int
	resumed         int    // the iteration that resumes an earlier search from the table, 0 if none does
	resumeEnd       uint64 // the node count at which that iteration is given up
	follow          follow
	selDepth        int
	draw            int  // Settings.DrawValue
	mateSearch      bool // no pruning: the limit is a mate in some moves
	restricted      bool // root lacks some of the legal moves
	proofs          bool // there is a Prover
	proved          bool // the iteration is abandoned for a mate at the root
	nullFrom        int  // no null moves before this ply while one is verified
	root            []rootMove
	line            int // index of the line being searched (MultiPV)
	lines           int
	skip            int             // iterations that this worker skips after each complete one
	bestMoveChanges int             // of the root within this iteration
	manager         *manager        // nil for helper threads
	tablebase       TablebaseProber // nil: probed by no node
	tableHits       uint64          // successful probes of tablebases
	counted         uint64          // nodes and tableHits that the control has
	countedHits     uint64
	start           Position // the root, for restart
	reductions      [256]int // see reductionFactors
	Params

	_ [64]byte // what follows in memory may belong to another worker
}

// frames is the number of frames of a worker.
const frames = maxPly + lookback + 4

// newWorker allocates a worker for games of the given HistoryDimensions.
func newWorker(pieces, squares int) *worker {
	w := &worker{hist: newHistories(pieces, squares), frames: make([]frame, frames)}
	for i := range w.frames {
		f := &w.frames[i]
		for back := range f.past {
			f.past[back] = &w.frames[max(0, i-back)]
		}
		f.eval = none
	}
	w.root = make([]rootMove, 0, game.MaxMoves)
	return w
}

// WorkerBytes returns how many bytes a worker takes in games of the given HistoryDimensions, without its
// position.
func WorkerBytes(pieces, squares int) uint64 {
	root := game.MaxMoves * (unsafe.Sizeof(rootMove{}) + (maxPly+1)*unsafe.Sizeof(game.None))
	return uint64(unsafe.Sizeof(worker{})+frames*unsafe.Sizeof(frame{})+root) + historyBytes(pieces, squares)
}

// frame returns the frame of a ply, -lookback < ply.
func (w *worker) frame(ply int) *frame { return &w.frames[ply+lookback] }

// make plays m at f, counts the node and polls the limits.
func (w *worker) make(f *frame, m game.Move) {
	f.move = m
	f.row = w.hist.continuationRow(m)
	w.pos.Make(m)
	w.nodes++
	if w.nodes >= w.pollAt {
		w.poll()
	}
}

// stopped reports whether this iteration must end now: its values are not valid.
func (w *worker) stopped() bool { return int(w.control.completed.Load()) >= w.rootDepth }

// pollEvery is the number of nodes between two polls of the limits.
const pollEvery = 512

// poll counts the nodes and checks their limit; the main thread also checks the other limits.
func (w *worker) poll() {
	w.pollAt = w.nodes + pollEvery
	yield.Now()
	if w.resumed > 0 && w.rootDepth == w.resumed && w.nodes > w.resumeEnd || w.manager != nil && w.overtaken() {
		w.rootDepth = 0 // which stops the iteration, see iterate
	}
	if w.manager != nil {
		w.manager.poll(w)
		if w.rootDepth > 0 && w.rootDepth != w.resumed && w.manager.proveRoot(w) {
			w.rootDepth, w.proved = 0, true
		}
	} else {
		w.pollNodes()
	}
}

// pollNodes counts the nodes, and ends the search at their limit. Near it each worker polls after its part
// of what is left.
func (w *worker) pollNodes() {
	nodes, limit := w.count(), w.control.limit.Load()
	switch {
	case limit == 0:
	case nodes >= limit:
		w.control.stop()
	default:
		w.pollAt = min(w.pollAt, w.nodes+max((limit-nodes)/w.control.workers, 1))
	}
}

// count adds what the worker has done since it last did that to the counts of all workers, and returns their nodes.
func (w *worker) count() (nodes uint64) {
	c := w.control
	if hits := w.tableHits - w.countedHits; hits > 0 {
		c.tableHits.Add(hits)
	}
	nodes = c.nodes.Add(w.nodes - w.counted)
	w.counted, w.countedHits = w.nodes, w.tableHits
	return nodes
}
