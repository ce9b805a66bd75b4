package chess

import "trefoil/game"

// Moves appends the legal moves of a kind to l. Noisy moves are the captures
// and the promotions to a queen. If the side to move is in check, only moves
// that end it are legal, of whatever kind.
func (p *Position) Moves(kind game.Kind, l *game.List) {
	if kind == game.Checks {
		p.checks(l)
		return
	}
	us := p.side
	own, enemy := p.colours[us&1], p.colours[us&1^1]
	targets := ^own
	switch kind {
	case game.Noisy:
		targets = enemy
	case game.Quiet:
		targets = ^(own | enemy)
	}
	king := p.King(us)
	p.kingMoves(l, king, targets)
	if kind != game.Noisy && p.checkers == 0 {
		for rooks := p.castle & own; rooks != 0; {
			if s := rooks.Pop(); p.castlingLegal(king, s) {
				l.Add(p.newMove(king, s, castling))
			}
		}
	}
	if p.checkers.Many() {
		return
	}
	safe := ^Bitboard(0)
	if p.checkers != 0 {
		safe = p.checkers | Between(king, p.checkers.First())
	}
	pinned := p.blockers(king, us^1) & own
	p.pieceMoves(l, king, targets&safe, pinned)

	pawns := own & p.kinds[Pawn]
	p.pawnMoves(l, kind, pawns&^pinned, safe)
	for pawns &= pinned; pawns != 0; {
		s := pawns.Pop()
		p.pawnMoves(l, kind, s.Bit(), safe&Line(king, s))
	}
	if p.ep != 0 && kind != game.Quiet {
		to := Square(p.ep)
		for from := own & p.kinds[Pawn] & PawnAttacks(us^1, to); from != 0; {
			if s := from.Pop(); p.enPassantLegal(s, to) {
				l.Add(p.newMove(s, to, enPassant) | p.victim(to^8))
			}
		}
	}
}

// kingMoves adds the king's steps to targets.
func (p *Position) kingMoves(l *game.List, king Square, targets Bitboard) {
	us := p.side
	occ := p.Occupied() ^ king.Bit()
	for targets &= KingAttacks(king); targets != 0; {
		if to := targets.Pop(); p.attackersOf(to, occ, us^1) == 0 {
			p.add(l, king, to.Bit())
		}
	}
}

// pieceMoves adds the moves of knights, bishops, rooks and queens to targets.
func (p *Position) pieceMoves(l *game.List, king Square, targets, pinned Bitboard) {
	own := p.colours[p.side&1]
	occ := p.Occupied()
	for b := own & p.kinds[Knight] &^ pinned; b != 0; {
		s := b.Pop()
		p.add(l, s, KnightAttacks(s)&targets)
	}
	for b := own & (p.kinds[Bishop] | p.kinds[Queen]); b != 0; {
		s := b.Pop()
		t := BishopAttacks(s, occ) & targets
		if pinned.Has(s) {
			t &= Line(king, s)
		}
		p.add(l, s, t)
	}
	for b := own & (p.kinds[Rook] | p.kinds[Queen]); b != 0; {
		s := b.Pop()
		t := RookAttacks(s, occ) & targets
		if pinned.Has(s) {
			t &= Line(king, s)
		}
		p.add(l, s, t)
	}
}

// add adds the moves of the piece on from to all targets.
func (p *Position) add(l *game.List, from Square, targets Bitboard) {
	m := p.newMove(from, 0, plain)
	for targets != 0 {
		to := targets.Pop()
		l.Add(m | game.Move(to) | p.victim(to))
	}
}

// newMove returns the move of the piece on from, without a victim.
func (p *Position) newMove(from, to Square, form game.Move) game.Move {
	return game.Move(to) | game.Move(from)<<7 | form | game.Move(p.board[from&63])<<16
}

// pawnMoves adds the moves of some pawns to the squares in safe, but en passant.
func (p *Position) pawnMoves(l *game.List, kind game.Kind, pawns, safe Bitboard) {
	us := p.side
	empty, enemy := ^p.Occupied(), p.colours[us&1^1]&safe
	var one, two, left, right Bitboard // left is towards the a-file
	var up Square
	if us == White {
		one = pawns << 8 & empty
		two = one & Rank3 << 8 & empty
		left, right = pawns&^FileA<<7, pawns&^FileH<<9
		up = 8
	} else {
		one = pawns >> 8 & empty
		two = one & Rank6 >> 8 & empty
		left, right = pawns&^FileA>>9, pawns&^FileH>>7
		up = -8
	}
	last := lastRank(us)
	one &= safe
	two &= safe
	left &= enemy
	right &= enemy
	if kind != game.Quiet {
		for b := left &^ last; b != 0; {
			to := b.Pop()
			l.Add(p.newMove(to-up+1, to, plain) | p.victim(to))
		}
		for b := right &^ last; b != 0; {
			to := b.Pop()
			l.Add(p.newMove(to-up-1, to, plain) | p.victim(to))
		}
		for b := left & last; b != 0; {
			to := b.Pop()
			addPromotions(l, p.newMove(to-up+1, to, promotion)|p.victim(to), Knight, Queen)
		}
		for b := right & last; b != 0; {
			to := b.Pop()
			addPromotions(l, p.newMove(to-up-1, to, promotion)|p.victim(to), Knight, Queen)
		}
		for b := one & last; b != 0; {
			to := b.Pop()
			addPromotions(l, p.newMove(to-up, to, promotion), Queen, Queen)
		}
	}
	if kind != game.Noisy {
		for b := one & last; b != 0; {
			to := b.Pop()
			addPromotions(l, p.newMove(to-up, to, promotion), Knight, Rook)
		}
		for b := one &^ last; b != 0; {
			to := b.Pop()
			l.Add(p.newMove(to-up, to, plain))
		}
		for b := two; b != 0; {
			to := b.Pop()
			l.Add(p.newMove(to-2*up, to, doubleStep))
		}
	}
}

// victim returns the piece on s as the victim of a move.
func (p *Position) victim(s Square) game.Move { return game.Move(p.board[s&63]) << 21 }

// addPromotions adds the promotions to the kinds from low to high.
func addPromotions(l *game.List, m game.Move, low, high Kind) {
	for k := low; k <= high; k++ {
		l.Add(promote(m, k))
	}
}

// promote makes m, whose form is a promotion to a knight, one to k.
func promote(m game.Move, k Kind) game.Move {
	return game.NewMove(m.Move16()+uint16(k-Knight)<<13, m.Piece(), m.Victim(), true)
}

// castlingLegal reports whether the king, which is not in check, may castle
// with the rook on s, which still has the right to. The rook may have shielded
// the king's target, so that is checked without the rook.
func (p *Position) castlingLegal(king, s Square) bool {
	kingTo, rookTo := castled(king, s)
	occ := p.Occupied() ^ king.Bit() ^ s.Bit()
	path := Between(king, kingTo) | kingTo.Bit()
	if (path|Between(s, rookTo)|rookTo.Bit())&occ != 0 {
		return false
	}
	enemy := p.side ^ 1
	for b := path &^ kingTo.Bit(); b != 0; {
		if p.attackersOf(b.Pop(), occ|s.Bit(), enemy) != 0 {
			return false
		}
	}
	return p.attackersOf(kingTo, occ|rookTo.Bit(), enemy) == 0
}
