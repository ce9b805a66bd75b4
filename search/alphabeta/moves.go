package alphabeta

import (
	"math"

	"trefoil/cluster"
	"trefoil/game"
)

// searchMoves searches the moves of n until one reaches beta. done is set if v is the value of the
// node and is not to be stored.
func (w *worker) searchMoves(n *node) (v int, done bool) {
	f := n.f
	p := picker{w: w, f: f, table: n.table}
	for {
		m := p.pick()
		if m == game.None {
			return 0, false
		}
		if m == f.excluded {
			continue
		}
		n.count++
		history := w.history(f, m)
		r := w.lateMoveReduction(n, m, history)
		if n.best > -decided && !w.mateSearch && w.pruneMove(n, &p, m, r, history) {
			continue
		}
		w.table.Prefetch(w.predict.KeyAfter(m))
		extension := 0
		if m == n.table {
			if extension, v, done = w.singularExtension(n, m); done {
				return v, true
			}
		}
		f.first = n.count == 1
		w.make(f, m)
		v := w.searchChild(n, m, n.depth-1+extension, r)
		w.pos.Undo()
		if w.stopped() {
			return 0, true
		}
		if v > n.best {
			n.best = v
			if v > n.alpha {
				n.bestMove = m
				if n.pv {
					f.updatePV(m, w.frame(n.ply+1))
				}
				if v >= n.beta {
					f.cutoffs++
					return 0, false
				}
				n.alpha = v
				if n.depth > w.alphaRaisedMin && n.depth < w.alphaRaisedMax && !isDecided(v) {
					n.depth--
				}
			}
		}
		n.addTried(m)
	}
}

// addTried records m as a move that did not cut off.
func (n *node) addTried(m game.Move) {
	if m == n.bestMove {
		return
	}
	if m.Quiet() {
		if n.quiets < len(n.f.quiets) {
			n.f.quiets[n.quiets] = m
			n.quiets++
		}
	} else if n.noisies < len(n.f.noisies) {
		n.f.noisies[n.noisies] = m
		n.noisies++
	}
}

// updatePV makes m and the child's line the best line of f.
func (f *frame) updatePV(m game.Move, child *frame) {
	f.pv[0] = m
	f.pvLen = 1 + copy(f.pv[1:], child.pv[:child.pvLen])
}

// pruneMove reports whether the move m is so unlikely to raise alpha that it is not searched. It is
// only called once a move has been found that does not lose. r is the late move reduction of m.
func (w *worker) pruneMove(n *node, p *picker, m game.Move, r, history int) bool {
	// Late move pruning.
	if n.count >= w.lateMoves(n.depth, n.improving) && !n.f.inCheck && n.depth <= w.latePruningDepth {
		p.skipQuiet = true
	}
	depth := max(0, n.depth-1-max(0, r)/unit)
	if !m.Quiet() {
		return w.pruneNoisy(n, m, depth, history)
	}
	// History pruning.
	if history < w.historyPruningFactor*n.depth && n.depth <= w.latePruningDepth {
		return true
	}
	depth = max(0, depth+history/w.historyPly)
	// Futility pruning and SEE pruning, of this move alone: a later one may give check.
	return w.futilityPruning(n, m, depth) || !w.exchange.SEE(m, w.quietSEE*depth*depth)
}

// lateMoves is the number of moves at a depth after which late move pruning skips the quiet ones.
func (w *worker) lateMoves(depth int, improving bool) int {
	n := w.latePruningBase + depth*depth
	if improving {
		return n
	}
	return n / 2
}

// pruneNoisy is futility pruning and SEE pruning of a capture or promotion whose reduced depth is
// depth.
func (w *worker) pruneNoisy(n *node, m game.Move, depth, history int) bool {
	if depth < w.captureFutilityDepth && !n.f.inCheck &&
		n.static+w.captureFutilityBase+w.captureFutilityFactor*depth+w.exchange.CaptureValue(m)+
			history/w.captureFutilityHistory <= n.alpha &&
		!w.checker.GivesCheck(m) {
		return true
	}
	return !w.exchange.SEE(m, w.captureSEE*n.depth-history/w.captureSEEHistory)
}

// futilityPruning reports whether the evaluation is so far below alpha that the quiet move m, whose
// reduced depth is depth, will hardly raise it.
func (w *worker) futilityPruning(n *node, m game.Move, depth int) bool {
	if n.f.inCheck || depth > w.futilityDepth {
		return false
	}
	futile := n.static + w.futilityBase + w.futilityFactor*depth
	if futile > n.alpha || w.checker.GivesCheck(m) {
		return false
	}
	if n.best <= futile && !isDecided(n.best) {
		n.best = futile
	}
	return true
}

// singularExtension returns by how much the table's move m is extended:
//
//   - by 1 to 3 plies if all other moves fall below the table's value by a margin (singular
//     extension);
//   - by a negative number if they do not, and a cutoff is likely (negative extension).
//
// done is set if another move reaches beta as well (multi-cut); v is then the value of n.
func (w *worker) singularExtension(n *node, m game.Move) (extension, v int, done bool) {
	f := n.f
	if n.depth < w.singularDepth || f.excluded != game.None || n.ply >= 2*w.rootDepth || n.tableValue == none ||
		isDecided(n.tableValue) || n.entry.Bound&cluster.Lower == 0 || int(n.entry.Depth) < n.depth-w.singularTableDepth {
		return 0, 0, false
	}
	target := n.tableValue - n.depth*w.singularFactor/unit
	if f.tablePV && !n.pv {
		target -= n.depth * w.singularTablePV / unit
	}
	f.excluded = m
	v = w.search(target-1, target, (n.depth-1)/2, n.ply, false, n.cut)
	f.excluded = game.None
	switch {
	case w.stopped():
		return 0, 0, true
	case v < target:
		extension = 1
		if !n.pv && v < target-w.singularDoubleMargin {
			extension = 2
			if m.Quiet() && v < target-w.singularTripleMargin {
				extension = 3
			}
		}
		return extension, 0, false
	case v >= n.beta && !isDecided(v): // multi-cut
		return 0, v, true
	case n.tableValue >= n.beta || n.cut:
		return w.negativeExtension, 0, false
	}
	return 0, 0, false
}

// setParams makes the following searches use p.
func (w *worker) setParams(p *Params) {
	if w.lmrScale != p.lmrScale {
		w.reductions = reductionFactors(p.lmrScale)
	}
	w.Params = *p
}

// reductionFactors returns the factors of late move reduction by depth and by the number of the move. The product of
// two is in units.
func reductionFactors(scale int) (t [256]int) {
	for i := 1; i < len(t); i++ {
		t[i] = int(math.Round(float64(scale) / 100 * math.Log(float64(i))))
	}
	return
}

// lateMoveReduction is by how much shallower, in units, the move m is searched than the first one.
func (w *worker) lateMoveReduction(n *node, m game.Move, history int) int {
	f := n.f
	r := w.reductions[min(n.depth, 255)]*w.reductions[min(n.count, 255)] + w.lmrBase
	if !n.improving {
		r += w.lmrNotImproving
	}
	if f.tablePV {
		r -= w.lmrTablePV
		if n.tableValue != none && n.tableValue > n.alpha {
			r -= w.lmrTableAbove
		}
		if n.hit && int(n.entry.Depth) >= n.depth {
			r -= w.lmrTableDeep
		}
		if n.pv {
			r -= w.lmrPV
		}
	}
	if n.cut {
		r += w.lmrCutNode
		if n.table == game.None {
			r += w.lmrNoTableMove
		}
	}
	if n.table != game.None && !n.table.Quiet() {
		r += w.lmrTableNoisy
	}
	if w.frame(n.ply+1).cutoffs > w.lmrCutoffCount {
		r += w.lmrCutoffs
	}
	if m == n.table {
		r -= w.lmrTableMove
	}
	if n.raw != none {
		r -= abs(n.static-n.raw) * w.lmrCorrection
	}
	if m.Quiet() {
		r -= history * w.lmrHistory / unit
	} else {
		r -= history * w.lmrNoisyHistory / unit
	}
	return r
}

// searchChild is principal variation search of the child after m, which has just been made. Late
// moves are searched with a null window and the late move reduction r first, and again deeper or
// with a wider window if their value calls for it.
func (w *worker) searchChild(n *node, m game.Move, depth, r int) int {
	f, ply := n.f, n.ply+1
	f.reduced = 0
	v := n.alpha + 1
	if n.depth >= 2 && n.count > 1 {
		limit := depth
		if n.pv {
			limit++
		}
		d := max(1, min(depth-r/unit, limit))
		f.reduced = depth - d
		v = -w.search(-n.alpha-1, -n.alpha, d, ply, false, true)
		f.reduced = 0
		if v > n.alpha && d < depth {
			if v > n.best+w.lmrDeeperMargin+depth {
				depth++
			}
			if v < n.best+w.lmrShallowMargin {
				depth--
			}
			if d < depth {
				v = -w.search(-n.alpha-1, -n.alpha, depth, ply, false, !n.cut)
			}
			if m.Quiet() && !w.stopped() {
				if v <= n.alpha {
					w.updateContinuation(f, m, -w.historyMalus(depth))
				} else if v >= n.beta {
					w.updateContinuation(f, m, w.historyBonus(depth))
				}
			}
		}
	} else if !n.pv || n.count > 1 {
		if n.table == game.None {
			r += unit
		}
		d := depth
		if r > w.lmrNullWindowStep*unit {
			d--
		}
		v = -w.search(-n.alpha-1, -n.alpha, d, ply, false, !n.cut)
	}
	if n.pv && (n.count == 1 || v > n.alpha) {
		v = -w.search(-n.beta, -n.alpha, depth, ply, true, false)
	}
	return v
}
