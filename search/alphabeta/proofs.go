package alphabeta

import (
	"context"
	"math"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/search"
)

// Prover proves forced mates, which may be longer than alpha-beta sees: in shogi, mates by checks alone.
type Prover interface {
	// Prove looks for a mate by the side to move of a position of the search, with about that many nodes, until
	// ctx ends.
	Prove(ctx context.Context, pos Position, nodes uint64) Proof
}

// Proof is the answer of a Prover.
type Proof struct {
	Line  []game.Move // to the mate; empty: none was found
	None  bool        // it is proved that there is no such mate
	Nodes uint64
}

const (
	// proofDepth is the depth of entries of positions whose mate is proved.
	proofDepth = cluster.MaxDepth
	// proofPlies is how many plies of the principal variation are followed.
	proofPlies = 2
	// proofHalf is the number of nodes of alpha-beta from which on proofs may take half as many; they take few
	// in a shorter search, and up to as many in a long one.
	proofHalf = 8192
	// proofLeast is the least number of nodes to try a proof with. Proof search counts in steps of that size.
	proofLeast = 256
	// proofAgain is the part of its nodes so far that a position needs for another try, which goes on with the
	// table of the tries before.
	proofAgain = 1. / 4
	// rootShare and lineShare are the parts of the nodes left that a try takes at the root and after it.
	rootShare, lineShare = 2. / 3, 1. / 4
)

// proofs is the search for forced mates beside a search, by the main thread: at the root whenever there are nodes
// for it, and after each iteration at the first positions of the principal variation. Most positions are disproved in
// a few nodes, so it takes about a twentieth of the nodes of a game, nearly all of them near its end.
//
// Alpha-beta learns of a mate by the table: its positions get entries that end a node of any depth.
type proofs struct {
	prover Prover             // nil: no mates are searched
	whole  context.Context    // of all tries
	end    context.CancelFunc // of all tries
	ctx    context.Context    // of a try: whole, or one that the ponderhit ends too
	nodes  uint64
	tried  map[uint64]uint64 // by key, the nodes of all tries; more than any number if there is no mate
	line   []game.Move       // from the root to a mate, if there is one
}

func newProofs(ctx context.Context, prover Prover) proofs {
	ctx, end := context.WithCancel(ctx)
	return proofs{prover: prover, whole: ctx, end: end, ctx: ctx, tried: map[uint64]uint64{}}
}

// awaitPonderHit makes the ponderhit end a try, which does not poll, before the search gets it. ctx ends with
// the search.
func (m *manager) awaitPonderHit(ctx context.Context) {
	from, to := m.limits.PonderHit, make(chan search.Clock, 1)
	try, end := context.WithCancel(m.proofs.whole)
	m.limits.PonderHit, m.proofs.ctx = to, try
	go func() {
		defer end()
		select {
		case c := <-from:
			to <- c
		case <-ctx.Done():
		}
	}()
}

// proveRoot searches for a mate at the root, which alpha-beta may be searching, and reports whether it found one that
// begins with a move to be searched.
func (m *manager) proveRoot(w *worker) bool {
	p := &m.proofs
	if p.prover == nil || p.line != nil || w.mateSearch || isMate(w.root[0].value()) || m.control.stopped() {
		return false
	}
	if p.line = m.provePosition(w, m.root, rootShare); p.line != nil {
		m.storeRootMate(w)
	}
	return p.line != nil && w.rootMove(p.line[0]) != nil
}

// storeRootMate stores the positions of the mate at the root.
func (m *manager) storeRootMate(w *worker) {
	m.control.mu.Lock() // another worker may copy the root, see restart
	defer m.control.mu.Unlock()
	w.storeMate(m.root, m.proofs.line, 0)
}

// completeByProof completes an iteration that was abandoned for a mate at the root: by the last complete one. It
// reports whether there is one.
func (w *worker) completeByProof() bool {
	c := w.control
	c.mu.Lock()
	defer c.mu.Unlock()
	complete := w.proved && c.root != nil
	if w.proved = false; complete {
		w.takeOver()
		w.manager.linesAt = 0 // they are reported now, whatever Settings.PVInterval is
	}
	return complete
}

// prove searches for mates after an iteration of the main thread, and reports whether the root is one.
func (m *manager) prove(w *worker) (mates bool) {
	m.proveRoot(w)
	if m.proofs.line != nil {
		return w.mateAtRoot(m.proofs.line)
	}
	best := &w.root[0]
	if m.proofs.prover == nil || w.mateSearch || isMate(best.score) {
		return false
	}
	played := 0
	for _, move := range best.pv[:min(len(best.pv), proofPlies)] {
		w.pos.Make(move)
		played++
		if _, over := w.pos.Adjudicate(played); over {
			break
		}
		if line := m.provePosition(w, w.pos, lineShare); line != nil {
			w.storeMate(w.pos, line, played)
			if played == 1 {
				m.failLow(w, len(line)+1-mate)
			}
			break
		}
	}
	for range played {
		w.pos.Undo()
	}
	return false
}

// provePosition returns a mate in a position, nil unless one is found that the search can reach, with a share of the
// nodes left.
func (m *manager) provePosition(w *worker, pos Position, share float64) []game.Move {
	p := &m.proofs
	searched := float64(w.nodes - p.nodes)
	left := searched*searched/(searched+proofHalf) - float64(p.nodes)
	if limit := m.control.limit.Load(); limit > 0 { // the other workers use up their parts meanwhile
		left = min(left, (float64(limit)-float64(m.nodes()))/float64(m.control.workers))
	}
	n, key := uint64(max(left, 0)*share)/proofLeast*proofLeast, pos.Key()
	if again := float64(p.tried[key]) * proofAgain; float64(n) < max(proofLeast, again) {
		return nil
	}
	r := p.prover.Prove(p.ctx, pos, n)
	if p.ctx.Err() != nil { // interrupted
		n = r.Nodes
	}
	w.nodes += r.Nodes
	p.nodes += r.Nodes
	if p.tried[key] += n; r.None {
		p.tried[key] = math.MaxInt64
	}
	if len(r.Line) == 0 || len(r.Line) > maxPly-proofPlies {
		return nil
	}
	return r.Line
}

// storeMate stores the positions of a mate that begins in pos, ply plies from the root. The root gets no such
// entry: its entry tells the depth of an iteration.
func (w *worker) storeMate(pos Position, line []game.Move, ply int) {
	defer func(p Position) { w.pos = p }(w.pos)
	w.pos = pos // for store, which has the observer
	for i, m := range line {
		if ply+i > 0 {
			w.store(cluster.Entry{
				Move: m.Move16(), Value: toTable(mateValue(len(line)-i), 0), Eval: none,
				Quality: cluster.Quality{Depth: proofDepth, Bound: cluster.Exact, PV: true},
			})
		}
		pos.Make(m)
		defer pos.Undo() // also if the table is lost
	}
}

// mateValue is the value of a position that the last of so many plies mates.
func mateValue(plies int) int {
	if plies%2 == 0 {
		return plies - mate
	}
	return mate - plies
}

// isProved reports whether an entry is one of storeMate, or of an iteration that deep.
func (w *worker) isProved(e *cluster.Found) bool {
	return w.proofs && e.Depth == proofDepth && e.Bound == cluster.Exact && isMate(int(e.Value))
}

// mateAtRoot makes a mate the best line of the iteration, unless its first move is not to be searched or a shorter
// mate is known. It reports whether the best line is a mate.
func (w *worker) mateAtRoot(line []game.Move) bool {
	v := mateValue(len(line))
	if w.root[0].value() > v {
		return true
	}
	r := w.rootMove(line[0])
	if r == nil {
		return false
	}
	r.score, r.mean, r.bound, r.depth, r.pv = v, v, 0, w.rootDepth, append(r.pv[:0], line...)
	w.sortRoot(0, len(w.root))
	w.control.mu.Lock()
	copyRootMoves(w.control.root, w.root[:len(w.control.root)])
	w.control.mu.Unlock()
	return true
}

// rootMove returns the root move m, nil if it is not to be searched.
func (w *worker) rootMove(m game.Move) *rootMove {
	for i := range w.root {
		if w.root[i].move == m {
			return &w.root[i]
		}
	}
	return nil
}
