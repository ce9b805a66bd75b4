package alphabeta

import "trefoil/game"

// The stages of a picker. The likely best moves are searched before the others are generated.
const (
	stageTable = iota // of a new picker
	stageListNoisy
	stageGoodNoisy
	stageKiller
	stageCounter
	stageListQuiet
	stageQuiet
	stageBadNoisy
	stageListEvasions
	stageListed // the whole list, by score; only quiet checks follow
	stageListChecks
	stageCheck
	stageDone
)

// picker is the staged move picker of a node. It returns the legal moves, likely best first: the
// table's move, captures and promotions that do not lose material, killer and countermove, the other
// quiet moves, losing captures. Its lists live in the frame, so at most one picker of a frame may be
// past its first stage at any time.
type picker struct {
	w                      *worker
	f                      *frame
	table, killer, counter game.Move
	stage                  int
	next, bad              int  // the next move in f.list, and the number of bad captures, which are at its front
	noisyOnly              bool // quiescence, ProbCut: captures and promotions or, in check, evasions
	skipQuiet              bool // leave out all further quiet moves
	checks                 bool // quiescence: quiet moves that give check follow all others
}

// pick returns the next move, or game.None after the last.
func (p *picker) pick() game.Move {
	for {
		var m game.Move
		switch p.stage {
		case stageTable:
			p.stage = stageListNoisy
			if p.f.inCheck {
				p.stage = stageListEvasions
			}
			m = p.table
		case stageListNoisy:
			p.list(game.Noisy)
			p.scoreNoisy()
			p.stage = stageGoodNoisy
			if p.noisyOnly {
				p.stage = stageListed
			}
		case stageGoodNoisy:
			m = p.goodNoisy()
		case stageKiller:
			p.killer = p.refutation(p.f.killer.Move16())
			p.stage = stageCounter
			m = p.killer
		case stageCounter:
			p.counter = p.refutation(p.w.hist.counter[p.w.hist.place(p.f.back(1).move)])
			p.stage = stageListQuiet
			m = p.counter
		case stageListQuiet:
			if !p.skipQuiet {
				p.w.pos.Moves(game.Quiet, &p.f.list)
				p.scoreQuiet(p.next)
			}
			p.stage = stageQuiet
		case stageQuiet:
			m = p.quiet()
		case stageBadNoisy:
			m = p.badNoisy()
		case stageListEvasions:
			p.list(game.All)
			p.scoreEvasions()
			p.stage = stageListed
		case stageListed:
			m = p.listed()
		case stageListChecks:
			p.next = 0
			p.list(game.Checks)
			p.scoreEvasions()
			p.stage = stageCheck
		case stageCheck:
			if m = p.best(); m == game.None {
				p.stage = stageDone
			}
		default:
			return game.None
		}
		if m != game.None {
			return m
		}
	}
}

// list begins a new list of the moves of a kind.
func (p *picker) list(kind game.Kind) {
	p.f.list.Reset()
	p.w.pos.Moves(kind, &p.f.list)
}

// goodNoisy returns the next capture or promotion that is good enough by SEE, or ends the stage; the
// others are put aside.
func (p *picker) goodNoisy() game.Move {
	f := p.f
	for {
		m := p.best()
		if m == game.None {
			p.stage = stageKiller
			return m
		}
		if p.w.exchange.SEE(m, -int(f.scores[p.next-1])/p.w.badCaptureFactor) {
			return m
		}
		f.list.All()[p.bad] = m
		p.bad++
	}
}

// quiet returns the next quiet move, or ends the stage.
func (p *picker) quiet() game.Move {
	if !p.skipQuiet {
		if m := p.best(); m != game.None {
			return m
		}
	}
	p.next = 0
	p.stage = stageBadNoisy
	return game.None
}

// badNoisy returns the next capture that was put aside, or ends the stage.
func (p *picker) badNoisy() game.Move {
	if p.next == p.bad {
		p.stage = stageDone
		return game.None
	}
	p.next++
	return p.f.list.At(p.next - 1)
}

// listed returns the next move of the list, or ends the stage.
func (p *picker) listed() game.Move {
	for {
		m := p.best()
		if m == game.None {
			p.stage = stageDone
			if p.checks {
				p.stage = stageListChecks
			}
			return m
		}
		if !p.skipQuiet || !m.Quiet() {
			return m
		}
	}
}

// refutation returns the quiet move whose Move16 is m16 if it is legal and has not been picked yet.
func (p *picker) refutation(m16 uint16) game.Move {
	if m16 == 0 || p.skipQuiet || m16 == p.table.Move16() || m16 == p.killer.Move16() {
		return game.None
	}
	if m, ok := p.w.pos.FromMove16(m16); ok && m.Quiet() {
		return m
	}
	return game.None
}

// best returns the move with the highest score among the moves left, without the moves of earlier stages.
func (p *picker) best() game.Move {
	moves := p.f.list.All()
	scores := p.f.scores[:len(moves)]
	for p.next < len(moves) {
		top := p.next
		high := scores[top]
		for i := top + 1; i < len(scores); i++ {
			if scores[i] > high {
				top, high = i, scores[i]
			}
		}
		m := moves[top]
		moves[top], scores[top] = moves[p.next], scores[p.next]
		moves[p.next], scores[p.next] = m, high
		p.next++
		if m != p.table && m != p.killer && m != p.counter {
			return m
		}
	}
	return game.None
}

// scoreNoisy scores the list by capture value and capture history.
func (p *picker) scoreNoisy() {
	f := p.f
	for i, m := range f.list.All() {
		f.scores[i] = int32(p.w.captureFactor*p.w.exchange.CaptureValue(m) + int(*p.w.hist.noisyAt(m)))
	}
}

// scoreQuiet scores the list from an index on by the histories and the threat bonus. Underpromotions
// come last.
func (p *picker) scoreQuiet(from int) {
	f, h := p.f, p.w.hist
	moves := f.list.All()
	butterfly, pawns := h.butterfly[f.side], h.pawnRow(f.keys[0])
	c1, c2 := h.after(f.back(1)), h.after(f.back(2))
	c4, c6 := h.after(f.back(4)), h.after(f.back(6))
	threats := int32(p.w.threatFactor)
	p.w.threat.ThreatBonus(moves[from:], f.scores[from:])
	for i := from; i < len(moves); i++ {
		m := moves[i]
		if m.Promotes() {
			f.scores[i] = -8 * histMax
			continue
		}
		q := h.place(m)
		f.scores[i] = 2*(int32(butterfly[m.FromTo()])+int32(pawns[q])+int32(c1[q])+int32(c2[q])) +
			int32(c4[q]) + int32(c6[q]) + threats*f.scores[i]
	}
}

// scoreEvasions scores a list of any moves, captures first.
func (p *picker) scoreEvasions() {
	f, h := p.f, p.w.hist
	butterfly, c1 := h.butterfly[f.side], h.after(f.back(1))
	for i, m := range f.list.All() {
		if m.Quiet() {
			f.scores[i] = int32(butterfly[m.FromTo()]) + int32(c1[h.place(m)])
		} else {
			f.scores[i] = int32(4*histMax + p.w.captureFactor*p.w.exchange.CaptureValue(m) + int(*h.noisyAt(m)))
		}
	}
}
