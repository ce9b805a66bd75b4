package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
)

// searchMoves tries the moves of n until one reaches beta; done is set where
// its value ends the node without a store.
func (w *worker) searchMoves(n *node) (v int, done bool) {
	f := n.f
	// Without a table move the first one is likely a poor one: come back later.
	if n.table == game.None && n.depth >= 4 && (n.pv || n.cut) && f.excluded == game.None {
		n.depth--
	}
	p := newPicker(w, f, n.table)
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
		r := w.reduction(n, m, history)
		if n.best > -mateLow && !w.careful && w.skip(n, &p, m, r, history) {
			continue
		}
		w.table.Prefetch(w.predict.KeyAfter(m))
		extension := 0
		if m == n.table {
			if extension, v, done = w.singular(n, m); done {
				return v, true
			}
		}
		f.first = n.count == 1
		w.make(f, m)
		v := w.descend(n, m, n.depth-1+extension, r)
		w.pos.Undo()
		if w.stopped() {
			return 0, true
		}
		if v > n.best {
			n.best = v
			if v > n.alpha {
				n.bestMove = m
				if n.pv {
					f.take(m, w.frame(n.ply+1))
				}
				if v >= n.beta {
					f.cutoffs++
					return 0, false
				}
				n.alpha = v
				if n.depth > 2 && n.depth < 12 && !isMate(v) {
					n.depth--
				}
			}
		}
		n.tried(m)
	}
}

// tried remembers m as a move that did not cut off.
func (n *node) tried(m game.Move) {
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

// take makes m and the child's line the best line of f.
func (f *frame) take(m game.Move, child *frame) {
	f.pv[0] = m
	f.pvLen = 1 + copy(f.pv[1:], child.pv[:child.pvLen])
}

// reduction is by how much, in units, the late move m is searched shallower
// than the first one.
func (w *worker) reduction(n *node, m game.Move, history int) int {
	f := n.f
	r := reductions[min(n.depth, 255)]*reductions[min(n.count, 255)] + reduceBase
	if !n.improving {
		r += reduceNotImproving
	}
	if f.tablePV {
		r -= reduceTablePV
		if n.tableValue != none && n.tableValue > n.alpha {
			r -= reduceTableAbove
		}
		if n.hit && int(n.entry.Depth) >= n.depth {
			r -= reduceTableDeep
		}
		if n.pv {
			r -= reducePV
		}
	}
	if n.cut {
		r += reduceCut
		if n.table == game.None {
			r += reduceNoTable
		}
	}
	if n.table != game.None && !n.table.Quiet() {
		r += reduceTableNoisy
	}
	if w.frame(n.ply+1).cutoffs > 3 {
		r += reduceCutoffs
	}
	if m == n.table {
		r -= reduceTableMove
	}
	if n.raw != none {
		r -= abs(n.static-n.raw) * reduceCorrected
	}
	if m.Quiet() {
		r -= history * reduceHistory / unit
	} else {
		r -= history * reduceNoisyHistory / unit
	}
	return r
}

// skip reports whether the late move m is so unlikely to help that it is not
// searched. There is a move that does not lose already.
func (w *worker) skip(n *node, p *picker, m game.Move, r, history int) bool {
	f := n.f
	if n.count >= lateMoves(n.depth, n.improving) && !f.inCheck && n.depth <= lateDepth {
		p.skipQuiet = true
	}
	depth := max(0, n.depth-1-max(0, r)/unit)
	if !m.Quiet() {
		if depth < noisyDepth && !f.inCheck && n.static+noisyBase+noisyFactor*depth+w.exchange.CaptureValue(m)+history/80 <= n.alpha &&
			!w.checker.GivesCheck(m) {
			return true
		}
		return !w.exchange.SEE(m, seeNoisy*n.depth-history/100)
	}
	if history < historyFactor*n.depth && n.depth <= lateDepth {
		p.skipQuiet = true
		return true
	}
	depth = max(0, depth+history/historyPly)
	if !f.inCheck && depth <= futilityDepth {
		futile := n.static + futilityBase + futilityFactor*depth
		if futile <= n.alpha && !w.checker.GivesCheck(m) {
			if n.best <= futile && !isMate(n.best) {
				n.best = futile
			}
			p.skipQuiet = true
			return true
		}
	}
	return !w.exchange.SEE(m, seeQuiet*depth*depth)
}

// singular finds by how much the table's move m is to be extended: more if all
// others fail, less if they need not be looked at. done is set where others cut
// off as well, and v is the value then.
func (w *worker) singular(n *node, m game.Move) (extension, v int, done bool) {
	f := n.f
	if n.depth < singularDepth || f.excluded != game.None || n.ply >= 2*w.rootDepth || n.tableValue == none ||
		isMate(n.tableValue) || n.entry.Bound&cluster.Lower == 0 || int(n.entry.Depth) < n.depth-3 {
		return 0, 0, false
	}
	target := n.tableValue - n.depth*singularFactor/unit
	if f.tablePV && !n.pv {
		target -= n.depth * singularPV / unit
	}
	f.excluded = m
	v = w.search(target-1, target, (n.depth-1)/2, n.ply, false, n.cut)
	f.excluded = game.None
	switch {
	case w.stopped():
		return 0, 0, true
	case v < target:
		extension = 1
		if !n.pv && v < target-doubleMargin {
			extension = 2
			if m.Quiet() && v < target-tripleMargin {
				extension = 3
			}
		}
		return extension, 0, false
	case v >= n.beta && !isMate(v):
		return 0, v, true
	case n.tableValue >= n.beta:
		return -2, 0, false
	case n.cut:
		return -2, 0, false
	}
	return 0, 0, false
}

// descend searches the child after m, which has just been made, to depth: late
// moves first with a null window and reduced by r, then as far as needed.
func (w *worker) descend(n *node, m game.Move, depth, r int) int {
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
			if v > n.best+deeperMargin+depth {
				depth++
			}
			if v < n.best+shallowerMargin {
				depth--
			}
			if d < depth {
				v = -w.search(-n.alpha-1, -n.alpha, depth, ply, false, !n.cut)
			}
			if m.Quiet() && !w.stopped() {
				if v <= n.alpha {
					w.learnCont(f, m, -penalty(depth))
				} else if v >= n.beta {
					w.learnCont(f, m, reward(depth))
				}
			}
		}
	} else if !n.pv || n.count > 1 {
		if n.table == game.None {
			r += unit
		}
		d := depth
		if r > 3*unit {
			d--
		}
		v = -w.search(-n.alpha-1, -n.alpha, d, ply, false, !n.cut)
	}
	if n.pv && (n.count == 1 || v > n.alpha) {
		v = -w.search(-n.beta, -n.alpha, depth, ply, true, false)
	}
	return v
}
