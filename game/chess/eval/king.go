package eval

import "trefoil/game/chess"

// kingDanger is the danger to the king of c, none if too few pieces attack.
func (e *Evaluator) kingDanger(p *chess.Position, c colour) Score {
	us, them := e.both(c)
	queens := p.Pieces(c.Other(), chess.Queen)
	if us.hits == 0 || us.hits == 1 && queens == 0 {
		return 0
	}
	w, sum := &e.w.Danger, us.danger

	// Weak are squares that the enemy attacks and only king or queen defend.
	weak := them.all &^ us.two & (^us.all | us.att[chess.Queen] | us.att[chess.King])
	sum += w.Weak.times((weak & us.zone).Count())
	sum += e.checks(p, c, weak)

	if queens == 0 {
		sum += w.NoQueen
	}
	flank := flanks[us.king&7] & camps[c&1]
	sum += w.Flank.times((them.all & flank).Count())
	sum += w.FlankTwo.times((them.two & flank).Count())
	sum += w.Guard.times((us.all & flank).Count())
	if us.att[chess.Knight]&us.zone != 0 {
		sum += w.KnightBy
	}
	return sum + w.Pinned.times(us.pinned.Count())
}

// checks is the danger from the checks that the king of c may get.
func (e *Evaluator) checks(p *chess.Position, c colour, weak bitboard) (sum Score) {
	w, k := &e.w.Danger, e.sides[c&1].king
	us, them := e.both(c)
	attackers := p.Colour(c.Other())
	safe := ^attackers & (^us.all | weak&them.two)
	through := e.occ &^ p.Pieces(c, chess.Queen)
	lines, diagonals := chess.RookAttacks(k, through), chess.BishopAttacks(k, through)
	from := [4]bitboard{
		chess.KnightAttacks(k) & them.att[chess.Knight],
		diagonals & them.att[chess.Bishop],
		lines & them.att[chess.Rook],
		(lines | diagonals) & them.att[chess.Queen] &^ us.att[chess.Queen],
	}
	var unsafe bitboard
	for i, b := range from {
		switch good := b & safe; {
		case good == 0:
			unsafe |= b
		case good&(good-1) == 0:
			sum += w.SafeCheck[i]
		default:
			sum += w.SafeCheck[i] + w.MoreCheck[i]
		}
	}
	return sum + w.Unsafe.times((unsafe &^ attackers).Count())
}
