package shogi

import (
	"trefoil/game"
	"trefoil/zobrist"
)

// FromMove16 returns the legal move whose Move16 is s, if there is one.
func (p *Position) FromMove16(s uint16) (game.Move, bool) {
	m := game.Move(s)
	to, us := target(m), p.side
	if to >= Nowhere {
		return game.None, false
	}
	if m&drop != 0 {
		return p.dropFromMove16(m)
	}
	from := origin(m)
	code := p.At(from)
	if code == 0 || ColourOf(code) != us || p.colours[us&1].Has(to) {
		return game.None, false
	}
	k := KindOf(code)
	if !Attacks(us, k, from, p.Occupied()).Has(to) || !p.safe(k, from, to) {
		return game.None, false
	}
	m |= game.Move(code)<<16 | p.victim(to)
	if m&promotion == 0 {
		return m, !dead(us, k).Has(to)
	}
	return m | promotes1, k.Promotes() && squares[from].Or(squares[to]).Meets(zone(us))
}

// dropFromMove16 is FromMove16 for a drop whose target is on the board.
func (p *Position) dropFromMove16(m game.Move) (game.Move, bool) {
	us, to, k := p.side, target(m), dropped(m)
	if m&promotion != 0 || k < 0 || k >= King || !p.hands[us&1].Has(k) || p.board[to] != 0 || dead(us, k).Has(to) {
		return game.None, false
	}
	if k == Pawn && !p.pawnDrops(to.Bit()).Any() {
		return game.None, false
	}
	if p.checkers.Any() && (p.checkers.Many() || !Between(p.kings[us&1], p.checkers.First()).Has(to)) {
		return game.None, false
	}
	return m | game.Move(Code(us, k))<<16, true
}

// safe reports whether the king is safe after a piece on the board has moved.
func (p *Position) safe(k Kind, from, to Square) bool {
	us := p.side
	if k == King {
		return !p.Attacked(to, p.Occupied().Without(from.Bit()), us^1)
	}
	king := p.kings[us&1]
	if p.checkers.Any() {
		if p.checkers.Many() {
			return false
		}
		if checker := p.checkers.First(); to != checker && !Between(king, checker).Has(to) {
			return false
		}
	}
	return Line(king, from).Has(to) || !p.blockers(king, us^1).Has(from)
}

// KeyAfter returns the key after m.
func (p *Position) KeyAfter(m game.Move) uint64 {
	board, hand := p.KeyChanges(m)
	return p.key ^ board ^ hand
}

// KeyChanges returns what m changes in the keys of the board and of the hands, as masks to xor.
func (p *Position) KeyChanges(m game.Move) (board, hand uint64) {
	us := p.side & 1
	to, code := target(m), m.Piece()
	board = zobrist.Side ^ words.pieces[placed(m)&31][to]
	if m&drop != 0 {
		k := KindOf(code)
		n := p.hands[us].Count(k)
		w := &words.hand[us][k&7]
		return board, w[n] ^ w[n-1]
	}
	board ^= words.pieces[code&31][origin(m)]
	if victim := m.Victim(); victim != 0 {
		k := KindOf(victim).Plain()
		n := p.hands[us].Count(k)
		w := &words.hand[us][k&7]
		return board ^ words.pieces[victim][to], w[n] ^ w[n+1]
	}
	return board, 0
}
