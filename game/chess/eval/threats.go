package eval

import "trefoil/game/chess"

// threats is what the attacks of c on enemy men are worth.
func (e *Evaluator) threats(p *chess.Position, c colour) (sum Score) {
	w, them := &e.w.Threats, c.Other()
	own := &e.att[c]
	men := p.Colour(them)
	pieces := men &^ p.Of(them, chess.Pawn)

	// Strong is what a pawn protects, or more men protect than attack twice.
	strong := e.att[them][chess.Pawn] | e.two[them]&^e.two[c]
	weak := men &^ strong & e.all[c]
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
		sum += w.Hanging.times((weak & (^e.all[them] | pieces&e.two[c])).Count())
	}
	sum += w.Restricted.times((e.all[them] & e.all[c] &^ strong).Count())
	return sum + e.pawnThreats(p, c, pieces) + e.queenThreats(p, c, strong)
}

// pawnThreats is what c's safe pawns attack, now or after a step.
func (e *Evaluator) pawnThreats(p *chess.Position, c colour, pieces bitboard) (sum Score) {
	w, them := &e.w.Threats, c.Other()
	safe := ^e.all[them] | e.all[c]
	pawns := p.Of(c, chess.Pawn)
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
	step &= safe &^ e.att[them][chess.Pawn]
	return sum + w.ByPush.times((spread(forward(c, step)) & pieces).Count())
}

// queenThreats is what c's minor pieces and rooks can do to the enemy queen, if
// there is just one, with their next move.
func (e *Evaluator) queenThreats(p *chess.Position, c colour, strong bitboard) Score {
	queens := p.Of(c.Other(), chess.Queen)
	if queens == 0 || queens.Many() {
		return 0
	}
	w, own, q := &e.w.Threats, &e.att[c], queens.First()
	safe := e.area[c] &^ strong
	knights := own[chess.Knight] & chess.KnightAttacks(q) & safe
	sliders := (own[chess.Bishop]&chess.BishopAttacks(q, e.occ) | own[chess.Rook]&chess.RookAttacks(q, e.occ)) & safe & e.two[c]
	return w.KnightFork.times(knights.Count()) + w.SliderFork.times(sliders.Count())
}

// passed is what the passed pawns of c are worth beyond their rank and the
// distance of the kings.
func (e *Evaluator) passed(p *chess.Position, c colour) (sum Score) {
	w, them := &e.w.Passed, c.Other()
	for b := e.entry.passed & p.Colour(c); b != 0; {
		s := b.Pop()
		r := rankOf(c, s) - 1
		stop := forward(c, 1<<s)
		front := masks[c][s].front
		bar := e.all[them] | p.Colour(them)
		switch {
		case stop&e.occ != 0:
			sum += w.Blocked[r]
		case stop&bar == 0:
			sum += w.SafeStep[r]
		}
		if front&bar == 0 {
			sum += w.SafePath[r]
		}
		if stop&e.all[c] != 0 {
			sum += w.Guarded[r]
		}
		majors := masks[them][s].front & (p.Kind(chess.Rook) | p.Kind(chess.Queen))
		if majors&p.Colour(c) != 0 && chess.RookAttacks(s, e.occ)&majors&p.Colour(c) != 0 {
			sum += w.RookBehind[r]
		}
		if majors&p.Colour(them) != 0 && chess.RookAttacks(s, e.occ)&majors&p.Colour(them) != 0 {
			sum += w.RookChases[r]
		}
		if p.Colour(them) == p.Of(them, chess.Pawn)|p.Of(them, chess.King) && e.runs(p, c, s, front) {
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
	chase := distance(e.king[c.Other()], goal)
	if p.Side() != int(c) {
		chase--
	}
	return chase > steps
}
