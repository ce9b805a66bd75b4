package eval

import "trefoil/game/chess"

// threats is the value of the attacks of c on enemy pieces and pawns.
func (e *Evaluator) threats(p *chess.Position, c colour) (sum Score) {
	w, own := &e.w.Threats, &e.sides[c&1].att
	us, them := e.both(c)
	enemies := p.Colour(c.Other())
	pieces := enemies &^ p.Kind(chess.Pawn)

	// Strong is what a pawn protects, or what is protected twice and not attacked twice.
	strong := them.att[chess.Pawn] | them.two&^us.two
	weak := enemies &^ strong & us.all
	for b := (pieces&strong | weak) & (own[chess.Knight] | own[chess.Bishop]) &^ p.Kind(chess.King); b != 0; {
		sum += w.ByMinor[(p.At(b.Pop())-1)>>1]
	}
	if weak != 0 {
		for b := weak & own[chess.Rook] &^ p.Kind(chess.King); b != 0; {
			sum += w.ByRook[(p.At(b.Pop())-1)>>1]
		}
		if weak&own[chess.King] != 0 {
			sum += w.ByKing
		}
		sum += w.ByQueen.times((weak & own[chess.Queen]).Count())
		sum += w.Hanging.times((weak & (^them.all | pieces&us.two)).Count())
	}
	sum += w.Restricted.times((them.all & us.all &^ strong).Count())
	return sum + e.pawnThreats(p, c, pieces) + e.queenThreats(p, c, strong)
}

// pawnThreats is what c's safe pawns attack, now or after a step.
func (e *Evaluator) pawnThreats(p *chess.Position, c colour, pieces bitboard) (sum Score) {
	w := &e.w.Threats
	us, them := e.both(c)
	safe := ^them.all | us.all
	pawns := p.Pieces(c, chess.Pawn)
	pieces &^= p.Kind(chess.King)
	for b := spread(forward(c, pawns&safe)) & pieces; b != 0; {
		sum += w.ByPawn[(p.At(b.Pop())-1)>>1]
	}
	third := bitboard(0x0000000000ff0000)
	if c == chess.Black {
		third = 0x0000ff0000000000
	}
	step := forward(c, pawns) &^ e.occ
	step |= forward(c, step&third) &^ e.occ
	step &= safe &^ them.att[chess.Pawn]
	return sum + w.ByPush.times((spread(forward(c, step)) & pieces).Count())
}

// queenThreats is the value of safe squares from which c's minor pieces and rooks would attack the
// enemy queen, if there is exactly one.
func (e *Evaluator) queenThreats(p *chess.Position, c colour, strong bitboard) Score {
	queens := p.Pieces(c.Other(), chess.Queen)
	if queens == 0 || queens.Many() {
		return 0
	}
	w, q, us := &e.w.Threats, queens.First(), &e.sides[c&1]
	own, safe := &us.att, us.area&^strong
	knights := own[chess.Knight] & chess.KnightAttacks(q) & safe
	sliders := (own[chess.Bishop]&chess.BishopAttacks(q, e.occ) |
		own[chess.Rook]&chess.RookAttacks(q, e.occ)) & safe & us.two
	return w.KnightFork.times(knights.Count()) + w.SliderFork.times(sliders.Count())
}

// passed is the value of the passed pawns of c beyond their rank and the distance of the kings.
func (e *Evaluator) passed(p *chess.Position, c colour) (sum Score) {
	b := e.entry.passed & p.Colour(c)
	if b == 0 {
		return 0
	}
	w := &e.w.Passed
	us, them := e.both(c)
	own, their := p.Colour(c), p.Colour(c.Other())
	bar := them.all | their
	for b != 0 {
		s := b.Pop()
		r := rankOf(c, s) - 1
		stop := forward(c, s.Bit())
		front := masks[c&1][s&63].front
		switch {
		case stop&e.occ != 0:
			sum += w.Blocked[r]
		case stop&bar == 0:
			sum += w.SafeStep[r]
		}
		if front&bar == 0 {
			sum += w.SafePath[r]
		}
		if stop&us.all != 0 {
			sum += w.Guarded[r]
		}
		if majors := masks[c&1^1][s&63].front & (p.Kind(chess.Rook) | p.Kind(chess.Queen)); majors != 0 {
			majors &= chess.RookAttacks(s, e.occ)
			if majors&own != 0 {
				sum += w.RookBehind[r]
			} else if majors != 0 {
				sum += w.RookChases[r]
			}
		}
		if their&^(p.Kind(chess.Pawn)|p.Kind(chess.King)) == 0 && e.runs(p, c, s, front) {
			sum += w.Runs
		}
	}
	return sum
}

// runs reports whether the passed pawn of c on s outruns the enemy king, with
// nothing of its own in the way.
func (e *Evaluator) runs(p *chess.Position, c colour, s square, front bitboard) bool {
	if front&e.occ != 0 {
		return false
	}
	steps := min(7-rankOf(c, s), 5)
	goal := square(int(s)&7 | 56*(1-int(c)))
	chase := distance(e.sides[c&1^1].king, goal)
	if p.Side() != int(c) {
		chase--
	}
	return chase > steps
}
