package shogi

import "trefoil/game"

// MatedInEffect reports whether the side to move is mated, useless interpositions (無駄合) left aside: it is
// in check, and all that it can do is to put pieces between its king and the checker, each of which is
// useless.
//
// An interposition, a drop or a move, is useless if the checker captures it, promoting or not, and the side
// to move is then mated in effect again, even if the piece is given back to its hand. The captured pieces
// are not needed, since such captures are all that the opponent plays until the mate.
func (p *Position) MatedInEffect() bool { return p.checkers.Any() && p.matedInEffect(true) }

// MatesInEffect reports whether the legal move m, a check, mates in effect.
func (p *Position) MatesInEffect(m game.Move) bool {
	before := p.MakeBoard(m)
	mated := p.matedInEffect(true)
	p.UndoBoard(before)
	return mated
}

// matedInEffect is MatedInEffect of a side that is in check. Without drops it cannot drop its pieces in
// hand at first.
func (p *Position) matedInEffect(drops bool) bool {
	us := p.side
	if p.EscapeSquares(us).Any() {
		return false
	}
	if p.checkers.Many() {
		return true
	}
	checker := p.checkers.First()
	if p.helpers(checker.Bit()).Any() {
		return false
	}
	gap := Between(p.kings[us&1], checker)
	if !gap.Any() {
		return true
	}
	if drops && p.hands[us&1] != 0 && p.countDrops(gap) != 0 && p.countDrops(p.UsefulDrops()) != 0 {
		return false
	}
	helpers := p.helpers(gap)
	if !helpers.Any() {
		return true
	}
	var l game.List
	g := p.generator(game.All, &l)
	g.pieceMoves(helpers, gap)
	for _, m := range l.All() {
		before := p.MakeBoard(m)
		useless := p.checkerMates(checker, target(m), true)
		p.UndoBoard(before)
		if !useless {
			return false
		}
	}
	return true
}

// UsefulDrops returns the squares between the king of the side to move and the only checker on which a
// drop, of whatever piece, is not useless. The captured piece is given back, so the drop and its capture
// only move the checker there. After that drops need not be considered: whether they are useless is the
// same now.
func (p *Position) UsefulDrops() (useful Bitboard) {
	checkers := p.checkers
	checker := checkers.First()
	gap := Between(p.kings[p.side&1], checker)
	p.side, p.checkers = p.side^1, Bitboard{}
	for gap.Any() {
		var s Square
		if s, gap = gap.Next(); !p.checkerMates(checker, s, false) {
			useful = useful.Or(s.Bit())
		}
	}
	p.side, p.checkers = p.side^1, checkers
	return useful
}

// checkerMates reports whether the side to move mates in effect if its piece on from, which attacks to,
// moves there and what it captures is given back.
func (p *Position) checkerMates(from, to Square, drops bool) bool {
	us, code := p.side, p.At(from)
	k := KindOf(code)
	if !p.safe(k, from, to) {
		return false
	}
	m := game.Move(from)<<7 | game.Move(to) | game.Move(code)<<16 | p.victim(to)
	if k.Promotes() && squares[from].Or(squares[to]).Meets(zone(us)) && p.givesBackAndMates(m|promotes1, drops) {
		return true
	}
	return !dead(us, k).Has(to) && p.givesBackAndMates(m, drops)
}

// givesBackAndMates is checkerMates for a move.
func (p *Position) givesBackAndMates(m game.Move, drops bool) bool {
	us := p.side
	before := p.MakeBoard(m)
	if victim := m.Victim(); victim != 0 {
		one := One(KindOf(victim).Plain())
		p.hands[us&1] -= one
		p.hands[us&1^1] += one
	}
	mated := p.checkers.Any() && p.matedInEffect(drops)
	p.UndoBoard(before)
	return mated
}
