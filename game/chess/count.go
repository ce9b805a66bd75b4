package chess

// MoveCount returns the number of legal moves without listing them.
func (p *Position) MoveCount() int {
	n, _ := p.MoveCounts()
	return n
}

// MoveCounts is MoveCount, and the number of steps of the king among them.
func (p *Position) MoveCounts() (n, king int) {
	us := p.side
	n = p.EscapeSquares(us).Count()
	return n + p.otherMoves(), n
}

// otherMoves returns the number of legal moves but the steps of the king.
func (p *Position) otherMoves() (n int) {
	us := p.side
	own := p.colours[us&1]
	king := p.King(us)
	occ := p.Occupied()
	if p.checkers.Many() {
		return 0
	}
	safe := ^Bitboard(0)
	if p.checkers != 0 {
		safe = p.checkers | Between(king, p.checkers.First())
	} else {
		for rooks := p.castle & own; rooks != 0; {
			if p.castlingLegal(king, rooks.Pop()) {
				n++
			}
		}
	}
	pinned := p.blockers(king, us^1) & own
	pawns := p.kinds[Pawn] & own
	for b := own &^ pawns &^ king.Bit(); b != 0; {
		s := b.Pop()
		t := attacks(KindOf(int(p.board[s&63])), s, occ) & safe &^ own
		if pinned.Has(s) {
			t &= Line(king, s)
		}
		n += t.Count()
	}
	n += p.countPawns(pawns&^pinned, safe)
	for b := pawns & pinned; b != 0; {
		s := b.Pop()
		n += p.countPawns(s.Bit(), safe&Line(king, s))
	}
	if p.ep != 0 {
		for from := pawns & PawnAttacks(us^1, Square(p.ep)); from != 0; {
			if p.enPassantLegal(from.Pop(), Square(p.ep)) {
				n++
			}
		}
	}
	return n
}

// countPawns returns the number of moves of some pawns to the squares in safe, but en passant.
func (p *Position) countPawns(pawns, safe Bitboard) int {
	us := p.side
	empty, enemy := ^p.Occupied(), p.colours[us&1^1]
	one := pawns.ahead(us) & empty
	two := (one & homeRank(us).ahead(us).ahead(us)).ahead(us) & empty & safe
	one &= safe
	left := (pawns &^ FileA >> 1).ahead(us) & enemy & safe
	right := (pawns &^ FileH << 1).ahead(us) & enemy & safe
	last := lastRank(us)
	n := one.Count() + two.Count() + left.Count() + right.Count()
	return n + 3*((one&last).Count()+(left&last).Count()+(right&last).Count())
}

// Mated reports whether the side to move is in check and has no legal move.
func (p *Position) Mated() bool {
	if p.checkers == 0 {
		return false
	}
	us := p.side
	king := p.King(us)
	occ := p.Occupied() ^ king.Bit()
	for to := KingAttacks(king) &^ p.colours[us&1]; to != 0; {
		if p.attackersOf(to.Pop(), occ, us^1) == 0 {
			return false
		}
	}
	return p.checkers.Many() || !p.helped(king)
}

// EscapeSquares returns the squares that the king of c could step to, whichever side is to move.
func (p *Position) EscapeSquares(c Colour) (escapes Bitboard) {
	king := p.King(c)
	occ := p.Occupied() ^ king.Bit()
	for targets := KingAttacks(king) &^ p.colours[c&1]; targets != 0; {
		if s := targets.Pop(); p.attackersOf(s, occ, c^1) == 0 {
			escapes |= s.Bit()
		}
	}
	return escapes
}

// helped reports whether another piece than the king ends the only check.
func (p *Position) helped(king Square) bool {
	us := p.side
	checker := p.checkers.First()
	// A piece that is pinned on another line does not help, and the checker pins no piece.
	free := p.colours[us&1] &^ p.blockers(king, us^1) &^ king.Bit()
	occ := p.Occupied()
	if p.attackersOf(checker, occ, us)&free != 0 {
		return true
	}
	if p.ep != 0 {
		to := Square(p.ep)
		for from := p.Pieces(us, Pawn) & PawnAttacks(us^1, to); from != 0; {
			if p.enPassantLegal(from.Pop(), to) {
				return true
			}
		}
	}
	between := Between(king, checker)
	if between == 0 {
		return false
	}
	if p.countPawns(p.kinds[Pawn]&free, between) != 0 {
		return true
	}
	for between != 0 {
		if p.attackersOf(between.Pop(), occ, us)&free&^p.kinds[Pawn] != 0 {
			return true
		}
	}
	return false
}
