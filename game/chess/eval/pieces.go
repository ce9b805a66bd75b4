package eval

import "trefoil/game/chess"

// pieces evaluates the knights, bishops, rooks and queens of c, records their
// attacks and returns their part of the phase.
func (e *Evaluator) pieces(p *chess.Position, c colour) (phase int) {
	c &= 1
	e.terms[termPlace][c], e.terms[termMobility][c], e.terms[termPieces][c] = 0, 0, 0
	pawns := p.Pieces(c, chess.Pawn).Count()
	if b := p.Pieces(c, chess.Knight); b != 0 {
		phase += e.knights(p, c, b)
		e.terms[termPieces][c] += e.w.KnightPawn.times((pawns - 5) * b.Count())
	}
	if b := p.Pieces(c, chess.Bishop); b != 0 {
		phase += e.bishops(p, c, b)
	}
	if b := p.Pieces(c, chess.Rook); b != 0 {
		phase += 2 * e.rooks(p, c, b)
		e.terms[termPieces][c] += e.w.RookPawn.times((pawns - 5) * b.Count())
	}
	if b := p.Pieces(c, chess.Queen); b != 0 {
		phase += 4 * e.queens(p, c, b)
	}
	return phase
}

// attack records that a piece of c attacks a, and returns the squares of it
// that count as mobility.
func (e *Evaluator) attack(c colour, kind int, a bitboard) int {
	us, them := e.both(c)
	us.two |= us.all & a
	us.all |= a
	us.att[kind] |= a
	if a&them.zone != 0 {
		them.hits++
		ring := a & them.att[chess.King]
		them.danger += e.w.Danger.Attacker[kind-1] + e.w.Danger.Hits.times(ring.Count())
	}
	return (a & us.area).Count()
}

// free is the part of a that a piece of c on s may move to without leaving the
// line to its king, if it is pinned.
func (e *Evaluator) free(c colour, s square, a bitboard) bitboard {
	if us := &e.sides[c&1]; us.pinned.Has(s) {
		a &= chess.Line(us.king, s)
	}
	return a
}

func (e *Evaluator) knights(p *chess.Position, c colour, b bitboard) (n int) {
	w, us, place := &e.w.Pieces, &e.sides[c&1], &e.place[chess.Knight]
	outposts := e.outposts(c)
	var placed, moves, extra Score
	for ; b != 0; n++ {
		s := b.Pop()
		a := e.free(c, s, chess.KnightAttacks(s))
		placed += place[(int(s)^us.orient)&63]
		moves += e.w.KnightMobility[e.attack(c, int(chess.Knight), a)]
		if outposts.Has(s) {
			extra += w.KnightOutpost[e.protected(c, s)]
		} else if a&outposts&^p.Colour(c) != 0 {
			extra += w.KnightReaches
		}
		extra += w.KnightFar.times(distance(s, us.king))
		if forward(c, s.Bit())&p.Kind(chess.Pawn) != 0 {
			extra += w.BehindPawn
		}
	}
	e.add(c, placed, moves, extra)
	return n
}

func (e *Evaluator) bishops(p *chess.Position, c colour, b bitboard) (n int) {
	w, us, place := &e.w.Pieces, &e.sides[c&1], &e.place[chess.Bishop]
	outposts, pawns := e.outposts(c), p.Pieces(c, chess.Pawn)
	blocked := pawns & forward(c.Other(), e.occ) & centre
	through := e.occ &^ p.Pieces(c, chess.Queen)
	var placed, moves, extra Score
	if b&dark != 0 && b&^dark != 0 {
		extra += e.w.BishopPair
	}
	for ; b != 0; n++ {
		s := b.Pop()
		a := e.free(c, s, chess.BishopAttacks(s, through))
		placed += place[(int(s)^us.orient)&63]
		moves += e.w.BishopMobility[e.attack(c, int(chess.Bishop), a)]
		if outposts.Has(s) {
			extra += w.BishopOutpost[e.protected(c, s)]
		}
		extra += w.BishopFar.times(distance(s, us.king))
		if forward(c, s.Bit())&p.Kind(chess.Pawn) != 0 {
			extra += w.BehindPawn
		}
		same := dark
		if !dark.Has(s) {
			same = ^dark
		}
		extra += w.BishopPawns.times((pawns & same).Count()) + w.BishopBlocked.times((blocked & same).Count())
		if long := longs[s&63]; long != 0 && long&^chess.BishopAttacks(s, p.Kind(chess.Pawn)) == 0 {
			extra += w.LongDiagonal
		}
	}
	e.add(c, placed, moves, extra)
	return n
}

func (e *Evaluator) rooks(p *chess.Position, c colour, b bitboard) (n int) {
	w, us, place := &e.w.Pieces, &e.sides[c&1], &e.place[chess.Rook]
	own, their := p.Pieces(c, chess.Pawn), p.Pieces(c.Other(), chess.Pawn)
	through := e.occ &^ (p.Pieces(c, chess.Queen) | p.Pieces(c, chess.Rook))
	var placed, moves, extra Score
	for ; b != 0; n++ {
		s := b.Pop()
		a := e.free(c, s, chess.RookAttacks(s, through))
		placed += place[(int(s)^us.orient)&63]
		m := e.attack(c, int(chess.Rook), a)
		moves += e.w.RookMobility[m]
		file := fileA << (s & 7)
		switch {
		case file&own == 0 && file&their == 0:
			extra += w.RookOpen
		case file&own == 0:
			extra += w.RookHalfOpen
		case m <= 3 && (us.king&4 != 0) == (s&7 > us.king&7) && rankOf(c, s) == rankOf(c, us.king):
			extra += w.RookTrapped
		}
		if rankOf(c, s) == 6 && (rankOf(c, e.sides[c&1^1].king) == 7 || their&(rank1<<(s&^7)) != 0) {
			extra += w.RookSeventh
		}
	}
	e.add(c, placed, moves, extra)
	return n
}

func (e *Evaluator) queens(p *chess.Position, c colour, b bitboard) (n int) {
	w, us, place := &e.w.Pieces, &e.sides[c&1], &e.place[chess.Queen]
	them := c.Other()
	rooks, bishops := p.Pieces(them, chess.Rook), p.Pieces(them, chess.Bishop)
	var placed, moves, extra Score
	for ; b != 0; n++ {
		s := b.Pop()
		a := e.free(c, s, chess.QueenAttacks(s, e.occ))
		placed += place[(int(s)^us.orient)&63]
		moves += e.w.QueenMobility[e.attack(c, int(chess.Queen), a)]
		snipers := chess.RookAttacks(s, 0)&rooks | chess.BishopAttacks(s, 0)&bishops
		for snipers != 0 {
			if x := chess.Between(s, snipers.Pop()) & e.occ; x != 0 && !x.Many() {
				extra += w.QueenExposed
			}
		}
	}
	e.add(c, placed, moves, extra)
	return n
}

// add adds the scores of the pieces of a kind to the terms.
func (e *Evaluator) add(c colour, placed, moves, extra Score) {
	e.terms[termPlace][c&1] += placed
	e.terms[termMobility][c&1] += moves
	e.terms[termPieces][c&1] += extra
}

// outposts are the squares in the enemy half that no enemy pawn attacks now or later.
func (e *Evaluator) outposts(c colour) bitboard {
	half := bitboard(0x00ffffff00000000)
	if c == chess.Black {
		half = 0x00000000ffffff00
	}
	return half &^ e.entry.span[c&1^1]
}

// protected is 1 if a pawn of c protects s, else 0.
func (e *Evaluator) protected(c colour, s square) int {
	return int(e.sides[c&1].att[chess.Pawn] >> (uint(s) & 63) & 1)
}

// space is the value of safe squares of c in the centre, those behind its pawns twice, while c has
// more than eight pieces and pawns.
func (e *Evaluator) space(p *chess.Position, c colour) Score {
	count := p.Colour(c).Count()
	if count <= 8 {
		return 0
	}
	them, pawns := &e.sides[c&1^1], p.Pieces(c, chess.Pawn)
	space := centre & 0x00000000ffffff00
	if c == chess.Black {
		space = centre & 0x00ffffff00000000
	}
	space &^= pawns | them.att[chess.Pawn]
	behind := forward(c.Other(), pawns)
	behind |= forward(c.Other(), behind)
	behind |= forward(c.Other(), behind)
	n := space.Count() + (space & behind &^ them.all).Count()
	return e.w.Pieces.Space.times(n * (count - 8) / 8)
}
