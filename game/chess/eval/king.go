package eval

import "trefoil/game/chess"

// kingDanger is the danger to the king of c, none if too few pieces attack.
func (e *Evaluator) kingDanger(p *chess.Position, c colour) Score {
	them := c.Other()
	queens := p.Of(them, chess.Queen)
	if e.hits[c] == 0 || e.hits[c] == 1 && queens == 0 {
		return 0
	}
	w, own := &e.w.Danger, &e.att[c]
	sum := e.danger[c]

	// Weak are squares that the enemy attacks and only king or queen defend.
	weak := e.all[them] &^ e.two[c] & (^e.all[c] | own[chess.Queen] | own[chess.King])
	sum += w.Weak.times((weak & e.zone[c]).Count())
	sum += e.checks(p, c, weak)

	if queens == 0 {
		sum += w.NoQueen
	}
	flank := flanks[e.king[c]&7] & camps[c]
	sum += w.Flank.times((e.all[them] & flank).Count())
	sum += w.FlankTwo.times((e.two[them] & flank).Count())
	sum += w.Guard.times((e.all[c] & flank).Count())
	if own[chess.Knight]&e.zone[c] != 0 {
		sum += w.KnightBy
	}
	return sum + w.Pinned.times(e.pinned[c].Count())
}

// checks is the danger from the checks that the king of c may get.
func (e *Evaluator) checks(p *chess.Position, c colour, weak bitboard) (sum Score) {
	w, them := &e.w.Danger, c.Other()
	their, k := &e.att[them], e.king[c]
	safe := ^p.Colour(them) & (^e.all[c] | weak&e.two[them])
	through := e.occ &^ p.Of(c, chess.Queen)
	lines, diagonals := chess.RookAttacks(k, through), chess.BishopAttacks(k, through)
	from := [4]bitboard{
		chess.KnightAttacks(k) & their[chess.Knight],
		diagonals & their[chess.Bishop],
		lines & their[chess.Rook],
		(lines | diagonals) & their[chess.Queen] &^ e.att[c][chess.Queen],
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
	return sum + w.Unsafe.times((unsafe &^ p.Colour(them)).Count())
}
